"""How well every word of a question is met by some word of the evidence, by the model's token vectors.

"Expire" is met by "run out" though they share no letter. Pure: vectors and offsets come from the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ragcore.lexical.lexemes import STOP_WORDS, lexemes

TokenVectors = tuple[np.ndarray, np.ndarray]
"""Of one text: float32 (n_tokens, dimension), and int (n_tokens, 2) character offsets; equal for special tokens."""

_ASKING = frozenset(
    "many much long often old far please tell give name number there get need must may".split()
)


def soft_coverage(
    question: str, asked: TokenVectors, evidence: Sequence[TokenVectors], weights: Mapping[str, float]
) -> tuple[float, float]:
    """The worst match of a content word, and the greatest loss: ``-max(weight * (1 - match))``.

    A word's match is the mean over its tokens of the best cosine with any token of the evidence; its
    weight is its lexeme's of ``weights``, scaled to a sum of 1. The match lies between -1 and 1, the
    loss between -2 and 0; both are higher where the question is better covered. ``(0, 0)`` for nothing
    to compare.
    """
    vectors, offsets = asked
    words = _words(question, offsets)
    content = [one for one in words if one[0] not in STOP_WORDS | _ASKING] or words
    tokens = [_unit(found[spans[:, 1] > spans[:, 0]]) for found, spans in evidence]
    met = np.concatenate(tokens) if tokens else np.empty((0, vectors.shape[1]))
    if not content or not len(met):
        return 0.0, 0.0
    best = (_unit(vectors) @ met.T).max(axis=1)
    match = np.array([best[places].mean() for _, places in content])
    weight = np.array(
        [max((weights.get(one, 0.0) for one in lexemes(word)), default=0.0) or 1.0 for word, _ in content]
    )
    loss = weight / weight.sum() * (1 - match)
    return float(match.min()), -float(loss.max())


def _words(text: str, offsets: np.ndarray) -> list[tuple[str, list[int]]]:
    """Casefolded words with the places of their tokens: pieces that touch belong to one word."""
    found: list[tuple[int, int, list[int]]] = []
    for place, (start, end) in enumerate(offsets.tolist()):
        if end <= start or not text[start:end].isalnum():
            continue
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end, [*found[-1][2], place])
        else:
            found.append((start, end, [place]))
    return [(text[start:end].casefold(), places) for start, end, places in found]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
