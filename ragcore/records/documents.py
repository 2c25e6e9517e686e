"""What reading, chunking and indexing give."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ragcore.records.health import DocumentHealth
from ragcore.records.models import EmbedderIdentity

if TYPE_CHECKING:
    # The process that reads files knows these records and has no use for numpy.
    import numpy as np

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
    suspect_pages: tuple[int, ...] = ()
    """Numbers of the pages whose text layer looks glued, torn or unreadable."""
    language: str = ""
    """ISO 639 code of the language it is mostly written in; empty when that is not known."""

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
    oversize: bool = field(default=False, compare=False)
    """A piece of a sentence, list item or table row that is too long for one chunk. Not stored."""

    @property
    def embedded_text(self) -> str:
        return f"{self.header}\n{self.text}" if self.header else self.text


@dataclass(frozen=True, slots=True, eq=False)
class SpanVectors:
    """The vectors of a document's chunks, one a row: of whole chunks, or of their sentences."""

    vectors: np.ndarray
    """float32 (n, dimension), unit length."""
    chunks: tuple[int, ...]
    """For each row the ordinal of its chunk."""
    spans: tuple[tuple[int, int] | None, ...]
    """For each row the sentence's span in the chunk's text; None: the whole chunk."""
    keys: tuple[bytes, ...]
    """For each row a digest of what was embedded, so that it need not be embedded again."""

    @classmethod
    def of_chunks(cls, chunks: Sequence[Chunk], vectors: np.ndarray) -> SpanVectors:
        """One vector a chunk, float32 (n_chunks, dimension), in their order."""
        return cls(
            vectors,
            tuple(chunk.ordinal for chunk in chunks),
            (None,) * len(chunks),
            tuple(text_key(chunk.embedded_text) for chunk in chunks),
        )


def text_key(text: str) -> bytes:
    """What identifies an embedded text."""
    return hashlib.sha256(text.encode()).digest()


PAGE_SEPARATOR = "\n\n"

CONTEXT_MARK = "Context: "
"""What the line of a header begins with that a chat model wrote, not the document's author."""


def without_context(header: str) -> str:
    """A chunk's header without what a model wrote: nothing of that may be answered from or cited."""
    return "\n".join(line for line in header.split("\n") if not line.startswith(CONTEXT_MARK))


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


UploadStatus = Literal["queued", "working", "indexed", "unchanged", "replaced", "rejected", "cancelled"]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way through the job queue."""

    id: int
    collection: str
    file: str
    size_bytes: int
    status: UploadStatus
    stage: str
    """reading (counts pages), embedding (counts chunks) or storing; empty while it waits."""
    done: int
    total: int
    attempts: int
    cancel_requested: bool
    stage_seconds: float
    """How long the present stage has been going on."""
    created_at: datetime
    report: IngestReport | None = None
    error: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """How it is to be read, such as ``{"ocr": True}``. A password is never among them."""

    @property
    def pending(self) -> bool:
        return self.status in ("queued", "working")

    @property
    def rate(self) -> float | None:
        """Pages or chunks a second in this stage; None before the first is done."""
        return self.done / self.stage_seconds if self.done and self.stage_seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Of this stage, at the present rate; None while there is none."""
        return (self.total - self.done) / self.rate if self.rate and self.total else None


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
    health: DocumentHealth
    other_names: tuple[str, ...] = ()
    """Names under which the very same bytes were given again."""
