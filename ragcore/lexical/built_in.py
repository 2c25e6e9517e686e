"""The common English abbreviations that come with the program, each with its most usual meaning.

common_abbreviations.tsv was written down from general knowledge. ``matching`` is ``exact`` where
small letters are a word of their own (IT, US), and ``number`` for units, which count only after one.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from ragcore.records import GlossaryEntry


@cache
def built_in_entries() -> tuple[GlossaryEntry, ...]:
    """All of them, in alphabetical order; read once."""
    table = files("ragcore.lexical").joinpath("common_abbreviations.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        GlossaryEntry(row["short"], row["long"], "built-in", matching=row["matching"])  # type: ignore[arg-type]
        for row in rows
    )
