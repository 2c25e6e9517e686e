"""The body of a Word document -> blocks, in document order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .blocks import Block
from .docx_inline import MC, InlineReader, chosen
from .docx_numbering import BULLET, Numbering
from .docx_styles import Styles, W, is_on, value, whole
from .tables import row_lines

_DESCENDED = frozenset(f"{W}{name}" for name in ("sdtContent", "customXml", "smartTag", "ins", "moveTo"))
_CHANGES = frozenset(f"{W}{name}" for name in ("ins", "del", "moveTo", "moveFrom"))
_MAX_HEADING_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block with what only Word tells about it."""

    block: Block
    bold: bool = False
    title: bool = False
    """Set in the style "Title"."""
    guessable: bool = False
    """A plain paragraph, which may turn out to be a heading nobody marked."""


class BodyReader:
    """Walks body, cells, text boxes and notes alike; counts list numbers on the way."""

    def __init__(self, styles: Styles, numbering: Numbering, inline: InlineReader) -> None:
        self._styles = styles
        self._numbering = numbering
        self._inline = inline
        self._carried = ""
        self.has_embedded = False
        """Met parts in another format (``w:altChunk``), which are not read."""

    def read(self, container: Any) -> Iterator[Paragraph]:
        """The paragraphs, list items and table rows directly and indirectly below ``container``."""
        in_list = False
        for element in self._elements(container):
            if element.tag == f"{W}tbl":
                in_list = False
                yield from self._table(element)
                continue
            paragraph, boxes = self._paragraph(element, in_list)
            if paragraph is not None:
                in_list = not paragraph.guessable and paragraph.block.level is None
                yield paragraph
            for box in boxes:
                in_list = False
                yield from self.read(box)
        if self._carried:
            text, self._carried = self._carried, ""
            yield Paragraph(Block(text))

    def _elements(self, container: Any) -> Iterator[Any]:
        """Paragraphs and tables, through every wrapper; deleted ones left out."""
        for child in container:
            tag = child.tag
            if tag in _CHANGES:
                self._inline.has_changes = True
            if tag in (f"{W}p", f"{W}tbl"):
                yield child
            elif tag == f"{W}sdt" or tag in _DESCENDED:
                yield from self._elements(child)
            elif tag == f"{MC}AlternateContent":
                yield from self._elements(chosen(child))
            elif tag == f"{W}altChunk":
                self.has_embedded = True

    def _paragraph(self, element: Any, in_list: bool) -> tuple[Paragraph | None, list[Any]]:
        text = self._carried + self._inline.read(element)
        self._carried = ""
        boxes, bold = self._inline.boxes, self._inline.bold
        properties = element.find(f"{W}pPr")
        mark = properties.find(f"{W}rPr") if properties is not None else None
        if mark is not None and any(mark.find(tag) is not None for tag in _CHANGES):
            self._inline.has_changes = True
            if mark.find(f"{W}del") is not None or mark.find(f"{W}moveFrom") is not None:
                # Its end was deleted: the text goes on in the next paragraph.
                self._carried = text
                return None, boxes
        if properties is not None and properties.find(f"{W}pPrChange") is not None:
            self._inline.has_changes = True
        label = self._numbering.label(element)
        if not text.strip() or self._styles.is_contents_entry(element):
            return None, boxes
        level = self._styles.heading_level(element)
        title = self._styles.is_title(element)
        if len(text) > _MAX_HEADING_CHARACTERS:
            level, title = None, False
        if level is None and title:
            level = 1
        if level is not None:
            text = " ".join(text.split())
            if label and label[0] and label[0] != BULLET:
                text = f"{label[0]} {text}"
            return Paragraph(Block(text, level), bold, title), boxes
        if label and label[0]:
            indent = "  " * label[1] if label[0] == BULLET else ""
            return Paragraph(Block(f"{indent}{label[0]} {text.strip()}", tight=in_list)), boxes
        return Paragraph(Block(text), bold, guessable=True), boxes

    def _table(self, table: Any) -> Iterator[Paragraph]:
        rows = list(self._wrapped(table, "tr"))
        width = max((len(list(self._wrapped(row, "tc"))) for row in rows), default=0)
        if width == 1:
            # A frame around text rather than a table.
            for row in rows:
                for cell in self._wrapped(row, "tc"):
                    yield from self.read(cell)
            return
        grid: list[list[str]] = []
        bold_rows: list[bool] = []
        for row in rows:
            cells, bold = self._row(row, fill=not grid and is_on(row.find(f"{W}trPr"), "tblHeader"))
            grid.append(cells)
            bold_rows.append(bold)
        marked = bool(rows) and (
            is_on(rows[0].find(f"{W}trPr"), "tblHeader")
            or self._styles.marks_first_row(table)
            or (bold_rows[0] and not all(bold_rows))
        )
        lines = row_lines(grid, marked_header=marked)
        yield from (Paragraph(Block(line, tight=position > 0)) for position, line in enumerate(lines))

    def _wrapped(self, container: Any, name: str) -> Iterator[Any]:
        """Rows of a table or cells of a row, through content controls; deleted ones left out."""
        for child in container:
            if child.tag == f"{W}{name}":
                properties = child.find(f"{W}{name}Pr")
                changes = (
                    [] if properties is None else [part.tag for part in properties if part.tag in _CHANGES]
                )
                self._inline.has_changes |= bool(changes)
                if f"{W}del" not in changes:
                    yield child
            elif child.tag == f"{W}sdt" or child.tag in _DESCENDED:
                yield from self._wrapped(child, name)

    def _row(self, row: Any, *, fill: bool) -> tuple[list[str], bool]:
        """The cells by grid column, each physical cell once (``fill``: a wide one in all its
        columns), and whether all of their text is bold."""
        cells = [""] * _columns(value(row.find(f"{W}trPr"), "gridBefore"), 0)
        bold = True
        for cell in self._wrapped(row, "tc"):
            properties = cell.find(f"{W}tcPr")
            span = _columns(value(properties, "gridSpan"), 1)
            merge = properties.find(f"{W}vMerge") if properties is not None else None
            paragraphs = list(self.read(cell))
            text = " ".join(paragraph.block.text.strip() for paragraph in paragraphs)
            if merge is not None and merge.get(f"{W}val") != "restart":
                # Continues the cell above; Word keeps it empty.
                text = ""
            bold = bold and all(paragraph.bold for paragraph in paragraphs)
            cells += [text] * span if fill else [text] + [""] * (span - 1)
        return cells, bold


def _columns(text: str | None, default: int) -> int:
    """A number of grid columns; Word allows 63."""
    return min(max(whole(text, default), default), 63)
