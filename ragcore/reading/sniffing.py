"""What a file is, by its content first; its name only tells kinds of text apart."""

from __future__ import annotations

import codecs
from typing import Literal

from ragcore.errors import BrokenFile, EmptyFile, PasswordProtected, UnsupportedFile

Kind = Literal["pdf", "docx", "markdown", "text", "html", "csv"]

ACCEPTED: dict[str, str] = {
    ".pdf": "PDF",
    ".docx": "Word",
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".txt": "plain text",
    ".html": "web page",
    ".htm": "web page",
    ".csv": "CSV table",
    ".tsv": "TSV table",
}
"""The extensions that are read, lower case with the dot, and what people call them."""

MEDIA_TYPES: dict[Kind, str] = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "markdown": "text/markdown",
    "text": "text/plain",
    "html": "text/html",
    "csv": "text/csv",
}

_TEXT_KINDS: dict[str, Kind] = {
    "": "text",
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".tsv": "csv",
}
_PICTURE = "is a picture. Make a PDF of it and run OCR (ocrmypdf adds a text layer)"
_ARCHIVE = "is an archive. Unpack it and add the files in it"
_MEDIA = "is a sound or video file. Add a transcript of it as text"
_PROGRAM = "is a program, not a document"
# (offset, magic bytes, what to say)
_FOREIGN: tuple[tuple[int, bytes, str], ...] = (
    (0, b"{\\rtf", "is a rich text file (RTF). Save it as .docx or PDF"),
    (0, b"%!PS", "is a PostScript file. Convert it to PDF"),
    (0, b"\x89PNG\r\n\x1a\n", _PICTURE),
    (0, b"\xff\xd8\xff", _PICTURE),
    (0, b"GIF87a", _PICTURE),
    (0, b"GIF89a", _PICTURE),
    (0, b"II*\x00", _PICTURE),
    (0, b"MM\x00*", _PICTURE),
    (8, b"WEBP", _PICTURE),
    (4, b"ftypheic", _PICTURE),
    (4, b"ftypmif1", _PICTURE),
    (4, b"ftypavif", _PICTURE),
    (4, b"ftyp", _MEDIA),
    (0, b"\x1a\x45\xdf\xa3", _MEDIA),
    (0, b"ID3", _MEDIA),
    (0, b"OggS", _MEDIA),
    (0, b"fLaC", _MEDIA),
    (8, b"WAVE", _MEDIA),
    (8, b"AVI ", _MEDIA),
    (0, b"\x1f\x8b", _ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (0, b"Rar!\x1a\x07", _ARCHIVE),
    (0, b"\xfd7zXZ\x00", _ARCHIVE),
    (0, b"BZh", _ARCHIVE),
    (257, b"ustar", _ARCHIVE),
    (0, b"\x7fELF", _PROGRAM),
    (0, b"MZ\x90\x00", _PROGRAM),
    (0, b"SQLite format 3\x00", "is a database. Export what you need as .csv or text"),
    (0, b"\xff\x57\x50\x43", "is a WordPerfect file. Save it as .docx or PDF"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body")


def extension_of(file_name: str) -> str:
    """The extension, lower case with the dot; empty where there is none (``README``, ``.profile``)."""
    stem, dot, extension = file_name.rpartition(".")
    return f".{extension.lower()}" if dot and stem and extension and " " not in extension else ""


def sniff(data: bytes, file_name: str) -> Kind:
    """The kind of a file that can be read.

    Raises EmptyFile, UnsupportedFile, PasswordProtected (Word's own encryption) or BrokenFile
    (not what its name says), each with what to do about it. A zip container is reported as
    ``docx``; ``archive.check_docx`` tells whether it is one.
    """
    if not data:
        raise EmptyFile(f"{file_name} is empty (0 bytes).")
    head = data[:1024]
    if b"%PDF-" in head:
        return "pdf"
    if data.startswith(_ZIP):
        return "docx"
    if data.startswith(_OLE):
        raise _old_office(data, file_name)
    for offset, magic, advice in _FOREIGN:
        if head.startswith(magic, offset):
            raise UnsupportedFile(f"{file_name} {advice}.")
    extension = extension_of(file_name)
    is_html = _plain_start(head).startswith(_HTML_STARTS)
    if extension in (".pdf", ".docx"):
        if not data.strip(b"\x00 \t\r\n"):
            raise EmptyFile(f"{file_name} is empty: there is nothing but blanks in it.")
        what = "is a web page" if is_html else "is damaged or something else"
        raise BrokenFile(
            f"{file_name} {what}, not {'a PDF' if extension == '.pdf' else 'a Word document'}. "
            "Download or export it again."
        )
    if extension not in _TEXT_KINDS:
        accepted = ", ".join(dict.fromkeys(ACCEPTED))
        raise UnsupportedFile(f"{file_name}: {extension} files are not read. Use one of {accepted}.")
    if is_html and extension in ("", ".txt"):
        return "html"
    return _TEXT_KINDS[extension]


def _plain_start(head: bytes) -> bytes:
    """The beginning of a text file in lower case, without mark, blanks and an XML declaration."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head[2:].replace(b"\x00", b"")
    start = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if start.startswith(b"<?xml") and b"?>" in start:
        start = start.split(b"?>", 1)[1].lstrip()
    while start.startswith(b"<!--") and b"-->" in start:
        start = start.split(b"-->", 1)[1].lstrip()
    return start


def _old_office(data: bytes, file_name: str) -> Exception:
    def holds(stream_name: str) -> bool:
        return stream_name.encode("utf-16-le") in data

    if holds("EncryptedPackage"):
        return PasswordProtected(
            f"{file_name} is protected by a password. Open it in Word and save it without one."
        )
    if holds("WordDocument"):
        return UnsupportedFile(f"{file_name} is in the old Word format (.doc). Save it as .docx or PDF.")
    if holds("PowerPoint Document"):
        return UnsupportedFile(f"{file_name} is an old PowerPoint presentation. Export it as PDF.")
    if holds("Workbook"):
        return UnsupportedFile(f"{file_name} is an old Excel workbook. Save the sheets as .csv.")
    return UnsupportedFile(f"{file_name} is in an old Office format. Save it as .docx or PDF.")
