"""Uploads with their job queue, other names of a document, and the hash that finds embedded text again."""

import sqlalchemy as sa
from alembic import op
from procrastinate.schema import SchemaManager
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("original", sa.LargeBinary(), nullable=True),
        sa.Column("options", JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
        sa.Column("status", sa.Text(), server_default="queued", nullable=False),
        sa.Column("stage", sa.Text(), server_default="", nullable=False),
        sa.Column("done", sa.Integer(), server_default="0", nullable=False),
        sa.Column("total", sa.Integer(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("report", JSONB(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("stage_started_at", TIMESTAMP(timezone=True), nullable=True),
        sa.Column("updated_at", TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status in ('queued', 'working', 'indexed', 'unchanged', 'replaced', 'rejected', 'cancelled')",
            name="uploads_status",
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("uploads_collection", "uploads", ["collection", "id"], unique=False)
    op.add_column(
        "documents",
        sa.Column("other_names", sa.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
    )
    op.add_column("chunks", sa.Column("text_sha256", sa.LargeBinary(), nullable=True))
    op.execute(
        "update chunks set text_sha256 = sha256(convert_to("
        "case when header = '' then text else header || E'\\n' || text end, 'UTF8'))"
    )
    op.alter_column("chunks", "text_sha256", nullable=False)
    op.create_index("chunks_text", "chunks", ["text_sha256"], unique=False)
    # The queue's own tables and functions, as the pinned version of the library ships them.
    # Many statements at once, so on the driver's connection and without parameters.
    op.get_bind().connection.driver_connection.execute(SchemaManager.get_schema())


def downgrade() -> None:
    raise NotImplementedError("Going back would drop queued uploads; restore a backup instead.")
