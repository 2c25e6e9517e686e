"""Abbreviations: what was found in documents, what a glossary holds, what a question became by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

GlossarySource = Literal["user", "learned", "built-in"]
"""Who says so: a person, a document of the collection, or the list that comes with the program."""

Matching = Literal["any", "exact", "number"]
"""How a short form is recognised: in any case, only as it is written (IT is not "it"), or only
right after a number (``5 m``)."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form and what it stands for, as a text says it."""

    short: str
    long: str
    place: int
    """Which of the texts says so: a page number, or an index that starts at 0."""


@dataclass(frozen=True, slots=True)
class FoundIn:
    """The document and page that define a learned abbreviation."""

    file: str
    page: int | None = None
    """None in files without pages."""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """One line of a collection's glossary."""

    short: str
    long: str
    source: GlossarySource
    enabled: bool = True
    matching: Matching = "any"
    found_in: tuple[FoundIn, ...] = ()


class Expansion(NamedTuple):
    """What was put in place of a short form; ``["PTO", "paid time off", "built-in"]`` as JSON."""

    short: str
    long: str
    source: GlossarySource


@dataclass(frozen=True, slots=True)
class ExpandedQuestion:
    """A question as it is searched."""

    original: str
    dense: str
    """With long forms in place of short ones: what is embedded."""
    added: tuple[Expansion, ...] = ()
    also: tuple[str, ...] = ()
    """Short forms of what the question spells out: a table often has nothing else."""
    ambiguous: tuple[str, ...] = ()
    """Short forms in the question for which the documents give different meanings; left alone."""

    @property
    def lexical(self) -> str:
        """Every form there is, for a search by words."""
        return " ".join([self.original, *(one.long for one in self.added), *self.also])
