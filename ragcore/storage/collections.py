"""The end of a collection: deleted by its user, or because its session is over.

What belongs to it goes with it: documents and vectors by cascade, waiting uploads, and for a
session's collection the conversations about it, which quote from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, update
from sqlalchemy.orm import Session

from ragcore.storage.database import Database
from ragcore.storage.history import delete_conversations
from ragcore.storage.tables import CollectionRow, ConversationRow, TraceRow, UploadRow


class Collections:
    """Deletes collections, and keeps the time of those that are a session's."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def delete(self, name: str) -> bool:
        """Delete a collection with everything in it; returns whether it was there."""
        with self._database.session() as session:
            row = session.execute(
                delete(CollectionRow)
                .where(CollectionRow.name == name)
                .returning(CollectionRow.name, CollectionRow.kind)
            ).one_or_none()
            if row is not None:
                _clean_up(session, [row.name], with_conversations=row.kind == "session")
        return row is not None

    def keep_until(self, name: str, expires_at: datetime) -> None:
        """Set the time at which a session's collection is deleted."""
        with self._database.session() as session:
            session.execute(
                update(CollectionRow)
                .where(CollectionRow.name == name, CollectionRow.kind == "session")
                .values(expires_at=expires_at)
            )

    def delete_expired(self) -> int:
        """Delete the session collections whose time has come; returns how many."""
        with self._database.session() as session:
            expired = session.scalars(
                delete(CollectionRow)
                .where(CollectionRow.kind == "session", _end_of_time() < func.now())
                .returning(CollectionRow.name)
            ).all()
            _clean_up(session, expired, with_conversations=True)
        return len(expired)


def _end_of_time() -> ColumnElement[datetime]:
    """When a session's collection ends: at the latest a day after its beginning, if nobody set a time."""
    return func.coalesce(CollectionRow.expires_at, CollectionRow.created_at + timedelta(days=1))


def _clean_up(session: Session, names: Sequence[str], *, with_conversations: bool) -> None:
    session.execute(delete(UploadRow).where(UploadRow.collection.in_(names)))
    if with_conversations:
        delete_conversations(session, ConversationRow.collection.in_(names))
        # A question whose answer failed, or that was asked outside a conversation, has only its trace.
        session.execute(delete(TraceRow).where(TraceRow.profile["collection"].astext.in_(names)))
