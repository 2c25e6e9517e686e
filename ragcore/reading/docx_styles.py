"""What the styles of a Word document say about a paragraph: heading level, list, role.

Works on the XML (WordprocessingML, ECMA-376 part 1, 17.7): python-docx knows neither outline
levels nor the inheritance of list settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BODY_LEVEL = 9
_MAX_BASED_ON = 50
# "Heading 2" in the languages in which people name styles of their own; the names of Word's
# built-in styles are English in the file whatever language Word speaks.
_HEADING_NAME = re.compile(
    r"(?:heading|überschrift|berschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|"
    r"nadpis|címsor|заголовок|标题|標題|見出し|제목)\s*([1-9])\b",
    re.IGNORECASE,
)


def value(element: Any, name: str, attribute: str = "val") -> str | None:
    """The ``w:val`` (or another attribute) of the child ``w:name``; None without such a child."""
    child = element.find(f"{W}{name}") if element is not None else None
    return None if child is None else child.get(f"{W}{attribute}")


def whole(text: str | None, default: int, base: int = 10) -> int:
    """The number in an attribute; ``default`` where it is missing or no number."""
    try:
        return int(text or "", base)
    except ValueError:
        return default


def is_on(element: Any, name: str) -> bool:
    """Whether the on/off property ``w:name`` is there and not switched off."""
    child = element.find(f"{W}{name}") if element is not None else None
    return child is not None and child.get(f"{W}val", "1") not in ("0", "false", "off", "none")


class Styles:
    """The paragraph and table styles of one document."""

    def __init__(self, element: Any | None) -> None:
        self._styles: dict[str, Any] = {}
        self._default: str | None = None
        for style in element.iterfind(f"{W}style") if element is not None else ():
            style_id = style.get(f"{W}styleId")
            if style_id:
                self._styles[style_id] = style
                if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on"):
                    self._default = style_id

    def heading_level(self, paragraph: Any) -> int | None:
        """1 to 9, or None for body text.

        The paragraph's own outline level, else that of its style or of a style it is based on,
        else the name of those styles.
        """
        properties = paragraph.find(f"{W}pPr")
        own = value(properties, "outlineLvl")
        if own is not None:
            return _level(own)
        for _, style in self._chain(paragraph):
            inherited = value(style.find(f"{W}pPr"), "outlineLvl")
            if inherited is not None:
                return _level(inherited)
        for style_id, style in self._chain(paragraph):
            named = _HEADING_NAME.fullmatch(value(style, "name") or "") or _HEADING_NAME.fullmatch(style_id)
            if named:
                return int(named[1])
        return None

    def is_title(self, paragraph: Any) -> bool:
        """The style "Title", which stands above all headings."""
        return any((value(style, "name") or "").casefold() == "title" for _, style in self._chain(paragraph))

    def is_contents_entry(self, paragraph: Any) -> bool:
        """A line of a table of contents, which only repeats headings."""
        names = ((value(style, "name") or "").casefold() for _, style in self._chain(paragraph))
        return any(re.fullmatch(r"toc (?:\d|heading)", name) for name in names)

    def numbering(self, paragraph: Any) -> tuple[str, int | None, str | None] | None:
        """``(numId, level or None, id of the style that says so or None)`` of a list paragraph."""
        properties = paragraph.find(f"{W}pPr")
        own = properties.find(f"{W}numPr") if properties is not None else None
        own_level = value(own, "ilvl")
        number_id = value(own, "numId")
        if number_id is not None:
            return (number_id, whole(own_level, 0), None) if number_id != "0" else None
        for style_id, style in self._chain(paragraph):
            inherited = style.find(f"{W}pPr/{W}numPr")
            number_id = value(inherited, "numId")
            if number_id == "0":
                return None
            if number_id is not None:
                level = own_level if own_level is not None else value(inherited, "ilvl")
                return number_id, None if level is None else whole(level, 0), style_id
        return None

    def numbering_of_style(self, style_id: str) -> str | None:
        """The numId that a (numbering) style refers to."""
        style = self._styles.get(style_id)
        return None if style is None else value(style.find(f"{W}pPr/{W}numPr"), "numId")

    def marks_first_row(self, table: Any) -> bool:
        """Whether the table's style sets its first row apart and the table uses that."""
        properties = table.find(f"{W}tblPr")
        look = properties.find(f"{W}tblLook") if properties is not None else None
        if look is None or not (
            look.get(f"{W}firstRow") in ("1", "true", "on") or whole(look.get(f"{W}val"), 0, 16) & 0x20
        ):
            return False
        style_id = value(properties, "tblStyle")
        return any(
            part.get(f"{W}type") == "firstRow"
            for _, style in self._based_on(style_id)
            for part in style.iterfind(f"{W}tblStylePr")
        )

    def _chain(self, paragraph: Any) -> Iterator[tuple[str, Any]]:
        style_id = value(paragraph.find(f"{W}pPr"), "pStyle")
        return self._based_on(style_id if style_id in self._styles else self._default)

    def _based_on(self, style_id: str | None) -> Iterator[tuple[str, Any]]:
        for _ in range(_MAX_BASED_ON):
            if style_id is None or style_id not in self._styles:
                return
            yield style_id, self._styles[style_id]
            style_id = value(self._styles[style_id], "basedOn")


def _level(outline_level: str) -> int | None:
    """Outline levels count from 0; 9 means body text."""
    level = whole(outline_level, _BODY_LEVEL)
    return level + 1 if 0 <= level < _BODY_LEVEL else None
