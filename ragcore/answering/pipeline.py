"""Asking: retrieve, gate, write the trace; a Turn does the rest.

The order is the product. The gate comes before any model; the trace is committed before the
first token; what was decided here is what turn.py carries out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Literal

from ragcore.answering.fitting import fit_passages
from ragcore.answering.prompts import PROMPT_HASH
from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.turn import Chat, Keeping, Turn
from ragcore.errors import InputError
from ragcore.reading import clean_text
from ragcore.records import Answer, AskOptions, Candidate, ChatMessage, Passage
from ragcore.retrieval import DenseRetriever, GateBands, decide
from ragcore.storage import History, Traces

LONGEST_QUESTION = 4000
LARGEST_TOP_K = 1000

CutoffOf = Callable[[str], float]
"""The cutoff in force for a collection."""
ChooseChat = Callable[[AskOptions], Chat | None]
"""The chat model for these options; None means quoting. Raises ModelError when one was insisted on."""


class Pipeline:
    """Turns questions into turns. Holds no state of a conversation; the database does."""

    def __init__(
        self,
        *,
        retriever: DenseRetriever,
        embedder: SentenceEmbedder,
        traces: Traces,
        history: History,
        choose_chat: ChooseChat,
        cutoff_of: CutoffOf,
    ) -> None:
        self._retriever = retriever
        self._embedder = embedder
        self._traces = traces
        self._history = history
        self._keeping = Keeping(traces, history, embedder)
        self._choose_chat = choose_chat
        self._cutoff_of = cutoff_of

    def start(
        self,
        question: str,
        options: AskOptions,
        *,
        conversation_id: int | None = None,
        new_conversation: bool = False,
    ) -> Turn:
        """Retrieve, decide at the gate and commit the trace. Nothing has been generated yet.

        The turn is saved in the conversation that is named, in a new one, or (by default) in none.

        Raises InputError for an empty or over-long question, and ModelError, StorageError or
        NotFound when something that is needed is not there; then nothing has been saved.
        """
        question = _readable(question)
        if not 1 <= options.top_k <= LARGEST_TOP_K:
            raise InputError(
                f"top-k is {options.top_k}; at least one passage is needed, and at most {LARGEST_TOP_K:,} are looked at."
            )
        if conversation_id is not None:
            self._history.check_can_go_on(conversation_id, options.collection)
        started = time.perf_counter()
        cutoff = self._cutoff_of(options.collection) if options.threshold is None else options.threshold
        bands = GateBands.of(cutoff, strict=options.strict)
        found = self._retriever.retrieve(question, collection=options.collection, top_k=options.top_k)
        decision = decide(found.top_score, bands)
        chat = self._choose_chat(options) if decision.passed else None
        passages = [Passage(number, hit) for number, hit in enumerate(found.candidates, start=1)]
        passages = passages if decision.passed else []
        warnings: list[str] = []
        messages: list[ChatMessage] = []
        estimate = None
        if chat is not None:
            passages, messages, estimate, dropped = fit_passages(question, passages, chat)
            if dropped:
                warnings.append(
                    f"{dropped} of the lowest-ranked passages did not fit into the model's window of "
                    f"{chat.num_ctx} tokens and were left out."
                )
        generator: Literal["ollama", "quote", "none"] = (
            "none" if not decision.passed else "ollama" if chat is not None else "quote"
        )
        if new_conversation:
            conversation_id = self._history.create(question, collection=options.collection)
        trace_id = self._traces.begin(
            question=question,
            standalone_question=question,
            profile={"embedder": asdict(self._embedder.identity), "collection": options.collection},
            cutoff=decision.cutoff,
            top_score=decision.top_score,
            decision=asdict(decision),
            passages=[_traced(number, hit) for number, hit in enumerate(found.candidates, start=1)],
            prompt={
                "generator": generator,
                "model": chat.model if chat else None,
                "prompt_hash": PROMPT_HASH if chat else None,
                "messages": [asdict(message) for message in messages],
                "estimated_tokens": estimate,
                "temperature": options.temperature,
                "retrieve_ms": found.retrieve_ms,
            },
        )
        draft = Answer(
            question=question,
            standalone_question=question,
            text="",
            status="refused",
            refusal_stage=None if decision.passed else "gate",
            decision=decision,
            citations=(),
            hits=found.candidates,
            generator=generator,
            chat_model=chat.model if chat else None,
            prompt_tokens=None,
            timings={"retrieve_ms": found.retrieve_ms},
            warnings=tuple(warnings),
            trace_id=trace_id,
            conversation_id=conversation_id,
        )
        return Turn(self._keeping, draft, options, passages, messages, chat, estimate, started)


def _readable(question: str) -> str:
    """The question cleaned as documents are: else ``o\ufb03ce``, pasted from a PDF, finds no ``office``."""
    length = len(question.strip())
    if length <= LONGEST_QUESTION:
        question = clean_text(question).strip()
        length = len(question)
    if not question:
        raise InputError("The question is empty. Write what you want to know.")
    if length > LONGEST_QUESTION:
        raise InputError(
            f"The question has {length:,} characters; at most {LONGEST_QUESTION:,} are read. Shorten it."
        )
    return question


def _traced(number: int, hit: Candidate) -> dict:
    return {
        "number": number,
        "chunk_id": hit.chunk_id,
        "document_id": hit.document_id,
        "file": hit.file,
        "location": hit.location,
        "page_start": hit.page_start,
        "page_end": hit.page_end,
        "section": list(hit.section),
        "score": hit.score,
        "text": hit.text,
    }
