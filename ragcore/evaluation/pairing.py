"""Two runs side by side, a row a question: what each made of it, and which way it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragcore.evaluation.comparison import Comparison
from ragcore.evaluation.config_differences import Difference
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.result_rows import Change, ResultRow


@dataclass(frozen=True, slots=True)
class Pair:
    """The same question in run A (the baseline) and in run B; None where a run does not have it."""

    a: ResultRow | None
    b: ResultRow | None

    @property
    def id(self) -> str:
        return self.either.id

    @property
    def either(self) -> ResultRow:
        row = self.b or self.a
        assert row is not None
        return row

    @property
    def change(self) -> Change:
        """What B does to it: better (wrong in A, not in B), worse, same; new where only one run has it."""
        if self.a is None or self.b is None:
            return "new"
        if self.a.failed == self.b.failed:
            return "same"
        return "better" if self.a.failed else "worse"

    def as_row(self) -> dict[str, Any]:
        """Flat, for a table or an export."""
        outcome = self.either.outcome
        row: dict[str, Any] = {
            "question_id": self.id,
            "kind": outcome.kind,
            "category": outcome.category,
            "question": outcome.question,
            "change": self.change,
        }
        for name, side in (("a", self.a), ("b", self.b)):
            said = side.outcome if side else None
            row |= {
                f"{name}_state": side.state if side else None,
                f"{name}_failed_at": said.failure_stage if said else None,
                f"{name}_rank": said.rank if said else None,
                f"{name}_top_score": said.top_score if said else None,
                f"{name}_refused": said.refused if said else None,
                f"{name}_verdict": said.verdict if said else None,
            }
        return row


@dataclass(frozen=True, slots=True)
class PairedRuns:
    """Run B against run A. ``metrics`` holds the figures of both, in that order, by name."""

    comparison: Comparison
    pairs: tuple[Pair, ...]
    metrics: dict[str, tuple[Rate, Rate]]
    differences: tuple[Difference, ...]

    def changed(self, change: Change | None = None) -> frozenset[str]:
        """Ids of the questions that became better or worse, or of those that changed this way."""
        return frozenset(
            pair.id
            for pair in self.pairs
            if (pair.change in ("better", "worse") if change is None else pair.change == change)
        )


def paired(a: Sequence[ResultRow], b: Sequence[ResultRow]) -> tuple[Pair, ...]:
    """In the order of run B, and after it what only run A has."""
    first = {row.id: row for row in a}
    known = {row.id for row in b}
    return (
        *(Pair(first.get(row.id), row) for row in b),
        *(Pair(row, None) for row in a if row.id not in known),
    )
