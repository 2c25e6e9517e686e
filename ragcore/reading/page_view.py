"""A page of a PDF as a picture, with a quoted sentence highlighted in it.

The highlight is found by program, on the page as it is drawn: pdfium says which characters
stand where, quote_match.py which of them are the quote. A page on which the quote is not found
is drawn without a highlight, and says so.
"""

from __future__ import annotations

import io
import math
import time
from dataclasses import dataclass
from typing import Any

from ragcore.errors import BrokenFile, FileTooLarge, InputError, NotFound

from .page_glyphs import Box, line_boxes, quoted_glyphs, read_glyphs
from .page_widgets import read_widgets
from .pdfium import open_pdfium

_MAX_PIXELS = 16_000_000
_MAX_SECONDS = 10.0
_MAX_WIDTH = 4000
# Amber is told from white with every kind of colour vision by its line; multiplied, it leaves
# black type black. On dark ground the pair is turned round and screened.
_AMBER = (255, 213, 96)
_BROWN = (138, 84, 0)
_DARK = 96  # of 255


@dataclass(frozen=True, slots=True)
class PageView:
    """One drawn page; lengths are pixels of the picture, from its upper left corner."""

    page: int
    """Physical number, from 1."""
    page_count: int
    png: bytes
    width: int
    height: int
    highlights: tuple[Box, ...] = ()
    """``(left, top, width, height)`` of each highlighted line."""
    found: bool = False
    """Whether the quote was found on the page; False when none was given."""
    partial: bool = False
    """Only a part of the quote (at least 60 %) is on the page and highlighted."""


def view_page(
    data: bytes,
    page: int,
    *,
    quote: str = "",
    password: str = "",
    width: int = 1000,
    file_name: str = "The file",
) -> PageView:
    """Page ``page`` (from 1) of a PDF, ``width`` pixels wide, with ``quote`` highlighted.

    A page of extreme proportions is drawn smaller, so that it stays under 16 million pixels.
    Raises NotFound (no such page), PasswordProtected, BrokenFile, UnsupportedFile (encryption),
    FileTooLarge (takes over 10 seconds to draw), or InputError (width not from 1 to 4000).
    """
    if not 1 <= width <= _MAX_WIDTH:
        raise InputError(f"A page is drawn 1 to {_MAX_WIDTH} pixels wide, not {width}.")
    with open_pdfium(data, file_name, password) as document:
        import pypdfium2

        try:
            document.init_forms()
            page_count = len(document)
            if not 1 <= page <= page_count:
                pages = "1 page" if page_count == 1 else f"{page_count} pages"
                raise NotFound(f"{file_name} has {pages}; there is no page {page}.")
            drawn = document[page - 1]
            try:
                pixels = _render(document, drawn, width, f"Page {page} of {file_name}")
                highlights, partial = _find(document, drawn, quote, pixels)
            finally:
                drawn.close()
        except pypdfium2.PdfiumError as error:
            raise BrokenFile(
                f"Page {page} of {file_name} is damaged and cannot be shown. Download the original."
            ) from error
    for box, quadrant in highlights:
        _highlight(pixels, box, quadrant)
    height, width = pixels.shape[:2]
    boxes = tuple(box for box, _ in highlights)
    return PageView(page, page_count, _png(pixels), width, height, boxes, bool(boxes), partial)


def _render(document: Any, page: Any, width: int, name: str) -> Any:
    """The page as a uint8 array of shape (height, width, 3), RGB, on white."""
    import pypdfium2
    from pypdfium2 import internal, raw

    across, up = page.get_size()
    if not (across > 0 and up > 0):
        raise pypdfium2.PdfiumError("page without a size")
    scale = min(width / across, math.sqrt(_MAX_PIXELS / (across * up)))
    size = max(1, round(across * scale)), min(max(1, round(up * scale)), _MAX_PIXELS)
    bitmap = pypdfium2.PdfBitmap.new_native(*size, raw.FPDFBitmap_BGR, rev_byteorder=True)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, *size)
        flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
        arguments = (bitmap, page, 0, 0, *size, 0, flags)
        deadline = time.monotonic() + _MAX_SECONDS
        pause = raw.IFSDK_PAUSE(version=1)
        internal.set_callback(pause, "NeedToPauseNow", lambda _: time.monotonic() > deadline)
        status = raw.FPDF_RenderPageBitmap_Start(*arguments, pause)
        raw.FPDF_RenderPage_Close(page)
        if status == raw.FPDF_RENDER_TOBECONTINUED:
            raise FileTooLarge(f"{name} is too complex a drawing to be shown here. Download the original.")
        if status != raw.FPDF_RENDER_DONE:
            raise pypdfium2.PdfiumError("page cannot be drawn")
        if document.formenv:
            raw.FPDF_FFLDraw(document.formenv, *arguments)
        return bitmap.to_numpy().copy()
    finally:
        bitmap.close()


def _find(document: Any, page: Any, quote: str, pixels: Any) -> tuple[list[tuple[Box, int]], bool]:
    """The boxes of the quote's lines with the way each is turned, and whether it is partial."""
    if not quote.strip():
        return [], False
    height, width = pixels.shape[:2]
    glyphs = read_glyphs(page, width, height) + read_widgets(document, page, width, height)
    found, partial = quoted_glyphs(glyphs, quote)
    boxes = line_boxes(found, width, height)
    return boxes, partial and bool(boxes)


def _highlight(pixels: Any, box: Box, quadrant: int) -> None:
    """Draws into ``pixels``: the ground in colour, and a line where the letters stand."""
    import numpy as np

    left, top, width, height = box
    area = pixels[top : top + height, left : left + width]
    dark = float(np.median(area)) < _DARK
    ground, line = (_BROWN, _AMBER) if dark else (_AMBER, _BROWN)
    colour = np.array(ground, dtype=np.uint16)
    if dark:
        area[:] = 255 - (255 - area.astype(np.uint16)) * (255 - colour) // 255
    else:
        area[:] = area.astype(np.uint16) * colour // 255
    thick = max(1, min(pixels.shape[1] // 500, min(width, height) // 6))
    edges = (area[-thick:], area[:, :thick], area[:thick], area[:, -thick:])
    edges[quadrant][:] = line


def _png(pixels: Any) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=4)
    return stream.getvalue()
