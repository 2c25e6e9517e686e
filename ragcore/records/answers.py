"""What retrieval, the gate and answering give, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a candidate, ``text[start:end]``, with its raw cosine against the question."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """One search hit: a stored chunk with its scores against the question."""

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
    score: float | None
    """Raw cosine of its best evidence, or of the whole chunk where sentences have no vectors. None for
    a chunk that was not searched out, but stands beside one that was."""
    coverage: float = 0.0
    """Lexical: which share of the question's lexemes, weighted by rarity, the chunk holds; from 0."""
    evidence: tuple[Evidence, ...] = ()
    """Its sentences, best first; empty where sentences have no vectors."""

    @property
    def best_sentence(self) -> str:
        """The sentence that was scored; empty where sentences have no vectors."""
        return self.text[self.evidence[0].start : self.evidence[0].end] if self.evidence else ""

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


SecondOpinionSource = Literal["off", "signals", "judge", "model"]
FollowUps = Literal["alone", "combined", "combined_floor", "rewrite"]
ContextFrom = Literal["hits", "documents"]
Unsupported = Literal["strike", "quote", "refuse", "show"]
OnRefusal = Literal["refuse", "quote"]
PromptFor = Literal["auto", "small", "large"]
WhyInPrompt = Literal["hit", "neighbour", "opening", "whole"]
"""Found; beside what was found; the first of its document; the rest of a document given whole."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """Whether the passages hold an answer, asked after the cutoff has been passed."""

    source: Literal["signals", "judge", "model"]
    enforced: bool
    """Whether the gate goes by it; else it is only written down."""
    probability: float | None
    """Of the passages holding an answer, 0 to 1; None when there is no opinion, and ``reason`` says why."""
    threshold: float = 0.5
    """Below it the opinion is against."""
    reason: str = ""
    """What speaks against an answer, to be read after "but"."""
    contributions: tuple[tuple[str, float], ...] = ()
    """What was seen, in words, with its part of the log-odds; the parts and ``base`` sum up to them."""
    base: float = 0.0

    @property
    def against(self) -> bool:
        return self.probability is not None and self.probability < self.threshold


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
    opinion: Opinion | None = None
    """The second opinion; None where the cutoff was not reached."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A candidate as it stands in the prompt, under a number that starts at 1."""

    number: int
    candidate: Candidate
    why: WhyInPrompt = "hit"
    repeated: int = 0
    """So many characters at the beginning of its text stand above already, at the end of what is before
    it in the document; the prompt has them once. Cited it may be with all its text."""
    header: str | None = None
    """What stands above its text in the prompt; None: the candidate's own header."""

    @property
    def shown(self) -> str:
        """Its words in the prompt."""
        text = self.candidate.text[self.repeated :].lstrip() if self.repeated else self.candidate.text
        header = self.candidate.header if self.header is None else self.header
        return f"{header}\n{text}" if header else text


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
    mode: Literal["dense", "hybrid"] = "hybrid"
    fusion: Literal["weighted", "rrf"] = "weighted"
    """How hybrid search joins its two rankings."""
    generator: Literal["auto", "ollama", "quote"] = "auto"
    chat_model: str | None = None
    temperature: float = 0.0
    strict: bool = False
    second_opinion: SecondOpinionSource = "off"
    """Who is asked, past the cutoff, whether the passages hold an answer."""
    follow_ups: FollowUps = "rewrite"
    """What is searched for in a conversation: every question as typed; the one before and it together,
    without or with the floor for its own words; or, only if it refers back, one that stands alone."""
    context: ContextFrom = "hits"
    """What the model is given: the chunks that were found, best first; or, document by document in reading
    order, those with what stands around them, and short documents whole."""
    unsupported: Unsupported = "strike"
    """What becomes of a model's sentences that no passage supports: they are left out; the answer is, and the
    documents are quoted or it is refused in its place; or they are shown, with a mark."""
    on_refusal: OnRefusal = "refuse"
    """What is shown where the model finds no answer although the evidence is strong."""
    prompt: PromptFor = "auto"
    """The rules that the model is given: those for small models, those for large ones, or by its size."""


@dataclass(frozen=True, slots=True)
class UnsupportedClaim:
    """A sentence of a model's answer that no passage supports."""

    sentence: str
    reason: str
    """To be read after "it": "says 2,000, no passage does"."""
    shown: bool = False
    """Whether it stands in the answer, marked, all the same."""


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
    """``none``: refused at the gate, or no question at all, so nothing generated."""
    chat_model: str | None
    prompt_tokens: int | None
    timings: dict[str, float] = field(default_factory=dict)
    """retrieve_ms, first_token_ms, total_ms"""
    warnings: tuple[str, ...] = ()
    trace_id: int | None = None
    conversation_id: int | None = None
    message_id: int | None = None
    own_score: float | None = None
    """Raw cosine of the best evidence for the user's own words; None outside of a conversation."""
    supported_claims: int | None = None
    """How many sentences of the model were found to be supported; None where none was checked."""
    unsupported: tuple[UnsupportedClaim, ...] = ()

    @property
    def refused(self) -> bool:
        return self.status == "refused"


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """A question that got an answer: what a follow-up may lean on."""

    question: str
    standalone_question: str
    answer: str


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
