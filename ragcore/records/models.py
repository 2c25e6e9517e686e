"""What models are and say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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
    is_embedder: bool = False
