"""Where a quoted sentence stands in a text, although the two are not written quite alike.

A quote was taken from cleaned text; the place where it is looked for was not cleaned, or was
read by another program. What may differ: white space, ligatures and other presentation forms,
quotation marks and dashes, soft hyphens, words cut at line ends, accents, case, and as a last
resort blanks and hyphens altogether. Every comparison is of folded copies that remember where
each character came from, so spans are always spans of the text as given.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_ELLIPSIS = "…"
_CUT_WORD = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011][^\S\n]*\n\s*(?=[^\W\d_])")
_SPELLINGS = {
    **dict.fromkeys("‘’‚‛′´`‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
# Format and control characters, marks that stand on a letter, and glyphs without a meaning.
_IGNORED = ("Cc", "Cf", "Cn", "Co", "Mn")
_LEFT_OUT = frozenset(" -'\"")
_MIN_SHARE = 0.6
_MIN_PART = 20
"""Characters, blanks not counted, that a quote needs before a part of it says anything."""
_MIN_GLUED = 10
"""Characters from which a match may begin or end within a word: ``thefeeis40euro``."""
_MAX_TRIES = 500
"""Occurrences that are looked at; keeps "aaaa…" linear. A real page repeats a phrase a few times."""
# Scripts that set blanks between words lie below; Thai, Chinese, Japanese and the like above.
_FIRST_UNSPACED = 0x0E00


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """``text[start:end]`` is the quote; if ``partial``, the longest part of it that is there."""

    start: int
    end: int
    partial: bool = False


@dataclass(frozen=True, slots=True)
class _Key:
    """Folded text; ``origins[i]`` is the offset of its i-th character in ``source``."""

    source: str
    text: str
    origins: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """``text[start:end]`` as a span of the source, with the accents that follow."""
        stop = self.origins[end - 1] + 1
        while stop < len(self.source) and unicodedata.category(self.source[stop]) == "Mn":
            stop += 1
        return self.origins[start], stop


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """``(start, end)`` of ``quote`` in ``text``, or of the longest part of at least 60 % of it; else None."""
    match = match_quote(text, quote)
    return (match.start, match.end) if match else None


def match_quote(text: str, quote: str) -> QuoteMatch | None:
    """The best place of ``quote`` in ``text``.

    In this order: word for word with folded characters, in another case, without blanks and
    hyphens, with a flaw in the middle (its beginning and end are there, with the same digits
    between them), and the longest run of its words that makes at least 60 % of it. Takes time
    in proportion to the two lengths.
    """
    quote = quote.strip().strip(_ELLIPSIS).strip()
    if not quote:
        return None
    exact = text.find(quote)
    if exact >= 0 and not _cuts(text, exact) and not _cuts(text, exact + len(quote)):
        return QuoteMatch(exact, exact + len(quote))
    key, wanted = _folded(text), _folded(quote)
    for change in (None, str.casefold, _without_blanks):
        if change:
            key, wanted = _changed(key, change), _changed(wanted, change)
        if found := _whole(key, wanted.text, glued=change is _without_blanks):
            return QuoteMatch(*found)
    return _bridged(key, wanted.text) or _longest_part(key, wanted)


def text_around(text: str, start: int, end: int, context: int = 600) -> tuple[str, str, str]:
    """``(before, text[start:end], after)`` with at most ``context`` characters on either side.

    What is cut off is cut between words and stands as an ellipsis; where nothing is cut, the
    three joined are the text.
    """
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    first, last = max(start - context, 0), min(end + context, len(text))
    while first < start and _cuts(text, first):
        first += 1
    while last > end and _cuts(text, last):
        last -= 1
    before, after = text[first:start], text[end:last]
    if text[:first].strip():
        before = f"{_ELLIPSIS} {before.lstrip()}"
    if text[last:].strip():
        after = f"{after.rstrip()} {_ELLIPSIS}"
    return before, text[start:end], after


def _cuts(text: str, offset: int) -> bool:
    """Whether ``offset`` is within a word."""
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if unicodedata.category(after) in ("Mn", "Mc"):
        return True
    return before.isalnum() and after.isalnum() and max(ord(before), ord(after)) < _FIRST_UNSPACED


def _cuts_number(text: str, offset: int) -> bool:
    return 0 < offset < len(text) and text[offset - 1].isdigit() and text[offset].isdigit()


@lru_cache(maxsize=8192)
def _fold(character: str) -> str:
    if character.isspace():
        return " "
    if character in _SPELLINGS:
        return _SPELLINGS[character]
    return "".join(
        _SPELLINGS.get(part, " " if part.isspace() else part)
        for part in unicodedata.normalize("NFKD", character)
        if unicodedata.category(part) not in _IGNORED and part != "\ufffd"
    )


def _folded(text: str) -> _Key:
    """One scan: characters folded, runs of white space one blank, cut words joined."""
    characters: list[str] = []
    origins: list[int] = []
    position = 0
    for start, end in (*(match.span() for match in _CUT_WORD.finditer(text)), (len(text), len(text))):
        for offset in range(position, start):
            for character in _fold(text[offset]):
                if character != " " or (characters and characters[-1] != " "):
                    characters.append(character)
                    origins.append(offset)
        position = end
    if characters and characters[-1] == " ":
        del characters[-1], origins[-1]
    return _Key(text, "".join(characters), origins)


def _changed(key: _Key, change: Callable[[str], str]) -> _Key:
    pairs = [
        (character, origin)
        for original, origin in zip(key.text, key.origins, strict=True)
        for character in change(original)
    ]
    return _Key(key.source, "".join(c for c, _ in pairs), [origin for _, origin in pairs])


def _without_blanks(character: str) -> str:
    return "" if character in _LEFT_OUT else character


def _occurrences(text: str, piece: str) -> Iterator[int]:
    position = text.find(piece)
    for _ in range(_MAX_TRIES):
        if position < 0:
            return
        yield position
        position = text.find(piece, position + 1)


def _whole(key: _Key, wanted: str, *, glued: bool) -> tuple[int, int] | None:
    """The first place that begins and ends with a word; else, if ``glued`` and long enough, within one."""
    within_words = None
    if not wanted:
        return None
    for position in _occurrences(key.text, wanted):
        start, end = key.span(position, position + len(wanted))
        if not (_cuts(key.source, start) or _cuts(key.source, end)):
            return start, end
        if not (_cuts_number(key.source, start) or _cuts_number(key.source, end)):
            within_words = within_words or (start, end)
    return within_words if glued and len(wanted) >= _MIN_GLUED else None


def _bridged(key: _Key, wanted: str) -> QuoteMatch | None:
    """Beginning and end of the quote with something slightly different between them.

    A ligature that one program read as nothing, a mark of a footnote, a sign in another font.
    The two ends must make 60 % of the quote, the whole be about as long, the digits the same.
    """
    quarter = len(wanted) // 4
    if len(wanted) < 2 * _MIN_PART:
        return None
    head, tail = wanted[:quarter], wanted[-quarter:]
    for start in _occurrences(key.text, head):
        end = key.text.find(tail, start + quarter, start + int(1.2 * len(wanted)))
        if end < 0:
            continue
        found = key.text[start : end + quarter]
        ahead = _common(found, wanted)
        behind = _common(found[::-1], wanted[::-1])
        alike = ahead + behind >= _MIN_SHARE * len(wanted) and len(found) >= 0.8 * len(wanted)
        span = key.span(start, end + quarter)
        if alike and _digits(found) == _digits(wanted) and not any(_cuts(key.source, at) for at in span):
            return QuoteMatch(*span)
    return None


def _common(one: str, other: str) -> int:
    """Length of the common beginning."""
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:
        return shorter
    return next(length for length in range(shorter) if one[length] != other[length])


def _digits(text: str) -> list[str]:
    return [character for character in text if character.isdigit()]


def _longest_part(key: _Key, wanted: _Key) -> QuoteMatch | None:
    """The longest run of the quote's words in the text, if it makes at least 60 % of the quote.

    Every such run holds the fifth in the middle, so that is looked for and then extended.
    """
    length = len(wanted.text)
    if length < _MIN_PART:
        return None
    first, last = math.ceil(length * (1 - _MIN_SHARE)), math.floor(length * _MIN_SHARE)
    best: tuple[int, int, int] = (0, 0, 0)
    for position in _occurrences(key.text, wanted.text[first:last]):
        before, after = key.text[max(position - first, 0) : position], key.text[position : position + length]
        left = _common(before[::-1], wanted.text[:first][::-1])
        right = _common(after, wanted.text[first:])
        start, end = _whole_words(wanted, first - left, first + right)
        best = max(best, (end - start, position - first + start, position - first + end))
    share, start, end = best
    if share < _MIN_SHARE * length:
        return None
    return QuoteMatch(*key.span(start, end), partial=True)


def _whole_words(key: _Key, start: int, end: int) -> tuple[int, int]:
    """``key.text[start:end]`` without the words of the source that are cut at its ends."""
    if start >= end:
        return start, start
    first, last = key.origins[start], key.origins[end - 1] + 1
    while first < last and _cuts(key.source, first):
        first += 1
    while last > first and _cuts(key.source, last):
        last -= 1
    start, end = bisect_left(key.origins, first), bisect_right(key.origins, last - 1)
    return start, max(start, end)
