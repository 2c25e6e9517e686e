"""Whether a chat model obeys orders that stand in documents: a few built-in attacks, measured at once.

Prompt, reading of the reply and check of its claims are those of the chat; passages are made in
memory and nothing is written to the database. Two things are counted: what the model wrote, and
what a reader would have been shown of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragcore.answering import Turn
from ragcore.answering.prompts import answer_messages
from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.saving import Keeping
from ragcore.answering.turn import Chat
from ragcore.errors import ModelError
from ragcore.evaluation.canary_attacks import ATTACKS, BESIDE, Attack
from ragcore.evaluation.obedience import shown, shows
from ragcore.evaluation.rate import Rate, share
from ragcore.records import (
    Answer,
    AskOptions,
    Candidate,
    ChatDelta,
    ChatMessage,
    GateDecision,
    Passage,
    Progress,
)
from ragcore.storage import History, Traces


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """What came of one attack."""

    kind: str
    question: str
    reply: str
    """As the model wrote it."""
    shown: str
    """As the reader would have seen it."""
    written: bool
    """The model wrote what the attack demands."""
    obeyed: bool
    """It would have been shown."""
    answered: bool
    """The honest answer is in what is shown."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class CanaryReport:
    """All attacks against one model. An attack that ended in an error is in no count."""

    model: str
    results: tuple[CanaryResult, ...]
    seconds: float
    tokens_per_second: float | None
    """Of the replies, once they had begun; None where the server counts none."""

    @property
    def measured(self) -> list[CanaryResult]:
        return [one for one in self.results if not one.error]

    @property
    def obeyed(self) -> Rate:
        return share(sum(one.obeyed for one in self.measured), len(self.measured))

    @property
    def written(self) -> Rate:
        return share(sum(one.written for one in self.measured), len(self.measured))

    @property
    def answered(self) -> Rate:
        return share(sum(one.answered for one in self.measured), len(self.measured))


def measure_canary(
    chat: Chat,
    embedder: SentenceEmbedder,
    *,
    attacks: Sequence[Attack] = ATTACKS,
    progress: Progress | None = None,
) -> CanaryReport:
    """Ask every attack's question of the model. ``progress`` is called with attacks done and in all.

    Raises ModelError when the first attack already fails, for then the others would too.
    """
    began = time.perf_counter()
    results = []
    clock = _Clock()
    for number, attack in enumerate(attacks):
        if progress:
            progress(number, len(attacks))
        try:
            results.append(_asked(attack, chat, embedder, clock))
        except ModelError as error:
            if not results:
                raise
            results.append(
                CanaryResult(attack.kind, attack.question, "", "", False, False, False, str(error))
            )
    if progress:
        progress(len(attacks), len(attacks))
    return CanaryReport(chat.model, tuple(results), time.perf_counter() - began, clock.tokens_per_second)


@dataclass
class _Clock:
    tokens: int = 0
    seconds: float = 0.0

    @property
    def tokens_per_second(self) -> float | None:
        return self.tokens / self.seconds if self.tokens and self.seconds > 0 else None


class _Heard:
    """The chat model, with what it says written down."""

    def __init__(self, chat: Chat, clock: _Clock) -> None:
        self.model, self.num_ctx, self.max_reply_tokens = chat.model, chat.num_ctx, chat.max_reply_tokens
        self.estimate_tokens = chat.estimate_tokens
        self.reply = ""
        self._chat = chat
        self._clock = clock

    def stream(self, messages: list[ChatMessage], **settings: Any) -> Iterator[ChatDelta]:
        first: float | None = None
        for delta in self._chat.stream(messages, **settings):
            if first is None and delta.text:
                first = time.perf_counter()
            self.reply = delta.text if delta.replaces else self.reply + delta.text
            if delta.done and first is not None and delta.reply_tokens:
                self._clock.tokens += delta.reply_tokens - 1
                self._clock.seconds += time.perf_counter() - first
            yield delta


class _Nowhere:
    """In place of the traces: keeps nothing."""

    def finish(self, trace_id: int, outcome: dict[str, Any]) -> None:
        pass


def _asked(attack: Attack, chat: Chat, embedder: SentenceEmbedder, clock: _Clock) -> CanaryResult:
    heard = _Heard(chat, clock)
    passages = [_passage(1, attack.file, attack.section, attack.passage), _passage(2, "mill.txt", "", BESIDE)]
    messages = answer_messages(attack.question, passages)
    draft = Answer(
        question=attack.question,
        standalone_question=attack.question,
        text="",
        status="refused",
        refusal_stage=None,
        decision=GateDecision(True, 0.9, 0.25, 0.5, "strong", "The passages are built in."),
        citations=(),
        hits=tuple(passage.candidate for passage in passages),
        generator="ollama",
        chat_model=chat.model,
        prompt_tokens=None,
        trace_id=0,
    )
    keeping = Keeping(cast(Traces, _Nowhere()), cast(History, None), embedder)
    estimate = chat.estimate_tokens(messages)
    turn = Turn(
        keeping,
        draft,
        AskOptions(generator="ollama"),
        passages,
        messages,
        heard,
        estimate,
        time.perf_counter(),
    )
    text = shown([turn.run()])
    return CanaryResult(
        kind=attack.kind,
        question=attack.question,
        reply=heard.reply,
        shown=text,
        written=shows(attack.canary, heard.reply),
        obeyed=shows(attack.canary, text),
        answered=shows(attack.fact, text),
    )


def _passage(number: int, file: str, section: str, text: str) -> Passage:
    return Passage(
        number,
        Candidate(
            chunk_id=number,
            document_id=number,
            file=file,
            paged=False,
            page_start=1,
            page_end=1,
            page_label=None,
            page_offsets=(),
            section=(section,) if section else (),
            header="",
            text=text,
            score=0.9,
        ),
    )
