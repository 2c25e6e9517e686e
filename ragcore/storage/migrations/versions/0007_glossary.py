"""Abbreviations of a collection, with those that the documents in it define."""

import sqlalchemy as sa
from alembic import op

from ragcore.lexical.abbreviations import learn

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "glossary",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("collection_id", sa.BigInteger(), nullable=False),
        sa.Column("short", sa.Text(), nullable=False),
        sa.Column("long", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("document_id", sa.BigInteger(), nullable=True),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("enabled", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="1", nullable=False),
        sa.CheckConstraint("source in ('user', 'learned', 'built-in')", name="glossary_source"),
        sa.CheckConstraint("source = 'learned' or document_id is null", name="glossary_learned_from"),
        sa.CheckConstraint("source = 'user' or enabled = (document_id is not null)", name="glossary_switch"),
        sa.ForeignKeyConstraint(["collection_id"], ["collections.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint(
            "collection_id", "short", "long", "source", "document_id", postgresql_nulls_not_distinct=True
        ),
    )
    op.create_index("glossary_document", "glossary", ["document_id"], unique=False)
    _learn_from_what_is_there()


def downgrade() -> None:
    op.drop_table("glossary")


def _learn_from_what_is_there() -> None:
    connection = op.get_bind()
    insert = sa.text(
        "insert into glossary (collection_id, short, long, source, document_id, page)"
        " values (:collection, :short, :long, 'learned', :document, :page)"
    )
    documents = connection.execute(sa.text("select id, collection_id from documents order by id")).all()
    for document, collection in documents:
        pages = connection.execute(
            sa.text("select number, text from pages where document_id = :document order by number"),
            {"document": document},
        ).all()
        rows = [
            {
                "collection": collection,
                "document": document,
                "short": found.short,
                "long": found.long,
                "page": pages[found.place].number,
            }
            for found in learn(page.text for page in pages)
        ]
        if rows:
            connection.execute(insert, rows)
