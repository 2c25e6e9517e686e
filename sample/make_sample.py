"""Makes the sample documents: an invented observatory's guide (PDF) and winter programme (Word).

    python sample/make_sample.py [FOLDER]

The wording stands in source/*.md: ``#`` the title, ``##`` a section (a page of its own in the
PDF), ``###`` a subheading, paragraphs and tables. Dates inside the files are fixed, so that the
same packages make the same bytes. The third document, loan-telescopes.md, is written by hand.
"""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import docx
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.shared import Pt
from fpdf import FPDF
from fpdf.enums import PageLabelStyle
from fpdf.fonts import FontFace
from markdown_it import MarkdownIt

SOURCE = Path(__file__).parent / "source"
DOCUMENTS = Path(__file__).parent / "documents"
MADE_AT = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
SUBTITLE = "Visitor and Telescope Guide, season 2026/27"

INK = (27, 42, 47)
TEAL = (15, 92, 110)
SAND = (241, 238, 230)
GREY = (104, 112, 115)


@dataclass(frozen=True, slots=True)
class Block:
    """``title``, ``section``, ``subheading`` or ``paragraph`` with text, or ``table`` with rows."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


KINDS = {"h1": "title", "h2": "section", "h3": "subheading", "p": "paragraph"}


def blocks_of(markdown: str) -> list[Block]:
    """The blocks of a source file in their order; a table's first row is its header."""
    blocks: list[Block] = []
    rows: list[list[str]] | None = None
    kind = "paragraph"
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "table_open":
            rows = []
        elif token.type == "table_close" and rows is not None:
            blocks.append(Block("table", rows=tuple(map(tuple, rows))))
            rows = None
        elif token.type == "tr_open" and rows is not None:
            rows.append([])
        elif token.type in ("heading_open", "paragraph_open"):
            kind = KINDS[token.tag]
        elif token.type == "inline" and rows is not None:
            rows[-1].append(token.content)
        elif token.type == "inline":
            blocks.append(Block(kind, text=token.content.replace("\n", " ")))
    return blocks


class Guide(FPDF):
    """The guide's page: headings that enter the outline, and the printed page number below."""

    def __init__(self, title: str) -> None:
        super().__init__(format="A4")
        self.core_fonts_encoding = "windows-1252"
        self.set_margins(24, 26, 24)
        self.set_auto_page_break(True, margin=24)
        self.set_creation_date(MADE_AT)
        self.set_title(f"{title}: {SUBTITLE}")
        self.set_author(title)
        self.set_lang("en-GB")
        self.set_text_color(*INK)

    def footer(self) -> None:
        self.set_y(-17)
        self.set_font("Helvetica", size=9)
        self.set_text_color(*GREY)
        self.cell(0, 5, self.get_page_label(), align="C")
        self.set_text_color(*INK)

    def line_of_text(self, text: str, height: float, style: str, size: float) -> None:
        self.set_font("Helvetica", style, size)
        self.cell(0, height, text, new_x="LMARGIN", new_y="NEXT")

    def section(self, title: str) -> None:
        self.set_text_color(*TEAL)
        self.start_section(title)
        self.line_of_text(title, 11, "B", 21)
        self.set_draw_color(*TEAL)
        self.set_line_width(0.5)
        self.line(self.l_margin, self.get_y() + 1, self.w - self.r_margin, self.get_y() + 1)
        self.set_text_color(*INK)
        self.ln(6)

    def subheading(self, title: str) -> None:
        self.ln(1.5)
        self.start_section(title, level=1)
        self.line_of_text(title, 8, "B", 13.5)
        self.ln(0.5)

    def paragraph(self, text: str) -> None:
        self.set_font("Helvetica", size=12)
        self.multi_cell(0, 6.5, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(2.5)

    def grid(self, rows: tuple[tuple[str, ...], ...]) -> None:
        widths = tuple(max(len(row[column]) for row in rows) + 4 for column in range(len(rows[0])))
        self.set_font("Helvetica", size=10.5)
        self.set_draw_color(*GREY)
        self.set_line_width(0.2)
        self.ln(1)
        with self.table(
            rows,
            col_widths=widths,
            text_align="LEFT",
            line_height=5.5,
            padding=(1.6, 1.2),
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", color=INK, fill_color=SAND),
        ):
            pass
        self.ln(3)

    def cover(self, title: str, sections: list[str]) -> list[int]:
        """The first sheet; returns the link of each section, to be set once its page is there."""
        self.add_page(label_style=PageLabelStyle.LOWER_ROMAN, label_start=1)
        self.set_fill_color(*TEAL)
        self.rect(0, 0, self.w, 92, style="F")
        self.set_fill_color(255, 255, 255)
        self.set_y(38)
        self.set_text_color(255, 255, 255)
        self.line_of_text(title, 14, "B", 30)
        self.line_of_text(SUBTITLE, 9, "", 15)
        self.set_text_color(*INK)
        self.set_y(108)
        self.line_of_text("Contents", 11, "B", 14)
        self.set_font("Helvetica", size=12)
        links = [self.add_link() for _ in sections]
        for number, (name, link) in enumerate(zip(sections, links, strict=True), start=1):
            self.cell(150, 9, name, link=link)
            self.cell(0, 9, str(number), align="R", link=link, new_x="LMARGIN", new_y="NEXT")
        self.ln(10)
        return links


def make_guide(path: Path) -> None:
    """Eight sheets: a cover with the contents, labelled i, then one page a section, 1 to 7."""
    title, *blocks = blocks_of((SOURCE / "guide.md").read_text(encoding="utf-8"))
    sections = [block.text for block in blocks if block.kind == "section"]
    pdf = Guide(title.text)
    links = iter(pdf.cover(title.text, sections))
    for block in blocks:
        if block.kind == "section":
            if block.text == sections[0]:
                pdf.add_page(label_style=PageLabelStyle.NUMBER, label_start=1)
            else:
                pdf.add_page()
            pdf.set_link(next(links), page=pdf.page)
            pdf.section(block.text)
        elif block.kind == "subheading":
            pdf.subheading(block.text)
        elif block.kind == "table":
            pdf.grid(block.rows)
        else:
            pdf.paragraph(block.text)
    if pdf.page != len(sections) + 1:
        raise SystemExit(f"The guide has {pdf.page} pages: a section no longer fits on its page.")
    pdf.output(str(path))


def make_programme(path: Path) -> None:
    """A Word file with styled headings and one table."""
    title, *blocks = blocks_of((SOURCE / "programme.md").read_text(encoding="utf-8"))
    document = docx.Document()
    properties = document.core_properties
    properties.title = title.text
    properties.author = properties.last_modified_by = "Blackmoss Hill Observatory"
    properties.comments = ""
    properties.created = properties.modified = MADE_AT.replace(tzinfo=None)
    document.styles["Normal"].font.size = Pt(11)
    document.add_heading(title.text, level=0)
    for block in blocks:
        if block.kind == "section":
            document.add_heading(block.text, level=1)
        elif block.kind == "paragraph":
            document.add_paragraph(block.text)
        else:
            table = document.add_table(rows=0, cols=len(block.rows[0]), style="Light Grid Accent 1")
            table.alignment = WD_TABLE_ALIGNMENT.CENTER
            for row in block.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
    made = io.BytesIO()
    document.save(made)
    path.write_bytes(with_fixed_times(made.getvalue()))


def with_fixed_times(archive: bytes) -> bytes:
    """The same zip with every member dated MADE_AT: python-docx writes the current time."""
    rewritten = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(rewritten, "w") as target:
        for name in source.namelist():
            member = zipfile.ZipInfo(name, date_time=MADE_AT.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            target.writestr(member, source.read(name))
    return rewritten.getvalue()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    make_guide(folder / "observatory-guide.pdf")
    make_programme(folder / "winter-programme.docx")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS)
