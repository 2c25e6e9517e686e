"""The chunks around those that were found: neighbours, the opening, or all of a short document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, func, or_, select, tuple_

from ragcore.records import PlacedChunk, PlacedDocument
from ragcore.storage.database import Database
from ragcore.storage.stored_records import candidate
from ragcore.storage.tables import ChunkRow, DocumentRow, PageRow


class DocumentChunks:
    """Reads what stands beside a chunk in its document."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def around(
        self, chunk_ids: Sequence[int], *, whole_up_to: Mapping[int, int]
    ) -> dict[int, PlacedDocument]:
        """The documents of these chunks, by id.

        Each with all its chunks where it has no more tokens than ``whole_up_to`` says for it; else with
        the chunks named, the one before and the one after each of them, and its first. Candidates come
        without a score: nobody compared them with the question. Chunks that are gone meanwhile, and
        their documents, are left out.
        """
        with self._database.session() as session:
            named = session.execute(
                select(ChunkRow.document_id, ChunkRow.ordinal).where(ChunkRow.id.in_(chunk_ids))
            ).all()
            sizes = session.execute(
                select(ChunkRow.document_id, func.count(), func.sum(ChunkRow.token_count))
                .where(ChunkRow.document_id.in_({document_id for document_id, _ in named}))
                .group_by(ChunkRow.document_id)
            ).all()
            short = {
                document_id
                for document_id, _, tokens in sizes
                if document_id in whole_up_to and tokens <= whole_up_to[document_id]
            }
            beside = {
                (document_id, near)
                for document_id, ordinal in named
                if document_id not in short
                for near in (0, ordinal - 1, ordinal, ordinal + 1)
            }
            rows = session.execute(
                select(ChunkRow, DocumentRow.file_name, DocumentRow.paged, PageRow.label)
                .join(DocumentRow, DocumentRow.id == ChunkRow.document_id)
                .outerjoin(
                    PageRow,
                    and_(PageRow.document_id == ChunkRow.document_id, PageRow.number == ChunkRow.page_start),
                )
                .where(
                    or_(
                        ChunkRow.document_id.in_(short),
                        tuple_(ChunkRow.document_id, ChunkRow.ordinal).in_(beside),
                    )
                )
                .order_by(ChunkRow.document_id, ChunkRow.ordinal)
            )
            placed: dict[int, list[PlacedChunk]] = {}
            for row, file_name, paged, label in rows:
                placed.setdefault(row.document_id, []).append(
                    PlacedChunk(
                        candidate=candidate(row, file_name, paged, label),
                        ordinal=row.ordinal,
                        char_start=row.char_start,
                        char_end=row.char_end,
                        tokens=row.token_count,
                    )
                )
        return {
            document_id: PlacedDocument(document_id, chunks, tokens, tuple(placed.get(document_id, ())))
            for document_id, chunks, tokens in sizes
        }
