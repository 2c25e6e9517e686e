"""Web pages saved as HTML: what a reader would see, in order, with headings, lists and tables."""

from __future__ import annotations

import codecs
import re
from typing import Any

from ragcore.errors import EmptyFile
from ragcore.records import Page, SourceDocument

from .blocks import Block, assemble, choose_title
from .encodings import decode_text
from .sniffing import MEDIA_TYPES
from .tables import row_lines
from .text import control_warnings, require_text

_HEADING_TAGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SKIPPED = frozenset("script style noscript template head svg iframe object nav button select".split())
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form "
    "header hr li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
) | set(_HEADING_TAGS)
_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?([\w-]+)", re.IGNORECASE)


def read_html(data: bytes, file_name: str) -> SourceDocument:
    """One unpaged page; ``h1`` to ``h6`` are explicit headings. Scripts, styles, menus and hidden
    elements are left out.

    Raises EmptyFile when nothing is left, UnsupportedFile when it is not text.
    """
    import lxml.html
    from lxml import etree

    raw, warnings = _decode(data, file_name)
    warnings += control_warnings(raw)
    # lxml refuses text with an encoding declaration and characters that XML does not know.
    markup = re.sub(r"^\s*<\?xml[^>]*\?>", "", raw.replace("\x00", ""))
    if not markup.strip():
        raise EmptyFile(f"{file_name} contains no text.")
    try:
        root = lxml.html.document_fromstring(
            markup, parser=lxml.html.HTMLParser(huge_tree=False, no_network=True)
        )
    except etree.ParserError as error:  # nothing but a comment, for example
        raise EmptyFile(f"{file_name} contains no text.") from error
    walker = _Walker()
    walker.walk(root.find("body") if root.find("body") is not None else root)
    walker.flush()
    text, headings = assemble(walker.blocks)
    require_text(text, file_name)
    page = Page(1, text, headings=headings)
    title = choose_title([page], file_name, root.findtext(".//title") or "")
    return SourceDocument(file_name, MEDIA_TYPES["html"], title, (page,), paged=False, warnings=warnings)


def _decode(data: bytes, file_name: str) -> tuple[str, tuple[str, ...]]:
    """The page's own declaration is believed where there is no mark and the bytes agree."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            codec = codecs.lookup(declared[1].decode("ascii")).name
            # Browsers read Latin-1 as Windows-1252 (WHATWG Encoding Standard).
            return data.decode("cp1252" if codec == "iso8859-1" else codec), ()
        except (LookupError, UnicodeError):
            return decode_text(data, file_name)
    return decode_text(data, file_name)


class _Walker:
    """Collects blocks; running text gathers until a block element begins or ends."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._prefix = ""
        self._in_list = False

    def flush(self, level: int | None = None) -> None:
        text = "\n".join(" ".join(line.split()) for line in "".join(self._text).split("\0"))
        self._text.clear()
        if not text.strip():
            return
        tight = bool(self._prefix) and self._in_list
        self.blocks.append(Block(self._prefix + text.strip(), level, tight=tight))
        self._in_list = bool(self._prefix)
        self._prefix = ""

    def walk(self, element: Any) -> None:
        tag = element.tag
        if not isinstance(tag, str) or tag in _SKIPPED or _is_hidden(element):
            return
        is_block = tag in _BLOCKS
        if is_block:
            self.flush()
        if tag == "table" and element.find(".//table") is None:
            self._table(element)
            return
        if tag == "pre":
            self.blocks.append(Block("".join(element.itertext()).strip("\n")))
            return
        if tag == "br":
            self._text.append("\0")
        if tag == "li":
            self._prefix = _list_marker(element)
        if tag in ("ul", "ol"):
            self._in_list = (
                self._in_list and element.getparent() is not None and element.getparent().tag == "li"
            )
        self._text.append(element.text or "")
        for child in element:
            self.walk(child)
            self._text.append(child.tail or "")
        if is_block:
            self.flush(_HEADING_TAGS.get(tag))
        if tag == "li":
            self._prefix = ""

    def _table(self, table: Any) -> None:
        rows = [
            [" ".join(_visible_text(cell).split()) for cell in row if cell.tag in ("td", "th")]
            for row in table.iter("tr")
        ]
        first = next(table.iter("tr"), None)
        marked = first is not None and all(cell.tag == "th" for cell in first if isinstance(cell.tag, str))
        caption = table.findtext("caption")
        lines = row_lines(rows, marked_header=marked and len(first) > 0)
        if caption and caption.strip():
            self.blocks.append(Block(" ".join(caption.split())))
        self.blocks.extend(Block(line, tight=position > 0) for position, line in enumerate(lines))


def _visible_text(element: Any) -> str:
    if not isinstance(element.tag, str) or element.tag in _SKIPPED or _is_hidden(element):
        return ""
    parts = [element.text or ""]
    for child in element:
        parts.append(" " if child.tag in _BLOCKS or child.tag == "br" else "")
        parts.append(_visible_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _is_hidden(element: Any) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


def _list_marker(item: Any) -> str:
    parent = item.getparent()
    if parent is None or parent.tag != "ol":
        return "- "
    position = sum(1 for sibling in item.itersiblings("li", preceding=True)) + 1
    start = parent.get("start") or "1"
    return f"{int(start) + position - 1 if start.isdigit() else position}. "
