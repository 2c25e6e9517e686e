"""One question on its way to an answer: generate, resolve citations, save.

No database connection is held while a model writes, and what was shown is what is saved:
complete, refused, or (when the reader or the server went away) interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from ragcore.answering.citations import resolve_citations
from ragcore.answering.prompts import is_refusal, without_sentinel
from ragcore.answering.quoting import SentenceEmbedder, best_sentences, quoted_answer
from ragcore.answering.streaming import visible
from ragcore.errors import ModelError, NotFound
from ragcore.records import Answer, AskOptions, ChatDelta, ChatMessage, Passage
from ragcore.storage import History, Traces


class Chat(Protocol):
    """A chat model: streams a reply to messages. ``estimate_tokens`` is an upper bound."""

    model: str
    num_ctx: int
    max_reply_tokens: int

    def stream(
        self, messages: list[ChatMessage], *, temperature: float, max_reply_tokens: int | None = None
    ) -> Iterator[ChatDelta]: ...

    def estimate_tokens(self, messages: list[ChatMessage]) -> int: ...


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where a turn is kept, and what quoting needs."""

    traces: Traces
    history: History
    embedder: SentenceEmbedder


class Turn:
    """One question on its way to an answer: iterate to generate, then read ``answer``.

    Iterating yields pieces of text to show. If the iteration is closed early (Stop, a page
    change), what was written so far is saved and marked ``interrupted``.
    """

    def __init__(
        self,
        keeping: Keeping,
        draft: Answer,
        options: AskOptions,
        passages: list[Passage],
        messages: list[ChatMessage],
        chat: Chat | None,
        estimate: int | None,
        started: float,
        *,
        reply: str | None = None,
    ) -> None:
        """``reply``: what to say where nothing was asked."""
        self._fixed = reply
        self._keeping = keeping
        self._options = options
        self._passages = passages
        self._messages = messages
        self._chat = chat
        self._estimate = estimate
        self._started = started
        self._reply = ""
        self._first_token_ms: float | None = None
        self._last: ChatDelta | None = None
        self._saved = False
        self.answer = draft
        """The draft while generating; the saved answer afterwards."""

    def __iter__(self) -> Iterator[str]:
        if self._fixed is not None:
            yield from self._finish_with(self._fixed, "complete")
        elif not self.answer.decision.passed:
            yield from self._finish_with(refusal_text(self.answer), "refused")
        elif self._chat is None:
            yield from self._quote()
        else:
            yield from self._generate(self._chat)

    def run(self) -> Answer:
        """Generate to the end and return the answer."""
        for _ in self:
            pass
        return self.answer

    def _quote(self) -> Iterator[str]:
        quotes = best_sentences(
            self.answer.standalone_question,
            [passage.candidate for passage in self._passages],
            self._keeping.embedder,
        )
        self.answer = replace(
            self.answer, generator="quote", citations=tuple(quote.citation for quote in quotes)
        )
        if quotes:
            yield from self._finish_with(quoted_answer(quotes), "complete")
        else:
            self.answer = replace(self.answer, refusal_stage="model")
            yield from self._finish_with(refusal_text(self.answer), "refused")

    def _generate(self, chat: Chat) -> Iterator[str]:
        stream = chat.stream(self._messages, temperature=self._options.temperature)
        failure: ModelError | None = None
        try:
            yield from visible(self._read(stream), self._passages)
        except ModelError as error:
            failure = error
        finally:
            # Also reached by GeneratorExit, when the reader goes away midway.
            close = getattr(stream, "close", None)
            if close:
                close()
            if failure is None and self._last is None:
                self._finish_reply(interrupted=True)
        if failure is None and self._last is not None and self._reply.strip():
            if self._only_references():
                self._warn("The model answered with a reference only; what it refers to is quoted instead.")
                yield from self._quote()
            else:
                self._finish_reply(interrupted=False)
        elif self._reply.strip():
            self._warn(f"{failure} What was written so far is kept; ask again for the rest.")
            self._finish_reply(interrupted=True)
        else:
            failure = failure or ModelError(f"Model '{chat.model}' gave an empty answer.")
            if self._options.generator == "ollama":
                raise failure
            self._warn(f"{failure} Quoted from the documents instead.")
            yield from self._quote()

    def _only_references(self) -> bool:
        """Whether the reply is nothing but ``[2]``; then only those passages are left to quote from."""
        cited = resolve_citations(self._reply, self._passages)
        numbers = {citation.passage for citation in cited.citations}
        if cited.wordless and numbers:
            self._passages = [passage for passage in self._passages if passage.number in numbers]
        return cited.wordless

    def _read(self, stream: Iterator[ChatDelta]) -> Iterator[str]:
        for delta in stream:
            if delta.replaces:
                # What came before was reasoning; the saved answer starts here.
                self._reply = ""
            # No page, export or database takes a NUL.
            text = delta.text.replace("\0", "")
            if text:
                if self._first_token_ms is None:
                    self._first_token_ms = (time.perf_counter() - self._started) * 1000
                self._reply += text
                yield text
            if delta.done:
                self._last = delta

    def _finish_reply(self, *, interrupted: bool) -> None:
        """Read the whole reply: refusal or cited text; then save."""
        cited = resolve_citations(without_sentinel(self._reply), self._passages)
        if not interrupted and is_refusal(self._reply, cited=bool(cited.citations)):
            self.answer = replace(self.answer, refusal_stage="model")
            self._save(refusal_text(self.answer), "refused")
            return
        if cited.unknown:
            self._warn(f"{_count(cited.unknown, 'reference')} to passages that were never sent removed.")
        if cited.moved:
            self._warn(f"{_count(cited.moved, 'citation')} moved to the passage that contains the sentence.")
        if cited.unsourced:
            self._warn(
                f"{_count(cited.unsourced, 'sentence')} without a source in the documents: check before use."
            )
        if self._last is not None and self._last.done_reason == "length":
            self._warn("The answer was cut off at the length limit.")
        self._check_prompt_was_read()
        self.answer = replace(self.answer, citations=cited.citations)
        self._save(cited.text, "interrupted" if interrupted else "complete")

    def _check_prompt_was_read(self) -> None:
        """A server that cuts a long prompt says nothing; its own count gives it away.

        The estimate is an upper bound: prose has about half of it, so a quarter is suspicious.
        """
        read = self._last.prompt_tokens if self._last else None
        if (
            read
            and self._estimate
            and self._chat
            and (read >= self._chat.num_ctx - 1 or read < self._estimate / 4)
        ):
            self._warn(
                f"The server read only {read} tokens of a prompt of about {self._estimate}: part of the passages "
                "may have been cut off. Raise the model's context length."
            )

    def _finish_with(self, text: str, status: Literal["complete", "refused"]) -> Iterator[str]:
        self._save(text, status)
        yield text

    def _warn(self, sentence: str) -> None:
        self.answer = replace(self.answer, warnings=(*self.answer.warnings, sentence))

    def _save(self, text: str, status: Literal["complete", "interrupted", "refused"]) -> None:
        if self._saved:
            return
        self._saved = True
        total_ms = (time.perf_counter() - self._started) * 1000
        first = total_ms if self._first_token_ms is None else self._first_token_ms
        self.answer = answer = replace(
            self.answer,
            text=text,
            status=status,
            prompt_tokens=self._last.prompt_tokens if self._last else None,
            timings={**self.answer.timings, "first_token_ms": first, "total_ms": total_ms},
        )
        assert answer.trace_id is not None
        self._keeping.traces.finish(
            answer.trace_id,
            {
                "status": status,
                "generator": answer.generator,
                "refusal_stage": answer.refusal_stage,
                "prompt_tokens": answer.prompt_tokens,
                "reply_tokens": self._last.reply_tokens if self._last else None,
                "done_reason": self._last.done_reason if self._last else None,
                "raw_reply": self._reply,
                "timings": answer.timings,
                "warnings": list(answer.warnings),
            },
        )
        if answer.conversation_id is not None:
            try:
                message_id = self._keeping.history.add_turn(
                    answer.conversation_id,
                    question=answer.question,
                    answer=text,
                    status=status,
                    citations=answer.citations,
                    trace_id=answer.trace_id,
                )
            except NotFound:
                self._warn("The conversation was deleted meanwhile, so this answer is not in the history.")
                return
            self.answer = replace(self.answer, message_id=message_id)


def refusal_text(answer: Answer) -> str:
    """What a refusal says: that it does not know, and what happened."""
    if answer.decision.top_score is None and not answer.decision.passed:
        return "I don't know: there are no documents to look in yet."
    if answer.refusal_stage == "model":
        return (
            "I don't know. Some passages are about this "
            f"(best match {answer.decision.top_score:.2f}), but none of them says the answer."
        )
    if answer.decision.opinion is not None or answer.refusal_stage == "follow_up_gate":
        return f"I don't know. {answer.decision.reason}"
    return (
        f"I don't know. Nothing in the documents is close enough to this question. {answer.decision.reason}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
