"""The characters of a drawn page with their places in pixels, and which of them are a quote."""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from .quote_match import QuoteMatch, match_quote

Box = tuple[int, int, int, int]
"""``(left, top, width, height)`` in pixels."""
Edges = tuple[float, float, float, float]
"""``(left, top, right, bottom)`` in pixels."""
_NOWHERE: Edges = (0.0, 0.0, 0.0, 0.0)

_SOFT_HYPHEN = "\u00ad"
# pdfium gives the hyphen of a word that is cut at a line end as this character.
_CUT_HYPHEN = 2
_WORD_GAP = 1.2  # heights of the type; more is the space between two columns
_LINE_GAP = 3.0
_GUTTER = 0.8
_MAX_PIECES = 1500
_MAX_GLYPHS = 100_000  # of a page; a dense one has 10,000
_MAX_LOOSE = 3.0
"""A font may state absurd heights: more than so many times the height of what is drawn."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character. ``quadrant``: quarter turns clockwise, as it is seen in the picture."""

    text: str
    tight: Edges
    """What is drawn of it."""
    loose: Edges
    """The whole height of its line; empty where the font does not say."""
    quadrant: int
    drawn: bool
    """False for white space, and for what has no place."""

    @property
    def edges(self) -> Edges:
        return self.loose if _has_size(self.loose) else self.tight


def read_glyphs(page: Any, width: int, height: int) -> list[Glyph]:
    """The characters of a ``pypdfium2.PdfPage`` that is drawn ``width`` by ``height`` pixels large.

    In the order of the file, one for every character of pdfium's own list, at most 100,000.
    """
    from pypdfium2 import raw

    edges = to_pixels(page, width, height)
    turned = page.get_rotation()
    # pypdfium2's own methods build new buffers for every character, which takes most of the time.
    sides = [ctypes.c_double() for _ in range(4)]
    whole = raw.FS_RECTF()
    glyphs = []
    textpage = page.get_textpage()
    try:
        count = min(textpage.count_chars(), _MAX_GLYPHS)
        codes = [raw.FPDFText_GetUnicode(textpage, index) for index in range(count)]
        for index, text in enumerate(_characters(codes)):
            tight = loose = _NOWHERE
            if raw.FPDFText_GetCharBox(textpage, index, *sides):
                left, right, bottom, top = (side.value for side in sides)
                tight = edges(left, bottom, right, top)
            if raw.FPDFText_GetLooseCharBox(textpage, index, whole):
                loose = edges(whole.left, whole.bottom, whole.right, whole.top)
            angle = math.degrees(raw.FPDFText_GetCharAngle(textpage, index))
            drawn = not text.isspace() and (_has_size(tight) or _has_size(loose))
            glyphs.append(Glyph(text, tight, loose, round((angle + turned) / 90) % 4, drawn))
    finally:
        textpage.close()
    return glyphs


def to_pixels(page: Any, width: int, height: int) -> Callable[[float, float, float, float], Edges]:
    """Turns left, bottom, right and top on the page, cropped and rotated as it may be, into pixels."""
    import pypdfium2

    # pdfium gives whole pixels. Three points of a very large picture give the map exactly.
    enlarged = 2**20 / max(width, height)
    size = (round(width * enlarged), round(height * enlarged))
    place = pypdfium2.PdfPosConv(page, (0, 0, *size, 0))
    along, up = page.get_size()
    (x, y), (ax, ay), (bx, by) = (place.to_bitmap(*point) for point in ((0, 0), (along, 0), (0, up)))
    ax, ay, bx, by = (ax - x) / along, (ay - y) / along, (bx - x) / up, (by - y) / up

    def edges(left: float, bottom: float, right: float, top: float) -> Edges:
        x0, x1 = x + ax * left + bx * bottom, x + ax * right + bx * top
        y0, y1 = y + ay * left + by * bottom, y + ay * right + by * top
        return (
            min(x0, x1) / enlarged,
            min(y0, y1) / enlarged,
            max(x0, x1) / enlarged,
            max(y0, y1) / enlarged,
        )

    return edges


def _has_size(edges: Edges) -> bool:
    return edges[2] > edges[0] and edges[3] > edges[1]


def _characters(codes: Sequence[int]) -> list[str]:
    """A character for each code; one that takes two codes (a surrogate pair) is followed by a filler."""
    characters = [
        _SOFT_HYPHEN if code == _CUT_HYPHEN else chr(code) if code <= 0x10FFFF else "\ufffd" for code in codes
    ]
    for index, (high, low) in enumerate(itertools.pairwise(codes)):
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            characters[index] = chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            characters[index + 1] = _SOFT_HYPHEN
    return characters


def quoted_glyphs(glyphs: Sequence[Glyph], quote: str) -> tuple[list[Glyph], bool]:
    """The glyphs of ``quote``, and whether they are only a part of it; ``[]`` when it is not there.

    Looked for in the order of the file, then column by column: a page whose rows were drawn
    across two columns has its sentences in pieces.
    """
    found = _search([glyphs], quote)
    if found is None or found[1].partial:
        other = _search(_by_columns(glyphs), quote)
        if other and (found is None or not other[1].partial or len(other[0]) > len(found[0])):
            found = other
    return (found[0], found[1].partial) if found else ([], False)


def _search(runs: Iterable[Sequence[Glyph]], quote: str) -> tuple[list[Glyph], QuoteMatch] | None:
    separator = Glyph("\n", _NOWHERE, _NOWHERE, 0, False)
    glyphs = [glyph for run in runs for glyph in (*run, separator)]
    match = match_quote("".join(glyph.text for glyph in glyphs), quote)
    return ([glyph for glyph in glyphs[match.start : match.end] if glyph.drawn], match) if match else None


def _by_columns(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Pieces of lines in reading order, by recursive X-Y cut (Nagy and Seth 1984).

    Each way that text is turned is read by itself. ``[]`` for a page in too many pieces.
    """
    pieces: dict[int, list[list[Glyph]]] = {}
    piece: list[Glyph] = []
    for glyph in glyphs:
        if not glyph.drawn:
            piece.append(glyph)
            continue
        last = next((known for known in reversed(piece) if known.drawn), None)
        if last is None or last.quadrant != glyph.quadrant or not _joins(last.edges, glyph, _WORD_GAP):
            piece = []
            pieces.setdefault(glyph.quadrant, []).append(piece)
        piece.append(glyph)
    if sum(map(len, pieces.values())) > _MAX_PIECES:
        return []
    return [piece for quadrant in sorted(pieces) for piece in _cut(pieces[quadrant])]


def _cut(pieces: list[list[Glyph]]) -> list[list[Glyph]]:
    """Pieces of one quadrant in order: a gutter is cut before any gap between lines is."""
    ordered: list[list[Glyph]] = []
    waiting = [[(_upright_outline(piece), piece) for piece in pieces]]
    while waiting:
        part = waiting.pop()
        height = median(edges[3] - edges[1] for edges, _ in part)
        axis, at = 0, _gap([edges for edges, _ in part], 0, _GUTTER * height)
        if at is None:
            axis, at = 1, _gap([edges for edges, _ in part], 1, 0.0)
        if at is None:
            ordered += [piece for _, piece in sorted(part, key=lambda known: (known[0][1], known[0][0]))]
            continue
        # The last in is the first out.
        waiting.append([known for known in part if known[0][axis] >= at])
        waiting.append([known for known in part if known[0][axis] < at])
    return ordered


def _gap(boxes: Sequence[Edges], axis: int, least: float) -> float | None:
    """Where what follows the widest gap across (0) or down (1) begins; None if none is over ``least``.

    Of gaps that are about as wide the middle one, so that even lines are halved, not peeled off.
    """
    spans = sorted((box[axis], box[axis + 2]) for box in boxes)
    gaps = []
    reached = spans[0][1]
    for start, end in spans:
        if start - reached > least:
            gaps.append((start - reached, start))
        reached = max(reached, end)
    if not gaps:
        return None
    widest = max(width for width, _ in gaps)
    wide = [start for width, start in gaps if width >= widest - 1]
    return wide[len(wide) // 2]


def _upright_outline(piece: Sequence[Glyph]) -> Edges:
    """The outline as it would be if the text were upright, a little flatter: lines may touch."""
    drawn = [glyph for glyph in piece if glyph.drawn]
    left, top, right, bottom = _union([glyph.edges for glyph in drawn])
    turned = (
        (left, top, right, bottom),
        (top, -right, bottom, -left),
        (-right, -bottom, -left, -top),
        (-bottom, left, -top, right),
    )
    left, top, right, bottom = turned[drawn[0].quadrant]
    trimmed = (bottom - top) * 0.2
    return left, top + trimmed, right, bottom - trimmed


def _union(boxes: Sequence[Edges]) -> Edges:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _joins(line: Edges, glyph: Glyph, max_gap: float) -> bool:
    """Whether ``glyph`` goes on with the line, at most ``max_gap`` heights of the type away from it."""
    along = glyph.quadrant % 2
    across = 1 - along
    box = glyph.edges
    size = min(line[across + 2] - line[across], box[across + 2] - box[across])
    overlap = min(line[across + 2], box[across + 2]) - max(line[across], box[across])
    gap = max(line[along], box[along]) - min(line[along + 2], box[along + 2])
    return overlap >= 0.5 * size and gap <= max_gap * max(size, 1)


def line_boxes(glyphs: Sequence[Glyph], width: int, height: int) -> list[tuple[Box, int]]:
    """A box and its quadrant for each line, within the picture; lines outside of it are left out."""
    lines: list[tuple[Edges, list[Glyph]]] = []
    for glyph in glyphs:
        if lines and lines[-1][1][-1].quadrant == glyph.quadrant and _joins(lines[-1][0], glyph, _LINE_GAP):
            lines[-1] = (_union([lines[-1][0], glyph.edges]), [*lines[-1][1], glyph])
        else:
            lines.append((glyph.edges, [glyph]))
    boxes = []
    for edges, members in lines:
        left, top, right, bottom = _sensible(edges, members)
        left, top = max(math.floor(left - 0.5), 0), max(math.floor(top - 0.5), 0)
        right, bottom = min(math.ceil(right + 0.5), width), min(math.ceil(bottom + 0.5), height)
        if right - left > 2 and bottom - top > 2:
            boxes.append(((left, top, right - left, bottom - top), members[0].quadrant))
    return boxes


def _sensible(edges: Edges, members: Sequence[Glyph]) -> Edges:
    drawn = _union([glyph.tight for glyph in members])
    across = 1 - members[0].quadrant % 2
    tall = edges[across + 2] - edges[across] > _MAX_LOOSE * max(drawn[across + 2] - drawn[across], 1)
    return drawn if tall else _union([edges, drawn])
