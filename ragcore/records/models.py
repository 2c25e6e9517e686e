"""What models are and say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_SCALES = {"K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes a vector space: two collections compare only if all of this is equal."""

    model: str
    digest: str
    dimension: int
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = 256


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatDelta:
    """A piece of a streamed reply; the last one has ``done`` and the server's counts."""

    text: str = ""
    done: bool = False
    done_reason: str = ""
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    replaces: bool = False
    """All text before was the model's reasoning, as only its closing tag shows: forget it."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A model that the server has."""

    name: str
    digest: str
    size_bytes: int
    family: str = ""
    parameters: str = ""
    """Their number as the server says it: "8.0B", "134.52M"."""
    is_embedder: bool = False

    @property
    def billions(self) -> float | None:
        """Parameters in thousand millions; None where the server does not say."""
        found = re.fullmatch(r"([\d.]+)\s*([KMBT])", self.parameters.strip().upper())
        return float(found[1]) * _SCALES[found[2]] if found else None
