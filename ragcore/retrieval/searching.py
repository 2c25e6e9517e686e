"""Retrieval: a question, abbreviations spelled out, against the vectors and lexemes of a collection."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol

import numpy as np

from ragcore.lexical.lexemes import lexemes
from ragcore.records import Candidate, EmbedderIdentity, ExpandedQuestion
from ragcore.retrieval.abbreviations import Abbreviations
from ragcore.retrieval.fusion import by_cosine, lexical_weight, reciprocal_rank, weighted
from ragcore.storage import Search

FEWEST_CANDIDATES = 50
"""How many of either ranking are looked at at least, before they are fused."""


class QueryEmbedder(Protocol):
    identity: EmbedderIdentity

    def embed_queries(self, texts: list[str]) -> np.ndarray: ...


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The best candidates of a question, best first, and how long finding them took."""

    question: ExpandedQuestion
    candidates: tuple[Candidate, ...]
    retrieve_ms: float
    top_score: float | None
    """Raw cosine of the best evidence in the collection; None when nothing is there to be found."""
    frequencies: Mapping[str, int] = field(default_factory=dict)
    """In how many of the collection's ``chunks`` each lexeme of the question occurs; hybrid search only."""
    chunks: int = 0


class Retriever:
    """Embeds a question and asks the database for the best chunks."""

    def __init__(self, search: Search, embedder: QueryEmbedder, abbreviations: Abbreviations) -> None:
        self._search = search
        self._embedder = embedder
        self._abbreviations = abbreviations

    def retrieve(
        self,
        question: str,
        *,
        collection: str,
        top_k: int,
        mode: Literal["dense", "hybrid"] = "hybrid",
        fusion: Literal["weighted", "rrf"] = "weighted",
    ) -> Retrieval:
        """The ``top_k`` best chunks. Raises EmbedderMismatch, EmbeddingError, StorageError."""
        started = time.perf_counter()
        expanded = self._abbreviations.expand(question, collection)
        vector = self._embedder.embed_queries([expanded.dense])[0]
        hybrid = mode == "hybrid"
        terms = lexemes(expanded.lexical) if hybrid else []
        by_both = partial(weighted, weight=lexical_weight(terms))
        found = self._search.find(
            collection,
            self._embedder.identity,
            vector,
            terms=terms,
            rank=by_cosine if not hybrid else by_both if fusion == "weighted" else reciprocal_rank,
            limit=top_k,
            candidate_k=max(FEWEST_CANDIDATES, 2 * top_k),
        )
        return Retrieval(
            question=expanded,
            candidates=found.candidates,
            retrieve_ms=(time.perf_counter() - started) * 1000,
            top_score=found.top_score,
            frequencies=found.frequencies,
            chunks=found.chunks,
        )
