"""A measured number with its sample size and 95 % interval.

Shares of counted questions have a Wilson interval. Means, percentiles and AUROC have a percentile
bootstrap over questions, with a fixed seed: the same results always print the same interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

LEVEL = 0.95
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
RESAMPLES = 1000
_SEED = 0
_BATCH = 100
"""Resamples at a time: bounds the memory of 10,000 questions to some megabytes."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``value`` of ``n`` questions; ``k`` is the count behind a share, None for other numbers.

    ``value`` is None where nothing was measured, ``low`` and ``high`` where there is no interval.
    """

    value: float | None
    k: int | None
    n: int
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        """``0.86 [0.76, 0.92] 63/73``"""
        if self.value is None:
            return f"- (n = {self.n})"
        form = "{:.2f}" if abs(self.value) <= 1 else "{:.0f}"
        interval = "" if self.low is None else f" [{form.format(self.low)}, {form.format(self.high)}]"
        size = f"(n = {self.n})" if self.k is None else f"{self.k}/{self.n}"
        return f"{form.format(self.value)}{interval} {size}"


NOTHING = Rate(None, None, 0, None, None)


def share(k: int, n: int) -> Rate:
    """``k`` of ``n`` with Wilson's score interval (Wilson 1927, JASA 22:209)."""
    # Written out, since a page counts a dozen of these at every step of a slider: scipy's binomtest
    # also computes a p-value, a millisecond at thousands of questions.
    if n == 0:
        return Rate(None, 0, 0, None, None)
    p, z2 = k / n, _Z * _Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Rate(p, k, n, 0.0 if k == 0 else middle - half, 1.0 if k == n else middle + half)


def counted(flags: Iterable[bool | None], *, failed: bool = False) -> Rate:
    """Share of true flags. None, a question that failed, stays in and counts as ``failed``."""
    values = [failed if flag is None else bool(flag) for flag in flags]
    return share(sum(values), len(values))


def mean(values: Sequence[float | None]) -> Rate:
    """Mean of numbers from 0 to 1, one a question; None, a question that failed, counts as 0."""
    sample = np.array([0.0 if value is None else value for value in values], dtype=float)
    if not sample.size:
        return NOTHING
    low, high = bootstrapped((sample,), np.mean)
    value = float(sample.mean())
    if low is None and sample.size > 1 and value in (0.0, 1.0):
        # Nothing to resample in a sample of equals. A number between 0 and 1 never varies more than
        # a count with the same mean, so the interval of that count is on the safe side.
        counts = share(int(value) * sample.size, sample.size)
        low, high = counts.low, counts.high
    return Rate(value, None, int(sample.size), low, high)


def bootstrapped(
    samples: Sequence[np.ndarray], statistic: Callable[..., Any], *, vectorized: bool = True
) -> tuple[float | None, float | None]:
    """Percentile bootstrap interval, the samples resampled independently.

    ``statistic`` takes the samples, and ``axis`` if vectorized. (None, None) where a sample has
    fewer than two values, or where every resample gives the same.
    """
    from scipy.stats import bootstrap

    if min(len(sample) for sample in samples) < 2:
        return None, None
    interval = bootstrap(
        samples,
        statistic,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        vectorized=vectorized,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(_SEED),
    ).confidence_interval
    low, high = float(interval.low), float(interval.high)
    return (low, high) if low < high and math.isfinite(low) and math.isfinite(high) else (None, None)
