"""Contexts of chunks that a chat model wrote, so that none is asked for twice."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "chunk_contexts",
        sa.Column(
            "collection_id",
            sa.BigInteger(),
            sa.ForeignKey("collections.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("key", sa.LargeBinary(), primary_key=True),
        sa.Column("document_sha256", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.func.now(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("chunk_contexts")
