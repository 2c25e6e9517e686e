"""Contexts that a chat model wrote for chunks: kept one by one, so that stopped work goes on where it was.

They are about documents, so they go where documents go: with their collection, with a document that
is deleted, and after some days when the document they were written for was never stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from ragcore.errors import NotFound
from ragcore.storage.database import Database
from ragcore.storage.tables import ChunkContextRow, CollectionRow, DocumentRow

KEPT_WITHOUT_DOCUMENT = timedelta(days=7)
"""How long an ingest that was stopped midway may be taken up again without asking the model anew."""


class ChunkContexts:
    """What has been written already, by key; see indexing.contextual for what a key is made of."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, collection: str, document_sha256: str, keys: Sequence[bytes]) -> dict[bytes, str]:
        """The contexts that this collection has, noted as being of this document from now on.

        Raises NotFound when there is no such collection.
        """
        with self._database.session() as session:
            collection_id = _id(session, collection)
            _prune(session, collection_id)
            rows = session.execute(
                update(ChunkContextRow)
                .where(ChunkContextRow.collection_id == collection_id, ChunkContextRow.key.in_(keys))
                .values(document_sha256=document_sha256)
                .returning(ChunkContextRow.key, ChunkContextRow.context)
            )
            return {bytes(key): context for key, context in rows}

    def add(self, collection: str, document_sha256: str, key: bytes, context: str, model: str) -> None:
        """Keep one, at once. Raises NotFound when the collection is gone."""
        with self._database.session() as session:
            session.execute(
                upsert(ChunkContextRow)
                .values(
                    collection_id=_id(session, collection),
                    key=key,
                    document_sha256=document_sha256,
                    context=context,
                    model=model,
                )
                .on_conflict_do_nothing()
            )


def delete_contexts(session: Session, collection_id: int, document_sha256: str) -> None:
    """Delete what was written for a document that is being deleted."""
    session.execute(
        delete(ChunkContextRow).where(
            ChunkContextRow.collection_id == collection_id,
            ChunkContextRow.document_sha256 == document_sha256,
        )
    )


def _id(session: Session, collection: str) -> int:
    found = session.scalar(select(CollectionRow.id).where(CollectionRow.name == collection))
    if found is None:
        raise NotFound(f"Collection '{collection}' was deleted meanwhile.")
    return found


def _prune(session: Session, collection_id: int) -> None:
    stored = exists().where(
        DocumentRow.collection_id == ChunkContextRow.collection_id,
        DocumentRow.sha256 == ChunkContextRow.document_sha256,
    )
    session.execute(
        delete(ChunkContextRow).where(
            ChunkContextRow.collection_id == collection_id,
            ~stored,
            ChunkContextRow.created_at < func.now() - KEPT_WITHOUT_DOCUMENT,
        )
    )
