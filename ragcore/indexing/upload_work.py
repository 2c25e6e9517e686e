"""What a worker does with an upload: ingest it, tell how far it is, and note what came of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from ragcore.errors import Cancelled
from ragcore.indexing.ingest import Indexer
from ragcore.indexing.queue import QUEUE, TASK, JobKind, UploadQueue
from ragcore.storage import Uploads

REPORT_EVERY_S = 0.5

log = logging.getLogger(__name__)


class _Stopping(Exception):
    """The worker is to stop; the upload goes back to the queue."""


class UploadWork:
    """Ingests queued uploads, one at a time."""

    def __init__(self, uploads: Uploads, queue: UploadQueue, indexer: Callable[[], Indexer]) -> None:
        """``indexer`` is called when the first upload comes: it may load the embedding model."""
        self._uploads = uploads
        self._queue = queue
        self._indexer = indexer

    @property
    def kind(self) -> JobKind:
        return JobKind(QUEUE, TASK, self.ingest)

    def ingest(self, upload_id: int, stopping: threading.Event) -> None:
        taken = self._uploads.begin(upload_id)
        if taken is None:
            return
        upload, data, options = taken
        reporter = _Reporter(self._uploads, upload_id, stopping)
        try:
            report = self._indexer().ingest(
                data, upload.file, collection=upload.collection, progress=reporter, **options
            )
        except _Stopping:
            self._uploads.requeue(upload_id, self._queue.enqueue)
        except Cancelled:
            self._uploads.finish(upload_id, None)
        except Exception as error:  # a fault of ours must not leave the upload hanging
            log.exception("ingesting %s failed", upload.file)
            self._uploads.finish(
                upload_id,
                None,
                error=f"'{upload.file}' could not be indexed ({type(error).__name__}). Try again; if it "
                "happens again, please report it with the worker's log.",
            )
        else:
            self._uploads.finish(upload_id, report)


class _Reporter:
    """Writes progress at most twice a second, and turns a wish to cancel into an exception."""

    def __init__(self, uploads: Uploads, upload_id: int, stopping: threading.Event) -> None:
        self._uploads = uploads
        self._upload_id = upload_id
        self._stopping = stopping
        self._stage = ""
        self._written = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._stopping.is_set():
            raise _Stopping
        now = time.monotonic()
        if stage == self._stage and done < total and now - self._written < REPORT_EVERY_S:
            return
        self._stage, self._written = stage, now
        if self._uploads.progress(self._upload_id, stage, done, total):
            raise Cancelled("The upload was cancelled.")
