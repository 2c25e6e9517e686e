"""The metrics of a run, from plain numbers: ranks, flags, scores and times.

A question that failed, or is missing from the run, is given as None and stays in the denominator:
with the worst value wherever there is one (not found, not right, refused though answerable, passed
though it should have been refused). Only times and token counts leave it out, having none.

Ranks are 1-based; None: not among the hits. ``hit_rate_at_k`` (any gold among the first k) is what
some tools call recall@k; ``recall_at_k`` is the fraction of the gold.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ragcore.errors import InputError
from ragcore.evaluation.rate import NOTHING, Rate, bootstrapped, counted, mean, share

Rank = int | None


def hit_rate_at_k(ranks: Iterable[Rank], k: int) -> Rate:
    """Share of questions whose first gold is among the first ``k`` hits."""
    _positive(k)
    return counted(rank is not None and rank <= k for rank in ranks)


def mrr(ranks: Iterable[Rank]) -> Rate:
    """Mean of 1 / rank of the first gold, 0 where none was found."""
    return mean([0.0 if rank is None else 1.0 / rank for rank in ranks])


def recall_at_k(gold_ranks: Iterable[Sequence[Rank] | None], k: int) -> Rate:
    """Mean over questions of the fraction of their gold that is among the first ``k`` hits.

    ``gold_ranks`` holds for every question the rank of each of its gold passages.
    """
    _positive(k)
    return mean([sum(_within(ranks, k)) / len(ranks) if ranks else 0.0 for ranks in gold_ranks])


def precision_at_k(relevant: Iterable[Sequence[bool] | None], k: int) -> Rate:
    """Mean over questions of the share of the first ``k`` places that hold gold.

    ``relevant`` holds for every question one flag a hit. Fewer than ``k`` hits count as misses.
    """
    _positive(k)
    return mean([sum(map(bool, flags[:k])) / k if flags else 0.0 for flags in relevant])


def ndcg_at_k(gold_ranks: Iterable[Sequence[Rank] | None], k: int) -> Rate:
    """Mean over questions of the normalised discounted cumulative gain with gains of 0 and 1.

    A hit gains 1 if it is the first to hold some gold: 1 / log2(1 + rank), over what the best order
    of the same hits would give. Several gold passages in one hit are one gain; a gold passage that
    was not found counts as a hit that should have been there. (Järvelin and Kekäläinen 2002,
    ACM TOIS 20:422.)
    """
    _positive(k)
    return mean([_ndcg(ranks, k) if ranks else 0.0 for ranks in gold_ranks])


def false_refusal_rate(refused: Iterable[bool | None]) -> Rate:
    """Share of the answerable questions that were refused, or failed."""
    return counted(refused, failed=True)


def passed_rates(kinds: Sequence[str], passed: Sequence[bool | None]) -> dict[str, Rate]:
    """By kind, the share that passed: at the gate, or to an answer (then it is the leak rate).

    A failed question counts against the run: as passed where the kind is to be refused, and as
    not passed where it is to be answered.
    """
    flags: dict[str, list[bool | None]] = defaultdict(list)
    for kind, flag in zip(kinds, passed, strict=True):
        flags[kind].append(flag)
    return {kind: counted(own, failed=kind not in ("answerable", "follow_up")) for kind, own in flags.items()}


def auroc(positive: Sequence[float | None], negative: Sequence[float | None]) -> Rate:
    """Chance that a positive question scores above a negative one; ties count half.

    None among the positive is below everything, among the negative above everything. ``n`` is the
    number of both.
    """
    above = np.array([-math.inf if score is None else score for score in positive], dtype=float)
    below = np.array([math.inf if score is None else score for score in negative], dtype=float)
    if np.isnan(above).any() or np.isnan(below).any():
        raise InputError(
            "A score is not a number, so no AUROC can be computed; give None for a failed question."
        )
    n = above.size + below.size
    if not above.size or not below.size:
        return Rate(None, None, n, None, None)
    # Places in the order instead of scores: a resample is then counted, not sorted.
    places = np.unique(np.concatenate([above, below]), return_inverse=True)[1]
    above, below = places[: above.size], places[above.size :]
    value = _auroc(above, below)
    low, high = bootstrapped((above, below), _auroc, vectorized=False)
    fewer = min(above.size, below.size)
    if low is None and fewer > 1 and value in (0.0, 1.0):
        # Complete separation cannot be resampled; the smaller side says how little it proves.
        counts = share(int(value) * fewer, fewer)
        low, high = counts.low, counts.high
    return Rate(value, None, n, low, high)


def citation_accuracy(right: Iterable[bool | None]) -> Rate:
    """Share of questions whose citation has the right file and page; without a citation, None or False."""
    return counted(right)


def citation_coverage(claims: Iterable[tuple[int, int] | None]) -> Rate:
    """Share of claims that are cited, from ``(cited, claims)`` of every answer.

    A failed question counts as one claim without a citation. The interval takes claims as
    independent, which those of one answer are not quite.
    """
    pairs = [(0, 1) if pair is None else pair for pair in claims]
    if any(not 0 <= cited <= total for cited, total in pairs):
        raise InputError("An answer cannot have more cited claims than claims.")
    return share(sum(cited for cited, _ in pairs), sum(total for _, total in pairs))


def key_fact_rate(right: Iterable[bool | None]) -> Rate:
    """Share of answerable questions whose answer contains all the key facts."""
    return counted(right)


def percentile(values: Iterable[float | None], q: float) -> Rate:
    """The ``q``-th percentile (0 to 100) of times in ms or of token counts; None is left out."""
    sample = np.array([value for value in values if value is not None], dtype=float)
    if not sample.size:
        return NOTHING
    low, high = bootstrapped((sample,), lambda data, axis: np.percentile(data, q, axis=axis))
    return Rate(float(np.percentile(sample, q)), None, int(sample.size), low, high)


def _positive(k: int) -> None:
    if k < 1:
        raise InputError(f"k is {k}; at least one hit has to be looked at.")


def _within(ranks: Sequence[Rank], k: int) -> list[bool]:
    return [rank is not None and rank <= k for rank in ranks]


def _ndcg(ranks: Sequence[Rank], k: int) -> float:
    found = {rank for rank in ranks if rank is not None}
    relevant = len(found) + sum(rank is None for rank in ranks)
    gain = sum(1 / math.log2(1 + rank) for rank in sorted(found) if rank <= k)
    return gain / sum(1 / math.log2(1 + rank) for rank in range(1, min(k, relevant) + 1))


def _auroc(positive: np.ndarray, negative: np.ndarray) -> float:
    """Mann and Whitney's U over the number of pairs, of places in a common order (int arrays)."""
    counts = np.bincount(negative, minlength=int(positive.max()) + 1)
    below = np.cumsum(counts) - counts / 2
    return float(below[positive].sum()) / (positive.size * negative.size)
