"""Rows of documents and chunks -> the records that leave the storage package."""

from __future__ import annotations

from ragcore.records import Candidate, Chunk, DocumentInfo, Evidence, without_context
from ragcore.storage.page_health import document_health
from ragcore.storage.tables import ChunkRow, DocumentRow


def document_info(row: DocumentRow, collection: str, chunks: int) -> DocumentInfo:
    return DocumentInfo(
        id=row.id,
        collection=collection,
        file_name=row.file_name,
        sha256=row.sha256,
        media_type=row.media_type,
        title=row.title,
        paged=row.paged,
        pages=row.page_count,
        empty_pages=tuple(row.page_health["empty_pages"]),
        chunks=chunks,
        characters=row.page_health["characters"],
        size_bytes=row.size_bytes,
        warnings=tuple(row.page_health["warnings"]),
        indexed_at=row.indexed_at,
        health=document_health(row, chunks),
        other_names=tuple(row.other_names),
    )


def candidate(
    row: ChunkRow,
    file_name: str,
    paged: bool,
    page_label: str | None,
    *,
    score: float | None = None,
    coverage: float = 0.0,
    evidence: tuple[Evidence, ...] = (),
) -> Candidate:
    return Candidate(
        chunk_id=row.id,
        document_id=row.document_id,
        file=file_name,
        paged=paged,
        page_start=row.page_start,
        page_end=row.page_end,
        page_label=page_label,
        page_offsets=tuple((offset, number) for offset, number in row.page_offsets),
        section=tuple(row.section),
        # What a model wrote helps to find a chunk; nobody answers from it or cites it.
        header=without_context(row.header),
        text=row.text,
        score=score,
        coverage=coverage,
        evidence=evidence,
    )


def chunk(row: ChunkRow) -> Chunk:
    return Chunk(
        ordinal=row.ordinal,
        text=row.text,
        page_start=row.page_start,
        page_end=row.page_end,
        char_start=row.char_start,
        char_end=row.char_end,
        token_count=row.token_count,
        section=tuple(row.section),
        header=row.header,
        page_offsets=tuple((offset, number) for offset, number in row.page_offsets),
    )
