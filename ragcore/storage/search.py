"""Search in SQL: every chunk's best cosine and lexical coverage, exact, within one collection."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from pgvector import SparseVector
from sqlalchemy import Select, and_, func, literal, or_, select
from sqlalchemy.orm import Session

from ragcore.errors import EmbeddingError
from ragcore.lexical.weights import DIMENSIONS, dimension_of, question_vector
from ragcore.records import Candidate, EmbedderIdentity, Evidence
from ragcore.storage.database import Database
from ragcore.storage.index_writer import mismatch
from ragcore.storage.library import identity
from ragcore.storage.stored_records import candidate
from ragcore.storage.tables import ChunkRow, CollectionRow, DocumentRow, EmbedderRow, EmbeddingRow, PageRow

_KEPT_COLLECTIONS = 16


@dataclass(frozen=True, slots=True)
class ChunkScore:
    """A chunk's two scores against a question: raw cosine of its best evidence, lexical coverage."""

    chunk_id: int
    cosine: float
    coverage: float = 0.0


Rank = Callable[[Sequence[ChunkScore]], list[ChunkScore]]
"""Puts the chunks in order, best first."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found. ``top_score`` is the best cosine of the collection, whatever the order."""

    candidates: tuple[Candidate, ...]
    top_score: float | None
    frequencies: dict[str, int]
    """In how many of the ``chunks`` each of the question's lexemes occurs."""
    chunks: int


class Search:
    """Scores the chunks of a collection against a question."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._frequencies: OrderedDict[tuple[int, str], dict[str, int]] = OrderedDict()
        self._lock = Lock()

    def find(
        self,
        collection: str,
        embedder: EmbedderIdentity,
        query: np.ndarray,
        *,
        terms: Sequence[str] = (),
        rank: Rank,
        limit: int,
        candidate_k: int,
    ) -> Found:
        """The ``limit`` best chunks for a question, in the order of ``rank``.

        ``query`` is its vector, float32 (dimension,), ``terms`` are its lexemes (none: dense search
        alone). ``rank`` is given the ``candidate_k`` best chunks by cosine and as many by coverage.
        Cosines are raw, from -1 to 1. The search is exact: a missed row would be a false refusal.
        An empty collection gives no candidates. Raises EmbedderMismatch when the collection's vectors
        are from another embedder, and EmbeddingError for a vector that is not finite or has no length.
        """
        if not np.isfinite(query).all() or not np.any(query):
            raise EmbeddingError(
                "The question's vector is zero or not finite, so nothing can be compared with it."
            )
        with self._database.session() as session:
            found = session.execute(
                select(CollectionRow, EmbedderRow)
                .outerjoin(EmbedderRow, EmbedderRow.id == CollectionRow.embedder_id)
                .where(CollectionRow.name == collection)
            ).one_or_none()
            if found is None or found[0].embedder_id is None:
                return Found((), None, {}, 0)
            row, stored = found
            if identity(stored) != embedder:
                raise mismatch(collection, identity(stored), embedder)
            frequencies, chunks = self._document_frequencies(session, row, terms) if terms else ({}, 0)
            lexical = question_vector(terms, frequencies, chunks)
            scores = [
                ChunkScore(*scored) for scored in session.execute(_scores(row, query, lexical, candidate_k))
            ]
            best = rank(scores)[:limit]
            return Found(
                candidates=_candidates(session, row, query, best),
                top_score=max((score.cosine for score in scores), default=None),
                frequencies=frequencies,
                chunks=chunks,
            )

    def _document_frequencies(
        self, session: Session, row: CollectionRow, terms: Sequence[str]
    ) -> tuple[dict[str, int], int]:
        """In how many chunks each term occurs, counted once for a content of the collection."""
        with self._lock:
            known = self._frequencies.setdefault((row.id, row.content_hash), {})
            self._frequencies.move_to_end((row.id, row.content_hash))
            while len(self._frequencies) > _KEPT_COLLECTIONS:
                self._frequencies.popitem(last=False)
        wanted = [term for term in dict.fromkeys(terms) if term not in known]
        if wanted or _ALL not in known:
            counts = [
                func.count().filter(
                    ChunkRow.bm25.max_inner_product(SparseVector({dimension_of(term): 1.0}, DIMENSIONS)) < 0
                )
                for term in wanted
            ]
            counted = session.execute(
                select(func.count(), *counts).where(ChunkRow.collection_id == row.id)
            ).one()
            known |= dict(zip([_ALL, *wanted], counted, strict=True))
        return {term: known[term] for term in dict.fromkeys(terms)}, known[_ALL]


_ALL = "\n"
"""No lexeme: under it the number of chunks is kept."""


def _scores(
    collection: CollectionRow, query: np.ndarray, lexical: dict[int, float], candidate_k: int
) -> Select:
    """Chunk, cosine, coverage of the best by either."""
    distance = EmbeddingRow.embedding.cosine_distance(query)
    # "+ 0" keeps the planner from any index: over all collections one would be filtered after
    # its scan and return too few rows.
    dense = (
        select(EmbeddingRow.chunk_id, func.min(distance + 0).label("distance"))
        .where(
            EmbeddingRow.collection_id == collection.id, EmbeddingRow.embedder_id == collection.embedder_id
        )
        .group_by(EmbeddingRow.chunk_id)
        .cte("dense")
        .prefix_with("materialized")
    )
    # The one place where a distance becomes a similarity; not clamped, so an opposite vector
    # scores below 0.
    cosine = 1.0 - dense.c.distance
    nearest = select(dense.c.chunk_id).order_by(dense.c.distance, dense.c.chunk_id).limit(candidate_k)
    if not lexical:
        return (
            select(dense.c.chunk_id, cosine, literal(0.0))
            .order_by(dense.c.distance, dense.c.chunk_id)
            .limit(candidate_k)
        )
    product = ChunkRow.bm25.max_inner_product(SparseVector(lexical, DIMENSIONS))
    covered = (
        select(ChunkRow.id.label("chunk_id"), (-product).label("coverage"))
        .where(ChunkRow.collection_id == collection.id, product < 0)
        .cte("covered")
        .prefix_with("materialized")
    )
    fullest = (
        select(covered.c.chunk_id).order_by(covered.c.coverage.desc(), covered.c.chunk_id).limit(candidate_k)
    )
    return (
        select(dense.c.chunk_id, cosine, func.coalesce(covered.c.coverage, 0.0))
        .outerjoin(covered, covered.c.chunk_id == dense.c.chunk_id)
        .where(or_(dense.c.chunk_id.in_(nearest), dense.c.chunk_id.in_(fullest)))
        .order_by(dense.c.distance, dense.c.chunk_id)
    )


def _candidates(
    session: Session, collection: CollectionRow, query: np.ndarray, best: Sequence[ChunkScore]
) -> tuple[Candidate, ...]:
    """The chunks with their sentences' scores, in the order given; one that is gone meanwhile is left out."""
    ids = [score.chunk_id for score in best]
    distance = EmbeddingRow.embedding.cosine_distance(query)
    evidence: dict[int, list[Evidence]] = {}
    for chunk_id, start, end, nearest in session.execute(
        select(EmbeddingRow.chunk_id, EmbeddingRow.span_start, EmbeddingRow.span_end, func.min(distance))
        .where(
            EmbeddingRow.chunk_id.in_(ids),
            EmbeddingRow.embedder_id == collection.embedder_id,
            EmbeddingRow.span_start.is_not(None),
        )
        .group_by(EmbeddingRow.chunk_id, EmbeddingRow.span_start, EmbeddingRow.span_end)
        .order_by(func.min(distance), EmbeddingRow.span_start)
    ):
        evidence.setdefault(chunk_id, []).append(Evidence(start, end, 1.0 - nearest))
    rows = session.execute(
        select(ChunkRow, DocumentRow.file_name, DocumentRow.paged, PageRow.label)
        .join(DocumentRow, DocumentRow.id == ChunkRow.document_id)
        .outerjoin(
            PageRow,
            and_(PageRow.document_id == ChunkRow.document_id, PageRow.number == ChunkRow.page_start),
        )
        .where(ChunkRow.id.in_(ids))
    )
    stored = {chunk.id: (chunk, file_name, paged, label) for chunk, file_name, paged, label in rows}
    candidates = []
    for score in best:
        if score.chunk_id not in stored:
            continue
        chunk, file_name, paged, label = stored[score.chunk_id]
        candidates.append(
            candidate(
                chunk,
                file_name,
                paged,
                label,
                score=score.cosine,
                coverage=score.coverage,
                evidence=tuple(evidence.get(chunk.id, ())),
            )
        )
    return tuple(candidates)
