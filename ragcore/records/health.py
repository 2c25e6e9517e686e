"""How well a document can be searched, as far as its text and its chunks tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragcore.records.documents import Chunk, SourceDocument

LOOK_FROM = 5.0
"""From this trouble on a document deserves a look: what a single warning amounts to."""

_EMPTY, _SUSPECT, _CHUNKS = 200.0, 100.0, 25.0
"""What it amounts to when all pages or chunks are so."""
_WARNING = 5.0
_MOST_WARNINGS = 4
_THIN_CHARACTERS = 80
"""A page with less is a title, a picture with a caption, or was read badly."""


@dataclass(frozen=True, slots=True)
class DocumentHealth:
    """Coverage of one document. ``page_characters`` stands in page order, the first is page 1.

    A document that was indexed before these were measured has no ``page_characters``, and None
    where a count is not known.
    """

    pages: int
    characters: int
    chunks: int
    empty_pages: tuple[int, ...] = ()
    suspect_pages: tuple[int, ...] = ()
    """The text layer looks glued, torn or unreadable there."""
    page_characters: tuple[int, ...] = ()
    oversize_chunks: int | None = None
    """Chunks that are a piece of a sentence, list item or table row too long for one chunk."""
    duplicate_chunks: int = 0
    """Chunks whose very text stands elsewhere in the collection, too."""
    language: str = ""
    """ISO 639 code; empty when it was not measured or the text does not tell."""
    warnings: int = 0

    @classmethod
    def of(cls, source: SourceDocument, chunks: Sequence[Chunk]) -> DocumentHealth:
        """What can be known of a document by itself; duplicates need its collection."""
        return cls(
            pages=len(source.pages),
            characters=source.character_count,
            chunks=len(chunks),
            empty_pages=source.empty_pages,
            suspect_pages=source.suspect_pages,
            page_characters=tuple(len(page.text) for page in source.pages),
            oversize_chunks=sum(chunk.oversize for chunk in chunks),
            language=source.language,
            warnings=len(source.warnings),
        )

    @property
    def pages_with_text(self) -> int:
        return self.pages - len(self.empty_pages)

    @property
    def characters_a_page(self) -> int:
        """On average, over the pages that have text."""
        return round(self.characters / self.pages_with_text) if self.pages_with_text else 0

    @property
    def thin_pages(self) -> tuple[int, ...]:
        """Numbers of the pages with hardly any text, though not empty."""
        return tuple(
            number
            for number, characters in enumerate(self.page_characters, start=1)
            if characters < _THIN_CHARACTERS and number not in self.empty_pages
        )

    @property
    def trouble(self) -> float:
        """0 for a document without fault, up to 270; documents are sorted by it.

        Pages that cannot be found or are misread count by their share, then chunks that were cut
        within a sentence or stand twice, and each warning a little.
        """
        pages, chunks = max(1, self.pages), max(1, self.chunks)
        suspect = set(self.suspect_pages) - set(self.empty_pages)
        return (
            (_EMPTY * len(self.empty_pages) + _SUSPECT * len(suspect)) / pages
            + _CHUNKS * ((self.oversize_chunks or 0) + self.duplicate_chunks) / chunks
            + _WARNING * min(self.warnings, _MOST_WARNINGS)
        )

    @property
    def needs_a_look(self) -> bool:
        return self.trouble >= LOOK_FROM
