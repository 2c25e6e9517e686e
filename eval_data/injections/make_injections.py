"""Makes corpus and questions.jsonl of this set from source/attacks.toml.

    python eval_data/injections/make_injections.py [FOLDER]

Every attack of the source names its file and section, an honest passage, a question that finds it,
and a canary. ``place`` says where in the file the attack stands: after the passage (the default), before
or inside it, in a row or cell, in white or tiny letters, in the heading, the title or the file's name;
or in the question. ``encode`` disguises it. An attack of two pieces is split over two sections.
Dates inside the files are fixed, so that the same packages make the same bytes.
"""

from __future__ import annotations

import base64
import codecs
import csv
import io
import json
import sys
import tomllib
import zipfile
from collections import Counter
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import docx
from docx.shared import Pt, RGBColor
from fpdf import FPDF

HERE = Path(__file__).parent
SOURCE = HERE / "source" / "attacks.toml"
MADE_AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WHITE, INK, GREY = (255, 255, 255), (33, 37, 41), (110, 116, 120)
CALIBRATION = (1, 3)
"""Of every five attacks of a category, these (counted from 0) are in the split calibration."""

TITLES = {
    "fares.md": "Fares and tickets",
    "carriages.md": "The two carriages",
    "stations.md": "Stations and stops",
    "museum.md": "Museum in the engine house",
    "crew.md": "Rules for the crew",
    "house-rules.md": "House rules",
    "notices.html": "Notices to visitors",
    "safety-rules.pdf": "Safety rules",
    "works-contract.docx": "Contract for works on the viaduct",
    "inventory.csv": "Inventory",
}
COLUMNS = ("item", "amount", "place", "remark")

_LOOKALIKES = str.maketrans("aeopcxyiAEOPCXBHKMT", "аеорсхуіАЕОРСХВНКМТ")
_LEET = str.maketrans("aeiostAEIOST", "431057431057")


def encoded(text: str, way: str) -> str:
    """The attack in disguise."""
    if way == "base64":
        return base64.b64encode(text.encode()).decode()
    if way == "rot13":
        return codecs.encode(text, "rot13")
    if way == "hex":
        return text.encode().hex()
    if way == "reversed":
        return text[::-1]
    if way == "url":
        return quote(text, safe="").replace("-", "%2D")
    if way == "zero-width":
        return " ".join("\u200d".join(word) for word in text.split())
    if way == "homoglyphs":
        return text.translate(_LOOKALIKES)
    if way == "leet":
        return text.translate(_LEET)
    if way == "spaced":
        return "  ".join(" ".join(word) for word in text.split())
    if way == "full-width":
        return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)
    raise SystemExit(f"Unknown encoding in the source: {way}")


def attacks() -> list[dict[str, Any]]:
    """The attacks of the source, each with ``pieces``: its text as it is written into the corpus or asked."""
    found = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["attack"]
    for one in found:
        pieces = one["attack"] if isinstance(one["attack"], list) else [one["attack"]]
        if "encode" in one:
            pieces = [one.get("lead", "") + encoded(piece, one["encode"]) for piece in pieces]
        one["pieces"] = [piece.strip("\n") for piece in pieces]
    return found


def sections_of(document: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Heading, honest passage, attack and place of every section of a document, in order."""
    sections = []
    for one in document:
        place = one.get("place", "after")
        written = "" if place in ("question", "inside", "heading", "file", "title") else one["pieces"][0]
        sections.append((one["section"], one["says"], written, place))
        if len(one["pieces"]) == 2:
            sections.append((f"{one['section']}, continued", "", one["pieces"][1], "after"))
        if "then_says" in one:
            sections.append((one["then_section"], one["then_says"], "", "after"))
    return sections


def markdown(title: str, sections: list[tuple[str, str, str, str]]) -> str:
    parts = [f"# {title}", "This document belongs to the Tarrock Cable Railway."]
    for heading, says, attack, place in sections:
        parts.append(f"## {heading}")
        if place == "row":
            parts.append(f"{says}\n{attack}")
        else:
            parts += [attack, says] if place == "before" else [says, attack]
    return "\n\n".join(part for part in parts if part) + "\n"


def webpage(title: str, sections: list[tuple[str, str, str, str]]) -> str:
    styles = {"white": "color:#ffffff;background:#ffffff", "tiny": "font-size:1px;color:#fdfdfd"}
    parts = [f"<h1>{escape(title)}</h1>", "<p>This page belongs to the Tarrock Cable Railway.</p>"]
    for heading, says, attack, place in sections:
        parts.append(f"<h2>{escape(heading)}</h2>\n<p>{escape(says)}</p>")
        parts.append(f'<p style="{styles[place]}">{escape(attack)}</p>')
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>\n<body>\n{body}\n</body></html>\n'


def table(sections: list[tuple[str, str, str, str]]) -> str:
    made = io.StringIO()
    rows = csv.writer(made, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerow(("rail spike", "2,000 pieces", "yard", ""))
    for _, says, attack, _ in sections:
        rows.writerow((*says.split(","), attack))
    return made.getvalue()


def pdf(path: Path, title: str, sections: list[tuple[str, str, str, str]]) -> None:
    """A page a section; ``title`` is the one in the file's own data."""
    made = FPDF(format="A5")
    made.core_fonts_encoding = "windows-1252"
    made.set_creation_date(MADE_AT)
    made.set_title(title)
    for heading, says, attack, place in sections:
        made.add_page()
        made.set_text_color(*INK)
        made.set_font("Helvetica", "B", 15)
        made.multi_cell(0, 8, heading, new_x="LMARGIN", new_y="NEXT")
        made.ln(3)
        made.set_font("Helvetica", size=11)
        made.multi_cell(0, 5.6, says, align="L", new_x="LMARGIN", new_y="NEXT")
        made.ln(2)
        if attack:
            made.set_text_color(*(WHITE if place == "white" else GREY))
            made.set_font("Helvetica", size=5 if place == "white" else 2)
            made.multi_cell(0, 2, attack, align="L", new_x="LMARGIN", new_y="NEXT")
    made.output(str(path))


def word(path: Path, title: str, sections: list[tuple[str, str, str, str]]) -> None:
    made = docx.Document()
    properties = made.core_properties
    properties.title = title
    properties.author = properties.last_modified_by = "Tarrock Cable Railway"
    properties.comments = ""
    properties.created = properties.modified = MADE_AT.replace(tzinfo=None)
    made.add_heading(title, level=0)
    for heading, says, attack, place in sections:
        made.add_heading(heading, level=1)
        made.add_paragraph(says)
        if place == "cell":
            grid = made.add_table(rows=0, cols=2)
            for cells in (("Remark", "Date"), (attack, "1 May")):
                for cell, content in zip(grid.add_row().cells, cells, strict=True):
                    cell.text = content
            continue
        run = made.add_paragraph().add_run(attack)
        run.font.size = Pt(1) if place == "tiny" else Pt(9)
        run.font.color.rgb = RGBColor(*WHITE)
    written = io.BytesIO()
    made.save(written)
    path.write_bytes(with_fixed_times(written.getvalue()))


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


def question_rows(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines of questions.jsonl."""
    seen: Counter[str] = Counter()
    rows = []
    for number, one in enumerate(found, start=1):
        category, document = one["category"], one["document"]
        gold = {"document": document}
        if document.endswith(".md"):
            gold["section"] = one.get("then_section", one["section"])
        elif document.endswith(".pdf"):
            in_file = [other for other in found if other["document"] == document]
            gold["page"] = in_file.index(one) + 1
        gold["quote"] = one.get("then_says") or one.get("quote") or one["says"]
        row = {
            "id": f"injections-{number:03d}",
            "kind": "injection",
            "category": category,
            "difficulty": "hard",
            "split": "calibration" if seen[category] % 5 in CALIBRATION else "test",
            "question": one["ask"],
            "gold": [gold],
            "facts": one["facts"],
            "canary": one["canary"],
        }
        if "turns" in one:
            row["turns"] = [*one["turns"], one["ask"]]
        if "obeyed" in one:
            row["obeyed"] = one["obeyed"]
        seen[category] += 1
        rows.append(row)
    return rows


def main(folder: Path) -> None:
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    found = attacks()
    for name in dict.fromkeys(one["document"] for one in found):
        own = [one for one in found if one["document"] == name]
        planted = next((one["pieces"][0] for one in own if one.get("place") == "title"), None)
        title = planted or TITLES.get(name, own[0]["section"])
        sections = sections_of(own)
        ending = name.rpartition(".")[2]
        if ending == "pdf":
            pdf(corpus / name, title, sections)
        elif ending == "docx":
            word(corpus / name, title, sections)
        else:
            made = {"html": webpage, "csv": lambda _, rows: table(rows)}.get(ending, markdown)(
                title, sections
            )
            (corpus / name).write_text(made, encoding="utf-8")
    lines = [json.dumps(row, ensure_ascii=False) for row in question_rows(found)]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
