"""Conversations and their messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.orm import Session

from ragcore.errors import InputError, NotFound
from ragcore.records import AnsweredTurn, Citation, ConversationInfo, Message
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

    def check_can_go_on(self, conversation_id: int, collection: str) -> None:
        """Whether a turn about this collection may be added: a session's own files stay apart.

        Raises NotFound, also for a conversation about the files of another session, and InputError
        where a conversation that others see would quote from a session's files.
        """
        about = self.conversation(conversation_id, session=collection).collection
        if about == collection:
            return
        with self._database.session() as session:
            kind = session.scalar(select(CollectionRow.kind).where(CollectionRow.name == collection))
        if kind == "session":
            raise InputError(
                f"This conversation is about '{about}'. Begin a new one for the files of this session alone."
            )

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

    def last_answered(self, conversation_id: int, *, before: int | None = None) -> AnsweredTurn | None:
        """The last question that documents answered; refusals and small talk are none.

        ``before``: looks only at what was said before this message, which is about to be replaced.
        """
        query = (
            select(MessageRow.content, TraceRow.question, TraceRow.standalone_question)
            .join(TraceRow, TraceRow.id == MessageRow.trace_id)
            .where(
                MessageRow.conversation_id == conversation_id,
                MessageRow.role == "assistant",
                MessageRow.status != "refused",
                MessageRow.content != "",
                TraceRow.prompt["generator"].astext != "none",
            )
            .order_by(MessageRow.id.desc())
            .limit(1)
        )
        if before is not None:
            query = query.where(MessageRow.id < before)
        with self._database.session() as session:
            found = session.execute(query).one_or_none()
        return None if found is None else AnsweredTurn(found[1], found[2], found[0])

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

    def remove_turn(self, message_id: int) -> None:
        """Take an answer, its question and its trace away; one that is gone already is no error."""
        with self._database.session() as session:
            answer = session.get(MessageRow, message_id)
            if answer is None:
                return
            question = (
                select(func.max(MessageRow.id))
                .where(
                    MessageRow.conversation_id == answer.conversation_id,
                    MessageRow.id < message_id,
                    MessageRow.role == "user",
                )
                .scalar_subquery()
            )
            turn = (MessageRow.id == message_id) | (MessageRow.id == question)
            session.execute(delete(MessageRow).where(turn), execution_options={"synchronize_session": False})
            session.execute(delete(TraceRow).where(TraceRow.id == answer.trace_id))


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
