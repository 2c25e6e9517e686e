"""Hand grades against the automatic ones, and graders against each other.

Two questions, two tables. Does the automatic grader know right from not right, which is what the
metrics count? There "partly" is not right, as an answer that lacks a fact. And is it the very same
grade of the five? There every "partly" is a difference, for no automatic grade says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ragcore.evaluation.agreement import Agreement, agreement
from ragcore.evaluation.automatic_grade import UNDECIDED
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.evaluation.rate import Rate, share

RIGHT, NOT_RIGHT = "right", "not right"


@dataclass(frozen=True, slots=True)
class GradedApart:
    """An answer on which the automatic grade and a person's differ."""

    answer: AnswerToGrade
    automatic: str
    hand: str
    note: str
    turns: bool
    """Whether right became not right or the other way round: there the grader was wrong."""


@dataclass(frozen=True, slots=True)
class AgainstAutomatic:
    """One person's grades beside the automatic ones."""

    grader: str
    right: Agreement
    """Right or not right."""
    same: Agreement
    """The grades as they are."""
    by_kind: Mapping[str, Rate]
    """Share of answers of a kind on which both say right, or both not right."""
    differences: tuple[GradedApart, ...]
    """Those that turn right into not right first."""


@dataclass(frozen=True, slots=True)
class BetweenGraders:
    """Two persons' grades of the same answers."""

    first: str
    second: str
    agreement: Agreement


def against_automatic(answers: Sequence[AnswerToGrade], grader: str) -> AgainstAutomatic:
    """Of the answers that ``grader`` has graded; those left to a person are counted as left out."""
    graded = {one.outcome.id: one for one in answers if one.grade_by(grader) is not None}
    hand = {key: one.grades[grader].grade or "" for key, one in graded.items()}
    automatic = {key: one.automatic for key, one in graded.items() if one.automatic is not None}
    both = {key for key, grade in automatic.items() if grade != UNDECIDED}
    counts: dict[str, list[bool]] = {}
    for key in both:
        same_side = right_or_not(automatic[key]) == right_or_not(hand[key])
        counts.setdefault(graded[key].outcome.kind, []).append(same_side)
    same = agreement(automatic, hand)
    differences = [
        GradedApart(
            graded[one.id],
            one.automatic,
            one.hand,
            graded[one.id].note_by(grader),
            right_or_not(one.automatic) != right_or_not(one.hand),
        )
        for one in same.differences
    ]
    return AgainstAutomatic(
        grader=grader,
        right=agreement(_sides(automatic), _sides(hand)),
        same=same,
        by_kind={kind: share(sum(flags), len(flags)) for kind, flags in sorted(counts.items())},
        differences=tuple(sorted(differences, key=lambda one: (not one.turns, one.answer.outcome.id))),
    )


def between_graders(answers: Iterable[AnswerToGrade]) -> list[BetweenGraders]:
    """Every two graders who have graded at least one answer both."""
    by_grader: dict[str, dict[str, str]] = {}
    for one in answers:
        for grader, given in one.grades.items():
            by_grader.setdefault(grader, {})[one.outcome.id] = given.grade or ""
    return [
        BetweenGraders(a, b, agreement(by_grader[a], by_grader[b]))
        for a, b in combinations(sorted(by_grader), 2)
        if by_grader[a].keys() & by_grader[b].keys()
    ]


def right_or_not(grade: str) -> str:
    return RIGHT if grade == RIGHT else NOT_RIGHT


def _sides(grades: Mapping[str, str]) -> dict[str, str]:
    return {key: grade if grade == UNDECIDED else right_or_not(grade) for key, grade in grades.items()}
