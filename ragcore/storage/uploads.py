"""Files on their way into the library: what waits, what is being worked on, what became of it.

The bytes are in the database, so any worker that shares it can read them. Which worker takes
which upload is the queue's affair, not this module's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import undefer

from ragcore.errors import NotFound
from ragcore.records import IngestReport, Upload
from ragcore.storage.database import Database
from ragcore.storage.tables import UploadRow

Enqueue = Callable[[int, Any], None]
"""Called with an upload's id and the driver's connection, inside the transaction that writes it."""

PENDING = ("queued", "working")


class Uploads:
    """Writes and reads the uploads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        data: bytes,
        *,
        collection: str,
        file_name: str,
        sha256: str,
        options: dict[str, Any],
        enqueue: Enqueue,
    ) -> int:
        """Store the bytes and enqueue the work in one transaction; the id of the upload.

        The same bytes under the same name that are already waiting are not added twice.
        """
        with self._database.session() as session:
            waiting = session.scalar(
                select(UploadRow.id).where(
                    UploadRow.collection == collection,
                    UploadRow.file_name == file_name,
                    UploadRow.sha256 == sha256,
                    UploadRow.status.in_(PENDING),
                    ~UploadRow.cancel_requested,
                )
            )
            if waiting is not None:
                return waiting
            upload_id = session.execute(
                insert(UploadRow)
                .values(
                    collection=collection,
                    file_name=file_name,
                    sha256=sha256,
                    size_bytes=len(data),
                    original=data,
                    options=options,
                )
                .returning(UploadRow.id)
            ).scalar_one()
            enqueue(upload_id, session.connection().connection.driver_connection)
        return upload_id

    def get(self, upload_id: int) -> Upload:
        """Raises NotFound."""
        with self._database.session() as session:
            found = session.execute(_with_age().where(UploadRow.id == upload_id)).one_or_none()
        if found is None:
            raise NotFound(f"Upload {upload_id} is no longer there.")
        return _upload(*found)

    def original(self, upload_id: int) -> bytes:
        """The bytes of an upload that waits or was rejected. Raises NotFound."""
        with self._database.session() as session:
            original = session.scalar(select(UploadRow.original).where(UploadRow.id == upload_id))
        if original is None:
            raise NotFound(f"The file of upload {upload_id} is no longer there; upload it again.")
        return original

    def list(self, collection: str | None = None, *, pending_only: bool = False) -> list[Upload]:
        """In the order they were added."""
        query = _with_age().order_by(UploadRow.id)
        if collection is not None:
            query = query.where(UploadRow.collection == collection)
        if pending_only:
            query = query.where(UploadRow.status.in_(PENDING))
        with self._database.session() as session:
            return [_upload(*found) for found in session.execute(query)]

    def begin(self, upload_id: int) -> tuple[Upload, bytes, dict[str, Any]] | None:
        """Take an upload up: itself, its bytes and options; None when there is nothing to do.

        One that another worker left half-done is taken up from its beginning.
        """
        with self._database.session() as session:
            row = session.get(
                UploadRow, upload_id, options=[undefer(UploadRow.original)], with_for_update=True
            )
            if row is None or row.status not in PENDING or row.original is None:
                return None
            if row.cancel_requested:
                row.status, row.original = "cancelled", None
                return None
            row.status, row.stage, row.done, row.total = "working", "reading", 0, 0
            row.attempts += 1
            row.stage_started_at = row.updated_at = func.now()
            session.flush()
            session.refresh(row)
            return _upload(row, 0.0), row.original, row.options

    def progress(self, upload_id: int, stage: str, done: int, total: int) -> bool:
        """Note how far it has come. Returns whether somebody asked to cancel it."""
        with self._database.session() as session:
            row = session.get(UploadRow, upload_id, with_for_update=True)
            if row is None:
                return True
            if row.stage != stage:
                row.stage_started_at = func.now()
            row.stage, row.done, row.total, row.updated_at = stage, done, total, func.now()
            return row.cancel_requested

    def finish(self, upload_id: int, report: IngestReport | None, *, error: str | None = None) -> None:
        """Note the outcome; None means cancelled. The bytes stay only for a retry after a rejection."""
        status = report.status if report else "rejected" if error else "cancelled"
        values: dict[str, Any] = {
            "status": status,
            "report": asdict(report) if report else None,
            "error": error or (report.error if report else None),
            "updated_at": func.now(),
        }
        if status != "rejected":
            values["original"] = None
        with self._database.session() as session:
            session.execute(update(UploadRow).where(UploadRow.id == upload_id).values(**values))

    def cancel(self, upload_id: int) -> None:
        """Stop an upload: at once while it waits, at its next step while it is worked on."""
        with self._database.session() as session:
            row = session.get(UploadRow, upload_id, with_for_update=True)
            if row is not None and row.status == "queued":
                row.status, row.original = "cancelled", None
            elif row is not None and row.status == "working":
                row.cancel_requested = True

    def retry(self, upload_id: int, enqueue: Enqueue) -> None:
        """Queue a rejected upload again. Raises NotFound when its bytes are gone."""
        with self._database.session() as session:
            row = session.get(UploadRow, upload_id, with_for_update=True)
            if row is None or row.status != "rejected":
                raise NotFound(f"Upload {upload_id} cannot be retried; upload the file again.")
            row.status, row.error, row.report, row.cancel_requested = "queued", None, None, False
            enqueue(upload_id, session.connection().connection.driver_connection)

    def requeue(self, upload_id: int, enqueue: Enqueue) -> None:
        """Put an upload back that a worker began and cannot finish now."""
        with self._database.session() as session:
            row = session.get(UploadRow, upload_id, with_for_update=True)
            if row is not None and row.status == "working":
                row.status, row.stage, row.done, row.total = "queued", "", 0, 0
                enqueue(upload_id, session.connection().connection.driver_connection)

    def clear_finished(self, collection: str) -> None:
        """Forget the uploads that are over."""
        with self._database.session() as session:
            session.execute(
                delete(UploadRow).where(UploadRow.collection == collection, UploadRow.status.not_in(PENDING))
            )


def _with_age():
    age = func.extract("epoch", func.now() - func.coalesce(UploadRow.stage_started_at, UploadRow.created_at))
    return select(UploadRow, age)


def _upload(row: UploadRow, stage_seconds: float) -> Upload:
    report = row.report
    return Upload(
        id=row.id,
        collection=row.collection,
        file=row.file_name,
        size_bytes=row.size_bytes,
        status=row.status,
        stage=row.stage,
        done=row.done,
        total=row.total,
        attempts=row.attempts,
        cancel_requested=row.cancel_requested,
        stage_seconds=float(stage_seconds),
        created_at=row.created_at,
        report=IngestReport(**{**report, "warnings": tuple(report["warnings"])}) if report else None,
        error=row.error,
        options=row.options,
    )
