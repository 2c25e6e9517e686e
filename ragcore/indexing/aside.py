"""Running a job's work in a thread beside the loop that takes jobs from the queue."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable
from typing import Any


async def in_daemon_thread(function: Callable[..., Any], *args: Any) -> None:
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
