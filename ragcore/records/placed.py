"""Chunks with their places in a document: what a prompt is put together from."""

from __future__ import annotations

from dataclasses import dataclass

from ragcore.records.answers import Candidate


@dataclass(frozen=True, slots=True)
class PlacedChunk:
    """A stored chunk and where it stands in its document's text, ``[char_start:char_end]``."""

    candidate: Candidate
    ordinal: int
    char_start: int
    char_end: int
    tokens: int
    """By the embedder's tokenizer, header included."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document and those of its chunks that may be wanted, in reading order."""

    document_id: int
    chunks: int
    """How many it has in all."""
    tokens: int
    """Of all of them together; what two chunks share counts twice."""
    placed: tuple[PlacedChunk, ...]

    @property
    def complete(self) -> bool:
        return len(self.placed) == self.chunks
