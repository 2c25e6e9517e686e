"""A text as the lexemes that lexical search compares: the same function for chunks and questions.

Words are casefolded and stemmed (Porter2); what identifies something is kept: ``HL-204b``,
``401(k)``, ``3.5`` and ``v1.2`` stand whole, and beside them their parts, so that either finds
the other. Scripts that put no blanks between words are cut into pairs of characters.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from threading import local

import regex
import snowballstemmer

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+(?:[-'’./&_][\p{L}\p{N}\p{M}]+)*(?:\([\p{L}\p{N}]+\))*")
_PARTS = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+")
_PLAIN = regex.compile(r"[a-z]+")
_APOSTROPHES = regex.compile(r"['’]")
_COUNTED = regex.compile(r"\d+\p{L}{1,2}|[\d.,/]+")
"""``2nd``, ``18h``, ``3.5``: counts and measures rather than names."""

STOP_WORDS = frozenset(
    """a about am an and any are as at be been but by can could did do does for from had has have how i if
    in into is it its me my of on or our shall should so than that the their them then there these they this
    to was we were what when where which who whom whose why will with would you your""".split()
)
"""English words that say nothing about the subject. "Not", "no" and numbers are no stop words."""

_stemmers = local()
"""A stemmer keeps its state in itself, so each thread has its own."""


def lexemes(text: str) -> list[str]:
    """The lexemes of ``text``, in order, with repetitions."""
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = match[0]
        if _UNSPACED.search(word):
            found += _pairs(word)
            continue
        parts = _PARTS.findall(word)
        if len(parts) > 1 and not _APOSTROPHES.search(word):
            found.append(word)
        for part in parts:
            if part in STOP_WORDS or (len(part) == 1 and part.isalpha()):
                continue
            found.append(_stemmed(part) if _PLAIN.fullmatch(part) else part)
    return found


def is_identifying(lexeme: str) -> bool:
    """Whether it holds a digit: a number, a year, a code. It then names one thing and no other."""
    return any(map(str.isdigit, lexeme))


def is_code(lexeme: str) -> bool:
    """Whether it is a name made of signs, as ``hl-204b``, ``e05`` and ``401(k)`` are; ``24-hour`` and ``2nd`` are not."""
    if not is_identifying(lexeme) or _COUNTED.fullmatch(lexeme):
        return False
    parts = _PARTS.findall(lexeme)
    return any(map(str.isalpha, lexeme)) if len(parts) == 1 else not any(map(_spoken, parts))


def _spoken(part: str) -> bool:
    return part.isalpha() and len(part) > 3


@lru_cache(maxsize=50_000)
def _stemmed(word: str) -> str:
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        stemmer = _stemmers.english = snowballstemmer.stemmer("english")
    return stemmer.stemWord(word)


def _pairs(word: str) -> list[str]:
    """Overlapping pairs of characters; runs of other scripts within the word stay whole."""
    pairs = []
    for run in regex.findall(rf"{_UNSPACED.pattern}|[^\s]+?(?={_UNSPACED.pattern}|$)", word):
        if not _UNSPACED.fullmatch(run) or len(run) == 1:
            pairs.append(run)
        else:
            pairs += [run[place : place + 2] for place in range(len(run) - 1)]
    return pairs
