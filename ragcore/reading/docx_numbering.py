"""The automatic numbers of a Word document, rebuilt by counting as Word does.

They stand nowhere in the text: numbering.xml holds patterns such as ``%1.%2`` (ECMA-376 part 1,
17.9), and the numbers follow from the order of the paragraphs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .docx_styles import Styles, W, is_on, value, whole

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
BULLET = "-"


@dataclass(frozen=True, slots=True)
class _Level:
    format: str = "decimal"
    pattern: str = ""
    start: int = 1
    restart: int | None = None
    """None: after any higher level; 0: never; n: only after level n (1-based) or higher."""
    legal: bool = False
    style_id: str | None = None


@dataclass(slots=True)
class _List:
    """An abstract list: its levels and where the count stands. Lists that refer to it share the count."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts list paragraphs; ask for each one once, in document order."""

    def __init__(self, element: Any | None, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        self._linked: dict[str, str] = {}
        self._numbers: dict[str, Any] = {}
        self._begun: set[str] = set()
        for abstract in element.iterfind(f"{W}abstractNum") if element is not None else ():
            list_id = abstract.get(f"{W}abstractNumId", "")
            self._lists[list_id] = _List(dict(map(_read_level, abstract.iterfind(f"{W}lvl"))))
            link = value(abstract, "numStyleLink")
            if link:
                self._linked[list_id] = link
        for number in element.iterfind(f"{W}num") if element is not None else ():
            self._numbers[number.get(f"{W}numId", "")] = number

    def label(self, paragraph: Any) -> tuple[str, int] | None:
        """``(label, level from 0)``: ``1.``, ``4.2``, ``(b)`` or ``-`` for a bullet; None outside lists."""
        setting = self._styles.numbering(paragraph)
        if setting is None:
            return None
        number_id, index, style_id = setting
        target = self._list_of(number_id)
        if target is None:
            return None
        if index is None:
            index = next((i for i, level in target.levels.items() if level.style_id == style_id), 0)
        self._begin(number_id, target)
        level = target.levels.get(index, _Level(pattern=f"%{index + 1}."))
        _count(target, index, level)
        if level.format == "bullet":
            return BULLET, index
        return _filled(target, level), index

    def _list_of(self, number_id: str, depth: int = 0) -> _List | None:
        number = self._numbers.get(number_id)
        list_id = value(number, "abstractNumId") or ""
        if list_id in self._linked and depth < 5:
            linked = self._styles.numbering_of_style(self._linked[list_id])
            if linked is not None and linked != number_id:
                return self._list_of(linked, depth + 1)
        return self._lists.get(list_id)

    def _begin(self, number_id: str, target: _List) -> None:
        """The first paragraph of a list instance applies its overrides: other patterns, new starts."""
        if number_id in self._begun:
            return
        self._begun.add(number_id)
        for override in self._numbers[number_id].iterfind(f"{W}lvlOverride"):
            index = whole(override.get(f"{W}ilvl"), 0)
            replaced = override.find(f"{W}lvl")
            if replaced is not None:
                target.levels[index] = _read_level(replaced)[1]
            start = value(override, "startOverride")
            if start is not None:
                target.starts[index] = whole(start, 1)
                target.counts.pop(index, None)


def _read_level(element: Any) -> tuple[int, _Level]:
    restart = value(element, "lvlRestart")
    return whole(element.get(f"{W}ilvl"), 0), _Level(
        format=value(element, "numFmt") or "decimal",
        pattern=value(element, "lvlText") or "",
        start=whole(value(element, "start"), 1),
        restart=None if restart is None else whole(restart, 0),
        legal=is_on(element, "isLgl"),
        style_id=value(element, "pStyle"),
    )


def _count(target: _List, index: int, level: _Level) -> None:
    if index in target.counts:
        target.counts[index] += 1
    else:
        target.counts[index] = target.starts.get(index, level.start)
    for deeper in [i for i in target.counts if i > index]:
        restart = target.levels[deeper].restart if deeper in target.levels else None
        if restart is None or (restart > 0 and index < restart):
            del target.counts[deeper]


def _filled(target: _List, level: _Level) -> str:
    def number(match: re.Match[str]) -> str:
        index = int(match[1]) - 1
        of = target.levels.get(index, _Level())
        # A level that has not been begun counts as standing at its start.
        count = target.counts.setdefault(index, target.starts.get(index, of.start))
        return formatted(count, "decimal" if level.legal else of.format)

    return re.sub(r"%([1-9])", number, level.pattern).strip()


def formatted(number: int, style: str) -> str:
    """``number`` as Word writes it in the number format ``style`` (ST_NumberFormat); 0 and more."""
    if style == "decimalZero":
        return f"{number:02d}"
    if style in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        text = ""
        rest = number
        for worth, sign in _ROMAN:
            text += sign * (rest // worth)
            rest %= worth
        return text if style == "lowerRoman" else text.upper()
    if style in ("lowerLetter", "upperLetter") and number > 0:
        # a to z, then aa, bb, ...
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return text if style == "lowerLetter" else text.upper()
    if style == "ordinal":
        suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{suffix}"
    return "" if style in ("none", "bullet") else str(number)
