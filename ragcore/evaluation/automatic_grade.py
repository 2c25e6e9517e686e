"""The automatic grade of an outcome in the words that a person grades with."""

from __future__ import annotations

from ragcore.evaluation.outcome import Outcome

UNDECIDED = "ungraded"
"""What the automatic grader left to a person."""


def automatic_grade(outcome: Outcome) -> str | None:
    """right, wrong, should_have_refused, should_have_answered or ungraded; None where there is none.

    A refusal is judged by what the question calls for, an answer by the grader's verdict. "Partly" is
    a person's word alone: an answer that lacks one fact of several is wrong to the grader.
    """
    if outcome.error is not None or outcome.refused is None:
        return None
    if outcome.expected == "refuse":
        return "right" if outcome.refused else "should_have_refused"
    return "should_have_answered" if outcome.refused else outcome.verdict
