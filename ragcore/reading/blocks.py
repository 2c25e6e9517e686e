"""Blocks of text -> one page text with headings at the right offsets.

Readers that build their text piece by piece (Word, web pages, tables, PDF) hand over blocks;
offsets are only counted here, after cleaning, so that they cannot drift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcore.records import Heading, Page

from .cleaning import clean_characters, tidy_lines

_MARKER_LINE = re.compile(r"^(?:#{1,6}\s+|[-=]{3,}$)")
_TITLE_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, table row or heading. ``level`` 1 to 9 makes it a heading."""

    text: str
    level: int | None = None
    explicit: bool = True
    tight: bool = False
    """True: follows the block before it as the next line of the same paragraph (list items, rows)."""
    title: str = ""
    """A heading's bare title where it is not simply the text."""


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Heading, ...]]:
    """The text of a page and its headings; blocks without any text are left out."""
    parts: list[str] = []
    headings: list[Heading] = []
    length = 0
    for block in blocks:
        text = tidy_lines(clean_characters(block.text))
        if not text.strip():
            continue
        separator = "" if not parts else "\n" if block.tight else "\n\n"
        start = length + len(separator)
        length = start + len(text)
        parts.append(separator + text)
        if block.level is not None:
            title = " ".join(clean_characters(block.title or text).split())
            headings.append(Heading(start, length, block.level, title, block.explicit))
    return "".join(parts), tuple(headings)


def choose_title(pages: Sequence[Page], file_name: str, metadata_title: str = "") -> str:
    """A document's title: what its metadata say if that is sensible, else its first explicit
    heading, else its first short line, else the file name without extension."""
    title = " ".join(clean_characters(metadata_title).split())
    if title and sensible_title(title):
        return title
    for page in pages:
        for heading in page.headings:
            if heading.explicit and heading.title:
                return heading.title[:_TITLE_CHARACTERS]
    for page in pages:
        for line in page.text.split("\n"):
            bare = _MARKER_LINE.sub("", line).strip()
            if not bare:
                continue
            if len(bare) <= _TITLE_CHARACTERS and not bare.endswith((".", ";", ",")):
                return bare
            return _stem(file_name)
    return _stem(file_name)


def _stem(file_name: str) -> str:
    stem, dot, _ = file_name.rpartition(".")
    return stem if dot and stem else file_name


_SENSELESS = re.compile(
    r"""untitled.* | unbenannt.* | sans\ titre.* | \(?anonymous\)? | none | null | title | titel | document\d*
    | dokument\d* | word\ document | powerpoint[\ -]presentation | slide\ \d+ | presentation\d* | template
    | microsoft\ (?:word|powerpoint|excel)\ -\ .* | .*\.(?:docx?|pdf|indd|pptx?|xlsx?|tex|dvi|qxd|rtf|txt|odt|html?|ps|eps)
    | .*[\\/].*[\\/].* | [\W\d_]* | .{1,2}""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def sensible_title(title: str) -> bool:
    """False for what programs write when nobody gave a title ("Microsoft Word - x.doc", "untitled")."""
    return len(title) <= 300 and not _SENSELESS.fullmatch(title)
