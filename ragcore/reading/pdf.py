"""PDF files by pypdf: physical pages from 1, with what was noticed about each.

A damaged page costs that page, not the file; a damaged file costs that file, with one sentence.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

import pypdf
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from ragcore.errors import (
    BrokenFile,
    EmptyFile,
    FileTooLarge,
    NoTextLayer,
    PasswordProtected,
    UnsupportedFile,
)
from ragcore.records import Page, SourceDocument

from .blocks import choose_title
from .cleaning import control_count, has_text
from .furniture import strip_furniture
from .limits import Deadline, ReadingLimits
from .pdf_forms import form_lines
from .pdf_health import health_warnings, named_pages
from .pdf_lines import PageLines, read_lines
from .pdf_outline import Match, match_bookmarks, read_bookmarks
from .pdf_text import page_texts
from .sniffing import MEDIA_TYPES

_TEXT_OPERATORS = re.compile(rb"T[jJ]|Do|['\"]")
_MAX_NAMED_LINES = 5
# pypdf follows whatever a damaged file says, so damage shows as nearly any error.
_DAMAGE = (
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


@dataclass(slots=True)
class _Extraction:
    """What was read page by page; lists have one entry a page."""

    lines: list[PageLines] = field(default_factory=list)
    forms: list[list[str]] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    too_complex: list[int] = field(default_factory=list)
    broken_forms: list[int] = field(default_factory=list)


def read_pdf(data: bytes, file_name: str, password: str, limits: ReadingLimits) -> SourceDocument:
    """The pages of a PDF.

    Raises PasswordProtected, NoTextLayer, EmptyFile (no pages), BrokenFile, FileTooLarge, or
    UnsupportedFile (an encryption that cannot be opened here).
    """
    # pypdf reports every oddity of a file to the log; what a user needs to know is in the warnings.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with pypdf.apply_configuration(stream_parsing_work_maximum_count=limits.max_page_operations):
        try:
            reader = pypdf.PdfReader(io.BytesIO(data))
            _open(reader, file_name, password)
            page_count = len(reader.pages)
        except _DAMAGE as error:
            raise BrokenFile(
                f"{file_name} is damaged or cut off and cannot be opened as a PDF. Download or export it again."
            ) from error
        if page_count == 0:
            raise EmptyFile(f"{file_name} has no pages.")
        if page_count > limits.max_pages:
            raise FileTooLarge(
                f"{file_name} has {page_count} pages, more than the {limits.max_pages} that are read. Split it."
            )
        extraction = _extract(reader, file_name, page_count, limits)
        if len(extraction.unreadable) == page_count:
            raise BrokenFile(f"No page of {file_name} can be read; the file is damaged. Export it again.")
        return _document(reader, data, file_name, extraction)


def _open(reader: Any, file_name: str, password: str) -> None:
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


def _extract(reader: Any, file_name: str, page_count: int, limits: ReadingLimits) -> _Extraction:
    result = _Extraction()
    deadline = Deadline(file_name, limits.max_seconds)
    groups: set[str] = set()
    characters = 0
    for index in range(page_count):
        deadline.check(index, page_count)
        lines = PageLines((), "")
        try:
            page = reader.pages[index]
            contents = page.get_contents()
            # Drawings without any text operator are not worth parsing.
            if contents is not None and _TEXT_OPERATORS.search(contents.get_data()):
                lines = read_lines(page)
        except LimitReachedError:
            result.too_complex.append(index + 1)
        except _DAMAGE:  # the page is named in a warning
            result.unreadable.append(index + 1)
        result.lines.append(lines)
        try:
            result.forms.append(form_lines(reader.pages[index], groups))
        except _DAMAGE:
            result.forms.append([])
            result.broken_forms.append(index + 1)
        characters += len(lines.raw_text)
        if characters > limits.max_characters:
            raise FileTooLarge(f"{file_name} holds more than {limits.max_characters:,} characters. Split it.")
    return result


def _document(reader: Any, data: bytes, file_name: str, extraction: _Extraction) -> SourceDocument:
    warnings: list[str] = []
    kept, furniture = strip_furniture([page.lines for page in extraction.lines])
    matches = _matches(reader, kept, warnings)
    texts = page_texts(kept, matches, extraction.forms)
    labels = _labels(reader, len(texts), warnings)
    pages = tuple(
        Page(number, text, label if label != str(number) else None, headings)
        for number, ((text, headings), label) in enumerate(zip(texts, labels, strict=True), start=1)
    )
    empty = tuple(page.number for page in pages if not has_text(page.text))
    if len(empty) == len(pages) and extraction.too_complex:
        raise FileTooLarge(
            f"{file_name} has no text that can be read; {named_pages(extraction.too_complex)} "
            f"{'is' if len(extraction.too_complex) == 1 else 'are'} too complex a drawing. Export it anew."
        )
    if len(empty) == len(pages):
        count = "its page is a picture" if len(pages) == 1 else f"its {len(pages)} pages are pictures"
        raise NoTextLayer(
            f"{file_name} has no text layer ({count} or empty); it needs OCR. "
            "The program ocrmypdf adds a text layer."
        )
    warnings += _notes(extraction, empty, furniture, data)
    warnings += health_warnings([(page.number, page.text) for page in pages])
    title = choose_title(pages, file_name, _metadata_title(reader))
    return SourceDocument(
        file_name, MEDIA_TYPES["pdf"], title, pages, paged=True, warnings=tuple(warnings), empty_pages=empty
    )


def _notes(extraction: _Extraction, empty: tuple[int, ...], furniture: list[str], data: bytes) -> list[str]:
    notes = []
    blank = [n for n in empty if n not in extraction.unreadable and n not in extraction.too_complex]
    if blank:
        verb, pronoun = ("has", "it needs") if len(blank) == 1 else ("have", "they need")
        notes.append(
            f"{named_pages(blank).capitalize()} {verb} no text layer; {pronoun} OCR (ocrmypdf adds one)."
        )
    if extraction.unreadable:
        notes.append(f"{named_pages(extraction.unreadable).capitalize()} could not be read (damaged).")
    if extraction.too_complex:
        notes.append(
            f"{named_pages(extraction.too_complex).capitalize()} could not be read (too complex a drawing)."
        )
    if extraction.broken_forms:
        notes.append(f"Form fields on {named_pages(extraction.broken_forms)} could not be read (damaged).")
    if b"%%EOF" not in data[-2048:]:
        notes.append("The file does not end as a PDF should; pages may be missing.")
    controls = sum(control_count(page.raw_text) for page in extraction.lines)
    if controls:
        notes.append(f"{controls} control characters were removed from the text.")
    columns = [number for number, page in enumerate(extraction.lines, start=1) if page.columns]
    if columns:
        notes.append(f"On {named_pages(columns)} two columns were taken apart; the reading order is a guess.")
    if furniture:
        named = "; ".join(f"“{line}”" for line in furniture[:_MAX_NAMED_LINES])
        notes.append(f"Running headers and footers were left out after their first occurrence: {named}.")
    return notes


def _matches(reader: Any, pages: list[list[Any]], warnings: list[str]) -> list[Match]:
    try:
        return match_bookmarks(read_bookmarks(reader), pages)
    except _DAMAGE:
        warnings.append("The bookmarks are damaged and were not used.")
        return []


def _labels(reader: Any, page_count: int, warnings: list[str]) -> list[str]:
    plain = [str(number) for number in range(1, page_count + 1)]
    try:
        labels = [" ".join(str(label).split()) for label in reader.page_labels]
    except _DAMAGE:
        warnings.append("The printed page numbers are damaged and were not used.")
        return plain
    if len(labels) != page_count:
        return plain
    return [label or number for label, number in zip(labels, plain, strict=True)]


def _metadata_title(reader: Any) -> str:
    try:
        metadata = reader.metadata
        return str(metadata.title or "") if metadata else ""
    except _DAMAGE:  # the text gives a title as well
        return ""
