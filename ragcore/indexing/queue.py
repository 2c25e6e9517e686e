"""The queue of uploads, on Procrastinate: what is enqueued here a worker takes up, once.

A job carries a number and nothing else; the bytes of an upload and what became of them are in the
uploads table. Work of other kinds has queues of its own, made with the same ``JobQueue``.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import procrastinate

from ragcore.indexing.aside import in_daemon_thread
from ragcore.reading import clean_path
from ragcore.storage import Database, Uploads

QUEUE = "uploads"
TASK = "ingest"


@dataclass(frozen=True, slots=True)
class JobKind:
    """A queue, and what a worker does with the number that a job of it carries.

    ``work(number, stopping)`` should end soon after ``stopping`` is set, having put its job back.
    """

    queue: str
    task: str
    work: Callable[[int, threading.Event], None]


def queue_app(
    database: Database, kinds: Sequence[JobKind] = (), stopping: threading.Event | None = None
) -> procrastinate.App:
    """The library's app on our database, with the tasks that a worker runs until ``stopping`` is set.

    It keeps a small pool of its own: a worker listens on one connection a queue for new jobs.
    """
    stopping = stopping or threading.Event()
    app = procrastinate.App(
        connector=procrastinate.PsycopgConnector(
            conninfo=database.conninfo, min_size=1, max_size=4 + len(kinds)
        )
    )
    for kind in kinds:
        app.task(name=kind.task, queue=kind.queue)(_runner(kind, stopping))
    return app


def _runner(kind: JobKind, stopping: threading.Event) -> Callable[..., Awaitable[None]]:
    async def run(**arguments: int) -> None:
        (number,) = arguments.values()
        await in_daemon_thread(kind.work, number, stopping)

    return run


class JobQueue:
    """Puts jobs into one queue."""

    def __init__(self, database: Database, queue: str, task: str) -> None:
        self._app = queue_app(database)
        self._queue = queue
        self._task = task

    def enqueue(self, number: int, connection: Any) -> None:
        """Write the job on ``connection``, in whatever transaction is open there.

        Two jobs with the same number never run at the same time.
        """
        self._app.configure_task(
            self._task, queue=self._queue, lock=f"{self._queue}-{number}", connection=connection
        ).defer(number=number)


class UploadQueue:
    """Puts files in the queue, takes them out again, tries them again."""

    def __init__(self, database: Database, uploads: Uploads) -> None:
        self._uploads = uploads
        self._jobs = JobQueue(database, QUEUE, TASK)

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
        self._jobs.enqueue(upload_id, connection)
