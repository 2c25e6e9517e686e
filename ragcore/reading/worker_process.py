"""The child process: reads one file, or adds its text layer, and tells its parent over a pipe.

Started by ``child_process``. It imports the readers only, keeps within a limit of memory, and ends
when its parent does.
"""

from __future__ import annotations

import math
import os
import shutil
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any, BinaryIO

from ragcore.errors import RagError

from . import frames
from .limits import ReadingLimits
from .page_log import PageLog, PageReading
from .reader import read_logged

_CPU_SECONDS_OVER = 60
_CHUNK = 65536


def main() -> None:
    """Serve the one request that comes over standard input; the answer goes to standard output."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the frames.
    os.dup2(2, 1)
    try:
        _serve(requests, answers)
        answers.flush()
    except MemoryError:
        os._exit(frames.OUT_OF_MEMORY)
    # The watching thread still waits for the parent; there is nothing else to tidy up.
    sys.stderr.flush()
    os._exit(0)


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    request: dict[str, Any] = {}
    data = b""
    known: dict[int, PageReading] = {}
    while (frame := frames.read_frame(requests)) is not None and frame.kind != frames.GO:
        if frame.kind == frames.REQUEST:
            request = frame.json()
            _limit_itself(request)
        elif frame.kind == frames.FILE:
            data = frame.payload
        else:
            known[frames.page_number(frame.payload)] = PageReading.from_json(frames.page_json(frame.payload))
    if frame is None:
        return
    del frame
    watch = threading.Thread(target=_end_with_the_parent, args=(requests, request["folder"]), daemon=True)
    watch.start()
    try:
        if request["task"] == "read":
            _read(request, data, known, answers)
        else:
            _recognise(request, data, answers)
    except RagError as error:
        frames.write_json(answers, frames.ERROR, {"class": type(error).__name__, "message": str(error)})


class _Reporter(PageLog):
    """Sends each page as soon as it is read: what has been sent survives this process."""

    __slots__ = ("_answers",)

    def __init__(
        self, answers: BinaryIO, known: Mapping[int, PageReading], recognised: frozenset[int]
    ) -> None:
        super().__init__(known, recognised)
        self._answers = answers

    def opened(self, page_count: int) -> None:
        frames.write_json(self._answers, frames.OPENED, page_count)
        self._answers.flush()

    def page_read(self, number: int, reading: PageReading) -> None:
        frames.write_frame(self._answers, frames.PAGE, frames.page_payload(number, reading))
        self._answers.flush()


def _read(request: dict[str, Any], data: bytes, known: dict[int, PageReading], answers: BinaryIO) -> None:
    document = read_logged(
        data,
        request["file_name"],
        request["password"],
        ReadingLimits(**request["limits"]),
        _Reporter(answers, known, frozenset(request["recognised"])),
    )
    frames.write_json(answers, frames.DOCUMENT, frames.document_json(document))


def _recognise(request: dict[str, Any], data: bytes, answers: BinaryIO) -> None:
    from .ocr import add_text_layer

    def tell(done: int, total: int) -> None:
        frames.write_json(answers, frames.STEP, [done, total])
        answers.flush()

    layered = add_text_layer(
        data,
        request["file_name"],
        language=request["language"],
        timeout_s=request["timeout_s"],
        password=request["password"],
        pages=request["pages"],
        progress=tell,
        folder=request["folder"],
    )
    frames.write_frame(answers, frames.FILE, layered)


def _limit_itself(request: dict[str, Any]) -> None:
    """The system's own limits, where it has them; the parent watches both from outside as well."""
    if sys.platform != "linux":
        return
    import resource

    limits = request["limits"]
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = now + limits["max_memory_bytes"]
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if request["task"] != "read":
        return
    # For a parent that died while a library would not let this process's own watch run.
    seconds = math.ceil(min(limits["max_seconds"], 1e6)) + _CPU_SECONDS_OVER
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    if most == resource.RLIM_INFINITY or seconds < most:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, most))


def _end_with_the_parent(requests: BinaryIO, folder: str) -> None:
    # Nothing more is ever sent: the pipe only ends, when the parent closes it or is no more.
    while os.read(requests.fileno(), _CHUNK):
        pass
    # Pictures of the file's pages may be in it. The parent removes it otherwise.
    shutil.rmtree(folder, ignore_errors=True)
    if os.name == "posix" and os.getpgrp() == os.getpid():
        # With the programs that OCR has started.
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)
