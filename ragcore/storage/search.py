"""Vector search in SQL: exact, within one collection and one embedder."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Select, and_, select
from sqlalchemy.orm import Session

from ragcore.errors import EmbeddingError
from ragcore.records import Candidate, EmbedderIdentity
from ragcore.storage.database import Database
from ragcore.storage.index_writer import mismatch
from ragcore.storage.library import identity
from ragcore.storage.tables import ChunkRow, CollectionRow, DocumentRow, EmbedderRow, EmbeddingRow, PageRow


class Search:
    """Finds the chunks nearest to a question's vector."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def nearest(
        self, collection: str, embedder: EmbedderIdentity, query: np.ndarray, limit: int
    ) -> list[Candidate]:
        """The ``limit`` best chunks for a query vector, float32 (dimension,), best first.

        ``score`` is the raw cosine similarity, from -1 to 1. The search is exact: a missed row
        would be a false refusal. An empty collection gives an empty list. Raises
        EmbedderMismatch when the collection's vectors are from another embedder, and
        EmbeddingError for a query vector that is not finite or has no length.
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
                return []
            row, stored = found
            if identity(stored) != embedder:
                raise mismatch(collection, identity(stored), embedder)
            return _candidates(session, _nearest_chunks(row, query, limit))


def _nearest_chunks(collection: CollectionRow, query: np.ndarray, limit: int) -> Select:
    distance = EmbeddingRow.embedding.cosine_distance(query)
    # "+ 0" keeps the planner from any index: over all collections one would be filtered after
    # its scan and return too few rows.
    best = (
        select(EmbeddingRow.chunk_id, (distance + 0).label("distance"))
        .where(
            EmbeddingRow.collection_id == collection.id, EmbeddingRow.embedder_id == collection.embedder_id
        )
        .order_by((distance + 0).asc(), EmbeddingRow.chunk_id)
        .limit(limit)
        .subquery()
    )
    return (
        select(ChunkRow, DocumentRow.file_name, DocumentRow.paged, PageRow.label, best.c.distance)
        .join(best, best.c.chunk_id == ChunkRow.id)
        .join(DocumentRow, DocumentRow.id == ChunkRow.document_id)
        .outerjoin(
            PageRow,
            and_(PageRow.document_id == ChunkRow.document_id, PageRow.number == ChunkRow.page_start),
        )
        .order_by(best.c.distance.asc(), ChunkRow.id)
    )


def _candidates(session: Session, query: Select) -> list[Candidate]:
    return [
        Candidate(
            chunk_id=chunk.id,
            document_id=chunk.document_id,
            file=file_name,
            paged=paged,
            page_start=chunk.page_start,
            page_end=chunk.page_end,
            page_label=label,
            page_offsets=tuple((offset, number) for offset, number in chunk.page_offsets),
            section=tuple(chunk.section),
            header=chunk.header,
            text=chunk.text,
            # The one place where a distance becomes a similarity; not clamped, so an opposite
            # vector scores below 0.
            score=1.0 - distance,
        )
        for chunk, file_name, paged, label, distance in session.execute(query)
    ]
