"""Files of a session on their way into the library, one after another in a thread.

A click stops whatever a page is doing, and a long document takes minutes. So a page only hands
its files over and looks at how far they are; clicks and page changes do not touch the work.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

import streamlit as st

from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.records import IngestReport

_STAGES = {"reading": (0.0, 0.15), "embedding": (0.15, 0.98), "storing": (0.98, 1.0)}
"""Where each stage begins and ends on the bar: embedding takes nearly all of the time."""


@dataclass(frozen=True, slots=True)
class FileToIndex:
    """A file as it was handed over. ``key`` tells uploads apart, also those of the same name."""

    key: str
    name: str
    data: bytes
    collection: str
    password: str = ""


class IndexingQueue:
    """Indexes the files it is given, in order. Safe to look at from any run of the session."""

    def __init__(self, rag: Rag) -> None:
        self._rag = rag
        self._lock = threading.Lock()
        self._waiting: deque[FileToIndex] = deque()
        self._thread: threading.Thread | None = None
        self._current: tuple[FileToIndex, str, int, int] | None = None
        self.reports: dict[str, tuple[str, IngestReport]] = {}
        """By the file's key: the collection it went to and what became of it, in order."""

    @property
    def busy(self) -> bool:
        with self._lock:
            return self._thread is not None

    def knows(self, key: str) -> bool:
        """Whether a file of this key waits, is being indexed or has been."""
        with self._lock:
            current = self._current[0].key if self._current else None
            return key in self.reports or key == current or any(file.key == key for file in self._waiting)

    def add(self, files: list[FileToIndex]) -> None:
        with self._lock:
            self._waiting.extend(files)
            if self._waiting and self._thread is None:
                self._thread = threading.Thread(target=self._work, name="indexing", daemon=True)
                self._thread.start()

    def progress(self) -> tuple[float, str]:
        """Share of the current file that is done, 0 to 1, and a line about it."""
        with self._lock:
            if self._current is None:
                return 0.0, "Beginning…"
            file, stage, done, total = self._current
            more = f"; {len(self._waiting)} more" if self._waiting else ""
        if not self._rag.embedder_loaded:
            return 0.0, f"{file.name}: loading the embedding model (the first time only){more}"
        begin, end = _STAGES.get(stage, (0.0, 1.0))
        share = begin + (end - begin) * (min(1.0, done / total) if total else 0.0)
        counts = f" {done:,} of {total:,}" if total > 1 else ""
        return share, f"{file.name}: {stage}{counts}{more}"

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = self._current = None
                    return
                file = self._waiting.popleft()
                self._current = (file, "reading", 0, 1)
            report = IngestReport(
                file.name, "rejected", error="Something unexpected went wrong; the server's log tells what."
            )
            try:
                report = self._rag.ingest(
                    file.data,
                    file.name,
                    collection=file.collection,
                    password=file.password,
                    progress=lambda stage, done, total, file=file: self._note(file, stage, done, total),
                )
            except RagError as error:
                report = IngestReport(file.name, "rejected", error=str(error))
            finally:
                with self._lock:
                    self.reports[file.key] = (file.collection, report)

    def _note(self, file: FileToIndex, stage: str, done: int, total: int) -> None:
        with self._lock:
            self._current = (file, stage, done, total)


def indexing_queue(rag: Rag) -> IndexingQueue:
    """The queue of this session."""
    if "indexing_queue" not in st.session_state:
        st.session_state["indexing_queue"] = IndexingQueue(rag)
    return st.session_state["indexing_queue"]
