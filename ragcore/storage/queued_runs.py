"""The evaluation runs of the queue: what waits, what is being carried out and how far it is.

Which worker takes which run is the queue's affair, as with uploads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update

from ragcore.errors import InputError, NotFound
from ragcore.storage.database import Database
from ragcore.storage.evaluation_tables import EvalResultRow, EvalRunRow
from ragcore.storage.uploads import Enqueue


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is. ``done`` counts questions of earlier sittings too."""

    status: str
    step: str
    """``indexing`` while its corpora are indexed, with files in ``step_done`` and ``step_total``."""
    step_done: int
    step_total: int
    done: int
    questions: int
    done_now: int
    """Questions of the present sitting."""
    asking_s: float
    """Seconds since it began to ask."""
    cancel_requested: bool
    error: str | None

    @property
    def pending(self) -> bool:
        return self.status in ("queued", "running")

    @property
    def rate(self) -> float | None:
        """Questions a second in this sitting; None before the first."""
        return self.done_now / self.asking_s if self.done_now and self.asking_s > 0 else None

    @property
    def seconds_left(self) -> float | None:
        return (self.questions - self.done) / self.rate if self.rate else None


class QueuedRuns:
    """Writes and reads the runs' places in the queue."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        *,
        name: str,
        question_set: str,
        stage: str,
        config: dict[str, Any],
        questions: int,
        enqueue: Enqueue,
    ) -> int:
        """Write the run and its job in one transaction; the run's id."""
        with self._database.session() as session:
            run_id = session.execute(
                insert(EvalRunRow)
                .values(
                    name=name,
                    question_set=question_set,
                    stage=stage,
                    status="queued",
                    config=config,
                    provenance={},
                    questions=questions,
                )
                .returning(EvalRunRow.id)
            ).scalar_one()
            enqueue(run_id, session.connection().connection.driver_connection)
        return run_id

    def begin(self, run_id: int) -> bool:
        """Take a run up; False when there is nothing to do. One that was left half-done goes on."""
        with self._database.session() as session:
            row = session.get(EvalRunRow, run_id, with_for_update=True)
            if row is None or row.status not in ("queued", "running"):
                return False
            if row.cancel_requested:
                row.status = "cancelled"
                return False
            row.status, row.error, row.updated_at = "running", None, func.now()
            row.step, row.step_done, row.step_total, row.asking_since = "", 0, 0, None
            return True

    def note(self, run_id: int, step: str, done: int, total: int) -> bool:
        """Note how far the step before the questions is. Returns whether somebody asked to cancel."""
        with self._database.session() as session:
            return session.execute(
                update(EvalRunRow)
                .where(EvalRunRow.id == run_id)
                .values(step=step, step_done=done, step_total=total, updated_at=func.now())
                .returning(EvalRunRow.cancel_requested)
            ).scalar_one_or_none() in (None, True)

    def end(self, run_id: int, status: str, *, error: str | None = None) -> None:
        """Note how a run ended for another reason than its last question."""
        with self._database.session() as session:
            session.execute(
                update(EvalRunRow)
                .where(EvalRunRow.id == run_id)
                .values(status=status, error=error, step="", updated_at=func.now())
            )

    def cancel(self, run_id: int) -> None:
        """Stop a run: at once while it waits, after the present question while it is carried out.

        Asking a second time marks it as cancelled at once, for a run whose process is gone.
        """
        with self._database.session() as session:
            row = session.get(EvalRunRow, run_id, with_for_update=True)
            if row is None or row.status not in ("queued", "running"):
                return
            if row.status == "queued" or row.cancel_requested:
                row.status, row.step = "cancelled", ""
            row.cancel_requested = True
            row.updated_at = func.now()

    def resume(self, run_id: int, enqueue: Enqueue) -> None:
        """Queue a stopped run again. Raises NotFound, and InputError for one that is not stopped."""
        with self._database.session() as session:
            row = session.get(EvalRunRow, run_id, with_for_update=True)
            if row is None:
                raise NotFound(f"There is no evaluation run {run_id}.")
            if row.status not in ("cancelled", "failed"):
                raise InputError(f"Run {run_id} is {row.status}; only a run that was stopped can go on.")
            self._queue_again(row, enqueue, session)

    def requeue(self, run_id: int, enqueue: Enqueue) -> None:
        """Put a run back that a worker began and cannot finish now; cancelled if that was asked for."""
        with self._database.session() as session:
            row = session.get(EvalRunRow, run_id, with_for_update=True)
            if row is None:
                return
            if row.cancel_requested:
                row.status, row.step = "cancelled", ""
            else:
                self._queue_again(row, enqueue, session)

    def progress(self, run_id: int) -> RunProgress:
        """Raises NotFound."""
        results = select(func.count()).where(EvalResultRow.run_id == EvalRunRow.id)
        now = results.where(EvalResultRow.created_at >= EvalRunRow.asking_since)
        elapsed = func.extract("epoch", func.clock_timestamp() - EvalRunRow.asking_since)
        query = select(EvalRunRow, results.scalar_subquery(), now.scalar_subquery(), elapsed)
        with self._database.session() as session:
            found = session.execute(query.where(EvalRunRow.id == run_id)).one_or_none()
        if found is None:
            raise NotFound(f"There is no evaluation run {run_id}.")
        row, done, done_now, asking_s = found
        return RunProgress(
            status=row.status,
            step=row.step,
            step_done=row.step_done,
            step_total=row.step_total,
            done=done,
            questions=row.questions,
            done_now=done_now,
            asking_s=float(asking_s or 0.0),
            cancel_requested=row.cancel_requested,
            error=row.error,
        )

    @staticmethod
    def _queue_again(row: EvalRunRow, enqueue: Enqueue, session) -> None:
        row.status, row.error, row.step, row.cancel_requested = "queued", None, "", False
        row.updated_at = func.now()
        enqueue(row.id, session.connection().connection.driver_connection)
