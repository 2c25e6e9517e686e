"""Bytes of one file -> a SourceDocument. Knows no database, no model and no folder."""

from __future__ import annotations

from dataclasses import replace

from ragcore.errors import FileTooLarge
from ragcore.records import SourceDocument

from .cleaning import clean_name
from .limits import DEFAULT_LIMITS, ReadingLimits, check_size
from .page_log import PageLog
from .sniffing import ACCEPTED, extension_of, sniff

_EXTENSIONS = {"pdf": {".pdf"}, "docx": {".docx"}}


def read_document(
    data: bytes, file_name: str, *, password: str = "", limits: ReadingLimits = DEFAULT_LIMITS
) -> SourceDocument:
    """Clean text by page, headings with offsets into it, and what was noticed on the way.

    The kind of file is told by its content; the extension only tells kinds of text apart.
    ``file_name`` may be a path: only its last part is shown. ``password`` opens an encrypted PDF.

    Raises one of the FileRejected errors, with a sentence for the user: UnsupportedFile,
    EmptyFile, NoTextLayer, PasswordProtected, BrokenFile, FileTooLarge.
    """
    return read_logged(data, file_name, password, limits)


def read_logged(
    data: bytes, file_name: str, password: str, limits: ReadingLimits, log: PageLog | None = None
) -> SourceDocument:
    """``read_document``, telling ``log`` of each page of a PDF."""
    name = clean_name(file_name)
    check_size(name, len(data), limits)
    kind = sniff(data, name)
    # Imported here: a reader's library is loaded when a file of its kind comes.
    if kind == "pdf":
        from .pdf import read_pdf

        document = read_pdf(data, name, password, limits, log)
    elif kind == "docx":
        from .docx import read_docx

        document = read_docx(data, name, limits)
    elif kind == "markdown":
        from .markdown import read_markdown

        document = read_markdown(data, name)
    elif kind == "html":
        from .webpage import read_html

        document = read_html(data, name)
    elif kind == "csv":
        from .delimited import read_csv

        document = read_csv(data, name)
    else:
        from .text import read_text

        document = read_text(data, name)
    if document.character_count > limits.max_characters:
        raise FileTooLarge(f"{name} holds more than {limits.max_characters:,} characters. Split it.")
    extension = extension_of(name)
    if kind in _EXTENSIONS and extension not in _EXTENSIONS[kind]:
        note = f"{name} is a {ACCEPTED[next(iter(_EXTENSIONS[kind]))]} file and was read as one."
        document = replace(document, warnings=(note, *document.warnings))
    return document
