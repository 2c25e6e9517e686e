"""What reading, chunking and indexing give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ragcore.records.models import EmbedderIdentity

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)`` from long work."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line inside ``Page.text[start:end]``.

    ``explicit`` headings are marked as such by the author (Markdown syntax, Word outline
    level, PDF outline); the others are guessed from the look of the line (ALL CAPS, "3.2 Fees").
    """

    start: int
    end: int
    level: int
    title: str
    explicit: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """One physical page (PDF) or the whole of an unpaged file (number 1)."""

    number: int
    text: str
    label: str | None = None
    """The printed page number, only where it differs from ``number``."""
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """What reading a file gives: clean text by page, and what was noticed on the way."""

    file_name: str
    media_type: str
    title: str
    pages: tuple[Page, ...]
    paged: bool
    """False for files without physical pages (Word, Markdown, text): cite the section instead."""
    warnings: tuple[str, ...] = ()
    empty_pages: tuple[int, ...] = ()
    """Numbers of the pages that have no text."""

    @property
    def character_count(self) -> int:
        return sum(len(page.text) for page in self.pages)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document, the unit that is stored and retrieved.

    ``text`` is exactly ``document_text[char_start:char_end]``, where the document text is the
    pages' texts joined by PAGE_SEPARATOR. ``header`` holds lines that stand above the text when
    it is embedded or shown to a model, but are not part of this place in the document.
    """

    ordinal: int
    text: str
    page_start: int
    page_end: int
    char_start: int
    char_end: int
    token_count: int
    """Tokens of ``embedded_text``, counted by the embedder's own tokenizer, special tokens included."""
    section: tuple[str, ...] = ()
    header: str = ""
    page_offsets: tuple[tuple[int, int], ...] = ()
    """``(offset in text, page number)`` where a further page begins; empty on a single page."""

    @property
    def embedded_text(self) -> str:
        return f"{self.header}\n{self.text}" if self.header else self.text


PAGE_SEPARATOR = "\n\n"


def page_at(page_start: int, page_offsets: tuple[tuple[int, int], ...], offset: int) -> int:
    """The page on which the character at ``offset`` of a chunk's text stands."""
    page = page_start
    for start, number in page_offsets:
        if offset >= start:
            page = number
    return page


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of one file. ``status``: indexed, unchanged, replaced or rejected."""

    file: str
    status: Literal["indexed", "unchanged", "replaced", "rejected"]
    document_id: int | None = None
    pages: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    id: int
    name: str
    kind: str
    embedder: EmbedderIdentity | None
    chunking: dict[str, Any]
    content_hash: str
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    id: int
    collection: str
    file_name: str
    sha256: str
    media_type: str
    title: str
    paged: bool
    pages: int
    empty_pages: tuple[int, ...]
    chunks: int
    characters: int
    size_bytes: int
    warnings: tuple[str, ...]
    indexed_at: datetime
