"""The bookmarks of a PDF, matched to the lines of the pages they point at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .pdf_lines import PdfLine

_MAX_WRAPPED_LINES = 3


@dataclass(frozen=True, slots=True)
class Bookmark:
    title: str
    level: int
    """1 for the outermost."""
    page_index: int
    """0-based."""


@dataclass(frozen=True, slots=True)
class Match:
    """Lines ``first`` to ``last`` (inclusive) of page ``page_index`` are the bookmark's heading."""

    page_index: int
    first: int
    last: int
    level: int


def read_bookmarks(reader: Any) -> list[Bookmark]:
    """The outline of a ``pypdf.PdfReader`` in order; raises what pypdf raises on a damaged one."""
    return list(_flattened(reader, reader.outline, 1))


def _flattened(reader: Any, entries: Sequence[Any], level: int) -> Iterator[Bookmark]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _flattened(reader, entry, level + 1)
            continue
        page_index = reader.get_destination_page_number(entry)
        if page_index is not None and page_index >= 0 and entry.title:
            yield Bookmark(str(entry.title), level, page_index)


def match_bookmarks(bookmarks: Sequence[Bookmark], pages: Sequence[Sequence[PdfLine]]) -> list[Match]:
    """A match for each bookmark whose title stands on its page (or at the head of the next one).

    Blanks, punctuation and case do not count, nor do section numbers that only one side has; a
    title may be wrapped over up to three lines. Bookmarks without such a line are left out: there
    is no place in the text that could be called their heading.
    """
    matches: list[Match] = []
    taken: set[tuple[int, int]] = set()
    for bookmark in bookmarks:
        for page_index in (bookmark.page_index, bookmark.page_index + 1):
            if page_index >= len(pages):
                continue
            span = _find(
                bookmark.title, pages[page_index], {line for page, line in taken if page == page_index}
            )
            if span is not None:
                taken.update((page_index, line) for line in range(span[0], span[1] + 1))
                matches.append(Match(page_index, *span, bookmark.level))
                break
    return matches


def _find(title: str, lines: Sequence[PdfLine], taken: set[int]) -> tuple[int, int] | None:
    # Word for word first: a page number above "1 Introduction" must not be read as its number.
    for form in (_folded, _folded_unnumbered):
        wanted = form(title)
        for first in range(len(lines)):
            joined = ""
            for last in range(first, min(first + _MAX_WRAPPED_LINES, len(lines))):
                if last in taken:
                    break
                joined = f"{joined} {lines[last].text}".strip()
                if wanted and form(joined) == wanted:
                    return first, last
    return None


def _folded_unnumbered(title: str) -> str:
    return _folded(re.sub(r"^\s*(?:§\s*)?(?:\d+(?:\.\d+)*|[A-Z])[.)]?\s+", "", title))


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
