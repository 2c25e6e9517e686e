"""Known-good and known-bad answers that every run grades first, to catch a broken or constant grader.

Each verdict and each label comes up at least twice, so a grader that always says the same, or the
opposite, fails; so does one that compares by substring.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ragcore.errors import GraderBroken
from ragcore.evaluation.grading import Grade, Verdict, grade_answer
from ragcore.evaluation.refusals import RefusalVerdict, recognise_refusal


@dataclass(frozen=True, slots=True)
class AnswerSentinel:
    """An answer whose grade is beyond doubt."""

    name: str
    question: str
    answer: str
    facts: tuple[tuple[str, ...], ...]
    verdict: Verdict
    refused: bool = False


@dataclass(frozen=True, slots=True)
class RefusalSentinel:
    """A text that is beyond doubt a refusal or an answer."""

    name: str
    question: str
    text: str
    label: str


ANSWER_SENTINELS = (
    AnswerSentinel("plain fact", "How long is leave?", "Leave is 15 days.", (("15 days",),), "right"),
    AnswerSentinel("number in words", "How many boats?", "There are four boats.", (("4",),), "right"),
    AnswerSentinel("other value", "How long is leave?", "Leave is 20 days.", (("15 days",),), "wrong"),
    AnswerSentinel("digit inside a number", "How many boats?", "There are 14 boats.", (("4",),), "wrong"),
    AnswerSentinel(
        "half of two facts", "When is drill?", "On Thursday.", (("Thursday",), ("19:30",)), "wrong"
    ),
    AnswerSentinel(
        "negated fact", "How long is leave?", "Leave is not 15 days.", (("15 days",),), "ungraded"
    ),
    AnswerSentinel(
        "two values", "How long is leave?", "Leave is 15 or 20 days.", (("15 days",),), "ungraded"
    ),
    AnswerSentinel("refused", "How long is leave?", "I don't know.", (("15 days",),), "refused", True),
    AnswerSentinel("refused, with the fact", "Who?", "I don't know Renn.", (("Renn",),), "refused", True),
)

REFUSAL_SENTINELS = (
    RefusalSentinel("plain refusal", "Who founded the club?", "I don't know.", "refusal"),
    RefusalSentinel(
        "refusal with curly quotes",
        "Who founded the club?",
        "I’m sorry, but the documents don’t mention who founded the club.",
        "refusal",
    ),
    RefusalSentinel(
        "refusal with related facts",
        "When was the club founded?",
        "The documents do not say when the club was founded. They only say that it has 64 members.",
        "refusal",
    ),
    RefusalSentinel("plain answer", "Who founded the club?", "Ansel Thorne founded the club.", "answer"),
    RefusalSentinel(
        "answer after an apology", "What is the fee?", "Sorry for the delay. The fee is 20 euros.", "answer"
    ),
    RefusalSentinel(
        "quoted refusal",
        "What does the policy say?",
        "The policy says 'I don't know' is no excuse.",
        "answer",
    ),
)


def check_graders(
    *,
    grade: Callable[..., Grade] = grade_answer,
    recognise: Callable[[str, str], RefusalVerdict] = recognise_refusal,
) -> None:
    """Grade every sentinel. Raises ``GraderBroken`` naming the first one that comes out wrong."""
    for case in ANSWER_SENTINELS:
        verdict = grade(case.answer, case.facts, refused=case.refused, question=case.question).verdict
        if verdict != case.verdict:
            raise _broken("answer grader", case.name, case.answer, verdict, case.verdict)
    for text in REFUSAL_SENTINELS:
        label = recognise(text.text, text.question).label
        if label != text.label:
            raise _broken("refusal recogniser", text.name, text.text, label, text.label)


def _broken(grader: str, name: str, text: str, got: str, right: str) -> GraderBroken:
    return GraderBroken(
        f"The {grader} is broken: sentinel '{name}' (\"{text}\") came out as {got} instead of {right}. "
        "Nothing was graded; repair the grader before running again."
    )
