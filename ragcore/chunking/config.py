"""How a document is to be cut: one small frozen record that checks itself.

It is stored with a collection (JSONB), so that a later session cuts new files the same way
and notices when the settings have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from ragcore.errors import InputError

Strategy = Literal["recursive", "fixed"]
HeaderMode = Literal["auto", "on", "off"]

SMALLEST_MAX_TOKENS = 16
"""Below this, special tokens, a header and a few words no longer go into one chunk."""


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """Strategy and sizes. Sizes are in tokens of the embedder, special tokens included.

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

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            raise InputError(
                f"Chunking strategy {self.strategy!r} is not known; use "
                f"{' or '.join(map(repr, get_args(Strategy)))}."
            )
        if self.header not in get_args(HeaderMode):
            raise InputError(
                f"Chunk header {self.header!r} is not known; use one of "
                f"{', '.join(map(repr, get_args(HeaderMode)))}."
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
        if 2 * self.overlap_tokens >= self.max_tokens:
            raise InputError(
                f"overlap_tokens is {self.overlap_tokens}, which is not less than half of max_tokens "
                f"({self.max_tokens}); lower the overlap or raise max_tokens."
            )

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
        return cls(**values)
