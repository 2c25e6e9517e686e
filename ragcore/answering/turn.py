"""One question on its way to an answer: generate, check every sentence, save.

No database connection is held while a model writes, and what was shown is what is saved:
complete, refused, or (when the reader or the server went away) interrupted. Nothing that a model
wrote is shown before it has been checked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal, Protocol

from ragcore.answering.checked_text import CheckedText
from ragcore.answering.citations import only_references
from ragcore.answering.fitting import cut_by_server
from ragcore.answering.prompts import is_refusal
from ragcore.answering.quoting import Quote, best_sentences, quoted_answer
from ragcore.answering.refusing import counted, refusal_text
from ragcore.answering.saving import Keeping, warned
from ragcore.answering.streaming import SentenceBySentence
from ragcore.answering.verification import Checker
from ragcore.errors import ModelError
from ragcore.records import (
    Answer,
    AskOptions,
    ChatDelta,
    ChatMessage,
    ExpandedQuestion,
    Passage,
    UnsupportedClaim,
)


class Chat(Protocol):
    """A chat model: streams a reply to messages. ``estimate_tokens`` is an upper bound."""

    model: str
    billions: float | None
    """Parameters in thousand millions; None where nobody says."""
    num_ctx: int
    max_reply_tokens: int

    def stream(
        self, messages: list[ChatMessage], *, temperature: float, max_reply_tokens: int | None = None
    ) -> Iterator[ChatDelta]: ...

    def estimate_tokens(self, messages: list[ChatMessage]) -> int: ...


class Turn:
    """One question on its way to an answer: iterate to generate, then read ``answer``.

    Iterating yields pieces of text to show, empty ones while a sentence is not complete: at each the
    reader may go. If the iteration is closed early (Stop, a page
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
        searched: ExpandedQuestion | None = None,
        reply: str | None = None,
    ) -> None:
        """``searched``: the question as it was searched, with its abbreviations. ``reply``: what to say where
        nothing was asked."""
        self._searched = searched
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
        self._checker: Checker | None = None
        self._checked: CheckedText | None = None
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

    @cached_property
    def _best_quotes(self) -> list[Quote]:
        # What stands around the hits was never compared with the question.
        hits = [passage for passage in self._passages if passage.why == "hit"] or self._passages
        candidates = [passage.candidate for passage in hits]
        return best_sentences(self.answer.standalone_question, candidates, self._keeping.embedder)

    def _quote(self) -> Iterator[str]:
        quotes = self._best_quotes
        self.answer = replace(
            self.answer, generator="quote", citations=tuple(quote.citation for quote in quotes)
        )
        if quotes:
            yield from self._finish_with(quoted_answer(quotes), "complete")
        else:
            self.answer = replace(self.answer, refusal_stage="model")
            yield from self._finish_with(refusal_text(self.answer), "refused")

    def _generate(self, chat: Chat) -> Iterator[str]:
        self._checker = checker = self._keeping.checker(
            self.answer.standalone_question, self._searched, self._passages
        )
        mode = self._options.unsupported
        self._checked = CheckedText(checker, self._passages, mark=mode == "show")
        shown = SentenceBySentence(self._checked, self._passages, hold=mode in ("quote", "refuse"))
        stream = chat.stream(self._messages, temperature=self._options.temperature)
        failure: ModelError | None = None
        try:
            for piece in self._read(stream):
                yield shown.feed(piece)
        except ModelError as error:
            failure = error
        finally:
            # Also reached by GeneratorExit, when the reader goes away midway.
            close = getattr(stream, "close", None)
            if close:
                close()
            if failure is None and self._last is None:
                shown.finish(cut_off=True)
                self._save_checked("interrupted")
        if failure is None and self._last is not None and self._reply.strip():
            yield from self._finish_reply(shown.finish())
        elif self._reply.strip():
            self._warn(f"{failure} What was written so far is kept; ask again for the rest.")
            shown.finish(cut_off=True)
            self._save_checked("interrupted")
        else:
            failure = failure or ModelError(f"Model '{chat.model}' gave an empty answer.")
            if self._options.generator == "ollama":
                raise failure
            self._warn(f"{failure} Quoted from the documents instead.")
            yield from self._quote()

    def _only_references(self) -> bool:
        """Whether the reply is nothing but ``[2]``; then only those passages are left to quote from."""
        numbers = only_references(self._reply, self._passages)
        if numbers:
            self._passages = [passage for passage in self._passages if passage.number in numbers]
        return numbers is not None

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

    def _finish_reply(self, rest: str) -> Iterator[str]:
        """The whole reply is there: a refusal, a bare reference, or an answer; ``rest`` is still to be shown."""
        strong = self.answer.decision.band == "strong"
        if self._only_references() and strong:
            self._warn("The model answered with a reference only; what it refers to is quoted instead.")
            yield from self._quote()
        elif self._is_refusal():
            if self._checker.refusal_is_demanded:
                self._warn(
                    "A passage orders the model not to answer, so its refusal is set aside; quoted instead."
                )
                yield from self._quote()
            elif strong and self._options.on_refusal == "quote":
                self._warn(
                    "The model found no answer in the passages; the closest sentences are quoted instead."
                )
                yield from self._quote()
            else:
                self.answer = replace(self.answer, refusal_stage="model")
                self._save(refusal_text(self.answer), "refused")
        elif self._is_left_out():
            self._note_claims(shown=False)
            if self._options.unsupported == "quote" or self._may_be_quoted(strong):
                self._warn("The passages do not support what the model wrote; they are quoted instead.")
                yield from self._quote()
            else:
                self.answer = replace(self.answer, refusal_stage="verification")
                yield from self._finish_with(refusal_text(self.answer), "refused")
        else:
            self._save_checked("complete")
            if rest:
                yield rest

    def _is_refusal(self) -> bool:
        """Whether the model says that the documents do not answer, or says nothing else."""
        checked = self._checked
        cited = any(one.sources for one in checked.checked)
        return is_refusal(self._reply, cited=cited) or not any(one.claim for one in checked.checked)

    def _is_left_out(self) -> bool:
        """Whether nothing of the answer is to be shown."""
        if self._options.unsupported == "show":
            return False
        checked = self._checked
        rest = bool(checked.struck) and self._options.unsupported != "strike"
        return checked.fallen or not checked.kept or rest

    def _may_be_quoted(self, strong: bool) -> bool:
        """Whether the documents likely answer where the model did not."""
        return (
            self._options.unsupported == "strike"
            and strong
            and not self._checked.beside
            and self._checker.may_be_quoted(self._best_quotes)
        )

    def _note_claims(self, *, shown: bool) -> None:
        """What was found of the sentences, for the answer's record."""
        self.answer = replace(
            self.answer,
            supported_claims=len(self._checked.kept),
            unsupported=tuple(
                UnsupportedClaim(one.sentence.plain, one.reason, shown) for one in self._checked.struck
            ),
        )

    def _save_checked(self, status: Literal["complete", "interrupted"]) -> None:
        """Save what of the reply has been shown, with what its reader should know."""
        checked = self._checked
        marked = self._options.unsupported == "show"
        self._note_claims(shown=marked)
        unknown = sum(one.unknown for one in checked.checked)
        if unknown:
            self._warn(f"{counted(unknown, 'reference')} to passages that were never sent removed.")
        moved = sum(one.moved for one in checked.checked)
        if moved:
            self._warn(f"{counted(moved, 'citation')} moved to the passage that contains the sentence.")
        if checked.struck and marked:
            self._warn(
                f"{counted(len(checked.struck), 'sentence')} without support in the documents: check before use."
            )
        elif checked.struck and status == "complete":
            what = "it" if len(checked.struck) == 1 else "them"
            self._warn(f"{counted(len(checked.struck), 'sentence')} left out: no passage supports {what}.")
        if self._last is not None and self._last.done_reason == "length":
            self._warn("The answer was cut off at the length limit.")
        if warning := cut_by_server(self._last, self._estimate, self._chat):
            self._warn(warning)
        self.answer = replace(self.answer, citations=checked.citations)
        self._save(checked.text, status)

    def _finish_with(self, text: str, status: Literal["complete", "refused"]) -> Iterator[str]:
        self._save(text, status)
        yield text

    def _warn(self, sentence: str) -> None:
        self.answer = warned(self.answer, sentence)

    def _save(self, text: str, status: Literal["complete", "interrupted", "refused"]) -> None:
        if self._saved:
            return
        self._saved = True
        total_ms = (time.perf_counter() - self._started) * 1000
        first = total_ms if self._first_token_ms is None else self._first_token_ms
        answer = replace(
            self.answer,
            text=text,
            status=status,
            prompt_tokens=self._last.prompt_tokens if self._last else None,
            timings={**self.answer.timings, "first_token_ms": first, "total_ms": total_ms},
        )
        claims = [one.traced() for one in self._checked.checked if one.claim] if self._checked else []
        self.answer = self._keeping.keep(answer, reply=self._reply, last=self._last, claims=claims)
