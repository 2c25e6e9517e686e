"""One PDF page -> its lines in reading order, with place, size and weight of their type.

pypdf decides what a line is; this module only uses the positions that pypdf reports with each
piece of text. Widths are not reported, so where a piece ends is an estimate. What it does with
that: text turned sideways goes behind the upright text instead of between its lines; a page that
was drawn from the bottom up is turned round; two columns that were drawn row by row are read
column by column. Columns whose rows pypdf reports as one piece stay read across: nothing tells
them from a wide line.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .cleaning import clean_characters

# An average glyph is about half as wide as the type is high.
_GLYPH_WIDTH = 0.5
_CELL_GAP = 3.0  # in type sizes
_MIN_COLUMN_ROWS = 4
_COLUMN_TOLERANCE = 4.0  # points
_BOLD = re.compile(r"bold|black|heavy|semibd|demi", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text with the place where it starts: ``along`` and ``up`` of its own direction."""

    text: str
    along: float
    up: float
    size: float
    bold: bool
    angle: int

    @property
    def end(self) -> float:
        return self.along + _GLYPH_WIDTH * self.size * len(self.text.strip())


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page. Without a position (``size`` 0) it came without any geometry."""

    text: str
    along: float = 0.0
    up: float = 0.0
    size: float = 0.0
    bold: bool = False
    angle: int = 0
    tabular: bool = False
    aside: bool = False
    """Turned against the page's main direction: margin notes, watermarks."""
    running: bool = False
    """The one occurrence that was kept of a running header or footer: never a heading."""
    pieces: tuple[Piece, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class PageLines:
    lines: tuple[PdfLine, ...]
    raw_text: str
    columns: bool = False
    """True: two columns were taken apart."""


def read_lines(page: Any) -> PageLines:
    """The lines of a ``pypdf.PageObject``; raises what pypdf raises on damaged pages."""
    pieces: list[Piece] = []

    def visit(text: str, cm: Any, tm: Any, font: Any, size: Any) -> None:
        if text:
            pieces.append(_piece(text, cm, tm, font, float(size or 0.0)))

    raw_text = page.extract_text(visitor_text=visit)
    if "".join(piece.text for piece in pieces) != raw_text:
        # Right-to-left runs may be reported in another order than they are put out.
        lines = tuple(PdfLine(text) for text in map(_clean_line, raw_text.split("\n")) if text)
        return PageLines(lines, raw_text)
    lines = _lines(pieces)
    if not lines:
        return PageLines((), raw_text)
    weights: Counter[int] = Counter()
    for line in lines:
        weights[line.angle] += len(line.text)
    main_angle = weights.most_common(1)[0][0]
    main = [line for line in lines if line.angle == main_angle]
    aside = [replace(line, aside=True) for line in lines if line.angle != main_angle]
    split = _column_order(main)
    ordered = split if split is not None else _top_down(main)
    return PageLines((*ordered, *aside), raw_text, columns=split is not None)


def _piece(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> Piece:
    a = tm[0] * cm[0] + tm[1] * cm[2]
    b = tm[0] * cm[1] + tm[1] * cm[3]
    c = tm[2] * cm[0] + tm[3] * cm[2]
    d = tm[2] * cm[1] + tm[3] * cm[3]
    x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
    y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
    radians = math.atan2(b, a)
    cosine, sine = math.cos(radians), math.sin(radians)
    name = str(font.get("/BaseFont", "")) if font else ""
    return Piece(
        text,
        along=x * cosine + y * sine,
        up=y * cosine - x * sine,
        size=round(2 * size * math.hypot(c, d)) / 2,
        bold=bool(_BOLD.search(name)),
        angle=round(math.degrees(radians)) % 360,
    )


def _lines(pieces: Sequence[Piece]) -> list[PdfLine]:
    lines: list[PdfLine] = []
    open_lines: dict[int, list[Piece]] = {}

    def close() -> None:
        lines.extend(line for parts in open_lines.values() if (line := _line(parts)).text)
        open_lines.clear()

    for piece in pieces:
        for position, text in enumerate(piece.text.split("\n")):
            if position:
                close()
            if text.strip():
                open_lines.setdefault(piece.angle, []).append(replace(piece, text=text))
            elif text and open_lines:
                # A blank of its own belongs to whatever line is being written.
                parts = open_lines[next(reversed(open_lines))]
                parts[-1] = replace(parts[-1], text=parts[-1].text + " ")
    close()
    return lines


def _line(parts: Sequence[Piece]) -> PdfLine:
    weights: Counter[float] = Counter()
    for piece in parts:
        weights[piece.size] += len(piece.text)
    size = weights.most_common(1)[0][0]
    return PdfLine(
        _clean_line("".join(piece.text for piece in parts)),
        along=parts[0].along,
        up=parts[0].up,
        size=size,
        bold=all(piece.bold for piece in parts if any(character.isalnum() for character in piece.text)),
        angle=parts[0].angle,
        tabular=any(
            following.along - piece.end > _CELL_GAP * max(size, 1.0)
            for piece, following in itertools.pairwise(parts)
        ),
        pieces=tuple(parts),
    )


def _clean_line(text: str) -> str:
    # A soft hyphen at the end of a line stands for a cut word; within a line it stands for nothing.
    if text.rstrip().endswith("\u00ad"):
        text = text.rstrip()[:-1] + "-"
    return " ".join(clean_characters(text).split())


def _top_down(lines: list[PdfLine]) -> list[PdfLine]:
    """``lines`` as they are, unless nearly all of them were drawn upwards."""
    moves = [after.up - before.up for before, after in itertools.pairwise(lines)]
    upward = sum(1 for move in moves if move > 1.0)
    if len(moves) < 3 or upward < 0.8 * len(moves):
        return lines
    return sorted(lines, key=lambda line: -line.up)


def _column_order(lines: list[PdfLine]) -> list[PdfLine] | None:
    """Left column, then right column, for pages whose rows were drawn across both; else None."""
    gutter = _gutter(lines)
    if gutter is None:
        return None
    ordered: list[PdfLine] = []
    right: list[PdfLine] = []
    for line in lines:
        left_parts = [piece for piece in line.pieces if piece.along < gutter - _COLUMN_TOLERANCE]
        right_parts = [piece for piece in line.pieces if piece.along >= gutter - _COLUMN_TOLERANCE]
        if left_parts and not right_parts and left_parts[-1].end > gutter + 2 * line.size:
            # A line across both columns (a title) ends what stands above it.
            ordered += [*right, line]
            right = []
            continue
        if left_parts:
            ordered.append(_line(left_parts))
        if right_parts:
            right.append(_line(right_parts))
    return [line for line in (*ordered, *right) if line.text]


def _gutter(lines: list[PdfLine]) -> float | None:
    """Where the right column starts, if this is running text in two columns and not a table."""
    starts: Counter[int] = Counter()
    for line in lines:
        cells = {
            round(following.along / _COLUMN_TOLERANCE)
            for piece, following in zip(line.pieces, line.pieces[1:], strict=False)
            if following.along - piece.end > line.size
        }
        if len(cells) == 1:
            starts.update(cells)
    if not starts:
        return None
    place, rows = starts.most_common(1)[0]
    # Rounding can tear one edge in two.
    rows = sum(starts[near] for near in (place - 1, place, place + 1))
    if rows < _MIN_COLUMN_ROWS or rows < 0.6 * len(lines):
        return None
    gutter = place * _COLUMN_TOLERANCE
    sides: tuple[list[str], list[str]] = ([], [])
    for line in lines:
        left = "".join(piece.text for piece in line.pieces if piece.along < gutter - _COLUMN_TOLERANCE)
        right = "".join(piece.text for piece in line.pieces if piece.along >= gutter - _COLUMN_TOLERANCE)
        if left.strip() and right.strip():
            sides[0].append(left.strip())
            sides[1].append(right.strip())
    return gutter if all(_is_running_text(side) for side in sides) else None


def _is_running_text(texts: list[str]) -> bool:
    """Whether lines go on from one to the next: several words each, many begun in lower case."""
    words = sum(len(text.split()) for text in texts)
    continued = sum(1 for text in texts if text[0].islower())
    return words >= 3 * len(texts) and continued >= 0.25 * len(texts)
