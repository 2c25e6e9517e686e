"""Writing an index: documents with their pages, chunks and vectors.

A document is written in one transaction, and the same transaction removes what it replaces,
so a reader sees the old document or the new one, never half of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from pgvector import SparseVector
from sqlalchemy import any_, delete, insert, literal, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from ragcore.errors import EmbedderMismatch
from ragcore.lexical.weights import DIMENSIONS, chunk_vector
from ragcore.records import Chunk, EmbedderIdentity, SourceDocument, SpanVectors, text_key
from ragcore.storage.database import Database
from ragcore.storage.glossaries import write_learned
from ragcore.storage.library import identity, locked_collection, update_content_hash
from ragcore.storage.page_health import page_health, rechunked
from ragcore.storage.tables import ChunkRow, DocumentRow, EmbedderRow, EmbeddingRow, PageRow

_LOOKUP_BATCH = 5000


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that has been read, chunked and embedded, ready to be written."""

    source: SourceDocument
    sha256: str
    original: bytes
    chunks: Sequence[Chunk]
    vectors: SpanVectors


@dataclass(frozen=True, slots=True)
class Reindexed:
    """The new chunks and vectors of a document that is already stored."""

    document_id: int
    sha256: str
    chunks: Sequence[Chunk]
    vectors: SpanVectors


class IndexWriter:
    """Writes documents, and swaps the index of a whole collection."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_document(self, collection: str, embedder: EmbedderIdentity, document: NewDocument) -> int:
        """Write a document with everything of it; a document of the same name is replaced.

        Raises EmbedderMismatch when the collection was meanwhile indexed by another embedder.
        """
        source = document.source
        with self._database.session() as session:
            row = locked_collection(session, collection)
            embedder_id = _embedder_id(session, embedder)
            if row.embedder_id is None:
                row.embedder_id = embedder_id
            elif row.embedder_id != embedder_id:
                raise mismatch(collection, identity(session.get(EmbedderRow, row.embedder_id)), embedder)
            session.execute(
                delete(DocumentRow).where(
                    DocumentRow.collection_id == row.id, DocumentRow.file_name == source.file_name
                )
            )
            self._take_name_from_others(session, row.id, source.file_name)
            document_id = session.execute(
                insert(DocumentRow)
                .values(
                    collection_id=row.id,
                    file_name=source.file_name,
                    sha256=document.sha256,
                    media_type=source.media_type,
                    title=source.title,
                    paged=source.paged,
                    page_count=len(source.pages),
                    page_health=page_health(source, document.chunks),
                    original=document.original,
                    size_bytes=len(document.original),
                )
                .returning(DocumentRow.id)
            ).scalar_one()
            session.execute(
                insert(PageRow),
                [
                    {
                        "document_id": document_id,
                        "number": page.number,
                        "label": page.label,
                        "text": page.text,
                        "headings": [asdict(heading) for heading in page.headings],
                    }
                    for page in source.pages
                ],
            )
            write_learned(session, row.id, document_id, source.pages)
            place = _Place(row.id, document_id, source.title, source.file_name)
            _write_chunks(session, place, embedder_id, document.chunks, document.vectors)
            update_content_hash(session, row)
        return document_id

    def _take_name_from_others(self, session: Session, collection_id: int, name: str) -> None:
        others = select(DocumentRow).where(
            DocumentRow.collection_id == collection_id, literal(name) == any_(DocumentRow.other_names)
        )
        for other in session.scalars(others):
            other.other_names = [known for known in other.other_names if known != name]

    def add_name(self, document_id: int, name: str) -> None:
        """Note that a document was given under another name too."""
        with self._database.session() as session:
            row = session.get(DocumentRow, document_id, with_for_update=True)
            if row is not None and name != row.file_name and name not in row.other_names:
                row.other_names = [*row.other_names, name]

    def known_vectors(self, embedder: EmbedderIdentity, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Vectors, float32 (dimension,), of those texts that this embedder has embedded before.

        By the texts' keys, in any document. Embedding is nearly all of the time that indexing takes.
        """
        found: dict[bytes, np.ndarray] = {}
        with self._database.session() as session:
            embedder_id = session.execute(
                select(EmbedderRow.id).filter_by(**asdict(embedder))
            ).scalar_one_or_none()
            wanted = list(dict.fromkeys(keys)) if embedder_id is not None else []
            for start in range(0, len(wanted), _LOOKUP_BATCH):
                rows = session.execute(
                    select(EmbeddingRow.text_sha256, EmbeddingRow.embedding).where(
                        EmbeddingRow.text_sha256.in_(wanted[start : start + _LOOKUP_BATCH]),
                        EmbeddingRow.embedder_id == embedder_id,
                    )
                )
                found |= {key: np.asarray(vector, dtype=np.float32) for key, vector in rows}
        return found

    def replace_index(
        self,
        collection: str,
        embedder: EmbedderIdentity,
        chunking: dict[str, Any],
        documents: Sequence[Reindexed],
    ) -> bool:
        """Swap all chunks and vectors of a collection for new ones, in one transaction.

        Returns False, having written nothing, when the documents are no longer those that
        were re-embedded: something was ingested or deleted meanwhile.
        """
        with self._database.session() as session:
            row = locked_collection(session, collection)
            stored = session.execute(
                select(DocumentRow.id, DocumentRow.sha256).where(DocumentRow.collection_id == row.id)
            )
            if {tuple(pair) for pair in stored} != {(new.document_id, new.sha256) for new in documents}:
                return False
            embedder_id = _embedder_id(session, embedder)
            session.execute(delete(ChunkRow).where(ChunkRow.collection_id == row.id))
            for new in documents:
                document = session.get_one(DocumentRow, new.document_id)
                place = _Place(row.id, document.id, document.title, document.file_name)
                _write_chunks(session, place, embedder_id, new.chunks, new.vectors)
                document.page_health = {**document.page_health, **rechunked(new.chunks)}
            row.embedder_id = embedder_id
            row.chunking = chunking
            update_content_hash(session, row)
        return True


def mismatch(collection: str, stored: EmbedderIdentity | None, used: EmbedderIdentity) -> EmbedderMismatch:
    """The error for a collection whose vectors are from another embedder than the one in use."""
    was = f"{stored.model} ({stored.digest[:8]})" if stored else "another embedder"
    return EmbedderMismatch(
        f"Collection '{collection}' was indexed by {was}, but {used.model} ({used.digest[:8]}) is in use; "
        f"their scores cannot be compared. Re-embed it (`python -m ragcore reembed --collection {collection}`) "
        "or set RAGCORE_EMBEDDER back."
    )


def _embedder_id(session: Session, identity: EmbedderIdentity) -> int:
    values = asdict(identity)
    session.execute(upsert(EmbedderRow).values(**values).on_conflict_do_nothing())
    return session.execute(select(EmbedderRow.id).filter_by(**values)).scalar_one()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where chunks belong, and the names of it that lexical search finds them by."""

    collection_id: int
    document_id: int
    title: str
    file_name: str


def lexical_vector(
    title: str, file_name: str, section: Sequence[str], header: str, text: str
) -> SparseVector:
    """A chunk's lexemes with those of everything that it stands under."""
    return SparseVector(
        chunk_vector(title, PurePosixPath(file_name).stem, " ".join(section), header, text), DIMENSIONS
    )


def _write_chunks(
    session: Session, place: _Place, embedder_id: int, chunks: Sequence[Chunk], vectors: SpanVectors
) -> None:
    ids = session.scalars(
        insert(ChunkRow).returning(ChunkRow.id, sort_by_parameter_order=True),
        [
            {
                "document_id": place.document_id,
                "collection_id": place.collection_id,
                "ordinal": chunk.ordinal,
                "page_start": chunk.page_start,
                "page_end": chunk.page_end,
                "page_offsets": [list(pair) for pair in chunk.page_offsets],
                "section": list(chunk.section),
                "header": chunk.header,
                "text": chunk.text,
                "char_start": chunk.char_start,
                "char_end": chunk.char_end,
                "token_count": chunk.token_count,
                "text_sha256": text_key(chunk.embedded_text),
                "bm25": lexical_vector(place.title, place.file_name, chunk.section, chunk.header, chunk.text),
            }
            for chunk in chunks
        ],
    ).all()
    by_ordinal = {chunk.ordinal: chunk_id for chunk, chunk_id in zip(chunks, ids, strict=True)}
    # Binary COPY: 100,000 vectors in about a second, where INSERT takes minutes.
    cursor = session.connection().connection.cursor()
    columns = "chunk_id, embedder_id, collection_id, span_start, span_end, text_sha256, embedding"
    with cursor.copy(f"copy embeddings ({columns}) from stdin with (format binary)") as copy:
        copy.set_types(["int8", "int8", "int8", "int4", "int4", "bytea", "vector"])
        for ordinal, span, key, vector in zip(
            vectors.chunks, vectors.spans, vectors.keys, vectors.vectors, strict=True
        ):
            start, end = span or (None, None)
            copy.write_row((by_ordinal[ordinal], embedder_id, place.collection_id, start, end, key, vector))
