"""How many questions each cutoff refuses, by kind: the counts behind every threshold chart.

A score that reaches the cutoff passes, as at the gate; a question without a score (nothing was
found, or it failed) is refused by every cutoff.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """What calibration needs of a question. ``score`` is the raw cosine of the best evidence."""

    id: str
    kind: str
    split: Literal["calibration", "test"]
    score: float | None


@dataclass(frozen=True, slots=True, eq=False)
class CutoffCounts:
    """Counts of one split at every cutoff that makes a difference.

    ``cutoffs`` (n,) float64, ascending: every distinct score, and (if none is 1) one above
    all of them, which refuses everything. ``refused[kind]`` (n,) int64: questions below the cutoff.
    """

    cutoffs: np.ndarray
    refused: Mapping[str, np.ndarray]
    totals: Mapping[str, int]
    scores: Mapping[str, np.ndarray]
    """Sorted ascending; -inf for a question without a score."""

    def passed(self, kind: str) -> np.ndarray:
        """(n,) int64: questions of the kind that reach the cutoff; zeros for a kind not asked."""
        return self.totals.get(kind, 0) - self.refused_of(kind)

    def refused_of(self, kind: str) -> np.ndarray:
        return self.refused.get(kind, np.zeros(self.cutoffs.size, dtype=np.int64))

    def refused_at(self, kind: str, cutoff: float) -> int:
        """Questions of the kind that any cutoff, also one between two scores, refuses."""
        return int(np.searchsorted(self.scores.get(kind, np.empty(0)), cutoff, side="left"))

    def passed_at(self, kind: str, cutoff: float) -> int:
        return self.totals.get(kind, 0) - self.refused_at(kind, cutoff)

    def place_between(self, index: int) -> float:
        """A cutoff that counts like ``cutoffs[index]``: amid the gap below it, where it is most robust.

        Rounded to as few decimals, from two on, as keep it in the gap.
        """
        upper = float(self.cutoffs[index])
        if index == 0:
            return self.rounded_down(index)
        lower = float(self.cutoffs[index - 1])
        return rounded_into(lower, upper, (lower + upper) / 2)

    def rounded_down(self, index: int) -> float:
        """``cutoffs[index]`` to four decimals where that counts the same: scores are floats of noise."""
        exact = float(self.cutoffs[index])
        lower = float(self.cutoffs[index - 1]) if index else -math.inf
        rounded = math.floor(round(exact * 10_000, 6)) / 10_000
        return rounded if lower < rounded <= exact else exact


def count(questions: Iterable[ScoredQuestion]) -> CutoffCounts:
    """The counts of these questions, by sorting each kind once: n log n."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for one in questions:
        missing = one.score is None or math.isnan(one.score)
        by_kind[one.kind].append(-math.inf if missing else float(one.score))
    scores = {kind: np.sort(np.array(own, dtype=float)) for kind, own in by_kind.items()}
    distinct = np.unique(np.concatenate([*scores.values(), np.empty(0)]))
    distinct = distinct[np.isfinite(distinct)]
    if distinct.size and distinct[-1] < 1.0:
        distinct = np.append(distinct, _above(float(distinct[-1])))
    return CutoffCounts(
        cutoffs=distinct,
        refused={kind: np.searchsorted(own, distinct, side="left") for kind, own in scores.items()},
        totals={kind: own.size for kind, own in scores.items()},
        scores=scores,
    )


def rounded_into(lower: float, upper: float, value: float) -> float:
    """``value`` with as few decimals, from two on, as keep it above ``lower`` and up to ``upper``."""
    for decimals in (2, 3, 4, 6):
        rounded = round(value, decimals)
        if lower < rounded <= upper:
            return rounded
    return upper


def _above(score: float) -> float:
    """The next hundredth above a score under 1: what refuses everything has to be a cosine too."""
    hundredth = math.floor(score * 100 + 1) / 100
    return hundredth if score < hundredth else hundredth + 0.01
