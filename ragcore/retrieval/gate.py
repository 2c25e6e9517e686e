"""The gate: is the best evidence good enough to be shown to a model?

What is gated is always the raw cosine similarity of the best evidence, never a fused or
reranked score. The bands are Document Navigator's: weak from the cutoff, strong a step above
it, and strict evidence moves both up by one step (0.25 / 0.40 become 0.40 / 0.55).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ragcore.errors import InputError
from ragcore.records import GateDecision, Opinion

BAND_STEP = 0.15


@dataclass(frozen=True, slots=True)
class GateBands:
    """``weak`` is the cutoff; from ``strong`` on the evidence counts as strong."""

    weak: float
    strong: float

    @classmethod
    def of(cls, cutoff: float, *, strict: bool = False) -> GateBands:
        """The bands of a cutoff. Raises InputError for a cutoff outside -1 to 1."""
        if not -1.0 <= cutoff <= 1.0:
            raise InputError(f"The cutoff is {cutoff:g}; it compares cosines, so it lies between -1 and 1.")
        weak = cutoff + BAND_STEP if strict else cutoff
        # Added in hundredths: 0.25 + 0.15 as floats is a hair above 0.40.
        return cls(round(weak, 6), round(weak + BAND_STEP, 6))


def decide(top_score: float | None, bands: GateBands) -> GateDecision:
    """Pass when the score reaches the cutoff (equal passes); refuse below it, on NaN and on nothing."""
    if top_score is None:
        passed, band, reason = False, "refused", "There is nothing to search: the collection is empty."
    elif math.isnan(top_score):
        passed, band, reason = False, "refused", "The best match has no valid score."
    elif top_score < bands.weak:
        passed, band = False, "refused"
        reason = f"Best match {top_score:.2f}, cutoff {bands.weak:.2f}."
        if f"{top_score:.2f}" == f"{bands.weak:.2f}":
            reason = f"Best match {top_score:.4f}, cutoff {bands.weak:.4f}."
    else:
        passed, band = True, "strong" if top_score >= bands.strong else "weak"
        reason = f"Best match {top_score:.2f}, cutoff {bands.weak:.2f}."
    return GateDecision(
        passed=passed,
        top_score=None if top_score is None or math.isnan(top_score) else top_score,
        cutoff=bands.weak,
        strong_from=bands.strong,
        band=band,
        reason=reason,
    )


def nothing_asked(bands: GateBands) -> GateDecision:
    """The decision about "thanks": there was nothing to find evidence for."""
    return GateDecision(
        passed=True,
        top_score=None,
        cutoff=bands.weak,
        strong_from=bands.strong,
        band="weak",
        reason="Nothing was asked, so nothing was searched.",
    )


def reconsidered(decision: GateDecision, opinion: Opinion | None) -> GateDecision:
    """The decision with the second opinion on it: an open gate is closed where that is against and enforced.

    It never opens a closed one.
    """
    if not decision.passed or opinion is None:
        return decision
    if not (opinion.enforced and opinion.against):
        return replace(decision, opinion=opinion)
    return replace(
        decision,
        passed=False,
        band="refused",
        reason=f"{decision.reason.removesuffix('.')}, but {opinion.reason}",
        opinion=opinion,
    )
