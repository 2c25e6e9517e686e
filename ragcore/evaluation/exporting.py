"""Rows as CSV, JSON Lines or Parquet, and back.

A row is a dict of flat values (text, number, true or false, None) and of lists and dicts; these
stand as JSON text in a CSV cell or a Parquet column. CSV is what spreadsheets open: with a byte
order mark, and with an apostrophe before text that would run as a formula. Text is always quoted
there and numbers never, so that a row comes back with the types it had.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import regex

from ragcore.errors import InputError

ExportFormat = Literal["csv", "jsonl", "parquet"]
Row = Mapping[str, Any]

_FORMULA = regex.compile(r"'*[=+\-@\t\r]")
_ESCAPED = regex.compile(r"'+[=+\-@\t\r]")
_CELL = regex.compile(r'(?:"(?P<text>(?:[^"]|"")*+)"|(?P<bare>[^,"\r\n]*+))(?P<end>,|\r\n|\n|\r|$)')


def write_rows(rows: Sequence[Row], kind: ExportFormat) -> bytes:
    """The bytes of a file. Columns are those of all rows, in the order in which they first appear.

    Raises InputError, naming row and column, for a number that is not finite and for values that no
    format holds, and for a Parquet column of mixed types.
    """
    rows = [_plain_row(row, number) for number, row in enumerate(rows, 1)]
    if kind == "csv":
        return _csv(rows)
    if kind == "jsonl":
        lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
        return "".join(lines).encode("utf-8")
    if kind == "parquet":
        return _parquet(rows)
    raise InputError(f"The format {kind!r} is not known; use csv, jsonl or parquet.")


def read_rows(
    data: bytes, kind: ExportFormat, nested: Collection[str] = (), *, as_text: bool = False
) -> list[dict[str, Any]]:
    """The rows of such a file; ``nested`` names the columns that hold lists or dicts.

    A CSV saved again by a spreadsheet has lost its quotes, so its text that looks like a number
    becomes one here; ``as_text`` leaves every cell of a CSV as it is written. Raises InputError for
    what is not such a file.
    """
    try:
        if kind == "csv":
            rows = _read_csv(data.decode("utf-8-sig"), as_text)
        elif kind == "jsonl":
            lines = data.decode("utf-8-sig").split("\n")
            return [json.loads(line) for line in lines if line.strip()]
        elif kind == "parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            try:
                rows = pq.read_table(io.BytesIO(data)).to_pylist()
            except pa.ArrowException as error:
                raise InputError(f"The file is not readable as Parquet: {error}.") from error
        else:
            raise InputError(f"The format {kind!r} is not known; use csv, jsonl or parquet.")
        return [
            {
                key: json.loads(value) if key in nested and value is not None else value
                for key, value in row.items()
            }
            for row in rows
        ]
    except UnicodeDecodeError as error:
        raise InputError(f"The file is not UTF-8 (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise InputError(f"The file has a line or cell that is not JSON: {error}.") from error


def _plain_row(row: Row, number: int) -> dict[str, Any]:
    return {str(key): _plain(value, f"row {number}, column {key!r}") for key, value in row.items()}


def _plain(value: Any, where: str) -> Any:
    """The value in JSON's own types; numpy's become Python's, dates ISO text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"Export: {where} is {value}, which is no number; give None instead.")
    if isinstance(value, str):
        if regex.search(r"[\ud800-\udfff]", value):
            raise InputError(f"Export: {where} has half a surrogate pair, which no file holds.")
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, where) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [
            _plain(inner, where)
            for inner in (sorted(value) if isinstance(value, (set, frozenset)) else value)
        ]
    raise InputError(f"Export: {where} is a {type(value).__name__}, which no format holds.")


def _columns(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _flat(value: Any) -> Any:
    nested = isinstance(value, (list, dict))
    return json.dumps(value, ensure_ascii=False, allow_nan=False) if nested else value


class _Nothing:
    """An empty cell without quotes. The csv module quotes whatever is not a number, None too."""

    def __float__(self) -> float:
        return math.nan

    def __str__(self) -> str:
        return ""


def _csv(rows: Sequence[Row]) -> bytes:
    columns = _columns(rows)
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    if columns:
        writer.writerow([_neutral(column) for column in columns])
    for row in rows:
        values = [_flat(row.get(column)) for column in columns]
        if values == [None]:
            # The csv module would quote the only cell of a row, which makes it an empty text.
            out.write("\r\n")
        else:
            writer.writerow([_cell(value) for value in values])
    return out.getvalue().encode("utf-8-sig")


def _cell(value: Any) -> Any:
    if value is None:
        return _Nothing()
    if isinstance(value, bool):
        return value
    return _neutral(value) if isinstance(value, str) else value


def _neutral(text: str) -> str:
    """Also where apostrophes stand before the sign already, so that reading can take one off again."""
    return f"'{text}" if _FORMULA.match(text) else text


def _read_csv(content: str, as_text: bool) -> list[dict[str, Any]]:
    records = list(_records(content, _written if as_text else _bare))
    if not records:
        return []
    header = [str(name) if name is not None else "" for name in records[0]]
    if len(header) > 1:
        records = [record for record in records if record != [None]]
    for number, record in enumerate(records[1:], 2):
        if len(record) != len(header):
            raise InputError(f"CSV record {number} has {len(record)} cells for {len(header)} columns.")
    return [dict(zip(header, record, strict=True)) for record in records[1:]]


def _records(content: str, read_bare: Callable[[str], Any]) -> Iterator[list[Any]]:
    """Cells with their types. Not csv.reader, which forgets whether a cell was quoted."""
    record: list[Any] = []
    position = 0
    while position < len(content):
        match = _CELL.match(content, position)
        if match is None:
            line = content.count("\n", 0, position) + 1
            raise InputError(f"CSV, line {line}: a quote is not closed, or stands amid a cell.")
        quoted = match["text"]
        record.append(read_bare(match["bare"]) if quoted is None else _raw(quoted.replace('""', '"')))
        position = match.end()
        if match["end"] != ",":
            yield record
            record = []
        elif position == len(content):
            yield [*record, None]


def _raw(text: str) -> str:
    return text[1:] if _ESCAPED.match(text) else text


def _written(cell: str) -> str | None:
    """A cell without quotes as text."""
    return _raw(cell) if cell else None


def _bare(cell: str) -> Any:
    """A cell without quotes: nothing, a number, a truth value, or the text of another program."""
    if cell == "":
        return None
    if cell in ("True", "False", "TRUE", "FALSE"):
        return cell.casefold() == "true"
    if regex.fullmatch(r"[+-]?\d+", cell):
        return int(cell)
    if regex.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", cell):
        return float(cell)
    return _raw(cell)


def _parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table: dict[str, Any] = {}
    for column in _columns(rows):
        try:
            table[column] = pa.array([_flat(row.get(column)) for row in rows])
        except (pa.ArrowException, OverflowError) as error:
            raise InputError(
                f"Export: column {column!r} mixes types that Parquet cannot hold together."
            ) from error
    out = io.BytesIO()
    pq.write_table(pa.table(table), out)
    return out.getvalue()
