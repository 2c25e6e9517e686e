"""What a page or a notebook asks of stored runs: their rows, figures, differences, single questions.

Nothing here asks a question anew, or loads a model; ``bench`` does that.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from ragcore.errors import NotFound
from ragcore.evaluation.config_differences import differences
from ragcore.evaluation.exporting import ExportFormat, write_rows
from ragcore.evaluation.opened_result import OpenedResult, opened
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.pairing import PairedRuns, paired
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.result_rows import ResultRow, rows_of
from ragcore.evaluation.stored_results import compared, exported_rows
from ragcore.evaluation.summary import summarise
from ragcore.storage import EvalRun, Evaluations, Traces

GROUPS = ("kind", "category", "difficulty", "split", "set")
KEPT = 24
"""Computed values kept in memory. Intervals by category take a second for some hundred questions."""

Value = TypeVar("Value")


class ResultsBrowser:
    """Reads runs. What it computed of a run is kept until that run changes. Safe between threads."""

    def __init__(self, *, evaluations: Evaluations, traces: Traces) -> None:
        self._evaluations = evaluations
        self._traces = traces
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._lock = threading.Lock()

    def rows(self, run_id: int) -> tuple[ResultRow, ...]:
        """Every result so far, in the order they came. Raises NotFound."""
        run = self._evaluations.run(run_id)
        return self._once(run, "rows", lambda: rows_of(self._evaluations.results(run_id), run.stage))

    def metrics(self, run_id: int) -> dict[str, Rate]:
        """NAME -> figure of what is there so far. Raises NotFound."""
        run = self._evaluations.run(run_id)
        return self._once(run, "metrics", lambda: summarise(self._outcomes(run_id), run.stage))

    def metrics_by(self, run_id: int, field: str) -> dict[str, dict[str, Rate]]:
        """The same for every value of one of ``GROUPS``, sorted. Raises NotFound."""
        run = self._evaluations.run(run_id)

        def compute() -> dict[str, dict[str, Rate]]:
            groups: dict[str, list[Outcome]] = {}
            for row in self.rows(run_id):
                value = row.question_set if field == "set" else getattr(row.outcome, field)
                groups.setdefault(value or "-", []).append(row.outcome)
            return {group: summarise(own, run.stage) for group, own in sorted(groups.items())}

        return self._once(run, f"by {field}", compute)

    def opened(self, run_id: int, question_id: str) -> OpenedResult:
        """One question with all that is stored of it. Raises NotFound, naming what the run has."""
        rows = self.rows(run_id)
        row = next((one for one in rows if one.id == question_id), None)
        if row is None:
            example = f"; its first is '{rows[0].id}'" if rows else ""
            raise NotFound(
                f"Run {run_id} has no question '{question_id}' among its {len(rows)} results{example}."
            )
        trace = None
        if row.outcome.trace_id is not None:
            try:
                trace = self._traces.get(row.outcome.trace_id)
            except NotFound:
                # Traces may be cleared away; the result stands by itself.
                trace = None
        return opened(row, trace, self._evaluations.grades(run_id).get(row.result_id, []))

    def paired(self, a: int, b: int) -> PairedRuns:
        """Run B against run A. Raises NotFound, and InputError for runs of different stages."""
        first, second = self._evaluations.run(a), self._evaluations.run(b)

        def compute() -> PairedRuns:
            figures = self.metrics(a), self.metrics(b)
            return PairedRuns(
                comparison=compared(self._evaluations, a, b),
                pairs=paired(self.rows(a), self.rows(b)),
                metrics={
                    name: (figures[0][name], rate) for name, rate in figures[1].items() if name in figures[0]
                },
                differences=tuple(differences([first, second])),
            )

        return self._once(second, f"against {_version(first)}", compute)

    def export(self, run_id: int, question_ids: Collection[str], kind: ExportFormat) -> bytes:
        """The bytes of a file with these results and their hand grades, in the order of the run."""
        wanted = set(question_ids)
        return write_rows(
            [row for row in exported_rows(self._evaluations, run_id) if row["question_id"] in wanted], kind
        )

    def _outcomes(self, run_id: int) -> list[Outcome]:
        return [row.outcome for row in self.rows(run_id)]

    def _once(self, run: EvalRun, what: str, compute: Callable[[], Value]) -> Value:
        key = (_version(run), what)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = compute()
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return value


def _version(run: EvalRun) -> tuple[Any, ...]:
    """What is different as soon as a run has other results: each sitting adds to its seconds."""
    return run.id, run.status, run.done, run.seconds
