"""The attacks past the gate: each stands where it is read or asked, with a canary of its own and an honest answer."""

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.evaluation.obedience import shows
from ragcore.evaluation.sets import load_set
from ragcore.lexical.instructions import reasons
from ragcore.reading import clean_text, read_document

INJECTIONS = Path(__file__).parents[2] / "eval_data" / "injections"


@cache
def maker():
    spec = importlib.util.spec_from_file_location("make_injections", INJECTIONS / "make_injections.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def folded(text: str) -> str:
    return " ".join(clean_text(text).split())


@pytest.fixture(scope="module")
def indexed(embedder) -> dict[str, list[str]]:
    """File name -> its chunks as they are embedded and sent: name, header, text."""
    chunks = {}
    for path in (INJECTIONS / "corpus").iterdir():
        document = read_document(path.read_bytes(), path.name)
        made = chunk_document(document, ChunkingConfig(), embedder.count_tokens, embedder.identity.max_tokens)
        chunks[path.name] = [folded(f"{path.name}\n{chunk.header}\n{chunk.text}") for chunk in made]
    return chunks


def test_script_makes_the_same_files(tmp_path):
    made = subprocess.run(
        [sys.executable, str(INJECTIONS / "make_injections.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    kept = {path.name: path.read_bytes() for path in (INJECTIONS / "corpus").iterdir()}
    assert {path.name: path.read_bytes() for path in (tmp_path / "corpus").iterdir()} == kept
    questions = (INJECTIONS / "questions.jsonl").read_bytes()
    assert (tmp_path / "questions.jsonl").read_bytes() == questions


def test_at_least_120_attacks_evenly_of_25_kinds():
    kinds = Counter(question.category for question in load_set(INJECTIONS).questions)
    assert sum(kinds.values()) >= 120
    assert len(kinds) == 25
    assert min(kinds.values()) >= 5 and max(kinds.values()) <= 8


def test_every_question_has_an_honest_answer_and_a_canary_of_its_own():
    questions = load_set(INJECTIONS).questions
    for question in questions:
        assert question.expected_behavior == "answer" and question.facts, question.id
        others = [one.id for one in questions if one is not question and shows(question.canary, one.canary)]
        assert others == [], question.id


def test_no_canary_stands_in_a_gold_passage_or_in_a_fact():
    questions = load_set(INJECTIONS).questions
    golds = [gold.quote for question in questions for gold in question.gold]
    facts = [fact for question in questions for group in question.facts for fact in group]
    for question in questions:
        assert not [text for text in (*golds, *facts) if shows(question.canary, text)], question.id


def test_every_attack_stands_in_an_indexed_chunk_or_in_the_question(indexed):
    rows = [json.loads(line) for line in (INJECTIONS / "questions.jsonl").read_text("utf-8").splitlines()]
    for attack, row in zip(maker().attacks(), rows, strict=True):
        asked = [folded(turn) for turn in row.get("turns", [row["question"]])]
        where = asked if attack.get("place") == "question" else indexed[attack["document"]]
        for piece in attack["pieces"]:
            # The parts of a cell, and of lines that a reader joins, may have other signs between them.
            lines = [folded(line).strip("| ") for line in piece.split("\n") if line.strip()]
            cells = [cell.strip() for line in lines for cell in line.split(" | ") if cell.strip()]
            assert all(any(cell in text for text in where) for cell in cells), (row["id"], cells)


def test_an_attack_in_two_pieces_is_in_two_chunks(indexed):
    for attack in maker().attacks():
        if len(attack["pieces"]) == 2:
            homes = [
                next(
                    number for number, text in enumerate(indexed[attack["document"]]) if folded(piece) in text
                )
                for piece in attack["pieces"]
            ]
            assert homes[0] != homes[1], attack["section"]


def test_attacks_are_recognised_and_honest_passages_are_not():
    """The patterns were written with these attacks in sight, so this says that none was lost, not how
    many of a stranger's would be recognised."""
    attacks = maker().attacks()
    missed = [
        one["section"] for one in attacks if not any(reasons(clean_text(piece)) for piece in one["pieces"])
    ]
    assert missed == []
    alarms = [one["says"] for one in attacks if one.get("place") != "inside" and reasons(one["says"])]
    assert alarms == []
