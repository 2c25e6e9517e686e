"""Pairs of a question and a line of an invented document, written for the purpose.

SQuAD has prose of Wikipedia; people ask of handbooks, contracts, logs, price lists and minutes. ``training/invented`` holds
passages of such documents, cut into lines, each with questions that one line answers and questions of the
same form that none does. Nothing in it comes from ``eval_data``, whose documents are others.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.tables import is_row, on_one_line
from ragcore.retrieval.judging import judged_words
from training.squad_pairs import Pair, as_typed

FOLDER = Path(__file__).with_name("invented")
HELD_OUT = 8
"""Every eighth passage of a file is for measuring."""
NEAREST = 3
"""So many lines without the answer are paired with a question, those with most of its words."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of one passage."""

    question: str
    lines: tuple[str, ...]
    """Of the passage, each below its headings, as the judge reads them."""
    answer: int | None
    """The line that answers; None where none does."""


def asked(folder: Path = FOLDER, *, held_out: bool) -> list[Asked]:
    """The questions of the passages that are held out, or of all the others; files and lines in order."""
    found: list[Asked] = []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").splitlines()):
            if (number % HELD_OUT == HELD_OUT - 1) == held_out:
                found += _of_passage(json.loads(line))
    return found


def pairs(questions: list[Asked], *, seed: int) -> Iterator[Pair]:
    """The line that answers, and those that come closest and do not; typed now and then as people type."""
    rng = random.Random(seed)
    for one in questions:
        typed = as_typed(one.question, rng) if rng.random() < 0.5 else one.question
        if one.answer is not None:
            yield Pair(typed, _headed(one.lines[one.answer], rng), True, "line")
        words = frozenset(lexemes(one.question))
        others = [text for place, text in enumerate(one.lines) if place != one.answer]
        others.sort(key=lambda text: -len(words & frozenset(lexemes(text))))
        for text in others[: NEAREST if one.answer is None else NEAREST - 1]:
            yield Pair(typed, _headed(text, rng), False, "unsaid" if one.answer is None else "another line")


def _of_passage(passage: dict) -> Iterator[Asked]:
    rows = passage["lines"]
    head = rows[0] if is_row(rows[0]) else ""
    lines = tuple(judged_words(on_one_line(row, head), passage["path"]) for row in rows)
    for one in passage["answerable"]:
        yield Asked(one["q"], lines, one["line"])
    for one in passage["missing"]:
        yield Asked(one["q"], lines, None)


def _headed(text: str, rng: random.Random) -> str:
    """Mostly below its headings, now and then below the last of them, or alone."""
    path, line = text.split("\n", 1)
    chance = rng.random()
    if chance < 0.15:
        return line
    return f"{path.rsplit(' > ', 1)[-1]}\n{line}" if chance < 0.5 else text
