"""The scores of an evaluation run without the evidence behind them: what a cutoff is chosen by.

A result carries the text of its hits; ten thousand of them are some tens of megabytes, which a page
that only counts scores does not need. The evidence of one question is fetched when it is opened.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from ragcore.errors import NotFound
from ragcore.storage.database import Database
from ragcore.storage.evaluation_tables import EvalResultRow
from ragcore.storage.evaluations import EvalResult, result_of


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One question of a run. ``score`` is the raw cosine of its best evidence; None: nothing was found.

    Of a follow-up it is that of the user's own words, which the floor is compared with.
    """

    result_id: int
    question_id: str
    kind: str
    split: str
    score: float | None
    question: str
    """The last turn: the user's own words."""
    collection: str


class Scores:
    """Reads scores, and the evidence of one of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def runs(self) -> frozenset[int]:
        """Runs that have at least one score."""
        scored = select(EvalResultRow.run_id).where(EvalResultRow.score.is_not(None)).distinct()
        with self._database.session() as session:
            return frozenset(session.scalars(scored))

    def of(self, run_id: int) -> list[ScoreRow]:
        """Every result of the run, in the order they came; none for a run that does not exist."""
        question = EvalResultRow.question
        query = (
            select(
                EvalResultRow.id,
                EvalResultRow.question_id,
                EvalResultRow.kind,
                EvalResultRow.split,
                EvalResultRow.score,
                func.coalesce(question["turns"][-1].astext, ""),
                func.coalesce(question["collection"].astext, ""),
            )
            .where(EvalResultRow.run_id == run_id)
            .order_by(EvalResultRow.id)
        )
        with self._database.session() as session:
            return [ScoreRow(*row) for row in session.execute(query)]

    def result(self, result_id: int) -> EvalResult:
        """One result with its evidence. Raises NotFound."""
        with self._database.session() as session:
            row = session.get(EvalResultRow, result_id)
            if row is None:
                raise NotFound(f"There is no evaluation result {result_id}; its run may have been deleted.")
            return result_of(row)
