"""Rows of tables in text: told from prose, and read out, for a row alone is not a table any more."""

from __future__ import annotations

import regex


def is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def is_rule(line: str) -> bool:
    """Whether it is the line between a table's head and its rows."""
    return bool(regex.fullmatch(r"[\s|:-]*--[\s|:-]*", line))


def head_above(text: str, start: int, header: str = "") -> str:
    """The head of the table that the row at ``start`` belongs to; empty for a head, and where none is known.

    ``header``: what a chunk that goes on with a table has above its text, the head of the table among it.
    """
    before = [line for line in text[:start].split("\n") if line.strip()]
    rows: list[str] = []
    while before and is_row(before[-1]):
        rows.append(before.pop())
    if len(rows) > 1 and is_rule(rows[-2]):
        return rows[-1]
    if is_head(text, start):
        return ""
    return next((line for line in header.split("\n") if is_row(line)), "")


def is_head(text: str, start: int) -> bool:
    """Whether the row at ``start`` is the head of its table."""
    after = text[start:].split("\n")[1:2]
    return is_row(text[start:]) and bool(after) and is_rule(after[0])


def read_out(row: str, head: str = "") -> str:
    """A row on one line, each cell behind the head of its column: ``Surgery: Ambry; Open: 8:00-19:00``.

    Without a head that fits, the cells alone.
    """
    row_cells, heads = cells(row), cells(head)
    if len(row_cells) != len(heads):
        return "; ".join(filter(None, row_cells))
    return "; ".join(
        f"{name}: {cell}" if name else cell for name, cell in zip(heads, row_cells, strict=True) if cell
    )


def on_one_line(text: str, head: str = "") -> str:
    """A sentence on one line; a row of a table read out, under its head where that is known."""
    return read_out(text, head) if is_row(text) else " ".join(text.split())


def cells(row: str) -> list[str]:
    """The texts of a row's cells, each on one line."""
    return [" ".join(cell.split()) for cell in row.strip().strip("|").split("|")]
