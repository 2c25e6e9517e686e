"""What the pages of a PDF gave, one by one, before anything is made of them.

Such a record can be written down and taken up again, so that reading can go on in another process
where it ended in the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .pdf_lines import PdfLine

PageFailure = Literal["", "unreadable", "too complex", "too slow", "too big"]


@dataclass(frozen=True, slots=True)
class PageReading:
    """What one page gave. ``too slow`` and ``too big`` pages are marked by whoever watches the reading."""

    lines: tuple[PdfLine, ...] = ()
    form: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    """Radio groups of the form that were told on this page: they are told once."""
    characters: int = 0
    controls: int = 0
    columns: bool = False
    failure: PageFailure = ""
    form_broken: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "lines": [
                [line.text, line.along, line.up, line.size, line.bold, line.angle, line.tabular, line.aside]
                for line in self.lines
            ],
            "form": self.form,
            "groups": self.groups,
            "characters": self.characters,
            "controls": self.controls,
            "columns": self.columns,
            "failure": self.failure,
            "form_broken": self.form_broken,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PageReading:
        return cls(
            **{
                **value,
                "lines": tuple(PdfLine(*line) for line in value["lines"]),
                "form": tuple(value["form"]),
                "groups": tuple(value["groups"]),
            }
        )


@dataclass(slots=True)
class PageLog:
    """What is known of the pages before reading starts; a subclass is told of those read."""

    known: Mapping[int, PageReading] = field(default_factory=dict)
    """By page number. These pages are not read again."""
    recognised: frozenset[int] = frozenset()
    """Pages that went through OCR."""

    def opened(self, page_count: int) -> None:
        """The file is open and its pages are counted."""

    def page_read(self, number: int, reading: PageReading) -> None:
        """A page that was not known has been read."""
