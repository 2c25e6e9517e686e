"""A worker: takes jobs from its queues and does them, one at a time of each queue.

Each queue is worked by itself, so that long work in one does not hold up the others. Any number of
workers may share a database. One that is killed midway leaves what it did marked as being worked
on; the next worker notices the missing heartbeat and takes it up: an upload from its beginning,
where all text that was embedded before is found again, an evaluation where it stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Sequence

import procrastinate

from ragcore.errors import StorageError
from ragcore.indexing.aside import in_daemon_thread
from ragcore.indexing.queue import JobKind, queue_app
from ragcore.storage import Database

HEARTBEAT_S = 2.0
DEAD_AFTER_S = 10.0
"""A worker that has not been heard of for so long is taken for dead, and its job is taken over."""
TRY_AGAIN_AFTER_S = 5.0
"""How long to wait for a database that does not answer."""

log = logging.getLogger(__name__)


class Worker:
    """Runs in the calling thread (``run``) or in one of its own (``start``, ``stop``)."""

    def __init__(self, database: Database, kinds: Sequence[JobKind], *, chore: Callable[[], object]) -> None:
        """``chore`` is called now and then, beside the jobs."""
        self._database = database
        self._kinds = kinds
        self._chore = chore
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Work in a background thread until ``stop``."""
        self._thread = threading.Thread(target=self.run, name="worker", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 10.0) -> None:
        """End after the present step; unfinished jobs go back to their queues."""
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
        """Work in this thread until stopped (or, ``until_empty``, until the queues have none left).

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
                    raise StorageError(f"The queues could not be worked off ({error}).") from error
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
        app = queue_app(self._database, self._kinds, self._stopping)
        async with app.open_async():
            await self._rescue(app)
            # Not before: a pool of connections that is cancelled while it opens never closes.
            self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
            if self._stopping.is_set():
                return
            keeper = asyncio.create_task(self._keep_house(app))
            failure: BaseExceptionGroup | None = None
            try:
                async with asyncio.TaskGroup() as group:
                    for kind in self._kinds:
                        group.create_task(_work_off(app, kind.queue, wait))
            except* (procrastinate.exceptions.ProcrastinateException, StorageError) as failures:
                failure = failures
            finally:
                self._main = None
                keeper.cancel()
        if failure is not None:
            raise failure.exceptions[0]

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
        """Take over from dead workers, and do the chore."""
        while True:
            await asyncio.sleep(DEAD_AFTER_S / 2)
            try:
                await self._rescue(app)
                await in_daemon_thread(self._chore)
            except (procrastinate.exceptions.ProcrastinateException, StorageError) as error:
                log.warning("The queue could not be looked after: %s", error)

    async def _rescue(self, app: procrastinate.App) -> None:
        for kind in self._kinds:
            stalled = await app.job_manager.get_stalled_jobs(
                queue=kind.queue, seconds_since_heartbeat=DEAD_AFTER_S
            )
            for job in stalled:
                await app.job_manager.retry_job(job)


async def _work_off(app: procrastinate.App, queue: str, wait: bool) -> None:
    await app.run_worker_async(
        queues=[queue],
        concurrency=1,
        wait=wait,
        delete_jobs="always",
        install_signal_handlers=False,
        update_heartbeat_interval=HEARTBEAT_S,
        stalled_worker_timeout=DEAD_AFTER_S,
    )
