"""The library (collections, documents, pages, chunks, embeddings), the history and the traces."""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import SPARSEVEC, VECTOR
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute("create extension if not exists vector")
    op.create_table(
        "conversations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "embedders",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("query_prefix", sa.Text(), nullable=False),
        sa.Column("document_prefix", sa.Text(), nullable=False),
        sa.Column("max_tokens", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("model", "digest", "dimension", "query_prefix", "document_prefix", "max_tokens"),
    )
    op.create_table(
        "traces",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("standalone_question", sa.Text(), nullable=False),
        sa.Column("profile", JSONB(), nullable=False),
        sa.Column("cutoff", sa.Double(), nullable=False),
        sa.Column("top_score", sa.Double(), nullable=True),
        sa.Column("decision", JSONB(), nullable=False),
        sa.Column("passages", JSONB(), nullable=False),
        sa.Column("prompt", JSONB(), nullable=False),
        sa.Column("outcome", JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "collections",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="library", nullable=False),
        sa.Column("embedder_id", sa.BigInteger(), nullable=True),
        sa.Column("chunking", JSONB(), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", TIMESTAMP(timezone=True), nullable=True),
        sa.CheckConstraint("kind in ('library', 'session', 'eval')", name="collections_kind"),
        sa.ForeignKeyConstraint(
            ["embedder_id"],
            ["embedders.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("conversation_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="complete", nullable=False),
        sa.Column("citations", JSONB(), server_default=sa.text("'[]'::jsonb"), nullable=False),
        sa.Column("trace_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("role in ('user', 'assistant')", name="messages_role"),
        sa.CheckConstraint("status in ('complete', 'interrupted', 'refused')", name="messages_status"),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["trace_id"], ["traces.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("messages_conversation", "messages", ["conversation_id", "id"], unique=False)
    op.create_table(
        "documents",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("paged", sa.Boolean(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("page_health", JSONB(), nullable=False),
        sa.Column("status", sa.Text(), server_default="indexed", nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("original", sa.LargeBinary(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("indexed_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["collection_id"], ["collections.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("collection_id", "file_name"),
    )
    op.create_table(
        "chunks",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("page_start", sa.Integer(), nullable=False),
        sa.Column("page_end", sa.Integer(), nullable=False),
        sa.Column("page_offsets", JSONB(), nullable=False),
        sa.Column("section", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("char_start", sa.Integer(), nullable=False),
        sa.Column("char_end", sa.Integer(), nullable=False),
        sa.Column("token_count", sa.Integer(), nullable=False),
        sa.Column("bm25", SPARSEVEC(), nullable=True),
        sa.CheckConstraint("page_start >= 1 and page_end >= page_start", name="chunks_pages"),
        sa.ForeignKeyConstraint(["collection_id"], ["collections.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("document_id", "ordinal"),
    )
    op.create_index("chunks_collection", "chunks", ["collection_id"], unique=False)
    op.create_table(
        "pages",
        sa.Column("document_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("headings", JSONB(), nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("document_id", "number"),
    )
    op.create_table(
        "embeddings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("chunk_id", sa.BigInteger(), nullable=False),
        sa.Column("embedder_id", sa.BigInteger(), nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("span_start", sa.Integer(), nullable=True),
        sa.Column("span_end", sa.Integer(), nullable=True),
        sa.Column("embedding", VECTOR(), nullable=False),
        sa.CheckConstraint("(span_start is null) = (span_end is null)", name="embeddings_span"),
        sa.CheckConstraint("vector_norm(embedding) > 0", name="embeddings_not_zero"),
        sa.ForeignKeyConstraint(["chunk_id"], ["chunks.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["embedder_id"],
            ["embedders.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("embeddings_chunk", "embeddings", ["chunk_id"], unique=False)
    op.create_index("embeddings_collection", "embeddings", ["collection_id", "embedder_id"], unique=False)


def downgrade() -> None:
    for table in (
        "embeddings",
        "pages",
        "chunks",
        "documents",
        "messages",
        "collections",
        "traces",
        "embedders",
        "conversations",
    ):
        op.drop_table(table)
