"""Traces: what was decided and what a model was about to be shown, one row a question."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, update

from ragcore.errors import NotFound
from ragcore.storage.database import Database
from ragcore.storage.tables import TraceRow


class Traces:
    """Writes a trace before generation, and its outcome after."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        *,
        question: str,
        standalone_question: str,
        profile: dict[str, Any],
        cutoff: float,
        top_score: float | None,
        decision: dict[str, Any],
        passages: list[dict[str, Any]],
        prompt: dict[str, Any],
    ) -> int:
        """Commit the row and return its id; nothing has been generated yet."""
        values = {key: value for key, value in locals().items() if key != "self"}
        with self._database.session() as session:
            return session.execute(insert(TraceRow).values(**values).returning(TraceRow.id)).scalar_one()

    def finish(self, trace_id: int, outcome: dict[str, Any]) -> None:
        """Add what came of it: status, tokens, timings, warnings."""
        with self._database.session() as session:
            session.execute(update(TraceRow).where(TraceRow.id == trace_id).values(outcome=outcome))

    def get(self, trace_id: int) -> dict[str, Any]:
        """The whole row as a dictionary. Raises NotFound."""
        with self._database.session() as session:
            row = session.get(TraceRow, trace_id)
            if row is None:
                raise NotFound(f"There is no trace {trace_id}.")
            return as_dict(row)


def as_dict(row: TraceRow) -> dict[str, Any]:
    return {
        "trace_id": row.id,
        "question": row.question,
        "standalone_question": row.standalone_question,
        "profile": row.profile,
        "cutoff": row.cutoff,
        "top_score": row.top_score,
        "decision": row.decision,
        "passages": row.passages,
        "prompt": row.prompt,
        "outcome": row.outcome,
        "created_at": row.created_at.isoformat(),
    }
