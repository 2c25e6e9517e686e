"""Evaluation runs, their results and hand grades.

Every result is committed as it comes, so a run that is killed can be taken up where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from ragcore.errors import NotFound
from ragcore.storage.database import Database
from ragcore.storage.evaluation_tables import EvalResultRow, EvalRunRow, GradeRow
from ragcore.storage.hand_grades import HandGrade, grade_values, standing_grades

RunStatus = Literal["queued", "running", "complete", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class EvalRun:
    """A run's row. ``metrics`` is NAME -> {value, k, n, low, high}.

    ``provenance`` is empty until a queued run is taken up.
    """

    id: int
    name: str
    question_set: str
    stage: str
    status: RunStatus
    config: dict[str, Any]
    provenance: dict[str, Any]
    metrics: dict[str, Any]
    questions: int
    done: int
    error: str | None
    seconds: float
    created_at: datetime

    @property
    def pending(self) -> bool:
        """Whether it waits or is being carried out."""
        return self.status in ("queued", "running")


@dataclass(frozen=True, slots=True)
class EvalResult:
    """A result's row. ``outcome`` holds ranks, scores, hits, answer, citations, timings."""

    id: int
    run_id: int
    question_id: str
    kind: str
    category: str
    split: str
    question: dict[str, Any]
    outcome: dict[str, Any]
    score: float | None
    verdict: str | None
    failure_stage: str | None
    trace_id: int | None


class Evaluations:
    """Writes and reads the bench's rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- runs ---

    def begin(
        self,
        *,
        name: str,
        question_set: str,
        stage: str,
        config: dict[str, Any],
        provenance: dict[str, Any],
        questions: int,
    ) -> int:
        values = {key: value for key, value in locals().items() if key != "self"}
        with self._database.session() as session:
            return session.execute(insert(EvalRunRow).values(**values).returning(EvalRunRow.id)).scalar_one()

    def runs(self) -> list[EvalRun]:
        """Newest first."""
        with self._database.session() as session:
            return [
                _run(row, done)
                for row, done in session.execute(_runs_with_counts().order_by(EvalRunRow.id.desc()))
            ]

    def run(self, run_id: int) -> EvalRun:
        """Raises NotFound with the newest runs there are."""
        with self._database.session() as session:
            found = session.execute(_runs_with_counts().where(EvalRunRow.id == run_id)).one_or_none()
        if found is None:
            newest = ", ".join(str(run.id) for run in self.runs()[:5]) or "none yet"
            raise NotFound(f"There is no evaluation run {run_id}. The newest are: {newest}.")
        return _run(*found)

    def reopen(self, run_id: int) -> None:
        """Set a stopped run going again."""
        self._set(run_id, status="running", cancel_requested=False, error=None)

    def begin_asking(self, run_id: int) -> None:
        """Note that everything is ready and questions are asked from now on."""
        self._set(run_id, step="", asking_since=func.now())

    def describe(self, run_id: int, *, provenance: dict[str, Any], questions: int) -> None:
        """Note what a queued run turned out to be made with, once its corpora are indexed."""
        self._set(run_id, provenance=provenance, questions=questions)

    def finish(
        self,
        run_id: int,
        status: RunStatus,
        *,
        metrics: dict[str, Any],
        seconds: float,
        error: str | None = None,
    ) -> None:
        """``seconds`` is added to those of earlier sittings of the run."""
        self._set(run_id, status=status, metrics=metrics, seconds=EvalRunRow.seconds + seconds, error=error)

    def request_cancel(self, run_id: int) -> None:
        self._set(run_id, cancel_requested=True)

    def cancel_requested(self, run_id: int) -> bool:
        with self._database.session() as session:
            return bool(session.scalar(select(EvalRunRow.cancel_requested).where(EvalRunRow.id == run_id)))

    def rename_run(self, run_id: int, name: str) -> None:
        """Raises NotFound."""
        self.run(run_id)
        self._set(run_id, name=name)

    def delete_run(self, run_id: int) -> None:
        """Raises NotFound."""
        self.run(run_id)
        with self._database.session() as session:
            session.execute(delete(EvalRunRow).where(EvalRunRow.id == run_id))

    def _set(self, run_id: int, **values: Any) -> None:
        with self._database.session() as session:
            session.execute(
                update(EvalRunRow).where(EvalRunRow.id == run_id).values(updated_at=func.now(), **values)
            )

    # --- results ---

    def save_result(self, run_id: int, result: dict[str, Any]) -> int:
        """Write one result (the columns by name); the same question again replaces it."""
        values = {**result, "run_id": run_id}
        with self._database.session() as session:
            return session.execute(
                upsert(EvalResultRow)
                .values(**values)
                .on_conflict_do_update(index_elements=["run_id", "question_id"], set_=result)
                .returning(EvalResultRow.id)
            ).scalar_one()

    def results(self, run_id: int) -> list[EvalResult]:
        """In the order they came. Raises NotFound."""
        self.run(run_id)
        query = select(EvalResultRow).where(EvalResultRow.run_id == run_id).order_by(EvalResultRow.id)
        with self._database.session() as session:
            return [result_of(row) for row in session.scalars(query)]

    def answer_counts(self) -> dict[int, int]:
        """How many answers each run has; runs without any are not there."""
        query = (
            select(EvalResultRow.run_id, func.count())
            .where(EvalResultRow.outcome["answer"].astext.is_not(None))
            .group_by(EvalResultRow.run_id)
        )
        with self._database.session() as session:
            return dict(session.execute(query).all())

    # --- grades ---

    def grade(self, result_id: int, grade: str | None, *, grader: str, note: str = "") -> None:
        """Store a grade at once; None takes the grader's last one back, so that the one before it counts.

        Raises InputError and NotFound.
        """
        with self._database.session() as session:
            if session.get(EvalResultRow, result_id) is None:
                raise NotFound(f"There is no evaluation result {result_id}.")
            session.execute(insert(GradeRow).values(grade_values(result_id, grade, grader, note)))

    def add_grades(self, grades: Sequence[HandGrade]) -> None:
        """Store grades that were given elsewhere with the times they have: all of them or none.

        Raises InputError.
        """
        rows = [
            {**grade_values(one.result_id, one.grade, one.grader, one.note), "created_at": one.created_at}
            for one in grades
        ]
        if rows:
            with self._database.session() as session:
                session.execute(insert(GradeRow), rows)

    def graders(self) -> list[str]:
        """Everybody who has graded, whoever did so last first."""
        query = select(GradeRow.grader).group_by(GradeRow.grader).order_by(func.max(GradeRow.id).desc())
        with self._database.session() as session:
            return list(session.scalars(query))

    def grade_history(self, run_id: int) -> list[HandGrade]:
        """Every grade of a run's results, oldest first."""
        query = (
            select(GradeRow)
            .join(EvalResultRow, EvalResultRow.id == GradeRow.result_id)
            .where(EvalResultRow.run_id == run_id)
            .order_by(GradeRow.id)
        )
        with self._database.session() as session:
            return [
                HandGrade(row.result_id, row.grade, row.note, row.grader, row.created_at)
                for row in session.scalars(query)
            ]

    def grades(self, run_id: int) -> dict[int, list[HandGrade]]:
        """The grades in force by result: of each grader the newest that was not taken back."""
        standing = standing_grades(self.grade_history(run_id))
        in_force: dict[int, list[HandGrade]] = {}
        for (result_id, _), given in standing.items():
            in_force.setdefault(result_id, []).append(given[-1])
        return in_force


def _runs_with_counts():
    done = select(func.count()).where(EvalResultRow.run_id == EvalRunRow.id).scalar_subquery()
    return select(EvalRunRow, done)


def _run(row: EvalRunRow, done: int) -> EvalRun:
    return EvalRun(
        id=row.id,
        name=row.name,
        question_set=row.question_set,
        stage=row.stage,
        status=row.status,
        config=row.config,
        provenance=row.provenance,
        metrics=row.metrics,
        questions=row.questions,
        done=done,
        error=row.error,
        seconds=row.seconds,
        created_at=row.created_at,
    )


def result_of(row: EvalResultRow) -> EvalResult:
    return EvalResult(
        id=row.id,
        run_id=row.run_id,
        question_id=row.question_id,
        kind=row.kind,
        category=row.category,
        split=row.split,
        question=row.question,
        outcome=row.outcome,
        score=row.score,
        verdict=row.verdict,
        failure_stage=row.failure_stage,
        trace_id=row.trace_id,
    )
