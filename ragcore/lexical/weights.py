"""BM25 as an inner product: a vector of a chunk's lexemes, and one of a question's.

A chunk's vector holds its saturated term frequencies and nothing of the collection; the inverse
document frequencies stand in the question's vector. So a stored vector stays right whatever is
added or deleted. Length normalisation is left out (b = 0): chunks are of about the same length,
and it made no difference (EXPERIMENTS.md, 2026-11-30, hybrid search).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from ragcore.lexical.lexemes import is_identifying, lexemes

DIMENSIONS = 1_000_000_000
"""As many as pgvector's sparsevec has. A lexeme's dimension is a hash of it: no vocabulary is kept."""
K1 = 1.2
IDENTIFYING = 3.0
"""How much more a lexeme with a digit counts: ``E05`` decides, whatever else is alike."""

SparseVector = dict[int, float]


def dimension_of(lexeme: str) -> int:
    """0-based dimension. Two of 10,000 lexemes share one in about one collection of twenty."""
    return int.from_bytes(hashlib.blake2b(lexeme.encode(), digest_size=8).digest()) % DIMENSIONS


def chunk_vector(*texts: str) -> SparseVector:
    """Of a chunk's text and of what stands above it: ``tf (k1 + 1) / (tf + k1)`` by dimension."""
    counts = Counter(lexeme for text in texts for lexeme in lexemes(text))
    vector: SparseVector = {}
    for lexeme, count in counts.items():
        vector[dimension_of(lexeme)] = count * (K1 + 1) / (count + K1)
    return vector


def question_vector(terms: Sequence[str], frequencies: Mapping[str, int], chunks: int) -> SparseVector:
    """Of a question's lexemes; ``frequencies`` says in how many of the ``chunks`` each occurs.

    The weights are inverse document frequencies, ``ln(1 + (N - df + 0.5) / (df + 0.5))`` (never
    negative, however small the collection), times ``IDENTIFYING`` for lexemes with a digit, and sum
    up to 1 over all lexemes, those that occur nowhere included. So the inner product with a chunk's
    vector is a coverage: 1 when the chunk holds every lexeme once, 0 when it holds none; a
    repeated one can bring it up to 2.2. Robertson and Zaragoza (2009), The Probabilistic Relevance
    Framework: BM25 and Beyond.
    """
    weights = inverse_frequencies(terms, frequencies, chunks)
    total = sum(weights.values())
    if not total:
        return {}
    return {
        dimension_of(term): weight / total for term, weight in weights.items() if frequencies.get(term, 0)
    }


def inverse_frequencies(
    terms: Sequence[str], frequencies: Mapping[str, int], chunks: int
) -> dict[str, float]:
    """The weight of every lexeme of a question, by lexeme; what ``question_vector`` is made of."""
    return {term: _idf(frequencies.get(term, 0), chunks) * _boost(term) for term in dict.fromkeys(terms)}


def _idf(frequency: int, chunks: int) -> float:
    return math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))


def _boost(term: str) -> float:
    return IDENTIFYING if is_identifying(term) else 1.0
