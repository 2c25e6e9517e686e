"""Dense retrieval: a question's vector against a collection's vectors."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ragcore.records import Candidate, EmbedderIdentity
from ragcore.storage import Search


class QueryEmbedder(Protocol):
    identity: EmbedderIdentity

    def embed_queries(self, texts: list[str]) -> np.ndarray: ...


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The best candidates of a question, best first, and how long finding them took."""

    candidates: tuple[Candidate, ...]
    retrieve_ms: float

    @property
    def top_score(self) -> float | None:
        """Raw cosine of the best evidence; None when nothing is there to be found."""
        return self.candidates[0].score if self.candidates else None


class DenseRetriever:
    """Embeds a question and asks the database for the nearest chunks."""

    def __init__(self, search: Search, embedder: QueryEmbedder) -> None:
        self._search = search
        self._embedder = embedder

    def retrieve(self, question: str, *, collection: str, top_k: int) -> Retrieval:
        """The ``top_k`` best chunks. Raises EmbedderMismatch, EmbeddingError, StorageError."""
        started = time.perf_counter()
        vector = self._embedder.embed_queries([question])[0]
        candidates = self._search.nearest(collection, self._embedder.identity, vector, top_k)
        return Retrieval(tuple(candidates), (time.perf_counter() - started) * 1000)
