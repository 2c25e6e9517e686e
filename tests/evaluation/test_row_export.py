"""Rows out and in again: CSV, JSON Lines, Parquet."""

import csv
import io
import json
import math

import numpy as np
import pytest

from ragcore.errors import InputError
from ragcore.evaluation.exporting import read_rows, write_rows

ROWS = [
    {"id": "a", "answer": '=1+1\r\n"quoted", it\'s', "rank": -5, "score": 0.1, "ok": True, "none": None,
     "hits": [1, {"file": "é.pdf"}], "note": ""},
    {"id": "'=b", "answer": "42", "rank": None, "score": 1e-09, "ok": False, "none": None, "hits": [], "note": "@x"},
    {"id": "-c\n", "answer": "\tI\u2019m\r", "rank": 12345678901234567, "score": -2.0, "ok": None, "none": None,
     "hits": {}, "note": "'"},
]  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_rows_come_back_as_they_were(kind):
    read = read_rows(write_rows(ROWS, kind), kind, nested=["hits"] if kind != "jsonl" else [])
    assert read == ROWS
    assert [[type(value) for value in row.values()] for row in read] == [
        [type(value) for value in row.values()] for row in ROWS
    ]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_formula_is_neutralised_in_csv_alone(text):
    rows = [{"answer": text}]
    plain = next(csv.DictReader(io.StringIO(write_rows(rows, "csv").decode("utf-8-sig"), newline="")))
    assert plain["answer"] == "'" + text
    assert json.loads(write_rows(rows, "jsonl"))["answer"] == text
    assert read_rows(write_rows(rows, "parquet"), "parquet") == rows


def test_negative_number_is_no_formula():
    assert write_rows([{"score": -0.25, "rank": -1}], "csv") == b'\xef\xbb\xbf"score","rank"\r\n-0.25,-1\r\n'


def test_header_that_is_a_formula():
    assert write_rows([{"=x": 1}], "csv").decode("utf-8-sig").startswith('"\'=x"')


def test_only_csv_has_a_byte_order_mark():
    rows = [{"note": "I’m"}]
    assert write_rows(rows, "csv").startswith(b"\xef\xbb\xbf")
    assert write_rows(rows, "jsonl") == '{"note": "I’m"}\n'.encode()


def test_rows_with_different_columns():
    rows = [{"a": 1}, {"b": "x"}]
    filled = [{"a": 1, "b": None}, {"a": None, "b": "x"}]
    assert read_rows(write_rows(rows, "csv"), "csv") == filled
    assert read_rows(write_rows(rows, "parquet"), "parquet") == filled
    assert read_rows(write_rows(rows, "jsonl"), "jsonl") == rows


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_no_rows_and_a_lone_empty_column(kind):
    assert read_rows(write_rows([], kind), kind) == []
    lone = [{"note": None}, {"note": ""}, {"note": "x"}]
    assert read_rows(write_rows(lone, kind), kind) == lone


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("value", [math.nan, math.inf, np.float32("nan"), [1.0, math.nan]])
def test_number_that_is_none(kind, value):
    with pytest.raises(InputError, match=r"row 2, column 'score' is (nan|inf), which is no number"):
        write_rows([{"score": 1.0}, {"score": value}], kind)


def test_numpy_values_are_plain_numbers():
    rows = [{"n": np.int64(3), "x": np.float64(0.5), "ok": np.bool_(True), "v": np.array([1, 2])}]
    assert write_rows(rows, "jsonl") == b'{"n": 3, "x": 0.5, "ok": true, "v": [1, 2]}\n'


def test_mixed_column_has_no_parquet_type():
    with pytest.raises(InputError, match="column 'a' mixes types"):
        write_rows([{"a": 1}, {"a": "x"}], "parquet")


def test_csv_saved_again_by_a_spreadsheet():
    saved = '\ufeffid,rank,ok,note\na,3,TRUE,"x, y"\nb,,FALSE,\'=1\n'
    assert read_rows(saved.encode(), "csv") == [
        {"id": "a", "rank": 3, "ok": True, "note": "x, y"},
        {"id": "b", "rank": None, "ok": False, "note": "=1"},
    ]


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (b'"a","b"\n"x"\n', "csv", "CSV record 2 has 1 cells for 2 columns"),
        (b'"a"\n"x\n', "csv", "CSV, line 2: a quote is not closed"),
        (b"caf\xe9", "csv", "not UTF-8"),
        (b"{", "jsonl", "not JSON"),
        (b"nothing", "parquet", "not readable as Parquet"),
    ],
)
def test_file_of_something_else(data, kind, message):
    with pytest.raises(InputError, match=message):
        read_rows(data, kind)
