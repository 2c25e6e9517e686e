"""Which sentences of a chunk can be evidence, and what is embedded of each.

A chunk is scored by its best sentence: alone, where a heading would drown it, and under the path
of headings above it, where it is not understood without ("2.90" under "Harbour dues › 2025").
Which of the two counts is decided by the question, as the higher score (EXPERIMENTS.md,
2026-11-30, granularity). Pure: no model, no database.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ragcore.chunking.headers import SEPARATOR
from ragcore.chunking.sentences import sentences

LONGEST_HEADING = 6
"""A line of fewer words, without a number and without an end, is taken for a heading nobody marked."""
_ENDED = regex.compile(r"[.!?:;…。！？]\W*$")
_NUMBER = regex.compile(r"\b\d")
_CONTENTS_LINE = regex.compile(r"(?:(?:\. ?){2,}|\s\.)\s*\d*$")
_MARKS = "#*=- \t\n"


def evidence_spans(text: str, section: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Spans of the sentences of a chunk's ``text`` that say something, in order.

    Headings, lines of a table of contents and lines without a letter say nothing. Empty
    for a chunk of nothing else.
    """
    return [(start, end) for start, end in sentences(text) if says_something(text[start:end], section)]


def says_something(sentence: str, section: Sequence[str] = ()) -> bool:
    """Whether a sentence of a passage in ``section`` could answer anything."""
    text = sentence.strip(_MARKS)
    if not any(map(str.isalpha, text)) or text in section or _CONTENTS_LINE.search(text):
        return False
    unfinished = not _ENDED.search(text) and not _NUMBER.search(text)
    return not (unfinished and len(text.split()) < LONGEST_HEADING)


def heading_path(title: str, section: Sequence[str]) -> str:
    """``Title › Section › Subsection``; of equal neighbours only one."""
    path: list[str] = []
    for part in (title, *section):
        part = " ".join(part.split())
        if part and (not path or part.casefold() != path[-1].casefold()):
            path.append(part)
    return SEPARATOR.join(path)


def under_headings(sentence: str, title: str, section: Sequence[str]) -> list[str]:
    """The sentence below its headings: below all of them, then below the last, then alone.

    For whoever embeds to take the first that the model can read.
    """
    paths = [heading_path(title, section), heading_path("", section[-1:])]
    bare = sentence.strip(_MARKS)
    return [f"{path}\n{sentence}" for path in paths if path and path.split(SEPARATOR)[-1] != bare] + [
        sentence
    ]
