"""Rows of cells -> lines that stand on their own.

A row that is cut from its table has to say what its values mean, so where the first row holds
the column names each line reads ``Part: ZX-9; Limit: 40 kg``. Otherwise it is ``a | b``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER_CHARACTERS = 60
_VALUE = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
# Years and the like name columns although they are figures: 2024, Q1 2024, 2023/24.
_PERIOD = re.compile(r"(?:Q[1-4]\s*)?(?:(?:19|20)\d\d(?:[/-]\d{2,4})?)?|Q[1-4]", re.IGNORECASE)


def row_lines(
    rows: Sequence[Sequence[str]], *, marked_header: bool = False, likely_header: bool = False
) -> list[str]:
    """One line a row, rows without text left out.

    ``rows`` are the cells by grid column; a cell that continues another one is empty.
    ``marked_header``: the author marked the first row as the header. ``likely_header``: the kind
    of file usually has one (CSV), so that doubtful cases count as one.
    """
    filled = [[" ".join(cell.split()) for cell in row] for row in rows]
    filled = [row for row in filled if any(row)]
    if not filled:
        return []
    header = filled[0]
    if len(filled) > 2 and len(header) > 1 and sum(map(bool, header)) == 1:
        # One cell over the whole width is the table's title.
        title = next(cell for cell in header if cell)
        return [title, *row_lines(filled[1:], likely_header=likely_header)]
    if len(filled) == 1 or not (marked_header or looks_like_header(filled, likely=likely_header)):
        return [" | ".join(cell for cell in row if cell) for row in filled]
    lines = []
    used: set[int] = set()
    for row in filled[1:]:
        parts = []
        for column, cell in enumerate(row):
            if not cell:
                continue
            name = header[column].rstrip(":") if column < len(header) else ""
            used.add(column)
            parts.append(f"{name}: {cell}" if name else cell)
        lines.append("; ".join(parts))
    if any(name and column not in used for column, name in enumerate(header)):
        # A column without a single value would take its name out of the text.
        lines.insert(0, " | ".join(name for name in header if name))
    return lines


def looks_like_header(rows: Sequence[Sequence[str]], *, likely: bool = False) -> bool:
    """Whether the first of several rows holds column names.

    Column names are short, all there, all different, and no figures like those below them. With
    three or more columns that is enough. Two columns may as well be a list of "name | value", so
    there the values below must tell: some column has digits in every row but the first.
    """
    header, body = rows[0], rows[1:]
    width = max(len(row) for row in rows)
    if width < 2 or len(header) < width or not all(header):
        return False
    if len({name.casefold() for name in header}) < len(header):
        return False
    if any(len(name) > _HEADER_CHARACTERS or name.endswith((".", "!")) for name in header):
        return False
    if any(name.endswith(":") for name in header):
        return False
    figures = [
        bool(values) and all(_VALUE.search(value) for value in values)
        for values in (
            [row[column] for row in body if column < len(row) and row[column]] for column in range(width)
        )
    ]
    for name, below_are_figures in zip(header, figures, strict=True):
        if (
            _VALUE.search(name)
            and not _PERIOD.fullmatch(name)
            and (below_are_figures or not _LETTER.search(name))
        ):
            return False
    if width >= 3 or likely:
        return True
    return any(
        below_are_figures and not _VALUE.search(name)
        for name, below_are_figures in zip(header, figures, strict=True)
    )
