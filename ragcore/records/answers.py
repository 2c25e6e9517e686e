"""What retrieval, the gate and answering give, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Candidate:
    """One search hit: a stored chunk with its score against the question."""

    chunk_id: int
    document_id: int
    file: str
    paged: bool
    page_start: int
    page_end: int
    page_label: str | None
    page_offsets: tuple[tuple[int, int], ...]
    section: tuple[str, ...]
    header: str
    text: str
    score: float

    @property
    def location(self) -> str:
        """``3``, ``3-4`` or ``§ Deposits``: what follows the colon in a citation."""
        return location(self.paged, self.page_start, self.page_end, self.section)


_ROUND_BRACKETS = str.maketrans("[]", "()")
"""Square ones are what a citation is written in."""


def location(paged: bool, page_start: int, page_end: int, section: tuple[str, ...]) -> str:
    """How a place in a document is written in a citation."""
    if not paged and section:
        return f"§ {section[-1].translate(_ROUND_BRACKETS)}"
    return str(page_start) if page_end == page_start else f"{page_start}-{page_end}"


Band = Literal["strong", "weak", "refused"]


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether the evidence is good enough to be shown to a model, and the numbers behind it."""

    passed: bool
    top_score: float | None
    """Raw cosine of the best evidence; None when the collection is empty."""
    cutoff: float
    strong_from: float
    band: Band
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A candidate as it stands in the prompt, under a number that starts at 1."""

    number: int
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer refers to. ``quote`` is verbatim text of the chunk."""

    file: str
    page: int
    quote: str
    location: str
    document_id: int
    chunk_id: int
    section: tuple[str, ...] = ()
    page_label: str | None = None
    passage: int = 0

    @property
    def marker(self) -> str:
        return f"[{self.file}:{self.location}]"


RefusalStage = Literal["gate", "follow_up_gate", "model", "verification"]


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is to be answered. None means: the profile's or the settings' value."""

    collection: str = "library"
    threshold: float | None = None
    top_k: int = 5
    mode: Literal["dense", "hybrid"] = "dense"
    generator: Literal["auto", "ollama", "quote"] = "auto"
    chat_model: str | None = None
    temperature: float = 0.0
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished (or interrupted, or refused) answer with everything that led to it."""

    question: str
    standalone_question: str
    text: str
    status: Literal["complete", "interrupted", "refused"]
    refusal_stage: RefusalStage | None
    decision: GateDecision
    citations: tuple[Citation, ...]
    hits: tuple[Candidate, ...]
    generator: Literal["ollama", "quote", "none"]
    """``none``: refused at the gate, so nothing generated."""
    chat_model: str | None
    prompt_tokens: int | None
    timings: dict[str, float] = field(default_factory=dict)
    """retrieve_ms, first_token_ms, total_ms"""
    warnings: tuple[str, ...] = ()
    trace_id: int | None = None
    conversation_id: int | None = None
    message_id: int | None = None

    @property
    def refused(self) -> bool:
        return self.status == "refused"


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    id: int
    title: str
    updated_at: datetime
    messages: int
    collection: str = ""
    """The collection that it was begun about."""


@dataclass(frozen=True, slots=True)
class Message:
    id: int
    role: Literal["user", "assistant"]
    content: str
    status: Literal["complete", "interrupted", "refused"]
    created_at: datetime
    citations: tuple[Citation, ...] = ()
    trace: dict[str, Any] | None = None
    """The receipt: what was searched, scores, cutoff, decision, passages, tokens, timings, warnings."""
