"""The tables, as SQLAlchemy 2 models. Rows never leave the storage package.

The vectors stand in a table of their own: beside a text column they are pushed out of line and
a scan takes seven times as long. The ``vector`` column has no dimension, so that the vectors
of several embedders live side by side; ``<=>`` (cosine distance) is the operator of every query.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pgvector.sqlalchemy import SPARSEVEC, VECTOR
from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    false,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Text is unbounded, times carry their zone, dictionaries and lists of records are JSONB."""

    type_annotation_map = {
        str: Text(),
        datetime: TIMESTAMP(timezone=True),
        dict[str, Any]: JSONB(),
        list[Any]: JSONB(),
        list[str]: ARRAY(Text()),
        list[int]: ARRAY(Integer()),
    }


def key() -> Mapped[int]:
    return mapped_column(BigInteger, Identity(always=True), primary_key=True)


def created() -> Mapped[datetime]:
    return mapped_column(server_default=func.now())


class EmbedderRow(Base):
    """The identity of a vector space."""

    __tablename__ = "embedders"
    __table_args__ = (
        UniqueConstraint("model", "digest", "dimension", "query_prefix", "document_prefix", "max_tokens"),
    )

    id: Mapped[int] = key()
    model: Mapped[str]
    digest: Mapped[str]
    dimension: Mapped[int]
    query_prefix: Mapped[str]
    document_prefix: Mapped[str]
    max_tokens: Mapped[int]


class CollectionRow(Base):
    __tablename__ = "collections"
    __table_args__ = (CheckConstraint("kind in ('library', 'session', 'eval')", name="collections_kind"),)

    id: Mapped[int] = key()
    name: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str] = mapped_column(server_default="library")
    embedder_id: Mapped[int | None] = mapped_column(ForeignKey("embedders.id"))
    chunking: Mapped[dict[str, Any]]
    content_hash: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = created()
    expires_at: Mapped[datetime | None]


class DocumentRow(Base):
    """A file as it was given, with the bytes it was read from (loaded only when asked for)."""

    __tablename__ = "documents"
    __table_args__ = (UniqueConstraint("collection_id", "file_name"),)

    id: Mapped[int] = key()
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"))
    file_name: Mapped[str]
    sha256: Mapped[str]
    media_type: Mapped[str]
    title: Mapped[str]
    paged: Mapped[bool]
    page_count: Mapped[int]
    page_health: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(server_default="indexed")
    error: Mapped[str | None]
    original: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    other_names: Mapped[list[str]] = mapped_column(server_default=text("'{}'::text[]"))
    indexed_at: Mapped[datetime] = created()


class PageRow(Base):
    """The clean text of a page, so that a document can be chunked again without reading it again."""

    __tablename__ = "pages"

    document_id: Mapped[int] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str | None]
    text: Mapped[str]
    headings: Mapped[list[Any]]


class ChunkRow(Base):
    __tablename__ = "chunks"
    __table_args__ = (
        UniqueConstraint("document_id", "ordinal"),
        CheckConstraint("page_start >= 1 and page_end >= page_start", name="chunks_pages"),
        Index("chunks_collection", "collection_id"),
    )

    id: Mapped[int] = key()
    document_id: Mapped[int] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    page_start: Mapped[int]
    page_end: Mapped[int]
    page_offsets: Mapped[list[Any]]
    section: Mapped[list[str]]
    header: Mapped[str]
    text: Mapped[str]
    char_start: Mapped[int]
    char_end: Mapped[int]
    token_count: Mapped[int]
    text_sha256: Mapped[bytes]
    """Of the embedded text: by it chunks are known that stand in a document more than once."""
    bm25: Mapped[Any | None] = mapped_column(SPARSEVEC)
    """Saturated term frequencies of what the chunk says and stands under (ragcore.lexical)."""


class EmbeddingRow(Base):
    """One vector: of a whole chunk (no span) or of the sentence at ``text[span_start:span_end]``.

    A sentence may have two: alone, and under its headings.
    """

    __tablename__ = "embeddings"
    __table_args__ = (
        CheckConstraint("vector_norm(embedding) > 0", name="embeddings_not_zero"),
        CheckConstraint("(span_start is null) = (span_end is null)", name="embeddings_span"),
        # Exact search reads one collection's vectors of one embedder, and nothing else.
        Index("embeddings_collection", "collection_id", "embedder_id"),
        Index("embeddings_chunk", "chunk_id"),
        Index("embeddings_text", "text_sha256"),
    )

    id: Mapped[int] = key()
    chunk_id: Mapped[int] = mapped_column(ForeignKey("chunks.id", ondelete="CASCADE"))
    embedder_id: Mapped[int] = mapped_column(ForeignKey("embedders.id"))
    collection_id: Mapped[int] = mapped_column(BigInteger)
    span_start: Mapped[int | None]
    span_end: Mapped[int | None]
    text_sha256: Mapped[bytes]
    """Of the embedded text: what has been embedded once is not embedded again."""
    embedding: Mapped[Any] = mapped_column(VECTOR)


class ChunkContextRow(Base):
    """What a chat model wrote to stand above a chunk; never part of the document's text."""

    __tablename__ = "chunk_contexts"

    collection_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    """Hash of the chunk, its neighbourhood, the model and the prompt."""
    document_sha256: Mapped[str]
    context: Mapped[str]
    model: Mapped[str]
    created_at: Mapped[datetime] = created()


class UploadRow(Base):
    """A file on its way into a collection, and what became of it. The queue's own tables are elsewhere."""

    __tablename__ = "uploads"
    __table_args__ = (
        CheckConstraint(
            "status in ('queued', 'working', 'indexed', 'unchanged', 'replaced', 'rejected', 'cancelled')",
            name="uploads_status",
        ),
        Index("uploads_collection", "collection", "id"),
    )

    id: Mapped[int] = key()
    collection: Mapped[str]
    file_name: Mapped[str]
    sha256: Mapped[str]
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    original: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    options: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    status: Mapped[str] = mapped_column(server_default="queued")
    stage: Mapped[str] = mapped_column(server_default="")
    done: Mapped[int] = mapped_column(server_default="0")
    total: Mapped[int] = mapped_column(server_default="0")
    attempts: Mapped[int] = mapped_column(server_default="0")
    cancel_requested: Mapped[bool] = mapped_column(server_default=false())
    report: Mapped[dict[str, Any] | None]
    error: Mapped[str | None]
    created_at: Mapped[datetime] = created()
    stage_started_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = created()


class ConversationRow(Base):
    __tablename__ = "conversations"

    id: Mapped[int] = key()
    title: Mapped[str]
    collection: Mapped[str]
    created_at: Mapped[datetime] = created()
    updated_at: Mapped[datetime] = created()


class MessageRow(Base):
    __tablename__ = "messages"
    __table_args__ = (
        CheckConstraint("role in ('user', 'assistant')", name="messages_role"),
        CheckConstraint("status in ('complete', 'interrupted', 'refused')", name="messages_status"),
        Index("messages_conversation", "conversation_id", "id"),
    )

    id: Mapped[int] = key()
    conversation_id: Mapped[int] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    role: Mapped[str]
    content: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="complete")
    citations: Mapped[list[Any]] = mapped_column(server_default=text("'[]'::jsonb"))
    trace_id: Mapped[int | None] = mapped_column(ForeignKey("traces.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = created()


class TraceRow(Base):
    """What was decided and what the model was about to see, written before it sees it."""

    __tablename__ = "traces"

    id: Mapped[int] = key()
    question: Mapped[str]
    standalone_question: Mapped[str]
    profile: Mapped[dict[str, Any]]
    cutoff: Mapped[float]
    top_score: Mapped[float | None]
    decision: Mapped[dict[str, Any]]
    passages: Mapped[list[Any]]
    prompt: Mapped[dict[str, Any]]
    outcome: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    created_at: Mapped[datetime] = created()
