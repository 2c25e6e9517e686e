"""Grading the answers of a run by hand: what is to be graded, by whom, and taking it back.

Every grade is a committed row the moment it is given, and nothing is ever overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ragcore.evaluation.automatic_grade import automatic_grade
from ragcore.evaluation.grade_transfer import ImportedGrades, grade_rows, to_import
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.evaluation.outcome import Outcome
from ragcore.storage import EvalRun, Evaluations, HandGrade


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A grade that counts no longer, and the grader's one before it, which counts again."""

    answer_id: int
    question_id: str
    grade: str
    note: str
    restored: HandGrade | None


class HandGrading:
    """Reads what is to be graded, and stores grades."""

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    def runs(self) -> list[tuple[EvalRun, int]]:
        """The runs that have answers, newest first, with how many answers each has."""
        counts = self._evaluations.answer_counts()
        return [(run, counts[run.id]) for run in self._evaluations.runs() if run.id in counts]

    def answers(self, run_id: int) -> list[AnswerToGrade]:
        """Every answer of a run with the grades in force. Questions without an answer are not there.

        Raises NotFound.
        """
        grades = self._evaluations.grades(run_id)
        found = []
        for result in self._evaluations.results(run_id):
            outcome = Outcome.from_dict(result.outcome)
            if outcome.answer is None:
                continue
            found.append(
                AnswerToGrade(
                    id=result.id,
                    run_id=run_id,
                    outcome=outcome,
                    question=result.question,
                    automatic=automatic_grade(outcome),
                    grades={given.grader: given for given in grades.get(result.id, ())},
                )
            )
        return found

    def graders(self) -> list[str]:
        """Everybody who has graded, in any run; whoever did so last comes first."""
        return self._evaluations.graders()

    def grade(self, answer: AnswerToGrade, grade: str, *, grader: str, note: str = "") -> bool:
        """Store a grade at once; False where the very same one counts already.

        Raises InputError and NotFound.
        """
        given = self._evaluations.grades(answer.run_id).get(answer.id, ())
        if any((one.grader, one.grade, one.note) == (grader.strip(), grade, note) for one in given):
            return False
        self._evaluations.grade(answer.id, grade, grader=grader, note=note)
        return True

    def take_back(self, run_id: int, grader: str) -> TakenBack | None:
        """Undo the last grade that ``grader`` gave in the run, or the change of its note.

        The grade before it on that answer counts again. Called again it goes on backwards; None when
        nothing is left.
        """
        standing: list[HandGrade] = []
        for given in self._evaluations.grade_history(run_id):
            if given.grader == grader and given.grade is not None:
                standing.append(given)
            elif given.grader == grader:
                own = [place for place, one in enumerate(standing) if one.result_id == given.result_id]
                if own:
                    standing.pop(own[-1])
        if not standing:
            return None
        last_given = standing.pop()
        self._evaluations.grade(last_given.result_id, None, grader=grader)
        before = [one for one in standing if one.result_id == last_given.result_id]
        question = next(one for one in self.answers(run_id) if one.id == last_given.result_id)
        return TakenBack(
            last_given.result_id,
            question.outcome.id,
            last_given.grade or "",
            last_given.note,
            before[-1] if before else None,
        )

    def rows(self, run_id: int) -> list[dict[str, Any]]:
        """The grades in force of a run, a flat row a question and grader, ready to be exported."""
        return grade_rows(self.answers(run_id))

    def import_rows(self, run_id: int, rows: Sequence[Mapping[str, Any]]) -> ImportedGrades:
        """Store what of an export the run does not have yet: all of it or, on an error, nothing.

        Raises NotFound, and InputError which names the row.
        """
        found = to_import(rows, self.answers(run_id), now=datetime.now(UTC))
        self._evaluations.add_grades(found.imported)
        return found
