"""Collections, documents, pages and chunks: reading what has been indexed, and deleting documents.

Writing an index is index_writer.py's part, the life of a collection collections.py's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import any_, cast, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session, undefer

from ragcore.errors import NotFound
from ragcore.records import (
    Chunk,
    CollectionInfo,
    DocumentInfo,
    EmbedderIdentity,
    Heading,
    Page,
    SourceDocument,
)
from ragcore.storage.chunk_contexts import delete_contexts
from ragcore.storage.database import Database
from ragcore.storage.page_health import duplicates, read_back
from ragcore.storage.stored_records import chunk, document_info
from ragcore.storage.tables import (
    ChunkRow,
    CollectionRow,
    DocumentRow,
    EmbedderRow,
    EmbeddingRow,
    PageRow,
)

_GONE = "This document has been replaced or deleted since it was cited."


class Library:
    """Reads what has been indexed, and deletes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # --- collections ---

    def create_collection(
        self, name: str, *, chunking: dict[str, Any], kind: str = "library"
    ) -> CollectionInfo:
        """Create the collection unless it is there, and return it."""
        with self._database.session() as session:
            session.execute(
                upsert(CollectionRow)
                .values(name=name, kind=kind, chunking=chunking)
                .on_conflict_do_nothing(index_elements=["name"])
            )
        return self.collection(name)

    def collection(self, name: str) -> CollectionInfo:
        """Raises NotFound with the names that exist."""
        found = self.collections(name)
        if not found:
            # A session's own collection is nobody else's business.
            names = ", ".join(c.name for c in self.collections() if c.kind != "session") or "none yet"
            raise NotFound(f"There is no collection '{name}'. Collections: {names}.")
        return found[0]

    def collections(self, name: str | None = None) -> list[CollectionInfo]:
        documents = (
            select(func.count()).where(DocumentRow.collection_id == CollectionRow.id).scalar_subquery()
        )
        chunks = select(func.count()).where(ChunkRow.collection_id == CollectionRow.id).scalar_subquery()
        query = (
            select(CollectionRow, EmbedderRow, documents, chunks)
            .outerjoin(EmbedderRow, EmbedderRow.id == CollectionRow.embedder_id)
            .order_by(CollectionRow.name)
        )
        if name is not None:
            query = query.where(CollectionRow.name == name)
        with self._database.session() as session:
            return [
                CollectionInfo(
                    id=row.id,
                    name=row.name,
                    kind=row.kind,
                    embedder=identity(embedder),
                    chunking=row.chunking,
                    content_hash=row.content_hash,
                    documents=n_documents,
                    chunks=n_chunks,
                )
                for row, embedder, n_documents, n_chunks in session.execute(query)
            ]

    # --- documents ---

    def documents(
        self, collection: str, *, file_name: str | None = None, sha256: str | None = None
    ) -> list[DocumentInfo]:
        """The collection's documents by name; ``file_name`` finds a document by its other names too."""
        info = self.collection(collection)
        chunks = select(func.count()).where(ChunkRow.document_id == DocumentRow.id).scalar_subquery()
        query = (
            select(DocumentRow, chunks)
            .where(DocumentRow.collection_id == info.id)
            .order_by(DocumentRow.file_name)
        )
        if file_name is not None:
            query = query.where(
                (DocumentRow.file_name == file_name) | (literal(file_name) == any_(DocumentRow.other_names))
            )
        if sha256 is not None:
            query = query.where(DocumentRow.sha256 == sha256)
        with self._database.session() as session:
            return [document_info(row, collection, n) for row, n in session.execute(query)]

    def document(self, collection: str, file_name: str) -> DocumentInfo:
        """Raises NotFound with the documents that exist."""
        found = self.documents(collection, file_name=file_name)
        if not found:
            names = [info.file_name for info in self.documents(collection)]
            shown = ", ".join(names[:10]) + (", …" if len(names) > 10 else "") if names else "none yet"
            raise NotFound(f"Collection '{collection}' has no document '{file_name}'. Documents: {shown}.")
        return found[0]

    def source_name(self, document_id: int) -> str:
        """The name a document is cited by. Raises NotFound."""
        with self._database.session() as session:
            name = session.scalar(select(DocumentRow.file_name).where(DocumentRow.id == document_id))
        if name is None:
            raise NotFound(_GONE)
        return name

    def present(self, document_ids: Iterable[int]) -> dict[int, str]:
        """Which of these documents are still there, with their media types: a replaced one has a new id."""
        query = select(DocumentRow.id, DocumentRow.media_type).where(DocumentRow.id.in_(list(document_ids)))
        with self._database.session() as session:
            return dict(session.execute(query).all())

    def names_in_use(self, collection: str, names: Iterable[str]) -> set[str]:
        """Which of these names a document of the collection has, as its first name or another."""
        wanted = list(names)
        query = (
            select(DocumentRow.file_name, DocumentRow.other_names)
            .join(CollectionRow, CollectionRow.id == DocumentRow.collection_id)
            .where(
                CollectionRow.name == collection,
                DocumentRow.file_name.in_(wanted)
                | DocumentRow.other_names.bool_op("&&")(cast(wanted, DocumentRow.other_names.type)),
            )
        )
        with self._database.session() as session:
            used = {name for first, others in session.execute(query) for name in (first, *others)}
        return used & set(wanted)

    def duplicate_chunks(self, collection: str) -> dict[int, int]:
        """By document id, how many of its chunks have the very text of another chunk in the collection."""
        info = self.collection(collection)
        with self._database.session() as session:
            return duplicates(session, info.id)

    def page_labels(self, document_id: int) -> dict[int, str]:
        """The printed numbers of those pages on which they differ from the physical ones."""
        query = select(PageRow.number, PageRow.label).where(
            PageRow.document_id == document_id, PageRow.label.is_not(None)
        )
        with self._database.session() as session:
            return dict(session.execute(query).all())

    def original(self, document_id: int) -> bytes:
        """The bytes the document was read from. Raises NotFound."""
        with self._database.session() as session:
            row = session.get(DocumentRow, document_id, options=[undefer(DocumentRow.original)])
            if row is None:
                raise NotFound(_GONE)
            return row.original

    def source(self, document_id: int) -> SourceDocument:
        """The document's clean text as it was read, to be chunked again. Raises NotFound."""
        with self._database.session() as session:
            row = session.get(DocumentRow, document_id)
            if row is None:
                raise NotFound(_GONE)
            pages = session.scalars(
                select(PageRow).where(PageRow.document_id == document_id).order_by(PageRow.number)
            )
            source = SourceDocument(
                file_name=row.file_name,
                media_type=row.media_type,
                title=row.title,
                paged=row.paged,
                pages=tuple(
                    Page(page.number, page.text, page.label, tuple(Heading(**h) for h in page.headings))
                    for page in pages
                ),
            )
            return read_back(source, row.page_health)

    def vector_counts(self, collections: Sequence[str]) -> tuple[int, int]:
        """How many chunks the collections have together, and how many vectors."""
        with self._database.session() as session:
            ids = select(CollectionRow.id).where(CollectionRow.name.in_(collections))
            chunks = session.scalar(select(func.count()).where(ChunkRow.collection_id.in_(ids)))
            vectors = session.scalar(select(func.count()).where(EmbeddingRow.collection_id.in_(ids)))
        return chunks or 0, vectors or 0

    def delete_document(self, collection: str, file_name: str) -> None:
        """Delete a document; one that has several names only loses this one. Raises NotFound."""
        document = self.document(collection, file_name)
        with self._database.session() as session:
            collection_row = locked_collection(session, collection)
            row = session.get(DocumentRow, document.id)
            if row is not None and row.other_names:
                names = [name for name in (row.file_name, *row.other_names) if name != file_name]
                row.file_name, row.other_names = names[0], names[1:]
            else:
                session.execute(delete(DocumentRow).where(DocumentRow.id == document.id))
                delete_contexts(session, collection_row.id, document.sha256)
            update_content_hash(session, collection_row)

    # --- chunks ---

    def chunks(self, collection: str, *, file_name: str | None = None) -> list[tuple[str, Chunk]]:
        """``(file name, chunk)`` in document order. Raises NotFound for an unknown document."""
        info = self.collection(collection)
        document = self.document(collection, file_name) if file_name is not None else None
        query = (
            select(DocumentRow.file_name, ChunkRow)
            .join(DocumentRow, DocumentRow.id == ChunkRow.document_id)
            .where(ChunkRow.collection_id == info.id)
            .order_by(DocumentRow.file_name, ChunkRow.ordinal)
        )
        if document is not None:
            query = query.where(DocumentRow.id == document.id)
        with self._database.session() as session:
            return [(name, chunk(row)) for name, row in session.execute(query)]


def locked_collection(session: Session, name: str) -> CollectionRow:
    """The collection's row, locked until the transaction ends: writers of a collection queue here."""
    row = session.scalars(
        select(CollectionRow).where(CollectionRow.name == name).with_for_update()
    ).one_or_none()
    if row is None:
        raise NotFound(f"Collection '{name}' was deleted meanwhile.")
    return row


def update_content_hash(session: Session, row: CollectionRow) -> None:
    """Hash what answers depend on: files, chunking, embedder. A calibration names this hash."""
    session.flush()
    files = session.execute(
        select(DocumentRow.file_name, DocumentRow.sha256)
        .where(DocumentRow.collection_id == row.id)
        .order_by(text('file_name collate "C"'))
    )
    embedder = identity(session.get(EmbedderRow, row.embedder_id) if row.embedder_id else None)
    digest = hashlib.sha256(repr((embedder, sorted(row.chunking.items()))).encode())
    for name, sha256 in files:
        digest.update(f"{name}\0{sha256}\n".encode())
    session.execute(
        update(CollectionRow).where(CollectionRow.id == row.id).values(content_hash=digest.hexdigest())
    )


def identity(row: EmbedderRow | None) -> EmbedderIdentity | None:
    if row is None:
        return None
    return EmbedderIdentity(
        model=row.model,
        digest=row.digest,
        dimension=row.dimension,
        query_prefix=row.query_prefix,
        document_prefix=row.document_prefix,
        max_tokens=row.max_tokens,
    )
