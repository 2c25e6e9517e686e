"""The door to pdfium, which draws pages: one file at a time, opened and closed here.

pdfium is not thread-safe, not even with separate documents, so whatever uses it does so inside
``open_pdfium``. pypdf reads the text that is indexed (pdf.py); pdfium is for looking at pages.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ragcore.errors import BrokenFile, PasswordProtected, UnsupportedFile

_LOCK = threading.Lock()


@contextmanager
def open_pdfium(data: bytes, file_name: str, password: str = "") -> Iterator[Any]:
    """A ``pypdfium2.PdfDocument`` of the file, for as long as the ``with`` block lasts.

    No other thread uses pdfium meanwhile. Pages, text pages and bitmaps must be closed within
    the block, too. Raises PasswordProtected, BrokenFile, or UnsupportedFile (an encryption that
    cannot be opened here).
    """
    with _LOCK:
        document = _open(data, file_name, password)
        try:
            yield document
        finally:
            document.close()


def _open(data: bytes, file_name: str, password: str) -> Any:
    import pypdfium2
    from pypdfium2 import raw

    # As in reading: a file that is encrypted only to forbid printing opens with no password.
    attempts = [password, ""] if password else [""]
    code = None
    for attempt in attempts:
        try:
            return pypdfium2.PdfDocument(data, password=attempt)
        except pypdfium2.PdfiumError as error:
            code = error.err_code
            if code != raw.FPDF_ERR_PASSWORD:
                break
    if code == raw.FPDF_ERR_PASSWORD:
        what = "does not open with the password given" if password else "is protected by a password"
        raise PasswordProtected(f"{file_name} {what}. Give its password, or download the original.")
    if code == raw.FPDF_ERR_SECURITY:
        raise UnsupportedFile(
            f"{file_name} is encrypted in a way that is not supported. Save an unprotected copy."
        )
    raise BrokenFile(f"{file_name} is damaged or no PDF and cannot be shown. Download the original.")
