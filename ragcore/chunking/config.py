"""How a document is to be cut: one small frozen record that checks itself.

It is stored with a collection (JSONB), so that a later session cuts new files the same way
and notices when the settings have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from ragcore.errors import InputError

Strategy = Literal["recursive", "fixed", "semantic", "contextual"]
HeaderMode = Literal["auto", "on", "off"]
Granularity = Literal["chunk", "sentence", "late"]

SMALLEST_MAX_TOKENS = 16
"""Below this, special tokens, a header and a few words no longer go into one chunk."""

CONTEXT_TOKENS = 40
"""Room for the context of the contextual strategy, its mark included; at most a third of the chunk."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """Strategy and sizes. Sizes are in tokens of the embedder, special tokens included.

    ``recursive`` cuts at headings, paragraphs and sentences; ``fixed`` by length alone; ``semantic``
    also where a section changes its subject; ``contextual`` as recursive, with a line above each chunk
    that a chat model writes. Overlap is repeated within a section, with ``semantic`` within a subject.

    ``header``: ``auto`` puts ``Title › Section`` above every chunk of a document with fewer than
    two explicit headings, and the bare section path above continuation pieces of the others;
    ``on`` puts ``Title › Section`` above all chunks; ``off`` above none. A table that had to be
    cut repeats its header row in every mode.

    Raises InputError when a value is of the wrong type or out of range.
    """

    strategy: Strategy = "recursive"
    max_tokens: int = 120
    overlap_tokens: int = 0
    header: HeaderMode = "auto"
    granularity: Granularity = "sentence"
    """What gets a vector: whole chunks, their sentences, or sentences pooled from the chunk."""

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            raise InputError(
                f"Chunking strategy {self.strategy!r} is not known; use "
                f"one of {', '.join(map(repr, get_args(Strategy)))}."
            )
        if self.header not in get_args(HeaderMode):
            raise InputError(
                f"Chunk header {self.header!r} is not known; use one of "
                f"{', '.join(map(repr, get_args(HeaderMode)))}."
            )
        if self.granularity not in get_args(Granularity):
            raise InputError(
                f"Granularity {self.granularity!r} is not known; use one of "
                f"{', '.join(map(repr, get_args(Granularity)))}."
            )
        for name in ("max_tokens", "overlap_tokens"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(f"{name} must be a whole number, but is {value!r}.")
        if self.max_tokens < SMALLEST_MAX_TOKENS:
            raise InputError(
                f"max_tokens is {self.max_tokens}, which is too small to hold a sentence; "
                f"use {SMALLEST_MAX_TOKENS} or more."
            )
        if self.overlap_tokens < 0:
            raise InputError(f"overlap_tokens is {self.overlap_tokens}; use 0 or more.")
        if 2 * self.overlap_tokens >= self.text_tokens:
            less = f" less {self.context_tokens} for the context" if self.context_tokens else ""
            raise InputError(
                f"overlap_tokens is {self.overlap_tokens}, which is not less than half of max_tokens "
                f"({self.max_tokens}{less}); lower the overlap or raise max_tokens."
            )

    @property
    def context_tokens(self) -> int:
        """Tokens kept free for a context; 0 but for the contextual strategy."""
        return min(CONTEXT_TOKENS, self.max_tokens // 3) if self.strategy == "contextual" else 0

    @property
    def text_tokens(self) -> int:
        """What the text and the other lines of the header may have."""
        return self.max_tokens - self.context_tokens

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a JSONB column."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ChunkingConfig:
        """The config that ``to_dict`` wrote. Raises InputError on unknown keys and bad values."""
        known = [field.name for field in fields(cls)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise InputError(
                f"Unknown chunking option {', '.join(map(repr, unknown))}; known are {', '.join(known)}."
            )
        # What was stored before there was a choice has a vector a chunk.
        return cls(**{"granularity": "chunk", **values})
