"""The table of abbreviations."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from ragcore.storage.tables import Base, key


class GlossaryRow(Base):
    """What a document or a person says an abbreviation means, or that one is switched off.

    A learned row belongs to the document that says so and goes with it. A row of a learned or
    built-in entry without a document, not enabled, is a person's switch, and stays.
    """

    __tablename__ = "glossary"
    __table_args__ = (
        UniqueConstraint(
            "collection_id", "short", "long", "source", "document_id", postgresql_nulls_not_distinct=True
        ),
        CheckConstraint("source in ('user', 'learned', 'built-in')", name="glossary_source"),
        CheckConstraint("source = 'learned' or document_id is null", name="glossary_learned_from"),
        CheckConstraint("source = 'user' or enabled = (document_id is not null)", name="glossary_switch"),
        Index("glossary_document", "document_id"),
    )

    id: Mapped[int] = key()
    collection_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("collections.id", ondelete="CASCADE"))
    short: Mapped[str]
    long: Mapped[str]
    source: Mapped[str]
    document_id: Mapped[int | None] = mapped_column(
        BigInteger, ForeignKey("documents.id", ondelete="CASCADE")
    )
    page: Mapped[int | None]
    enabled: Mapped[bool] = mapped_column(server_default=true())
    revision: Mapped[int] = mapped_column(server_default="1")
    """Counts changes: whoever keeps a glossary in memory sees by it that it is out of date."""
