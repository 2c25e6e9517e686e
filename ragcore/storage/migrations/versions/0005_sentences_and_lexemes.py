"""Vectors of sentences, found again by their text, and lexemes of the chunks that are there.

What was indexed so far keeps a vector a chunk (granularity ``chunk``) until it is embedded anew.
"""

import sqlalchemy as sa
from alembic import op
from pgvector.sqlalchemy import SPARSEVEC

from ragcore.storage.index_writer import lexical_vector

revision = "0005"
down_revision = "0004"

_BATCH = 1000


def upgrade() -> None:
    op.add_column("embeddings", sa.Column("text_sha256", sa.LargeBinary(), nullable=True))
    op.execute(
        "update embeddings set text_sha256 = chunks.text_sha256 from chunks where chunks.id = embeddings.chunk_id"
    )
    op.alter_column("embeddings", "text_sha256", nullable=False)
    op.create_index("embeddings_text", "embeddings", ["text_sha256"])
    op.drop_index("chunks_text", "chunks")
    op.execute(
        """update collections set chunking = chunking || '{"granularity": "chunk"}' where not chunking ? 'granularity'"""
    )
    _fill_lexemes()


def downgrade() -> None:
    op.execute("delete from embeddings where span_start is not null")
    op.execute("update collections set chunking = chunking - 'granularity'")
    op.create_index("chunks_text", "chunks", ["text_sha256"])
    op.drop_index("embeddings_text", "embeddings")
    op.drop_column("embeddings", "text_sha256")


def _fill_lexemes() -> None:
    connection = op.get_bind()
    chunks = sa.table(
        "chunks", sa.column("id", sa.BigInteger()), sa.column("bm25", SPARSEVEC()), sa.column("document_id")
    )
    rows = connection.execute(
        sa.text(
            "select chunks.id, documents.title, documents.file_name, chunks.section, chunks.header, chunks.text"
            " from chunks join documents on documents.id = chunks.document_id order by chunks.id"
        )
    ).all()
    for start in range(0, len(rows), _BATCH):
        connection.execute(
            sa.update(chunks)
            .where(chunks.c.id == sa.bindparam("chunk"))
            .values(bm25=sa.bindparam("lexemes")),
            [
                {"chunk": chunk_id, "lexemes": lexical_vector(title, name, section, header, text)}
                for chunk_id, title, name, section, header, text in rows[start : start + _BATCH]
            ],
        )
