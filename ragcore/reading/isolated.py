"""Reading in a process of its own, so that no file can stop or bloat the program that asks.

This module holds the policy: which page is given up, when reading goes on in a fresh process, when
the whole file is refused. ``child_process`` holds the process, ``worker_process`` what it does.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Sequence

from ragcore import errors
from ragcore.errors import BrokenFile, Cancelled, FileTooLarge, NoTextLayer, RagError
from ragcore.records import Progress, SourceDocument

from . import frames
from .child_process import ProcessEnded, ReadingProcess
from .cleaning import clean_name
from .frames import Frame
from .limits import DEFAULT_LIMITS, Deadline, ReadingLimits, check_size, human_size
from .ocr import INSTALL_HINT, find_ocr
from .page_log import PageFailure, PageReading

_POLL_SECONDS = 0.05
_MEMORY_SECONDS = 0.2
_log = logging.getLogger(__name__)


def read_isolated(
    data: bytes,
    file_name: str,
    *,
    password: str = "",
    limits: ReadingLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    ocr: bool = False,
    ocr_language: str = "eng",
) -> SourceDocument:
    """What ``read_document`` gives, read in a child process within limits of time and memory.

    A PDF page over ``max_page_seconds`` or ``max_memory_bytes`` is left out: a warning names it, it
    counts as empty, and the other pages are kept. ``progress(done, total)`` counts pages (a file
    without pages is one); with OCR, ``total`` grows by the pages that need it. ``cancelled`` is asked
    about 20 times a second. With ``ocr``, pages without text are read by OCR where a program for it
    is installed (``find_ocr``), in ``ocr_language`` (tesseract's codes, "eng+deu").

    Raises what ``read_document`` raises; Cancelled; FileTooLarge where the whole file goes over a
    limit; BrokenFile where the process ended without a word.
    """
    name = clean_name(file_name)
    check_size(name, len(data), limits)
    reading = _Reading(data, name, password, limits, progress or _silent, cancelled or _never)
    try:
        document = reading.run()
    except NoTextLayer as error:
        if not ocr:
            raise
        if find_ocr() is None:
            raise NoTextLayer(f"{error} {INSTALL_HINT}") from error
        return reading.recognise(reading.blank_pages(), ocr_language)
    blank = reading.blank_pages(document.empty_pages)
    if not ocr or not blank:
        return document
    if find_ocr() is None:
        return dataclasses.replace(document, warnings=(*document.warnings, INSTALL_HINT))
    try:
        return reading.recognise(blank, ocr_language)
    except NoTextLayer as error:
        # The other pages are worth having.
        return dataclasses.replace(document, warnings=(*document.warnings, str(error)))


class _Reading:
    """One file on its way through as many processes as it takes."""

    def __init__(
        self,
        data: bytes,
        name: str,
        password: str,
        limits: ReadingLimits,
        progress: Progress,
        cancelled: Callable[[], bool],
    ) -> None:
        self._data = data
        self._name = name
        self._password = password
        self._limits = limits
        self._progress = progress
        self._cancelled = cancelled
        self._pages: dict[int, bytes] = {}
        """Payloads of PAGE frames by page number: what a fresh process need not read again."""
        self._page_count = 0
        self._recognised: tuple[int, ...] = ()

    def run(self) -> SourceDocument:
        self._deadline = Deadline(self._name, self._limits.max_seconds)
        document = None
        # Each process adds a page at least, read or given up, or ends the reading.
        while document is None:
            document = self._run_process()
        if not self._page_count:
            self._progress(1, 1)
        return document

    def blank_pages(self, among: Sequence[int] | None = None) -> list[int]:
        """Pages that were read and gave no text, which OCR may help; by default of all pages."""
        numbers = among if among is not None else sorted(self._pages)
        return [n for n in numbers if not frames.page_json(self._pages[n])["failure"]]

    def recognise(self, blank: list[int], language: str) -> SourceDocument:
        """Add a text layer to these pages, and read them again."""
        self._data = self._add_text_layer(blank, language)
        self._password = ""
        self._recognised = tuple(blank)
        for number in blank:
            del self._pages[number]
        self._progress = _silent
        return self.run()

    # --- reading ---------------------------------------------------------------

    def _run_process(self) -> SourceDocument | None:
        """The document, or None when a fresh process has to go on."""
        request = self._request("read", recognised=self._recognised)
        known = [self._pages[number] for number in sorted(self._pages)]
        with ReadingProcess(request, self._data, known) as process:
            opened = too_big = False
            pages_read = 0
            since = memory_seen = time.monotonic()
            while True:
                self._stop_if_cancelled()
                now = time.monotonic()
                if now - memory_seen > _MEMORY_SECONDS:
                    memory_seen = now
                    # Frames that wait are heard first: they tell which page it is.
                    too_big = process.memory_bytes() > self._limits.max_memory_bytes
                at_page = opened and len(self._pages) < self._page_count
                try:
                    frame = process.next_frame(0.0 if too_big else _POLL_SECONDS)
                except ProcessEnded as ended:
                    if ended.status != frames.OUT_OF_MEMORY:
                        raise self._died(ended.status) from ended
                    return self._out_of_memory(at_page, pages_read)
                if frame is None:
                    if too_big:
                        return self._out_of_memory(at_page, pages_read)
                    self._deadline.check(len(self._pages), self._page_count)
                    if at_page and now - since > self._limits.max_page_seconds:
                        return self._give_up_page("too slow")
                    continue
                since = time.monotonic()
                if frame.kind == frames.OPENED:
                    opened = True
                    self._page_count = frame.json()
                    self._progress(len(self._pages), self._page_count)
                elif frame.kind == frames.PAGE:
                    pages_read += 1
                    self._keep(frames.page_number(frame.payload), frame.payload)
                else:
                    return frames.document_from_json(self._answer(frame, frames.DOCUMENT).json())

    def _keep(self, number: int, payload: bytes) -> None:
        self._pages[number] = payload
        self._progress(len(self._pages), self._page_count)

    def _give_up_page(self, failure: PageFailure) -> None:
        number = next(n for n in range(1, self._page_count + 1) if n not in self._pages)
        _log.info("%s: page %d is left out (%s)", self._name, number, failure)
        self._keep(number, frames.page_payload(number, PageReading(failure=failure)))

    def _out_of_memory(self, at_page: bool, pages_read: int) -> None:
        if not at_page:
            raise FileTooLarge(
                f"{self._name} needs more than {human_size(self._limits.max_memory_bytes)} of memory to be "
                "read. Split it into smaller files."
            )
        # A page is to blame only if it is too big for a process that has read nothing before it.
        if not pages_read:
            self._give_up_page("too big")

    def _died(self, status: int) -> BrokenFile:
        how = f"signal {-status}" if status < 0 else f"status {status}"
        where = ""
        if len(self._pages) < self._page_count:
            where = f" after {len(self._pages)} of {self._page_count} pages"
        return BrokenFile(
            f"{self._name} cannot be read: the process that read it ended without a word{where} ({how}). "
            "The file may be damaged, or the machine short of memory."
        )

    # --- OCR -------------------------------------------------------------------

    def _add_text_layer(self, blank: list[int], language: str) -> bytes:
        timeout_s = self._limits.max_ocr_page_seconds * len(blank)
        total = self._page_count + len(blank)
        request = self._request("ocr", pages=blank, language=language, timeout_s=timeout_s)
        # The child keeps the time itself; this is for one that does not.
        deadline = Deadline(self._name, timeout_s + self._limits.max_seconds)
        self._progress(self._page_count, total)
        with ReadingProcess(request, self._data) as process:
            while True:
                self._stop_if_cancelled()
                deadline.check(0, 0)
                try:
                    frame = process.next_frame(_POLL_SECONDS)
                except ProcessEnded as ended:
                    raise NoTextLayer(f"OCR of {self._name} ended without a result ({ended}).") from ended
                if frame is None:
                    continue
                if frame.kind == frames.STEP:
                    self._progress(self._page_count + frame.json()[0], total)
                    continue
                return self._answer(frame, frames.FILE).payload

    # --- both ------------------------------------------------------------------

    def _request(self, task: str, **more: object) -> dict[str, object]:
        return {
            "task": task,
            "file_name": self._name,
            "password": self._password,
            "limits": dataclasses.asdict(self._limits),
            **more,
        }

    def _answer(self, frame: Frame, kind: bytes) -> Frame:
        if frame.kind == kind:
            return frame
        assert frame.kind == frames.ERROR, f"unknown frame {frame.kind!r}"
        error = frame.json()
        error_class = getattr(errors, error["class"], None)
        if isinstance(error_class, type) and issubclass(error_class, RagError):
            raise error_class(error["message"])
        raise BrokenFile(error["message"])

    def _stop_if_cancelled(self) -> None:
        if self._cancelled():
            raise Cancelled(f"Reading {self._name} was cancelled.")


def _silent(_done: int, _total: int) -> None:
    return None


def _never() -> bool:
    return False
