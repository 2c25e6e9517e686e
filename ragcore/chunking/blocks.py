"""Text -> line-structured blocks: paragraphs, list items, table rows, code lines, heading lines.

Knows Markdown's block syntax as far as cutting needs it, and the habits of plain text and PDF
text (hard-wrapped lines, ALL CAPS headings, "Key: value" records). It does not decide what is a
section heading of a document; reading does that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import regex

Kind = Literal["prose", "item", "row", "code", "line", "heading"]

PARAGRAPH, LINE, SENTENCE, WORD = 3, 2, 1, 0
"""How strong the boundary before a piece is; cutting prefers the strongest."""

_FENCE = regex.compile(r"\s*(`{3,}(?=[^`]*$)|~{3,})")
_SEPARATOR_ROW = regex.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_ATX = regex.compile(r" {0,3}#{1,6}(?:\s|$)")
_UNDERLINE = regex.compile(r" {0,3}(?:=+|-+)\s*")
_BULLET = regex.compile(r"\s*(?:[-*+•‣◦▪●○■□·–—]|\(?[a-z]\)|\([A-Z]\)|\(?[ivx]{1,5}\))\s+\S")
_NUMBER = regex.compile(r"\s*\(?(\d{1,3})[.)]\s+\S")
_RECORD = regex.compile(r"\s*[\p{L}\p{N}][^:.!?|]{0,40}:\s+\S")
_CONTENT = regex.compile(r"[\p{L}\p{N}\p{Emoji_Presentation}]")
_SENTENCE_FINAL = ".!?…:;。！？；।"
_LONGEST_HEADING = 100


@dataclass(frozen=True, slots=True)
class Block:
    """``text[start:end]``, without white space at its ends.

    ``level`` is the strength of the boundary before it. ``table`` is the span of the header
    and separator rows, for the data rows of a table that has them.
    """

    start: int
    end: int
    kind: Kind
    level: int
    table: tuple[int, int] | None = None


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; empty if there is nothing else."""
    piece = text[start:end]
    start = end - len(piece.lstrip())
    return start, max(start, end - (len(piece) - len(piece.rstrip())))


def has_content(text: str) -> bool:
    """False for rules, bullets, brackets and the like: no letter, digit or emoji in it."""
    return _CONTENT.search(text) is not None


def blocks(text: str, start: int = 0, end: int | None = None) -> list[Block]:
    """The blocks of ``text[start:end]`` in order; together they hold every non-space character."""
    return _Scanner(text, start, len(text) if end is None else end).run()


class _Scanner:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.lines: list[tuple[int, int]] = []
        while start <= end:
            stop = text.find("\n", start, end)
            stop = end if stop < 0 else stop
            self.lines.append((start, stop))
            start = stop + 1
        self.found: list[Block] = []
        self.gap = True
        self.open: tuple[int, int, Kind, int] | None = None
        self.numbered = False

    def line(self, i: int) -> str:
        return self.text[slice(*self.lines[i])] if i < len(self.lines) else ""

    def add(self, start: int, end: int, kind: Kind, level: int, table: tuple[int, int] | None = None) -> None:
        start, end = trim(self.text, start, end)
        if start < end:
            self.found.append(Block(start, end, kind, level, table))

    def close(self) -> None:
        if self.open:
            self.add(*self.open)
            self.gap = False
        self.open = None

    def level(self) -> int:
        return PARAGRAPH if self.gap else LINE

    def run(self) -> list[Block]:
        i = 0
        while i < len(self.lines):
            line = self.line(i)
            if not line.strip():
                self.close()
                self.gap, self.numbered = True, False
                i += 1
            elif fence := _FENCE.match(line):
                i = self.fence(i, fence[1])
            elif "|" in line:
                i = self.table(i)
            else:
                i = self.plain(i, line)
        self.close()
        return self.found

    def fence(self, i: int, mark: str) -> int:
        """A fenced code block: closed by the same character, at least as often, else by the end."""
        self.close()
        closing = regex.compile(rf"\s*{regex.escape(mark[0])}{{{len(mark)},}}\s*")
        last = next((k for k in range(i + 1, len(self.lines)) if closing.fullmatch(self.line(k))), None)
        inner = [k for k in range(i + 1, last or len(self.lines)) if self.line(k).strip()]
        if not inner:
            self.add(self.lines[i][0], self.lines[last or i][1], "code", PARAGRAPH)
        for k in inner:
            # The fence lines belong to the first and the last code line: they never stand alone.
            start = self.lines[i if k == inner[0] else k][0]
            end = self.lines[last if last and k == inner[-1] else k][1]
            level = PARAGRAPH if k == inner[0] else SENTENCE if self.line(k - 1).strip() else LINE
            self.add(start, end, "code", level)
        self.gap = True
        return (last or (inner[-1] if inner else i)) + 1

    def table(self, i: int) -> int:
        following = self.line(i + 1)
        if "-" in following and "|" in following and _SEPARATOR_ROW.fullmatch(following):
            self.close()
            head = trim(self.text, self.lines[i][0], self.lines[i + 1][1])
            self.add(*self.lines[i], "row", self.level())
            self.add(*self.lines[i + 1], "row", LINE)
            i += 2
            while i < len(self.lines) and "|" in self.line(i):
                self.add(*self.lines[i], "row", LINE, head)
                i += 1
            self.gap = False
            return i
        if self.line(i).lstrip().startswith("|"):
            self.close()
            self.add(*self.lines[i], "row", self.level())
            self.gap = False
            return i + 1
        return self.plain(i, self.line(i))

    def plain(self, i: int, line: str) -> int:
        start, end = self.lines[i]
        previous = self.line(i - 1) if self.open else ""
        if self.open and _UNDERLINE.fullmatch(line) and self.is_title():
            self.open = (self.open[0], end, "heading", self.open[3])
            self.close()
        elif _ATX.match(line) or not has_content(line):
            self.close()
            self.add(start, end, "heading" if has_content(line) else "line", self.level())
            self.gap = False
        elif self.is_item(line, previous):
            self.close()
            self.open = (start, end, "item", self.level())
        elif self.open and not _line_ends(previous, line):
            self.open = (self.open[0], end, *self.open[2:])
        else:
            self.close()
            self.open = (start, end, "prose", self.level())
        return i + 1

    def is_title(self) -> bool:
        """Whether the open block is one short line, as a setext heading is."""
        assert self.open
        piece = self.text[self.open[0] : self.open[1]]
        return self.open[2] == "prose" and "\n" not in piece and len(piece) <= _LONGEST_HEADING

    def is_item(self, line: str, previous: str) -> bool:
        if _BULLET.match(line):
            return True
        number = _NUMBER.match(line)
        if not number:
            return False
        # A wrapped line may begin with a number and a full stop: "... the limit is\n40. After".
        before = previous.rstrip()
        if not before or self.numbered or number[1] == "1" or before[-1] in _SENTENCE_FINAL + ",)":
            self.numbered = True
            return True
        return False


def _line_ends(line: str, following: str) -> bool:
    """Whether the break between two lines was meant, and is not the wrapping of a long line."""
    line, following = line.strip(), following.strip()
    if line[-1] in ",-–(":
        return False
    if _RECORD.match(line) and _RECORD.match(following):
        return True
    if following[0].islower() or not following[0].isalnum():
        return False
    if _is_capitals(line) and not _is_capitals(following):
        return True
    # Wrapping would have put the next word on the short line.
    first = following.split(None, 1)[0]
    return len(following) >= 40 and len(line) + 1 + len(first) <= 0.6 * len(following)


def _is_capitals(line: str) -> bool:
    letters = sum(map(str.isalpha, line))
    return letters >= 3 and line.isupper() and len(line) <= _LONGEST_HEADING and line[-1] not in ".,;"
