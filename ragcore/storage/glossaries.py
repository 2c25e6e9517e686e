"""A collection's abbreviations: those learned from its documents, a person's own, and what is switched off.

The built-in list is not stored; only that one of its entries is not wanted in a collection.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from ragcore.lexical.abbreviations import learn
from ragcore.records import FoundIn, GlossaryEntry, Page
from ragcore.storage.database import Database
from ragcore.storage.glossary_table import GlossaryRow
from ragcore.storage.library import locked_collection
from ragcore.storage.tables import CollectionRow, DocumentRow

Version = tuple[int, ...]
"""Equal as long as a collection's glossary has not changed."""


def write_learned(session: Session, collection_id: int, document_id: int, pages: Sequence[Page]) -> None:
    """Learn the abbreviations that a document defines, in place of those it defined before."""
    session.execute(delete(GlossaryRow).where(GlossaryRow.document_id == document_id))
    rows = [
        {
            "collection_id": collection_id,
            "document_id": document_id,
            "short": found.short,
            "long": found.long,
            "source": "learned",
            "page": pages[found.place].number,
        }
        for found in learn(page.text for page in pages)
    ]
    if rows:
        session.execute(insert(GlossaryRow), rows)


class Glossaries:
    """Reads and changes what is stored of collections' glossaries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def version(self, collection: str) -> Version | None:
        """One cheap query; None when there is no such collection."""
        query = (
            select(
                CollectionRow.id,
                func.count(GlossaryRow.id),
                func.coalesce(func.sum(GlossaryRow.id), 0),
                func.coalesce(func.sum(GlossaryRow.revision), 0),
            )
            .outerjoin(GlossaryRow, GlossaryRow.collection_id == CollectionRow.id)
            .where(CollectionRow.name == collection)
            .group_by(CollectionRow.id)
        )
        with self._database.session() as session:
            row = session.execute(query).one_or_none()
        return None if row is None else tuple(int(value) for value in row)

    def of(self, collection: str) -> list[GlossaryEntry]:
        """The stored entries by short form: own, learned with their places, switched-off built-in ones.

        Empty for a collection that does not exist (yet).
        """
        query = (
            select(GlossaryRow, DocumentRow.file_name, DocumentRow.paged)
            .join(CollectionRow, CollectionRow.id == GlossaryRow.collection_id)
            .outerjoin(DocumentRow, DocumentRow.id == GlossaryRow.document_id)
            .where(CollectionRow.name == collection)
            .order_by(func.lower(GlossaryRow.short), GlossaryRow.long, DocumentRow.file_name, GlossaryRow.id)
        )
        places: dict[tuple[str, str, str], list[FoundIn]] = {}
        off: set[tuple[str, str, str]] = set()
        with self._database.session() as session:
            for row, file, paged in session.execute(query):
                entry = (row.short, row.long, row.source)
                if not row.enabled:
                    off.add(entry)
                if row.source == "learned" and file is None:
                    # A switch; the entry itself may be gone with its document.
                    continue
                found = places.setdefault(entry, [])
                if file is not None:
                    found.append(FoundIn(file, row.page if paged else None))
        return [
            GlossaryEntry(short, long, source, (short, long, source) not in off, found_in=tuple(found))
            for (short, long, source), found in places.items()
        ]

    def put(self, collection: str, short: str, long: str) -> None:
        """Set a person's own entry; it replaces an own one of the same short form. Raises NotFound."""
        with self._database.session() as session:
            collection_id = locked_collection(session, collection).id
            self._delete_own(session, collection_id, short)
            session.execute(
                insert(GlossaryRow).values(collection_id=collection_id, short=short, long=long, source="user")
            )

    def remove(self, collection: str, short: str) -> bool:
        """Delete a person's own entry; returns whether it was there. Raises NotFound."""
        with self._database.session() as session:
            return self._delete_own(session, locked_collection(session, collection).id, short)

    def switch(self, collection: str, entry: GlossaryEntry, *, on: bool) -> None:
        """Use an entry in this collection or not, whatever becomes of the documents. Raises NotFound."""
        with self._database.session() as session:
            collection_id = locked_collection(session, collection).id
            same = (
                GlossaryRow.collection_id == collection_id,
                GlossaryRow.short == entry.short,
                GlossaryRow.long == entry.long,
                GlossaryRow.source == entry.source,
                GlossaryRow.document_id.is_(None),
            )
            if entry.source == "user":
                session.execute(
                    update(GlossaryRow).where(*same).values(enabled=on, revision=GlossaryRow.revision + 1)
                )
            elif on:
                session.execute(delete(GlossaryRow).where(*same))
            else:
                session.execute(
                    upsert(GlossaryRow)
                    .values(
                        collection_id=collection_id,
                        short=entry.short,
                        long=entry.long,
                        source=entry.source,
                        enabled=False,
                    )
                    .on_conflict_do_nothing()
                )

    def _delete_own(self, session: Session, collection_id: int, short: str) -> bool:
        deleted = session.execute(
            delete(GlossaryRow)
            .where(
                GlossaryRow.collection_id == collection_id,
                GlossaryRow.source == "user",
                func.lower(GlossaryRow.short) == func.lower(short),
            )
            .returning(GlossaryRow.id)
        )
        return bool(deleted.all())
