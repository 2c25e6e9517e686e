"""The queue of uploads, on Procrastinate: what is enqueued here a worker takes up, once.

The job carries the upload's number and nothing else; the bytes and what became of them are in
the uploads table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import procrastinate

from ragcore.reading import clean_path
from ragcore.storage import Database, Uploads

QUEUE = "uploads"
TASK = "ingest"


def queue_app(
    database: Database, ingest: Callable[[int], Awaitable[None]] | None = None
) -> procrastinate.App:
    """The library's app on our database; ``ingest(upload_id)`` is what a worker runs.

    It keeps a small pool of its own: a worker listens on one connection for new jobs.
    """
    app = procrastinate.App(
        connector=procrastinate.PsycopgConnector(conninfo=database.conninfo, min_size=1, max_size=4)
    )
    if ingest is not None:
        app.task(name=TASK, queue=QUEUE)(ingest)
    return app


class UploadQueue:
    """Puts files in the queue, takes them out again, tries them again."""

    def __init__(self, database: Database, uploads: Uploads) -> None:
        self._uploads = uploads
        self._app = queue_app(database)

    def add(
        self, data: bytes, file_name: str, *, collection: str, options: dict[str, Any] | None = None
    ) -> int:
        """Store a file's bytes and queue it; returns the upload's id.

        Adding the same bytes under the same name again while they wait gives the same id.
        """
        return self._uploads.add(
            data,
            collection=collection,
            file_name=clean_path(file_name),
            sha256=hashlib.sha256(data).hexdigest(),
            options=options or {},
            enqueue=self.enqueue,
        )

    def retry(self, upload_id: int) -> None:
        """Queue a rejected upload again. Raises NotFound."""
        self._uploads.retry(upload_id, self.enqueue)

    def enqueue(self, upload_id: int, connection: Any) -> None:
        """Write the job on ``connection``, in whatever transaction is open there."""
        self._app.configure_task(TASK, queue=QUEUE, connection=connection).defer(upload_id=upload_id)
