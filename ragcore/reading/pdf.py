"""PDF files: physical pages from 1, with what was noticed about each.

A damaged page costs that page, not the file; a damaged file costs that file, with one sentence.
Pages are read one by one (``pdf_pages``); what needs the whole document is done here, over their
lines.
"""

from __future__ import annotations

import logging
from typing import Any

import pypdf

from ragcore.errors import BrokenFile, EmptyFile, FileTooLarge, NoTextLayer
from ragcore.records import Page, SourceDocument

from .blocks import choose_title
from .cleaning import clean_characters, has_text
from .furniture import strip_furniture
from .limits import Deadline, ReadingLimits
from .page_log import PageLog, PageReading
from .pdf_health import named_pages, page_faults
from .pdf_notes import blank_notes, cut_off_notes, cut_off_pages, failed, other_notes
from .pdf_outline import Match, match_bookmarks, read_bookmarks
from .pdf_pages import DAMAGE, PdfPages
from .pdf_text import page_texts
from .sniffing import MEDIA_TYPES


def read_pdf(
    data: bytes, file_name: str, password: str, limits: ReadingLimits, log: PageLog | None = None
) -> SourceDocument:
    """The pages of a PDF. ``log`` knows pages that were read before, and is told of each new one.

    Raises PasswordProtected, NoTextLayer, EmptyFile (no pages), BrokenFile, FileTooLarge, or
    UnsupportedFile (an encryption that cannot be opened here).
    """
    log = log or PageLog()
    # pypdf reports every oddity of a file to the log; what a user needs to know is in the warnings.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with pypdf.apply_configuration(stream_parsing_work_maximum_count=limits.max_page_operations):
        deadline = Deadline(file_name, limits.max_seconds)
        pdf = PdfPages(data, file_name, password)
        if pdf.count == 0:
            raise EmptyFile(f"{file_name} has no pages.")
        if pdf.count > limits.max_pages:
            raise FileTooLarge(
                f"{file_name} has {pdf.count} pages, more than the {limits.max_pages} that are read. Split it."
            )
        log.opened(pdf.count)
        readings: list[PageReading] = []
        characters = 0
        for number, reading in pdf.read(log.known):
            deadline.check(number - 1, pdf.count)
            readings.append(reading)
            characters += reading.characters
            if characters > limits.max_characters:
                raise FileTooLarge(
                    f"{file_name} holds more than {limits.max_characters:,} characters. Split it."
                )
            if number not in log.known:
                log.page_read(number, reading)
        if len(failed(readings, "unreadable")) == pdf.count:
            raise BrokenFile(f"No page of {file_name} can be read; the file is damaged. Export it again.")
        return _document(pdf.reader, data, file_name, readings, log.recognised, limits)


def _document(
    reader: Any,
    data: bytes,
    file_name: str,
    readings: list[PageReading],
    recognised: frozenset[int],
    limits: ReadingLimits,
) -> SourceDocument:
    warnings: list[str] = []
    kept, furniture = strip_furniture([reading.lines for reading in readings])
    matches = _matches(reader, kept, warnings)
    texts = page_texts(kept, matches, [reading.form for reading in readings])
    labels = _labels(reader, len(texts), warnings)
    pages = tuple(
        Page(number, text, label if label != str(number) else None, headings)
        for number, ((text, headings), label) in enumerate(zip(texts, labels, strict=True), start=1)
    )
    empty = tuple(page.number for page in pages if not has_text(page.text))
    cut_off = cut_off_pages(readings, limits)
    if len(empty) == len(pages) and cut_off:
        reasons = "; ".join(f"{named_pages(numbers)} {reason}" for numbers, reason in cut_off)
        raise FileTooLarge(f"{file_name} has no text that can be read; {reasons}. Export it anew.")
    if len(empty) == len(pages) and recognised:
        raise NoTextLayer(f"{file_name} has no text layer, and OCR found no text on its pages.")
    if len(empty) == len(pages):
        count = "its page is a picture" if len(pages) == 1 else f"its {len(pages)} pages are pictures"
        raise NoTextLayer(
            f"{file_name} has no text layer ({count} or empty); it needs OCR. "
            "The program ocrmypdf adds a text layer."
        )
    blank = [number for number in empty if not readings[number - 1].failure]
    warnings += [
        *blank_notes(blank, recognised),
        *cut_off_notes(cut_off),
        *other_notes(readings, furniture, data),
    ]
    faults, suspect = page_faults([(page.number, page.text) for page in pages])
    warnings += faults
    title = choose_title(pages, file_name, _metadata_title(reader))
    return SourceDocument(
        file_name,
        MEDIA_TYPES["pdf"],
        title,
        pages,
        paged=True,
        warnings=tuple(warnings),
        empty_pages=empty,
        suspect_pages=suspect,
    )


def _matches(reader: Any, pages: list[list[Any]], warnings: list[str]) -> list[Match]:
    try:
        return match_bookmarks(read_bookmarks(reader), pages)
    except DAMAGE:
        warnings.append("The bookmarks are damaged and were not used.")
        return []


def _labels(reader: Any, page_count: int, warnings: list[str]) -> list[str]:
    plain = [str(number) for number in range(1, page_count + 1)]
    try:
        labels = [" ".join(clean_characters(str(label)).split()) for label in reader.page_labels]
    except DAMAGE:
        warnings.append("The printed page numbers are damaged and were not used.")
        return plain
    if len(labels) != page_count:
        return plain
    return [label or number for label, number in zip(labels, plain, strict=True)]


def _metadata_title(reader: Any) -> str:
    try:
        metadata = reader.metadata
        return str(metadata.title or "") if metadata else ""
    except DAMAGE:  # the text gives a title as well
        return ""
