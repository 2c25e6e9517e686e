"""How far the automatic grades agree with a person's: kappa, the table behind it, every difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Difference:
    """An answer that was graded differently."""

    id: str
    automatic: str
    hand: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Automatic against hand grades, over the ``n`` answers that have both."""

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    """Counts: a row an automatic label, a column a hand label, both in the order of ``labels``."""
    kappa: float | None
    """Cohen's kappa: 1 agreement, 0 no better than chance. None where it is not defined."""
    low: float | None
    high: float | None
    """95 % bootstrap interval of kappa; None where it is not defined."""
    differences: tuple[Difference, ...]
    left_out: int
    """Answers that only one side graded, or that the automatic grader left to a person."""
    note: str
    """What has to be known to read the figure; empty if nothing."""

    @property
    def n(self) -> int:
        return sum(map(sum, self.table))

    @property
    def agreed(self) -> int:
        return sum(row[i] for i, row in enumerate(self.table))

    @property
    def observed(self) -> float | None:
        """The part of the answers with equal grades; None without any."""
        return self.agreed / self.n if self.n else None


def agreement(
    automatic: Mapping[str, str],
    hand: Mapping[str, str],
    *,
    undecided: str = "ungraded",
    resamples: int = 2000,
    seed: int = 0,
) -> Agreement:
    """Cohen's kappa of two sets of grades by answer id, unweighted, with a percentile bootstrap.

    Answers with the grade ``undecided`` on either side are left out and counted. Resamples in which
    kappa is not defined are dropped; with more than one in twenty of them no interval is given.

    Cohen (1960), A coefficient of agreement for nominal scales, Educ. Psychol. Meas. 20, 37-46.
    """
    ids = [key for key in automatic if key in hand and undecided not in (automatic[key], hand[key])]
    left_out = len(automatic.keys() | hand.keys()) - len(ids)
    labels = tuple(sorted({grades[key] for key in ids for grades in (automatic, hand)}))
    counts = Counter((automatic[key], hand[key]) for key in ids)
    table = np.array([[counts[row, column] for column in labels] for row in labels], dtype=np.int64)
    table = table.reshape(len(labels), len(labels))
    kappa = _kappa(table)
    low, high = _interval(table, resamples, seed) if kappa is not None else (None, None)
    return Agreement(
        labels=labels,
        table=tuple(tuple(map(int, row)) for row in table),
        kappa=kappa,
        low=low,
        high=high,
        differences=tuple(
            Difference(key, automatic[key], hand[key]) for key in ids if automatic[key] != hand[key]
        ),
        left_out=left_out,
        note=_note(table, labels, kappa, low),
    )


def _kappa(table: np.ndarray) -> float | None:
    """Of a square table of counts; None if it is empty or chance alone would agree everywhere."""
    n = int(table.sum())
    if n == 0:
        return None
    # In whole numbers, so that agreement by chance of exactly 1 is seen as such.
    by_chance = int(table.sum(axis=1) @ table.sum(axis=0))
    if by_chance == n * n:
        return None
    return (n * int(np.trace(table)) - by_chance) / (n * n - by_chance)


def _interval(table: np.ndarray, resamples: int, seed: int) -> tuple[float | None, float | None]:
    n = int(table.sum())
    drawn = np.random.default_rng(seed).multinomial(n, (table / n).ravel(), size=resamples)
    kappas = [kappa for one in drawn if (kappa := _kappa(one.reshape(table.shape))) is not None]
    if len(kappas) < 0.95 * resamples:
        return None, None
    low, high = np.percentile(kappas, [2.5, 97.5])
    return float(low), float(high)


def _note(table: np.ndarray, labels: tuple[str, ...], kappa: float | None, low: float | None) -> str:
    n = int(table.sum())
    if n == 0:
        return "No answer has both an automatic and a hand grade."
    if kappa is None:
        return f"Both graders gave only '{labels[0]}' ({n} of {n}): kappa is not defined for a single class."
    for grader, marginal in (("automatic grader", table.sum(axis=1)), ("person", table.sum(axis=0))):
        if np.count_nonzero(marginal) == 1:
            label = labels[int(marginal.argmax())]
            return f"The {grader} gave only '{label}', so kappa is 0 however often the two agree."
    if low is None:
        return "One class is too rare for an interval: in many resamples kappa is not defined."
    if low == kappa == 1:
        return "No difference at all: the interval has no width, which is not certainty."
    return ""
