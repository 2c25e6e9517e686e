"""The pages of a PDF one after the other, by pypdf, in memory that does not grow with their number.

Knows nothing of what stands on other pages: headings, running headers and joined words are found
later, over the small records (``page_log``) that this module gives.
"""

from __future__ import annotations

import io
import re
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pypdf
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from ragcore.errors import BrokenFile, PasswordProtected, UnsupportedFile

from .cleaning import control_count
from .page_log import PageFailure, PageReading
from .pdf_forms import form_lines
from .pdf_lines import PageLines, read_lines

_TEXT_OPERATORS = re.compile(rb"T[jJ]|Do|['\"]")
# pypdf keeps every object that it met. A new reader for so many pages bounds that; where opening
# is slow (a rebuilt table of objects), pages worth 20 times its duration are read in between.
_PAGES_PER_READER = 50
_READING_PER_OPENING = 20.0
# pypdf follows whatever a damaged file says, so damage shows as nearly any error.
DAMAGE = (
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


class PdfPages:
    """An open PDF. Raises PasswordProtected, UnsupportedFile (its encryption) or BrokenFile."""

    def __init__(self, data: bytes, file_name: str, password: str) -> None:
        self._data = data
        self._file_name = file_name
        self._password = password
        self.reader: pypdf.PdfReader
        self._open()
        self.count = self._count()

    def read(self, known: Mapping[int, PageReading]) -> Iterator[tuple[int, PageReading]]:
        """``(number, what it gave)`` for each page in order; ``known`` pages are handed through."""
        groups = {group for reading in known.values() for group in reading.groups}
        pages_read = 0
        started = time.monotonic()
        for number in range(1, self.count + 1):
            if number in known:
                yield number, known[number]
                continue
            duration = time.monotonic() - started
            if pages_read >= _PAGES_PER_READER and duration > _READING_PER_OPENING * self._opening_seconds:
                self._open()
                pages_read, started = 0, time.monotonic()
            pages_read += 1
            yield number, self._read_page(number, groups)

    def _open(self) -> None:
        started = time.monotonic()
        try:
            if hasattr(self, "reader"):
                # Its objects refer to each other and to it: only this sets them free at once.
                self.reader.close()
            self.reader = pypdf.PdfReader(io.BytesIO(self._data))
            _unlock(self.reader, self._file_name, self._password)
        except DAMAGE as error:
            raise self._broken() from error
        self._opening_seconds = time.monotonic() - started

    def _count(self) -> int:
        try:
            return len(self.reader.pages)
        except DAMAGE as error:
            raise self._broken() from error

    def _broken(self) -> BrokenFile:
        return BrokenFile(
            f"{self._file_name} is damaged or cut off and cannot be opened as a PDF. "
            "Download or export it again."
        )

    def _read_page(self, number: int, groups: set[str]) -> PageReading:
        lines = PageLines((), "")
        failure: PageFailure = ""
        try:
            page = self.reader.pages[number - 1]
            contents = page.get_contents()
            # Drawings without any text operator are not worth parsing.
            if contents is not None and _TEXT_OPERATORS.search(contents.get_data()):
                lines = read_lines(page)
        except LimitReachedError:
            failure = "too complex"
        except DAMAGE:  # the page is named in a warning
            failure = "unreadable"
        form: list[str] = []
        form_broken = False
        groups_before = set(groups)
        try:
            form = form_lines(self.reader.pages[number - 1], groups)
        except DAMAGE:  # named in a warning, too
            form_broken = True
        return PageReading(
            # The pieces of a line are many times its size and of use on its page only.
            lines=tuple(replace(line, pieces=()) for line in lines.lines),
            form=tuple(form),
            groups=tuple(sorted(groups - groups_before)),
            characters=len(lines.raw_text),
            controls=control_count(lines.raw_text),
            columns=lines.columns,
            failure=failure,
            form_broken=form_broken,
        )


def _unlock(reader: pypdf.PdfReader, file_name: str, password: str) -> None:
    if not reader.is_encrypted:
        return
    try:
        # Many files are encrypted only to forbid printing: they open with the empty password.
        opened = (password and reader.decrypt(password)) or reader.decrypt("")
    except (NotImplementedError, DependencyError) as error:
        raise UnsupportedFile(
            f"{file_name} is encrypted in a way that is not supported (a certificate, for example). "
            "Save an unprotected copy."
        ) from error
    if not opened:
        what = "does not open with the password given" if password else "is protected by a password"
        raise PasswordProtected(f"{file_name} {what}. Give its password, or save an unprotected copy.")
