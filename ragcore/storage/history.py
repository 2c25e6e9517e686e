"""Conversations and their messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.orm import Session

from ragcore.errors import InputError, NotFound
from ragcore.records import Citation, ConversationInfo, Message
from ragcore.storage.database import Database
from ragcore.storage.tables import CollectionRow, ConversationRow, MessageRow, TraceRow
from ragcore.storage.traces import as_dict

TITLE_LENGTH = 80


class History:
    """Lists, reopens, renames and deletes conversations, and adds turns to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, title: str, *, collection: str) -> int:
        with self._database.session() as session:
            return session.execute(
                insert(ConversationRow)
                .values(title=_shortened(title), collection=collection)
                .returning(ConversationRow.id)
            ).scalar_one()

    def conversations(self, *, search: str = "", session: str | None = None) -> list[ConversationInfo]:
        """Those in which something was said, newest first; ``search`` looks in titles and messages.

        A conversation about a session's own uploads is listed only for that ``session``, the name
        of its collection.
        """
        count = select(func.count()).where(MessageRow.conversation_id == ConversationRow.id).scalar_subquery()
        query = (
            select(ConversationRow, count)
            .where(count > 0, ConversationRow.collection.not_in(_other_sessions(session)))
            .order_by(ConversationRow.updated_at.desc(), ConversationRow.id.desc())
        )
        if search:
            said = select(MessageRow.conversation_id).where(
                MessageRow.content.icontains(search, autoescape=True)
            )
            query = query.where(
                ConversationRow.title.icontains(search, autoescape=True) | ConversationRow.id.in_(said)
            )
        with self._database.session() as work:
            return [
                ConversationInfo(row.id, row.title, row.updated_at, messages, row.collection)
                for row, messages in work.execute(query)
            ]

    def conversation(self, conversation_id: int, *, session: str | None = None) -> ConversationInfo:
        """Raises NotFound, also for another session's conversation about its own uploads."""
        count = select(func.count()).where(MessageRow.conversation_id == conversation_id).scalar_subquery()
        with self._database.session() as work:
            found = work.execute(
                select(ConversationRow, count).where(
                    ConversationRow.id == conversation_id,
                    ConversationRow.collection.not_in(_other_sessions(session)),
                )
            ).one_or_none()
        if found is None:
            raise NotFound(f"There is no conversation {conversation_id}; it may have been deleted.")
        row, messages = found
        return ConversationInfo(row.id, row.title, row.updated_at, messages, row.collection)

    def rename(self, conversation_id: int, title: str) -> None:
        """Raises InputError for an empty title and NotFound."""
        if not title.strip():
            raise InputError("A conversation needs a title of at least one letter.")
        self._require(conversation_id)
        with self._database.session() as session:
            session.execute(
                update(ConversationRow)
                .where(ConversationRow.id == conversation_id)
                .values(title=_shortened(title))
            )

    def delete(self, conversation_id: int) -> None:
        """Delete the conversation with its messages and their traces. Raises NotFound."""
        self._require(conversation_id)
        with self._database.session() as session:
            delete_conversations(session, ConversationRow.id == conversation_id)

    def messages(self, conversation_id: int) -> list[Message]:
        """In the order they were said. Raises NotFound."""
        self._require(conversation_id)
        query = (
            select(MessageRow, TraceRow)
            .outerjoin(TraceRow, TraceRow.id == MessageRow.trace_id)
            .where(MessageRow.conversation_id == conversation_id)
            .order_by(MessageRow.id)
        )
        with self._database.session() as session:
            return [_message(row, trace) for row, trace in session.execute(query)]

    def add_turn(
        self,
        conversation_id: int,
        *,
        question: str,
        answer: str,
        status: Literal["complete", "interrupted", "refused"],
        citations: Sequence[Citation],
        trace_id: int | None,
    ) -> int:
        """Add a question and its answer together, so that turns always alternate.

        Returns the id of the answer's message. Raises NotFound when the conversation was deleted.
        """
        self._require(conversation_id)
        with self._database.session() as session:
            session.execute(
                insert(MessageRow).values(conversation_id=conversation_id, role="user", content=question)
            )
            message_id = session.execute(
                insert(MessageRow)
                .values(
                    conversation_id=conversation_id,
                    role="assistant",
                    content=answer,
                    status=status,
                    citations=[asdict(citation) for citation in citations],
                    trace_id=trace_id,
                )
                .returning(MessageRow.id)
            ).scalar_one()
            session.execute(
                update(ConversationRow)
                .where(ConversationRow.id == conversation_id)
                .values(updated_at=func.now())
            )
        return message_id

    def _require(self, conversation_id: int) -> None:
        with self._database.session() as session:
            if session.get(ConversationRow, conversation_id) is None:
                raise NotFound(f"There is no conversation {conversation_id}; it may have been deleted.")

    def remove_last_turn(self, conversation_id: int) -> None:
        """Take the last question and its answer away, to ask it again."""
        with self._database.session() as session:
            last = (
                select(MessageRow.id)
                .where(MessageRow.conversation_id == conversation_id)
                .order_by(MessageRow.id.desc())
                .limit(2)
            )
            session.execute(delete(MessageRow).where(MessageRow.id.in_(last.scalar_subquery())))


def delete_conversations(session: Session, condition: ColumnElement[bool]) -> None:
    """Delete the conversations that meet the condition; a trace holds what was asked and found, so it goes too."""
    traces = (
        select(MessageRow.trace_id)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(condition, MessageRow.trace_id.is_not(None))
    )
    ids = session.scalars(traces).all()
    session.execute(delete(ConversationRow).where(condition))
    session.execute(delete(TraceRow).where(TraceRow.id.in_(ids)))


def _other_sessions(session: str | None) -> Select[tuple[str]]:
    names = select(CollectionRow.name).where(CollectionRow.kind == "session")
    return names if session is None else names.where(CollectionRow.name != session)


def _message(row: MessageRow, trace: TraceRow | None) -> Message:
    return Message(
        id=row.id,
        role=row.role,
        content=row.content,
        status=row.status,
        created_at=row.created_at,
        citations=tuple(_citation(stored) for stored in row.citations),
        trace=as_dict(trace) if trace else None,
    )


def _citation(stored: dict[str, Any]) -> Citation:
    return Citation(**{**stored, "section": tuple(stored["section"])})


def _shortened(title: str) -> str:
    title = " ".join(title.split())
    return title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1].rstrip() + "…"
