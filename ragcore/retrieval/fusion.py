"""One order out of two scores: cosine of the best evidence, and lexical coverage.

Only the order is fused. What the gate compares with the cutoff stays the raw cosine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragcore.lexical.lexemes import is_code
from ragcore.storage.search import ChunkScore

LEXICAL_WEIGHT = 0.25
"""Of the coverage beside the cosine. EXPERIMENTS.md, 2026-11-30, hybrid search."""
CODE_WEIGHT = 0.5
"""The same for a question that names a code, which a vector hardly tells from others of its kind.
EXPERIMENTS.md, 2026-11-30, questions that name a code."""
RRF_K = 60


def lexical_weight(terms: Iterable[str]) -> float:
    """The weight of the coverage for a question with these lexemes."""
    return CODE_WEIGHT if any(map(is_code, terms)) else LEXICAL_WEIGHT


def fused(cosine: float, coverage: float, weight: float) -> float:
    """What weighted search orders by, passages and their sentences alike."""
    return cosine + weight * coverage


def by_cosine(scores: Sequence[ChunkScore]) -> list[ChunkScore]:
    """Best cosine first; of equals the chunk that was stored first."""
    return sorted(scores, key=lambda score: (-score.cosine, score.chunk_id))


def weighted(scores: Sequence[ChunkScore], weight: float = LEXICAL_WEIGHT) -> list[ChunkScore]:
    """By the fused score; of equals the better cosine, then the chunk stored first."""
    return sorted(
        scores,
        key=lambda score: (-fused(score.cosine, score.coverage, weight), -score.cosine, score.chunk_id),
    )


def reciprocal_rank(scores: Sequence[ChunkScore], k: int = RRF_K) -> list[ChunkScore]:
    """By ``1 / (k + rank)`` summed over both rankings, ranks from 1.

    A chunk without coverage has no rank in the lexical ranking and gets nothing from it. Of equals the
    better cosine, then the chunk stored first. Cormack, Clarke and Büttcher (2009), Reciprocal Rank
    Fusion outperforms Condorcet and Individual Rank Learning Methods.
    """
    fused = {score.chunk_id: 1 / (k + rank) for rank, score in enumerate(by_cosine(scores), 1)}
    covered = sorted(
        (score for score in scores if score.coverage > 0),
        key=lambda score: (-score.coverage, -score.cosine, score.chunk_id),
    )
    for rank, score in enumerate(covered, 1):
        fused[score.chunk_id] += 1 / (k + rank)
    return sorted(scores, key=lambda score: (-fused[score.chunk_id], -score.cosine, score.chunk_id))
