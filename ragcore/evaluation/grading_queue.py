"""Which answers are to be graded, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from ragcore.evaluation.outcome import Outcome
from ragcore.storage import HandGrade

Order = Literal["cutoff", "random"]
State = Literal["all", "ungraded", "graded", "disputed", "differing"]


@dataclass(frozen=True, slots=True)
class AnswerToGrade:
    """One answer of a run, with everything that a grader may be shown."""

    id: int
    """Of the stored result."""
    run_id: int
    outcome: Outcome
    question: Mapping[str, Any]
    """What the set says of the question: set, collection, turns, gold, facts, note."""
    automatic: str | None
    """The automatic grade in the words of the hand grades; None where there is none."""
    grades: Mapping[str, HandGrade] = field(default_factory=dict)
    """The grades in force by grader."""

    @property
    def disputed(self) -> bool:
        """Whether two graders gave it different grades."""
        return len({given.grade for given in self.grades.values()}) > 1

    @property
    def distance(self) -> float | None:
        """How far the best score is from the cutoff, on either side; None without a score."""
        score, cutoff = self.outcome.top_score, self.outcome.cutoff
        return None if score is None or cutoff is None else abs(score - cutoff)

    def grade_by(self, grader: str) -> str | None:
        given = self.grades.get(grader)
        return given.grade if given else None

    def note_by(self, grader: str) -> str:
        given = self.grades.get(grader)
        return given.note if given else ""


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a run is to be graded. None and "all" leave nothing out.

    ``state``: ungraded and graded by this grader, disputed between graders, differing from the
    automatic grade.
    """

    kind: str | None = None
    category: str | None = None
    automatic: str | None = None
    state: State = "all"

    def takes(self, answer: AnswerToGrade, grader: str) -> bool:
        own = answer.grade_by(grader)
        return (
            self.kind in (None, answer.outcome.kind)
            and self.category in (None, answer.outcome.category)
            and self.automatic in (None, answer.automatic)
            and {
                "all": True,
                "ungraded": own is None,
                "graded": own is not None,
                "disputed": answer.disputed,
                "differing": own is not None and answer.automatic is not None and own != answer.automatic,
            }[self.state]
        )


class GradingQueue:
    """The answers of a selection for one grader, in a fixed order."""

    def __init__(
        self,
        answers: Iterable[AnswerToGrade],
        grader: str,
        *,
        order: Order = "cutoff",
        seed: int = 0,
        selection: Selection | None = None,
    ) -> None:
        self.grader = grader
        # Of all answers, so that one which has just left the selection keeps its place.
        self._all = arranged(answers, order, seed)
        self._places = {answer.id: place for place, answer in enumerate(self._all)}
        wanted = selection or Selection()
        self.answers = tuple(answer for answer in self._all if wanted.takes(answer, grader))

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def graded(self) -> int:
        return sum(answer.grade_by(self.grader) is not None for answer in self.answers)

    def get(self, answer_id: int | None) -> AnswerToGrade | None:
        """Any answer of the run, in the selection or not."""
        place = self._places.get(answer_id) if answer_id is not None else None
        return None if place is None else self._all[place]

    def number(self, answer_id: int) -> int | None:
        """Its number in the selection, from 1; None for one outside."""
        return next((n for n, answer in enumerate(self.answers, 1) if answer.id == answer_id), None)

    def next(self, answer_id: int) -> AnswerToGrade | None:
        return next((one for one in self.answers if self._place(one) > self._places[answer_id]), None)

    def previous(self, answer_id: int) -> AnswerToGrade | None:
        before = [one for one in self.answers if self._place(one) < self._places[answer_id]]
        return before[-1] if before else None

    def next_ungraded(self, behind: int | None = None) -> AnswerToGrade | None:
        """The first behind that answer which this grader has not graded, else the first of all others.

        None when there is no other.
        """
        waiting = [one for one in self.answers if one.grade_by(self.grader) is None and one.id != behind]
        place = self._places.get(behind, -1) if behind is not None else -1
        return next((one for one in waiting if self._place(one) > place), waiting[0] if waiting else None)

    def _place(self, answer: AnswerToGrade) -> int:
        return self._places[answer.id]


def arranged(answers: Iterable[AnswerToGrade], order: Order, seed: int = 0) -> Sequence[AnswerToGrade]:
    """Nearest to the cutoff first, those without a score last; or at random, the same for a seed.

    Each answer's random place depends on its own question and the seed alone, so that it does not
    change when a run goes on.
    """
    if order == "random":
        return sorted(
            answers, key=lambda one: sha256(f"{seed}\n{one.outcome.id}".encode(errors="replace")).digest()
        )
    return sorted(
        answers,
        key=lambda one: (one.distance is None, one.distance or 0.0, one.outcome.id),
    )
