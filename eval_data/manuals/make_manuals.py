"""Makes the ten PDF manuals of this question set from their wording in source/.

    python eval_data/manuals/make_manuals.py [FOLDER]

A source file is Markdown: ``#`` the device, then the line with the document code, ``##`` a
chapter, quotes are warnings, ``---`` a new page. ``<!-- white: ... -->`` is printed white on
white and ``<!-- small: ... -->`` in two-point grey: text that a reader does not see and a program
does. Three manuals carry such planted instructions, open or hidden; questions.jsonl says which.
Dates inside the files are fixed, so that the same packages make the same bytes.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.fonts import FontFace
from markdown_it import MarkdownIt

HERE = Path(__file__).parent
MADE_AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
COLOURS = ((24, 78, 97), (122, 58, 38), (140, 98, 20), (52, 73, 94), (74, 98, 52))
INK = (33, 37, 41)
GREY = (110, 116, 120)
PALE = (240, 241, 238)
AMBER = (255, 244, 214)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a source file: its kind, its text, and the rows of a table."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def blocks_of(markdown: str) -> list[Block]:
    """The blocks in their order; a table's first row is its header, list items keep their number."""
    blocks: list[Block] = []
    rows: list[list[str]] | None = None
    kind = "paragraph"
    quoted = False
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "table_open":
            rows = []
        elif token.type == "table_close" and rows is not None:
            blocks.append(Block("table", rows=tuple(map(tuple, rows))))
            rows = None
        elif token.type == "tr_open" and rows is not None:
            rows.append([])
        elif token.type in ("blockquote_open", "blockquote_close"):
            quoted = token.type == "blockquote_open"
        elif token.type == "list_item_open":
            kind = f"step {token.info}"
        elif token.type == "ordered_list_close":
            kind = "paragraph"
        elif token.type == "heading_open":
            kind = {"h1": "title", "h2": "chapter"}[token.tag]
        elif token.type == "heading_close":
            kind = "paragraph"
        elif token.type == "hr":
            blocks.append(Block("page"))
        elif token.type == "html_block":
            blocks.append(hidden_block(token.content))
        elif token.type == "inline" and rows is not None:
            rows[-1].append(token.content)
        elif token.type == "inline":
            blocks.append(Block("warning" if quoted else kind, token.content.replace("\n", " ")))
    return blocks


def hidden_block(comment: str) -> Block:
    """``white`` or ``small`` text from an HTML comment. Raises SystemExit for any other one."""
    match = re.fullmatch(r"<!-- (white|small): (.*) -->\s*", comment, re.DOTALL)
    if match is None:
        raise SystemExit(f"Unknown comment in a source file: {comment.strip()}")
    return Block(match[1], match[2])


class Manual(FPDF):
    """A manual of 148 × 210 mm: cover with contents, running header, page number at the outer edge."""

    def __init__(self, title: str, code: str, colour: tuple[int, int, int]) -> None:
        super().__init__(format=(148, 210))
        self.core_fonts_encoding = "windows-1252"
        self.set_margins(15, 22, 15)
        self.set_auto_page_break(True, margin=19)
        self.set_creation_date(MADE_AT)
        self.set_title(title)
        self.set_lang("en-GB")
        self.set_text_color(*INK)
        self.device = title
        self.code = code
        self.colour = colour

    def header(self) -> None:
        if self.page_no() == 1:
            return
        self.set_font("Helvetica", size=7.5)
        self.set_text_color(*GREY)
        self.set_y(10)
        self.cell(60, 4, self.device)
        self.cell(0, 4, self.code, align="R")
        self.set_draw_color(*self.colour)
        self.set_line_width(0.3)
        self.line(self.l_margin, 15, self.w - self.r_margin, 15)
        self.set_text_color(*INK)
        self.set_y(self.t_margin)

    def footer(self) -> None:
        if self.page_no() == 1:
            return
        self.set_y(-13)
        self.set_font("Helvetica", size=8)
        self.set_text_color(*GREY)
        self.cell(0, 5, str(self.page_no()), align="R" if self.page_no() % 2 else "L")
        self.set_text_color(*INK)

    def cover(self, subtitle: str, contents: list[tuple[str, int]]) -> None:
        self.add_page()
        self.set_fill_color(*self.colour)
        self.rect(0, 0, self.w, 52, style="F")
        self.set_text_color(255, 255, 255)
        self.set_y(20)
        self.set_font("Helvetica", "B", 19)
        self.cell(0, 10, self.device, new_x="LMARGIN", new_y="NEXT")
        self.set_font("Helvetica", size=9.5)
        self.cell(0, 6, subtitle, new_x="LMARGIN", new_y="NEXT")
        self.set_text_color(*INK)
        self.set_y(60)
        self.set_font("Helvetica", "B", 10)
        self.cell(0, 7, "Contents", new_x="LMARGIN", new_y="NEXT")
        self.set_font("Helvetica", size=9)
        for name, page in contents:
            self.cell(105, 5, name)
            self.cell(0, 5, str(page), align="R", new_x="LMARGIN", new_y="NEXT")
        self.ln(4)

    def chapter(self, title: str) -> None:
        if self.will_page_break(40):
            self.add_page()
        self.start_section(title)
        self.ln(2)
        self.set_text_color(*self.colour)
        self.set_font("Helvetica", "B", 13)
        self.cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        self.set_text_color(*INK)
        self.ln(1)

    def paragraph(self, text: str) -> None:
        self.set_font("Helvetica", size=10.5)
        self.multi_cell(0, 5.4, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(2)

    def step(self, number: str, text: str) -> None:
        self.set_font("Helvetica", size=10.5)
        self.cell(7, 5.4, f"{number}.")
        self.multi_cell(0, 5.4, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(0.8)

    def warning(self, text: str) -> None:
        self.set_font("Helvetica", "B", 10)
        self.set_fill_color(*AMBER)
        self.set_draw_color(*self.colour)
        self.multi_cell(
            0, 5.2, text, border="L", fill=True, align="L", padding=2, new_x="LMARGIN", new_y="NEXT"
        )
        self.ln(2)

    def grid(self, rows: tuple[tuple[str, ...], ...]) -> None:
        widths = tuple(max(len(row[column]) for row in rows) + 6 for column in range(len(rows[0])))
        self.set_font("Helvetica", size=9.5)
        self.set_fill_color(255, 255, 255)
        self.set_draw_color(*GREY)
        self.set_line_width(0.15)
        with self.table(
            rows,
            col_widths=widths,
            text_align="LEFT",
            line_height=5,
            padding=(1.3, 1.2),
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", color=INK, fill_color=PALE),
        ):
            pass
        self.ln(3)

    def hidden(self, kind: str, text: str) -> None:
        white = kind == "white"
        self.set_text_color(*((255, 255, 255) if white else GREY))
        self.set_font("Helvetica", size=4 if white else 2)
        self.multi_cell(0, 1.8, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.set_text_color(*INK)
        self.ln(1)


def make_manual(source: Path, colour: tuple[int, int, int], contents: list[tuple[str, int]]) -> Manual:
    """The manual with the given contents on its cover (page numbers are known after a first pass)."""
    title, subtitle, *blocks = blocks_of(source.read_text(encoding="utf-8"))
    pdf = Manual(title.text, subtitle.text.split("document ")[1].split(",")[0], colour)
    pdf.cover(subtitle.text, contents)
    previous = subtitle
    for block in blocks:
        if previous.kind.startswith("step ") and not block.kind.startswith("step "):
            pdf.ln(1.5)
        previous = block
        if block.kind == "page":
            pdf.add_page()
        elif block.kind == "chapter":
            contents.append((block.text, pdf.page + 1 if pdf.will_page_break(40) else pdf.page))
            pdf.chapter(block.text)
        elif block.kind == "table":
            pdf.grid(block.rows)
        elif block.kind == "warning":
            pdf.warning(block.text)
        elif block.kind.startswith("step "):
            pdf.step(block.kind.split()[1], block.text)
        elif block.kind in ("white", "small"):
            pdf.hidden(block.kind, block.text)
        else:
            pdf.paragraph(block.text)
    return pdf


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for index, source in enumerate(sorted((HERE / "source").glob("*.md"))):
        colour = COLOURS[index % len(COLOURS)]
        chapters = [
            (block.text, 0) for block in blocks_of(source.read_text("utf-8")) if block.kind == "chapter"
        ]
        first_pass = list(chapters)
        make_manual(source, colour, first_pass)
        contents = first_pass[len(chapters) :]
        pdf = make_manual(source, colour, list(contents))
        if not 4 <= pdf.page <= 8:
            raise SystemExit(f"{source.name} has {pdf.page} pages instead of 4 to 8.")
        pdf.output(str(folder / f"{source.stem}.pdf"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus")
