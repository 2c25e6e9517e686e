"""Abbreviations that a document defines itself: "Employee Assistance Program (EAP)".

Candidates are found where writers define them, as in Schwartz and Hearst 2003 (see alignment.py,
which decides whether a candidate's letters fit): in brackets, in lines of a list, in rows of a
table, and in words such as "means", "stands for", "abbreviated as". Knows no collection.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ragcore.lexical.alignment import FUNCTION_WORDS, TOO_MUCH, allowed_price, folded, price
from ragcore.records import Definition

LONGEST_SHORT = 10
_REACH = 300
"""How many characters before a short form its long form is looked for."""
_TOKEN = r"[^\W_][\w&./’'-]*"
_QUOTES = "\"'“”„‘’«»*_`"
_MARK = r"^\s*(?:[-*+•·–]\s+|\d{1,3}[.)]\s+|#+\s+)?"
_BRACKETS = re.compile(r"(?<=\s)\(([^()]{2,160})\)")
_LEAD_IN = re.compile(
    r"^(?:(?:the|or|also|hereinafter|hereafter|herein|abbreviated|abbr\.?|called|known|referred|to|as|in short|"
    r"i\.e\.|short)[,:]?\s+)+",
    re.IGNORECASE,
)
_LIST_LINE = re.compile(rf"{_MARK}[*_`]*({_TOKEN})[*_`]*\s*(?::|=|\s[–—-]{{1,2}}\s)[*_`]*\s*(\S.*)$")
_FORWARD = re.compile(
    rf"({_TOKEN})[\"”’*_`]*,?\s+(?:means|denotes|stands\s+for|(?:is\s+|being\s+)?short\s+for|"
    r"(?:is\s+)?(?:an|the)\s+(?:abbreviation|acronym|initialism)\s+(?:of|for))\s+([^.;:|]{3,200})"
)
_BACKWARD = re.compile(
    r",?\s+\(?(?:abbreviated|abbr\.|shortened|hereinafter|hereafter|(?:also\s+)?known\s+as|"
    r"(?:also\s+)?referred\s+to\s+as|in\s+short|for\s+short),?(?:\s+(?:to|as|called|referred\s+to\s+as))*\s+"
    rf"(?:the\s+)?[{_QUOTES}]*({_TOKEN})"
)
_CELLS = re.compile(r"\s*[|\t]\s*")
_SENTENCE_END = re.compile(r"[.!?;:]\s+|[|•·()\[\]]\s*|^\s*[-*+]\s+")
_ROMAN = re.compile(r"[IVX]+")
_GOES_ON = frozenset("which who that is are was were has have must may can shall will".split())
"""With one of these a definition goes on after the long form."""


def learn(texts: Iterable[str]) -> list[Definition]:
    """The abbreviations that the texts define, each with the place (index from 0) of the first mention.

    The same short form may come with several long ones; which of them counts is for the glossary
    to say. Long forms are as written, but not in capitals throughout.
    """
    found: dict[tuple[str, str], Definition] = {}
    for place, text in enumerate(texts):
        for short, long in _definitions(text):
            short, long = _singular(short, long)
            found.setdefault((short, folded(long)), Definition(short, long, place))
    return list(found.values())


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        yield from _in_list_line(line)
        yield from _in_table_row(line)
    for paragraph in re.split(r"\n\s*\n", text):
        flowing = " ".join(paragraph.split())
        yield from _in_brackets(flowing)
        for match in _FORWARD.finditer(flowing):
            yield from _opening(match[1], match[2], small=True, goes_on=_GOES_ON | FUNCTION_WORDS)
        for match in _BACKWARD.finditer(flowing):
            yield from _closing(match[1], flowing[max(0, match.start() - _REACH) : match.start()], small=True)


def _in_brackets(text: str) -> Iterator[tuple[str, str]]:
    for match in _BRACKETS.finditer(text):
        inside = _LEAD_IN.sub("", match[1].strip(_QUOTES + " "))
        head = re.split(r"[,;]|\s+for short\b", inside)[0].strip(_QUOTES + " ")
        before = text[max(0, match.start() - _REACH) : match.start()]
        if " " not in head:
            yield from _closing(head, before)
        elif before.split():
            yield from _opening(before.split()[-1].strip(_QUOTES), inside, whole=True)


def _in_list_line(line: str) -> Iterator[tuple[str, str]]:
    if match := _LIST_LINE.match(line):
        yield from _opening(match[1], match[2])


def _in_table_row(line: str) -> Iterator[tuple[str, str]]:
    if "|" not in line and "\t" not in line:
        return
    cells = [cell.strip(_QUOTES + " ") for cell in _CELLS.split(line.strip(" |\t"))]
    for left, right in pairwise(cells):
        yield from _opening(left, right, whole=True, small=True, most=0)
        yield from _opening(right, left, whole=True, small=True, most=0)


def _closing(short: str, before: str, *, small: bool = False) -> Iterator[tuple[str, str]]:
    """A short form that follows its long one: the best fit among the last words before it."""
    short = short.strip(_QUOTES)
    if not looks_short(short, small=small):
        return
    words = _SENTENCE_END.split(before)[-1].split()
    best, best_words = TOO_MUCH, []
    for count in range(1, min(len(words), _most_words(short)) + 1):
        window = words[-count:]
        if any(word.endswith(",") for word in window[:-1]) and count > 1 and best < TOO_MUCH:
            break
        found = price(_bare(short), window)
        if found < best:
            best, best_words = found, window
    if best <= allowed_price(_bare(short)):
        yield from _pair(short, best_words)


def _opening(
    short: str,
    after: str,
    *,
    whole: bool = False,
    small: bool = False,
    goes_on: frozenset[str] = _GOES_ON,
    most: int = 1,
) -> Iterator[tuple[str, str]]:
    """A short form that comes before its long one, which must then be a phrase that ends.

    ``whole``: all of ``after`` up to the first comma must be the long form; otherwise one of the words
    ``goes_on`` may follow it. ``most``: how far it may be from the bare initials.
    """
    if not looks_short(short, small=small):
        return
    phrase = re.sub(r"^(?:the|an?)\s+", "", after.strip(_QUOTES + " "), flags=re.IGNORECASE)
    words = list(re.finditer(r"\S+", phrase))
    best, best_words = TOO_MUCH, []
    for count in range(1, min(len(words), _most_words(short)) + 1):
        rest = phrase[words[count - 1].end() :].strip()
        last = words[count - 1][0]
        ends = not rest or last[-1] in ",.;:!?)" or rest[0] in "([|–—-,;"
        if rest and not ends and not whole:
            ends = rest.split()[0].strip(",").casefold() in goes_on
        window = [word[0] for word in words[:count]]
        found = price(_bare(short), window) if ends else TOO_MUCH
        if found < best:
            best, best_words = found, window
        if last[-1] in ",.;:!?)":
            break
    if best <= min(most, allowed_price(_bare(short))):
        yield from _pair(short, best_words)


def looks_short(token: str, *, small: bool = False) -> bool:
    """Whether a token is written as abbreviations are: capitals, or one among small letters or digits.

    ``small`` takes small letters too, for places that say in words that it is an abbreviation.
    """
    bare = _bare(token)
    letters = [character for character in bare if character.isalpha()]
    if not 2 <= len(bare) <= LONGEST_SHORT or not letters or _ROMAN.fullmatch(bare):
        return False
    if re.search(r"\d{2}", bare):
        # HL-204b, 2024A: a code, not a word.
        return False
    if small and "." not in token.rstrip("."):
        return True
    capitals = sum(character.isupper() for character in letters)
    return capitals >= 2 or (capitals == 1 and (any(not c.isalpha() for c in bare) or letters[0].islower()))


def _bare(short: str) -> str:
    """``E.A.P.`` as EAP, ``SWTs`` as SWT."""
    bare = short.replace(".", "").strip(_QUOTES)
    return bare[:-1] if re.fullmatch(r".*[A-Z&\d]{2}[’']?s", bare) else bare


def _most_words(short: str) -> int:
    """Schwartz and Hearst's bound on the words of a long form."""
    size = len(_bare(short))
    return min(size + 5, size * 2)


def _pair(short: str, words: list[str]) -> Iterator[tuple[str, str]]:
    long = " ".join(words).strip(_QUOTES + " ,.;:!?()[]")
    if folded(_bare(short)) in folded(long).split():
        return
    if long.isupper():
        long = long.lower()
    yield short.strip(_QUOTES).rstrip("."), long


def _singular(short: str, long: str) -> tuple[str, str]:
    """Both in the singular, where the short form is written as a plural."""
    bare = _bare(short)
    plain = short.replace(".", "")
    if bare == plain or not plain.endswith("s"):
        return plain, long
    return bare.rstrip("'’"), singular(long)


def singular(long: str) -> str:
    """The last word without its plural ending, by rule of thumb."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if long.endswith(ending):
            return long[: -len(ending)] + instead
    return long[:-1] if re.search(r"[^s’'iu]s$", long) else long


def plural(long: str) -> str:
    """The last word with a plural ending, by rule of thumb."""
    if re.search(r"[^aeiou]y$", long):
        return long[:-1] + "ies"
    if re.search(r"(?:ss|x|ch|sh)$", long):
        return long + "es"
    return long if long.endswith("s") else long + "s"
