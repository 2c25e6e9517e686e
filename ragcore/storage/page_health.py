"""The column ``documents.page_health``: what was noticed while a document was read and chunked.

Keys are only ever added, so every reader must do without those that an older row lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ragcore.records import Chunk, DocumentHealth, SourceDocument
from ragcore.storage.tables import ChunkRow, DocumentRow


def page_health(source: SourceDocument, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """The column's value for a document that has been read and chunked."""
    health = DocumentHealth.of(source, chunks)
    return {
        "warnings": list(source.warnings),
        "empty_pages": list(source.empty_pages),
        "characters": health.characters,
        "suspect_pages": list(health.suspect_pages),
        "page_characters": list(health.page_characters),
        "language": health.language,
        **rechunked(chunks),
    }


def rechunked(chunks: Sequence[Chunk]) -> dict[str, Any]:
    """What changes when a document is chunked again."""
    return {"oversize_chunks": sum(chunk.oversize for chunk in chunks)}


def document_health(row: DocumentRow, chunks: int) -> DocumentHealth:
    """The column read back; ``chunks`` is how many the document has."""
    stored = row.page_health
    return DocumentHealth(
        pages=row.page_count,
        characters=stored["characters"],
        chunks=chunks,
        empty_pages=tuple(stored["empty_pages"]),
        suspect_pages=tuple(stored.get("suspect_pages", ())),
        page_characters=tuple(stored.get("page_characters", ())),
        oversize_chunks=stored.get("oversize_chunks"),
        language=stored.get("language", ""),
        warnings=len(stored["warnings"]),
    )


def read_back(source: SourceDocument, stored: dict[str, Any]) -> SourceDocument:
    """``source`` with what was noticed when it was first read."""
    return replace(
        source,
        warnings=tuple(stored["warnings"]),
        empty_pages=tuple(stored["empty_pages"]),
        suspect_pages=tuple(stored.get("suspect_pages", ())),
        language=stored.get("language", ""),
    )


def duplicates(session: Session, collection_id: int) -> dict[int, int]:
    """How many chunks of each document stand elsewhere in the collection, too; those with none are left out."""
    ours = ChunkRow.collection_id == collection_id
    repeated = (
        select(ChunkRow.text_sha256).where(ours).group_by(ChunkRow.text_sha256).having(func.count() > 1)
    )
    counts = (
        select(ChunkRow.document_id, func.count())
        .where(ours, ChunkRow.text_sha256.in_(repeated))
        .group_by(ChunkRow.document_id)
    )
    return dict(session.execute(counts).all())
