"""What a refusal says: that it does not know, and what happened."""

from __future__ import annotations

from ragcore.answering.saying import UNSAID
from ragcore.records import Answer


def refusal_text(answer: Answer) -> str:
    """Of the stage at which it was refused. It never repeats what was left out of an answer."""
    if answer.decision.top_score is None and not answer.decision.passed:
        return "I don't know: there are no documents to look in yet."
    if answer.refusal_stage == "verification":
        if answer.unsupported and answer.unsupported[0].reason == UNSAID:
            return (
                "I don't know. Some passages are about this, but what the model took from them does not say the "
                "answer, so it is not shown."
            )
        return (
            "I don't know. The model wrote an answer, but "
            f"{_wrote(len(answer.unsupported), answer.supported_claims or 0)}, so it is not shown."
        )
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


def _wrote(unsupported: int, supported: int) -> str:
    if supported:
        verb = "is" if unsupported == 1 else "are"
        return (
            f"{unsupported} of its {unsupported + supported} sentences {verb} not supported by the passages"
        )
    return "the passages do not support it"


def counted(number: int, noun: str) -> str:
    """``1 sentence``, ``2 sentences``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
