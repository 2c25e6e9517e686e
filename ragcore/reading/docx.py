"""Word documents (.docx): python-docx opens them, the XML is walked in document order.

A Word file has no pages of its own (they depend on the printer), so it is one unpaged page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ragcore.errors import BrokenFile, EmptyFile, FileRejected
from ragcore.records import Page, SourceDocument

from .archive import check_docx, without_dangling_relations
from .blocks import Block, assemble, choose_title
from .cleaning import has_text
from .docx_body import BodyReader, Paragraph
from .docx_inline import InlineReader
from .docx_numbering import Numbering
from .docx_styles import Styles, W
from .headings import TextLine, find_headings
from .limits import ReadingLimits
from .sniffing import MEDIA_TYPES

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_ONLY_PAGE_WORDS = re.compile(r"(?:\W|\d|\b(?:page|seite|página|pagina|of|von|de|di)\b)*", re.IGNORECASE)


def read_docx(data: bytes, file_name: str, limits: ReadingLimits) -> SourceDocument:
    """Headings, paragraphs, lists and tables in document order.

    Notes stand in brackets at their mark, text boxes behind the paragraph they hang on, headers
    and footers once, at the beginning. Raises what ``archive.check_docx`` raises, EmptyFile
    without any text, BrokenFile for a damaged document.
    """
    check_docx(data, file_name, limits)
    import docx

    try:
        try:
            document = docx.Document(io.BytesIO(data))
        except KeyError:
            document = docx.Document(io.BytesIO(without_dangling_relations(data)))
        return _read(document, file_name)
    except FileRejected:
        raise
    except Exception as error:  # python-docx and lxml raise nearly anything on damaged parts
        raise BrokenFile(
            f"{file_name} is a damaged Word document. Open it in Word and save it again."
        ) from error


def _read(document: Any, file_name: str) -> SourceDocument:
    styles = Styles(_part_root(document.part, "styles"))
    numbering_root = _part_root(document.part, "numbering")
    notes = _notes(document.part, styles)
    inline = InlineReader(notes)
    body = BodyReader(styles, Numbering(numbering_root, styles), inline)
    paragraphs = list(body.read(document.element.body))
    if not any(paragraph.block.level for paragraph in paragraphs):
        paragraphs = _with_guessed_headings(paragraphs)
    margins = list(_margins(document, styles))
    blocks = [Block(text, tight=position > 0) for position, text in enumerate(margins)]
    body_text, body_headings = assemble(paragraph.block for paragraph in paragraphs)
    text, headings = assemble([*blocks, *(paragraph.block for paragraph in paragraphs)])
    if not has_text(text):
        raise EmptyFile(f"{file_name} contains no text (only pictures, or nothing at all).")
    warnings = []
    if inline.has_changes:
        warnings.append("The document contains tracked changes; it was read as if all were accepted.")
    if inline.has_hidden:
        warnings.append("The document contains hidden text, which was left out.")
    if body.has_embedded:
        warnings.append("The document contains embedded parts in another format, which were left out.")
    titled = next((p.block.text for p in paragraphs if p.title), "")
    title = choose_title(
        [Page(1, body_text, headings=body_headings)], file_name, document.core_properties.title or ""
    )
    if titled and title != " ".join((document.core_properties.title or "").split()):
        title = " ".join(titled.split())
    page = Page(1, text, headings=headings)
    return SourceDocument(
        file_name, MEDIA_TYPES["docx"], title, (page,), paged=False, warnings=tuple(warnings)
    )


def _part_root(part: Any, kind: str) -> Any | None:
    """The XML of the part that ``part`` is related to as ``kind``, or None."""
    for relation in part.rels.values():
        if not relation.is_external and relation.reltype == _RELATION + kind:
            return _root(relation.target_part)
    return None


def _root(part: Any) -> Any:
    from docx.oxml.parser import parse_xml

    element = getattr(part, "element", None)
    return element if element is not None else parse_xml(part.blob)


def _notes(part: Any, styles: Styles) -> dict[tuple[str, str], str]:
    """The text of foot- and endnotes by kind and id."""
    notes = {}
    for kind in ("footnote", "endnote"):
        root = _part_root(part, f"{kind}s")
        for note in root.iterfind(f"{W}{kind}") if root is not None else ():
            if note.get(f"{W}type", "normal") != "normal":
                continue
            reader = BodyReader(styles, Numbering(None, styles), InlineReader({}))
            text = " ".join(" ".join(paragraph.block.text.split()) for paragraph in reader.read(note))
            notes[kind, note.get(f"{W}id") or ""] = text.strip()
    return notes


def _margins(document: Any, styles: Styles) -> Iterator[str]:
    """The lines of headers and footers, each once, page numbers left out.

    Sections that go on with the header before have no reference of their own, so nothing comes twice.
    """
    seen: set[str] = set()
    for kind in ("header", "footer"):
        for reference in document.element.body.iter(f"{W}{kind}Reference"):
            part = document.part.related_parts.get(reference.get(_R_ID))
            if part is None:
                continue
            inline = InlineReader({}, page_fields=False)
            reader = BodyReader(styles, Numbering(None, styles), inline)
            for paragraph in reader.read(_root(part)):
                text = " ".join(paragraph.block.text.split())
                if text not in seen and not _ONLY_PAGE_WORDS.fullmatch(text):
                    seen.add(text)
                    yield text


def _with_guessed_headings(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """For documents without any marked heading: short paragraphs that look like one."""
    result = list(paragraphs)
    lines: list[TextLine] = []
    places: list[int] = []
    for index, paragraph in enumerate(result):
        if not paragraph.block.tight:
            lines.append(TextLine(""))
            places.append(-1)
        text = " ".join(paragraph.block.text.split())
        lines.append(TextLine(text, 1.0, paragraph.bold, tabular=not paragraph.guessable))
        places.append(index)
    for found in find_headings(lines):
        index = places[found.first]
        if found.first == found.last and index >= 0:
            block = replace(result[index].block, level=found.level, explicit=False, title=found.title)
            result[index] = replace(result[index], block=block)
    return result
