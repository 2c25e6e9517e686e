"""Plain text files, with headings that are marked (``## Fees``, underlined lines) or guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragcore.errors import EmptyFile
from ragcore.records import Heading, Page, SourceDocument

from .blocks import choose_title
from .cleaning import clean_text, control_count, has_text
from .encodings import decode_text
from .headings import Found, TextLine, find_headings
from .sniffing import MEDIA_TYPES

_MAX_TITLE_CHARACTERS = 160
_ATX = re.compile(r"^(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"^(=|-|~)\1{2,}$")


def read_text(data: bytes, file_name: str) -> SourceDocument:
    """One unpaged page; marked headings are explicit; where there are none, they are guessed.

    Raises EmptyFile when there are no letters or digits, UnsupportedFile when it is not text.
    """
    raw, warnings = decode_text(data, file_name)
    warnings += control_warnings(raw)
    text = clean_text(raw)
    require_text(text, file_name)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    headings = tuple(
        Heading(
            starts[found.first],
            starts[found.last] + len(lines[found.last]),
            found.level,
            found.title,
            found.explicit,
        )
        for found in marked_headings(lines) or find_headings([TextLine(line) for line in lines])
    )
    page = Page(1, text, headings=headings)
    title = choose_title([page], file_name)
    return SourceDocument(file_name, MEDIA_TYPES["text"], title, (page,), paged=False, warnings=warnings)


def require_text(text: str, file_name: str) -> None:
    """Raises EmptyFile for a text without a single letter or digit."""
    if not has_text(text):
        raise EmptyFile(f"{file_name} contains no text.")


def control_warnings(raw: str) -> tuple[str, ...]:
    """What to say about the control characters that cleaning drops from ``raw``."""
    count = control_count(raw)
    return (f"{count} control characters were removed from the text.",) if count else ()


def marked_headings(lines: Sequence[str]) -> list[Found]:
    """Headings as plain text marks them: ``## Fees``, or a line underlined with ``===`` or ``---``.

    Not in ``` fences, and not where neighbouring lines begin with the same number of ``#``: that
    is a commented block, as in a configuration file.
    """
    fenced = _fenced(lines)
    levels: dict[int, tuple[int, str]] = {}
    for index, line in enumerate(lines):
        match = _ATX.match(line)
        if match and index not in fenced and len(match[2]) <= _MAX_TITLE_CHARACTERS:
            levels[index] = (len(match[1]), match[2])
    found = [
        Found(index, index, level, title, explicit=True)
        for index, (level, title) in levels.items()
        if level not in (levels.get(index - 1, (0, ""))[0], levels.get(index + 1, (0, ""))[0])
    ]
    found += [
        Found(index - 1, index, 1 if line[0] == "=" else 2, lines[index - 1].strip(), explicit=True)
        for index, line in enumerate(lines)
        if index not in fenced and _UNDERLINE.match(line) and _is_underlined(lines, index)
    ]
    return sorted(found, key=lambda heading: heading.first)


def _is_underlined(lines: Sequence[str], index: int) -> bool:
    """Whether line ``index`` is about as long as a title that stands alone above it."""
    title = lines[index - 1].strip() if index else ""
    above = lines[index - 2].strip() if index > 1 else ""
    return (
        bool(title)
        and not above
        and title[-1] not in ".,;"
        and not re.search(r"\t|\||\S {2,}\S", title)
        and abs(len(lines[index]) - len(title)) <= max(2, len(title) // 4)
    )


def _fenced(lines: Sequence[str]) -> set[int]:
    """Indices of the lines in ``` fences."""
    inside: set[int] = set()
    fence = ""
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            inside.add(index)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            inside.add(index)
            fence = mark[1]
    return inside
