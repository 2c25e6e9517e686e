"""The parent's side of one child process that reads a file: start, listen, measure, end.

A fresh interpreter instead of a fork: the app has threads, a model and database connections,
none of which survive one. And not ``multiprocessing``, which would import the app's main module
(under Streamlit the whole page) into the child.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from ragcore.errors import RagError

from . import frames
from .frames import Frame

_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); from ragcore.reading.worker_process import main; main()"
)
_ROOT = str(Path(__file__).parents[2])
_log = logging.getLogger(__name__)


class ProcessEnded(Exception):
    """The child is no more. ``status`` is its exit status, negative for the signal that ended it."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the reading process ended with status {status}")
        self.status = status


class ReadingProcess:
    """A child at work on one request. Use it as a context manager: leaving it ends the child."""

    def __init__(self, request: dict[str, Any], data: bytes, known_pages: Iterable[bytes] = ()) -> None:
        # Programs that the child starts are killed with it and leave their files behind: here.
        self._folder = tempfile.TemporaryDirectory(prefix="reading-", ignore_cleanup_errors=True)
        self._errors = Path(self._folder.name, "stderr")
        try:
            with self._errors.open("wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _PROGRAM, _ROOT],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    # A group of its own, so that it can be ended with all that it has started.
                    start_new_session=True,
                )
        except OSError as error:
            self._folder.cleanup()
            raise RagError(
                f"{request['file_name']} was not read: no process for it could be started ({error})."
            ) from error
        self.pid = self._process.pid
        self._frames: queue.Queue[Frame | None] = queue.Queue()
        self._thread = threading.Thread(
            target=self._talk,
            args=({**request, "folder": self._folder.name}, data, list(known_pages)),
            name="reading",
            daemon=True,
        )
        self._thread.start()

    def __enter__(self) -> ReadingProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()
        self._process.wait()
        self._thread.join()
        self._process.stdout.close()
        self._folder.cleanup()

    def next_frame(self, timeout_s: float) -> Frame | None:
        """The next frame; None if none came in time. Raises ProcessEnded after the last one."""
        try:
            frame = self._frames.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if frame is None:
            self._thread.join()
            status = self._process.wait()
            self._log_errors()
            raise ProcessEnded(status)
        return frame

    def memory_bytes(self) -> int:
        """Memory that the child and its children occupy now; 0 when it has ended."""
        import psutil

        try:
            process = psutil.Process(self.pid)
            return sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))
        except psutil.Error:
            return 0

    def _talk(self, request: dict[str, Any], data: bytes, known_pages: list[bytes]) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        try:
            frames.write_json(stdin, frames.REQUEST, request)
            frames.write_frame(stdin, frames.FILE, data)
            for payload in known_pages:
                frames.write_frame(stdin, frames.KNOWN_PAGE, payload)
            frames.write_frame(stdin, frames.GO)
            stdin.flush()
            # Standard input stays open: its end tells the child that nobody waits any more.
            while (frame := frames.read_frame(stdout)) is not None:
                self._frames.put(frame)
        except OSError:
            # The child is gone, which its exit status tells better.
            _log.debug("the pipe to reading process %d broke", self.pid)
        finally:
            self._frames.put(None)
            try:
                stdin.close()
            except OSError:
                _log.debug("reading process %d left input unread", self.pid)

    def _kill(self) -> None:
        # One that is not reaped yet still holds its number: no other process can be meant.
        if self._process.poll() is not None:
            return
        if os.name == "posix":
            os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _log_errors(self) -> None:
        said = self._errors.read_text("utf-8", "replace").strip()
        if said:
            _log.error("reading process %d: %s", self.pid, said[-4000:])
