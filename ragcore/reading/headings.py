"""Headings that nobody marked, guessed from the look of a line.

Precision before recall: a missed heading costs a little context, a wrong one puts a false title
over everything below it. Guesses carry ``explicit=False``. Knows lines, not files: PDF lines
bring size and weight of their type, lines of plain text do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MAX_LEVEL = 6
_MAX_CHARACTERS = 80
_MAX_WORDS = 10
# A bigger type than the body's by this factor is a heading's; smaller differences are rounding.
_LARGER = 1.12

_NUMBERED = re.compile(r"^(?:§\s*)?(\d{1,2}(?:\.\d{1,2}){0,4})([.)]?)\s+(\S.*)$")
_NAMED_PART = re.compile(
    r"^(part|book|chapter|title|article|section|annex|appendix|schedule|exhibit|"
    r"teil|kapitel|abschnitt|artikel|anhang|anlage|partie|chapitre|annexe|parte|capítulo|sección|anexo)"
    r"\s+(\d{1,3}(?:\.\d{1,2})*|[ivxlc]{1,7}|[a-z])\b[.:]?\s*(.*)$",
    re.IGNORECASE,
)
_SECOND_LEVEL_PARTS = {"section", "abschnitt", "sección", "article", "artikel"}
_BULLET = re.compile(r"^\s*(?:[-*+•·‣◦▪–—●○]|o\s|\(?[a-z]\)|\(\d+\))")
_TABLE = re.compile(r"\t|\S {2,}\S|\||\.{3,}|…|_{3,}|:\s*\d+(?:[.,]\d+)?\s*$")
_DATE_OR_AMOUNT = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|[€$£¥%]|\b(?:EUR|USD|GBP|CHF)\b|"
    r"\b\d{1,2}\.?\s+(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zé]*\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"@|https?://|www\.|\+\d[\d ]{6,}|^(?:page|seite|dear|hello|hi|to|from|date|re|cc)\b", re.IGNORECASE
)
_SMALL_WORDS = frozenset(
    "a an and as at but by de del der des di die das den dem du e el en et for from für im in into is la le les los "
    "mit nor of on or per sur the to und van vom von vs with without y zu zum zur über without".split()
)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line as the guess sees it. Empty text is a blank line (a paragraph's end)."""

    text: str
    size: float = 0.0
    """Type size in points; 0 where unknown."""
    bold: bool = False
    tabular: bool = False
    """Cells side by side: never a heading."""


@dataclass(frozen=True, slots=True)
class Found:
    """Lines ``first`` to ``last`` (inclusive) are one heading."""

    first: int
    last: int
    level: int
    title: str
    explicit: bool


def find_headings(lines: Sequence[TextLine]) -> list[Found]:
    """The headings among ``lines``, in order: by their type where it is known, else by their words."""
    found = _by_type(lines)
    taken = {index for heading in found.values() for index in range(heading.first, heading.last + 1)}
    chain = _numbered_chain(lines)
    for index, line in enumerate(lines):
        if index in taken or not _may_be_heading(line):
            continue
        level = _level_by_text(lines, index, chain)
        if level is not None:
            found[index] = Found(index, index, level, _bare(line.text), explicit=False)
    return [found[first] for first in sorted(found)]


def _bare(text: str) -> str:
    return " ".join(text.split()).rstrip(":").strip()


# --- by the type (PDF) ---------------------------------------------------------


def _by_type(lines: Sequence[TextLine]) -> dict[int, Found]:
    """Short lines in a larger or bolder type than the body's."""
    weights: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        if line.size:
            weights[(line.size, line.bold)] += len(line.text)
    if not weights:
        return {}
    sizes: Counter[float] = Counter()
    for (size, _), characters in weights.items():
        sizes[size] += characters
    body = sizes.most_common(1)[0][0]
    bold_is_rare = sum(count for (_, bold), count in weights.items() if bold) < 0.3 * sum(weights.values())
    candidates = [
        index
        for index, line in enumerate(lines)
        if line.size
        and (line.size >= _LARGER * body or (line.bold and bold_is_rare and line.size >= 0.98 * body))
        and _may_be_heading(line)
        and not line.text.rstrip().endswith(":")
    ]
    larger = sorted({lines[i].size for i in candidates if lines[i].size >= _LARGER * body}, reverse=True)
    found: dict[int, Found] = {}
    index = 0
    while index < len(candidates):
        first = last = candidates[index]
        line = lines[first]
        # A heading that is wrapped goes on in the same type on the very next line.
        while (
            index + 1 < len(candidates)
            and candidates[index + 1] == last + 1
            and (lines[last + 1].size, lines[last + 1].bold) == (line.size, line.bold)
        ):
            index += 1
            last = candidates[index]
        index += 1
        is_larger = line.size >= _LARGER * body
        if last - first > 2 or (not is_larger and not _stands_apart(lines, first, last)):
            continue
        title = " ".join(lines[i].text.strip() for i in range(first, last + 1))
        numbered = _NUMBERED.match(title)
        level = larger.index(line.size) + 1 if is_larger else len(larger) + 1
        if numbered and "." in numbered[1]:
            level = max(level, numbered[1].count(".") + 1)
        found[first] = Found(first, last, min(level, MAX_LEVEL), _bare(title), explicit=False)
    return found


def _stands_apart(lines: Sequence[TextLine], first: int, last: int) -> bool:
    """Whether lines in bold are a paragraph of their own or open one, with body text below."""
    before = lines[first - 1] if first else TextLine("")
    following = next((line for line in lines[last + 1 : last + 3] if line.text), None)
    return (not before.text or not before.bold) and following is not None and not following.bold


# --- by the words --------------------------------------------------------------


def _may_be_heading(line: TextLine) -> bool:
    text = line.text.strip()
    letters = sum(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    if line.tabular or not text or len(text) > _MAX_CHARACTERS or len(text.split()) > _MAX_WORDS + 2:
        return False
    if letters < 3 or digits > letters or text[-1] in ".,;!?-–…":
        return False
    return not (
        _BULLET.match(text) or _TABLE.search(text) or _DATE_OR_AMOUNT.search(text) or _ADDRESS.search(text)
    )


def _text_at(lines: Sequence[TextLine], index: int) -> str:
    return lines[index].text.strip() if 0 <= index < len(lines) else ""


def _next_text(lines: Sequence[TextLine], index: int) -> str:
    return next((line.text.strip() for line in lines[index + 1 :] if line.text.strip()), "")


def _level_by_text(lines: Sequence[TextLine], index: int, chain: set[int]) -> int | None:
    text = lines[index].text.strip()
    if lines[index].text != lines[index].text.lstrip() and _text_at(lines, index - 1) != "":
        return None
    part = _NAMED_PART.match(text)
    if part and (not part[3] or part[3][0].isupper()) and not _text_at(lines, index - 1):
        return 2 if part[1].lower() in _SECOND_LEVEL_PARTS else 1
    numbered = _NUMBERED.match(text)
    if numbered:
        title = numbered[3]
        if not title[0].isupper() or len(title.split()) > 8 or text.endswith(":"):
            return None
        depth = numbered[1].count(".") + 1
        if depth == 1 and index not in chain:
            return None
        neighbours = (
            _NUMBERED.match(_text_at(lines, index - 1)),
            _NUMBERED.match(_text_at(lines, index + 1)),
        )
        if any(other and other[1].count(".") + 1 == depth for other in neighbours):
            return None
        return min(depth, MAX_LEVEL)
    following = _next_text(lines, index)
    if not following or text.endswith(":"):
        return None
    if _is_capitals(text):
        alone = not _is_capitals(_text_at(lines, index - 1)) and not _is_capitals(_text_at(lines, index + 1))
        return 1 if alone else None
    apart = not _text_at(lines, index - 1) and not _text_at(lines, index + 1)
    if apart and index and _is_title_case(text) and _is_body(following):
        return 2
    return None


def _is_capitals(text: str) -> bool:
    """ALL CAPS with at least one real word; codes and figures are not."""
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 4 or not all(character.isupper() for character in letters):
        return False
    digits = sum(character.isdigit() for character in text)
    return digits == 0 and len(text.split()) <= 8 and bool(re.search(r"[^\W\d_]{4}", text))


def _is_title_case(text: str) -> bool:
    words = text.split()
    if (
        not 1 <= len(words) <= 7
        or not words[0][0].isupper()
        or any(char.isdigit() or char == ":" for char in text)
    ):
        return False
    if len(words) == 1 and len(text) < 4:
        return False
    return all(word[0].isupper() or not word[0].isalpha() or word.lower() in _SMALL_WORDS for word in words)


def _is_body(text: str) -> bool:
    """Running text, as it stands below a heading."""
    return len(text) >= 40 or len(text.split()) >= 6 or text.endswith((".", "!", "?", ":", ";"))


def _numbered_chain(lines: Sequence[TextLine]) -> set[int]:
    """Indices of lines "1 Scope", "2. Fees" ... that count up from 1, each with text of its own below.

    A list counts up as well, but its items are neighbours or sentences.
    """
    indices: list[int] = []
    expected = 1
    for index, line in enumerate(lines):
        match = _NUMBERED.match(line.text.strip())
        if not match or "." in match[1] or int(match[1]) != expected or not _may_be_heading(line):
            continue
        below = _next_text(lines, index)
        if _text_at(lines, index - 1) or not below or len(match[3].split()) > 8:
            continue
        other = _NUMBERED.match(below)
        if other and "." not in other[1]:
            continue
        if not other and not _is_body(below):
            continue
        indices.append(index)
        expected += 1
    return set(indices) if len(indices) >= 2 else set()
