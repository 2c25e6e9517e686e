"""A worker: takes uploads from the queue and ingests them, one at a time.

Any number of workers may share a database. One that is killed midway leaves an upload marked as
being worked on and nothing in the library; the next worker notices the missing heartbeat and
takes the upload up from its beginning, where all text that was embedded before is found again.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import procrastinate

from ragcore.errors import Cancelled, StorageError
from ragcore.indexing.ingest import Indexer
from ragcore.indexing.queue import QUEUE, UploadQueue, queue_app
from ragcore.storage import Collections, Database, Uploads

HEARTBEAT_S = 2.0
DEAD_AFTER_S = 10.0
"""A worker that has not been heard of for so long is taken for dead, and its upload is taken over."""
REPORT_EVERY_S = 0.5
TRY_AGAIN_AFTER_S = 5.0
"""How long to wait for a database that does not answer."""

log = logging.getLogger(__name__)


class _Stopping(Exception):
    """The worker is to stop; the upload goes back to the queue."""


class Worker:
    """Runs in the calling thread (``run``) or in one of its own (``start``, ``stop``)."""

    def __init__(
        self,
        database: Database,
        *,
        collections: Collections,
        uploads: Uploads,
        queue: UploadQueue,
        indexer: Callable[[], Indexer],
    ) -> None:
        """``indexer`` is called when the first upload comes: it may load the embedding model."""
        self._database = database
        self._collections = collections
        self._uploads = uploads
        self._queue = queue
        self._indexer = indexer
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Work in a background thread until ``stop``."""
        self._thread = threading.Thread(target=self.run, name="upload-worker", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 10.0) -> None:
        """End after the present step; an unfinished upload goes back to the queue."""
        self._end()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def run(
        self,
        *,
        handle_signals: bool = False,
        until_empty: bool = False,
        ready: Callable[[], None] | None = None,
    ) -> None:
        """Work in this thread until stopped (or, ``until_empty``, until the queue has none left).

        A database that goes away is waited for. With ``handle_signals`` (in the main thread only)
        SIGINT and SIGTERM do what ``stop`` does; ``ready`` is called once they would.
        """
        while not self._stopping.is_set():
            try:
                asyncio.run(self._run(handle_signals=handle_signals, wait=not until_empty, ready=ready))
            except asyncio.CancelledError:
                return
            except (procrastinate.exceptions.ProcrastinateException, StorageError) as error:
                if until_empty:
                    raise StorageError(f"The queue of uploads could not be worked off ({error}).") from error
                log.warning("The queue cannot be reached (%s); trying again.", error)
                self._stopping.wait(TRY_AGAIN_AFTER_S)
            if until_empty:
                return
            ready = None

    async def _run(self, *, handle_signals: bool, wait: bool, ready: Callable[[], None] | None) -> None:
        if handle_signals:
            self._stop_on_signals()
        if ready:
            ready()
        app = queue_app(self._database, self._ingest_aside)
        async with app.open_async():
            await self._rescue(app)
            # Not before: a pool of connections that is cancelled while it opens never closes.
            self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
            if self._stopping.is_set():
                return
            keeper = asyncio.create_task(self._keep_house(app))
            try:
                await app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=1,
                    wait=wait,
                    delete_jobs="always",
                    install_signal_handlers=False,
                    update_heartbeat_interval=HEARTBEAT_S,
                    stalled_worker_timeout=DEAD_AFTER_S,
                )
            finally:
                self._main = None
                keeper.cancel()

    def _end(self) -> None:
        self._stopping.set()
        main = self._main
        if self._loop is not None and main is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended by itself meanwhile
                self._loop.call_soon_threadsafe(main.cancel)

    def _stop_on_signals(self) -> None:
        """The first signal ends after the present step; a second one ends the process as ever."""

        def end(*_: object) -> None:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.default_int_handler)
            self._end()

        # Not by the loop: on Windows it takes no handlers, and a busy loop would not hear a second one.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)

    async def _keep_house(self, app: procrastinate.App) -> None:
        """Take over from dead workers, and delete session collections whose time has come."""
        while True:
            await asyncio.sleep(DEAD_AFTER_S / 2)
            try:
                await self._rescue(app)
                await _in_daemon_thread(self._collections.delete_expired)
            except (procrastinate.exceptions.ProcrastinateException, StorageError) as error:
                log.warning("The queue could not be looked after: %s", error)

    async def _rescue(self, app: procrastinate.App) -> None:
        for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=DEAD_AFTER_S):
            await app.job_manager.retry_job(job)

    async def _ingest_aside(self, upload_id: int) -> None:
        await _in_daemon_thread(self._ingest, upload_id)

    def _ingest(self, upload_id: int) -> None:
        taken = self._uploads.begin(upload_id)
        if taken is None:
            return
        upload, data, options = taken
        reporter = _Reporter(self._uploads, upload_id, self._stopping)
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


async def _in_daemon_thread(function: Callable[..., Any], *args: Any) -> None:
    """Like ``asyncio.to_thread``, but the interpreter's end does not wait for the thread.

    It would wait for those of an executor before it calls what ``atexit`` knows, and so before
    anything could tell a worker in the middle of a long document to stop.
    """
    outcome: concurrent.futures.Future[Any] = concurrent.futures.Future()
    outcome.set_running_or_notify_cancel()

    def run() -> None:
        try:
            outcome.set_result(function(*args))
        except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
            outcome.set_exception(error)

    threading.Thread(target=run, name=function.__name__, daemon=True).start()
    await asyncio.wrap_future(outcome)


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
