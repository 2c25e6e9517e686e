"""Keeping a turn: its trace's outcome, and its place in the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.saying import Saying
from ragcore.answering.verification import Checker
from ragcore.errors import NotFound
from ragcore.records import Answer, ChatDelta, ExpandedQuestion, Passage
from ragcore.retrieval.judging import LogOddsOf
from ragcore.storage import History, Traces


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where a turn is kept, and what quoting and checking need."""

    traces: Traces
    history: History
    embedder: SentenceEmbedder
    judge: LogOddsOf | None = None
    """Says whether a sentence says the answer to a question."""

    def checker(
        self, question: str, searched: ExpandedQuestion | None, passages: Sequence[Passage]
    ) -> Checker:
        """What checks the sentences of one answer. ``searched``: the question as it was searched, where it was."""
        searched = searched or ExpandedQuestion(question, question)
        saying = Saying(searched.dense, passages, self.judge) if self.judge else None
        return Checker(question, passages, self.embedder, searched.added, saying)

    def keep(
        self, answer: Answer, *, reply: str, last: ChatDelta | None, claims: list[dict[str, Any]]
    ) -> Answer:
        """Save a finished answer; returns it with the message's number, where it is in a conversation.

        ``reply`` is what the model wrote, ``claims`` the verdicts on its sentences: both for the trace alone.
        """
        assert answer.trace_id is not None
        self.traces.finish(
            answer.trace_id,
            {
                "status": answer.status,
                "generator": answer.generator,
                "refusal_stage": answer.refusal_stage,
                "prompt_tokens": answer.prompt_tokens,
                "reply_tokens": last.reply_tokens if last else None,
                "done_reason": last.done_reason if last else None,
                "raw_reply": reply,
                "timings": answer.timings,
                "warnings": list(answer.warnings),
                "claims": claims,
                "unsupported": [asdict(one) for one in answer.unsupported],
            },
        )
        if answer.conversation_id is None:
            return answer
        try:
            message_id = self.history.add_turn(
                answer.conversation_id,
                question=answer.question,
                answer=answer.text,
                status=answer.status,
                citations=answer.citations,
                trace_id=answer.trace_id,
            )
        except NotFound:
            return warned(
                answer, "The conversation was deleted meanwhile, so this answer is not in the history."
            )
        return replace(answer, message_id=message_id)


def warned(answer: Answer, sentence: str) -> Answer:
    """The answer with one more sentence that its reader should know."""
    return replace(answer, warnings=(*answer.warnings, sentence))
