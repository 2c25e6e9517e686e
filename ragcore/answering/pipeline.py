"""Asking: retrieve, gate, write the trace; a Turn does the rest.

The order is the product. The gate comes before any model; the trace is committed before the
first token; what was decided here is what turn.py carries out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Literal

from ragcore.answering.context import LIMITS, assemble
from ragcore.answering.fitting import Context, fit_hits
from ragcore.answering.prompts import Prompt, prompt_for
from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.standalone import ChooseChat, StandaloneQuestions
from ragcore.answering.tracing import traced_chunk, traced_profile, traced_prompt
from ragcore.answering.turn import Chat, Keeping, Turn
from ragcore.answering.yes_or_no import model_opinion
from ragcore.errors import InputError
from ragcore.reading import clean_text
from ragcore.records import Answer, AskOptions, Candidate, Opinion, Passage, SecondOpinionSource
from ragcore.retrieval import GateBands, Retrieval, Retriever, decide, nothing_asked, reconsidered
from ragcore.retrieval.followups import small_talk
from ragcore.retrieval.judging import LogOddsOf
from ragcore.storage import DocumentChunks, History, Traces

LONGEST_QUESTION = 4000
LARGEST_TOP_K = 1000

CutoffOf = Callable[[str], float]
"""The cutoff, or the follow-up floor, in force for a collection."""
OpinionOf = Callable[[str, Retrieval, SecondOpinionSource], Opinion | None]
"""What signals, or the answer judge with them, say of what was found in a collection; by which the gate is to go."""


class Pipeline:
    """Turns questions into turns. Holds no state of a conversation; the database does."""

    def __init__(
        self,
        *,
        retriever: Retriever,
        chunks: DocumentChunks,
        embedder: SentenceEmbedder,
        traces: Traces,
        history: History,
        choose_chat: ChooseChat,
        cutoff_of: CutoffOf,
        floor_of: CutoffOf,
        opinion_of: OpinionOf,
        judge: LogOddsOf | None = None,
    ) -> None:
        self._retriever = retriever
        self._chunks = chunks
        self._embedder = embedder
        self._traces = traces
        self._history = history
        self._keeping = Keeping(traces, history, embedder, judge)
        self._choose_chat = choose_chat
        self._cutoff_of = cutoff_of
        self._opinion_of = opinion_of
        self._standalone = StandaloneQuestions(
            retriever=retriever, history=history, choose_chat=choose_chat, floor_of=floor_of
        )

    def search(self, question: str, *, collection: str, top_k: int = 5) -> Retrieval:
        """Retrieve and score as ``start`` does, and nothing else: no gate, no trace, no model.

        Raises InputError for an empty or over-long question, NotFound, ModelError and StorageError.
        """
        return self._retriever.retrieve(_readable(question), collection=collection, top_k=top_k)

    def start(
        self,
        question: str,
        options: AskOptions,
        *,
        conversation_id: int | None = None,
        new_conversation: bool = False,
        replaces: int | None = None,
    ) -> Turn:
        """Retrieve, decide at the gate and commit the trace. Nothing has been generated yet.

        The turn is saved in the conversation that is named, in a new one, or (by default) in none.
        ``replaces`` is the message of an answer that is asked for again.

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
        if (reply := small_talk(question)) is not None:
            return self._said(question, reply, options, bands, conversation_id, new_conversation, started)
        asked = self._standalone.of(question, options, conversation_id, cutoff=bands.weak, replaces=replaces)
        found, standalone = asked.found, asked.question
        at_cutoff = decide(found.top_score, bands)
        decision = asked.decided(at_cutoff)
        at_floor = at_cutoff.passed and not decision.passed
        if decision.passed and options.second_opinion != "model":
            opinion = self._opinion_of(options.collection, found, options.second_opinion)
            decision = reconsidered(decision, opinion)
        chat = self._choose_chat(options) if decision.passed else None
        if decision.passed and options.second_opinion == "model":
            best = max(found.candidates, key=lambda hit: hit.score)
            decision = reconsidered(decision, model_opinion(standalone, best, chat))
            chat = chat if decision.passed else None
        passages: list[Passage] = []
        warnings: list[str] = []
        if (opinion := decision.opinion) and opinion.enforced and opinion.probability is None:
            warnings.append(opinion.reason[:1].upper() + opinion.reason[1:])
        context: Context | None = None
        prompt: Prompt | None = None
        if chat is not None:
            prompt = prompt_for(options.prompt, chat.billions)
            context = self._context(standalone, found.candidates, options, chat, prompt)
            passages = context.passages
            if context.warning:
                warnings.append(context.warning)
        elif decision.passed:
            passages = [Passage(number, hit) for number, hit in enumerate(found.candidates, start=1)]
        generator: Literal["ollama", "quote", "none"] = (
            "none" if not decision.passed else "ollama" if chat is not None else "quote"
        )
        if new_conversation:
            conversation_id = self._history.create(question, collection=options.collection)
        trace_id = self._traces.begin(
            question=question,
            standalone_question=standalone,
            profile=traced_profile(options, self._embedder.identity, asked),
            cutoff=decision.cutoff,
            top_score=decision.top_score,
            decision=asdict(decision),
            passages=[traced_chunk(rank, hit) for rank, hit in enumerate(found.candidates, start=1)],
            prompt=traced_prompt(options, generator, chat, prompt, context, found.retrieve_ms),
        )
        draft = Answer(
            question=question,
            standalone_question=standalone,
            text="",
            status="refused",
            refusal_stage=None if decision.passed else "follow_up_gate" if at_floor else "gate",
            decision=decision,
            citations=(),
            hits=found.candidates,
            generator=generator,
            chat_model=chat.model if chat else None,
            prompt_tokens=None,
            timings={"retrieve_ms": found.retrieve_ms},
            own_score=asked.own_score,
            warnings=tuple(warnings),
            trace_id=trace_id,
            conversation_id=conversation_id,
        )
        messages, estimate = (context.messages, context.estimated_tokens) if context else ([], None)
        return Turn(
            self._keeping,
            draft,
            options,
            passages,
            messages,
            chat,
            estimate,
            started,
            searched=found.question,
        )

    def _context(
        self, question: str, hits: Sequence[Candidate], options: AskOptions, chat: Chat, prompt: Prompt
    ) -> Context:
        """What the model is given. Raises InputError when not even the best hit fits into its window."""
        if options.context == "hits":
            return fit_hits(question, hits, chat, prompt)
        documents = self._chunks.around(
            [hit.chunk_id for hit in hits], whole_up_to=LIMITS.whole_up_to(question, hits)
        )
        return assemble(question, hits, documents, chat, prompt=prompt)

    def _said(
        self,
        text: str,
        reply: str,
        options: AskOptions,
        bands: GateBands,
        conversation_id: int | None,
        new_conversation: bool,
        started: float,
    ) -> Turn:
        """ "Thanks" is neither a question nor a refusal: nothing is searched, no model is called."""
        decision = nothing_asked(bands)
        if new_conversation:
            conversation_id = self._history.create(text, collection=options.collection)
        trace_id = self._traces.begin(
            question=text,
            standalone_question=text,
            profile={"collection": options.collection, "small_talk": True},
            cutoff=decision.cutoff,
            top_score=None,
            decision=asdict(decision),
            passages=[],
            prompt={"generator": "none", "model": None, "messages": []},
        )
        draft = Answer(
            question=text,
            standalone_question=text,
            text="",
            status="complete",
            refusal_stage=None,
            decision=decision,
            citations=(),
            hits=(),
            generator="none",
            chat_model=None,
            prompt_tokens=None,
            trace_id=trace_id,
            conversation_id=conversation_id,
        )
        return Turn(self._keeping, draft, options, [], [], None, None, started, reply=reply)


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
