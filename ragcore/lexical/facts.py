"""Text as a row of comparable tokens: words, codes, quantities, dates and times of day.

"15 days", "fifteen days" and "15-day" read the same; so do "2 May 2026" and "2026-05-02", "£55.00"
and "55 pounds". A number is a token of its own, so 4 is not found in 14 and 16 not in "Channel 160".
Knows nothing of questions and grades. English only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import regex

from ragcore.lexical.units import MONTHS, ONES, ORDINALS, SCALES, TENS, UNITS

Date = tuple[int | None, int | None, int | None]
"""Year, month, day; None where it is not said."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word (``text`` folded, singular), or a value with the way it was written in ``text``."""

    kind: Literal["word", "code", "number", "date", "time"]
    text: str
    value: Decimal = Decimal(0)
    """Of a number: as written. Of a time: minutes since midnight."""
    unit: str = ""
    """As written, in the form that ``UNITS`` knows; empty without one."""
    date: Date = (None, None, None)
    qualifier: str = ""
    """"working" or "calendar", before a unit of time."""
    soft: bool = False
    """A bare "one" or "once", or "an hour": may be meant as a number, but need not be."""
    sentence: int = 0
    clause: int = 0

    @property
    def base(self) -> str:
        return UNITS[self.unit][0] if self.unit else ""

    @property
    def amount(self) -> Decimal:
        """The value in base units: seconds, metres, pounds ..."""
        return self.value * UNITS[self.unit][1] if self.unit else self.value


def tokens(text: str) -> list[Token]:
    """The tokens of ``text`` in order, articles left out, citations and list numbers removed."""
    row = list(_scan(cleaned(text)))
    return _with_shared_units(row)


def folded(text: str) -> str:
    """Compatibility forms, typographic quotes and dashes made plain, white space folded; case is kept."""
    text = regex.sub(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}\b)", "", text)
    for mark, decimals in (("½", ".5"), ("¼", ".25"), ("¾", ".75")):
        text = regex.sub(rf"(?<=\d)\s?{mark}", decimals, text).replace(mark, f"0{decimals}")
    text = unicodedata.normalize("NFKC", text)
    for odd, plain in (("’‘‛ʼ´`", "'"), ("“”„«»", '"'), ("–—‒―‑−‐", "-")):
        text = regex.sub(f"[{odd}]", plain, text)
    return text.replace("\u00ad", "").strip()


def cleaned(text: str) -> str:
    """Folded, without what is not said but only points: ``[file.pdf:3]``, ``[2]``, "page 4", list numbers, markup."""
    text = regex.sub(r"\[(?:\d{1,3}(?:\s*[,;-]\s*\d{1,3})*|[^\[\]]*:[^\[\]]*)\]", " ", folded(text))
    text = regex.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", "", text)
    if regex.search(r"(?m)^\s*1[.)]\s", text) and regex.search(r"(?m)^\s*2[.)]\s", text):
        text = regex.sub(r"(?m)^\s*\d{1,2}[.)]\s+", "\n", text)
    text = regex.sub(r"(?i)\b(?:pages?|pp?\.|passages?|sources?)\s*\d+(?:\s*-\s*\d+)?\b", " reference ", text)
    text = regex.sub(r"\b[Nn]os?\.?\s*(?=\d)", "number ", text)
    return regex.sub(
        r"(?i)\b(ca|do|is|are|was|were|does|did|wo|could|would|should|has|have|had|must|need)n't\b",
        r"\1 not",
        text,
    )


def _any(words: object) -> str:
    return "|".join(sorted(map(regex.escape, words), key=len, reverse=True))  # type: ignore[call-overload]


# "Nobody under 16 may enter" names no month: "may" counts with a capital or before a year.
_MONTH = rf"(?:(?i:{_any(set(MONTHS) - {'may'})})|May|MAY|may(?=,?\s+\d{{4}}\b))"
_ONE = _any(ONES)
_TEN = _any(TENS)
_UNDER_100 = rf"(?:(?:{_TEN})(?:[\s-]+(?:{_ONE}))?|{_ONE})"
_UNDER_1000 = rf"(?:(?:an?|{_UNDER_100})[\s-]+hundred(?:\s+(?:and\s+)?{_UNDER_100})?|{_UNDER_100})"
_NUMBER_WORDS = (
    rf"(?:{_UNDER_1000}|an?)\s+(?:thousand|million)(?:\s+(?:and\s+)?{_UNDER_1000})?|{_UNDER_1000}|a\s+dozen"
)
_LETTER_UNITS = [unit for unit in UNITS if unit != unit.lower() or len(unit) < 3]
_WORD_UNITS = [unit for unit in UNITS if unit not in _LETTER_UNITS]
_UNIT = rf"(?:{_any(_LETTER_UNITS)})(?!\w)|(?i:{_any(_WORD_UNITS)})(?!\w)"
_AFTER = regex.compile(
    rf"(?:\s*(?P<scale>(?:k|m|bn)(?![\w°%/])|\s(?:thousand|million|billion|dozen)\b))?"
    rf"(?:(?:\s+|-)?(?P<qualifier>(?i:working|business|calendar|full|whole|paid|consecutive|more|further|clear)(?=\s)))?"
    rf"(?:[\s-]*(?P<unit>{_UNIT}))?"
)
_SCAN = regex.compile(
    rf"""
    (?P<iso>\b(?P<iy>\d{{4}})-(?P<im>\d{{2}})-(?P<id>\d{{2}})\b)
    |(?P<slash>\b(?P<sa>\d{{1,2}})(?P<sep>[/.])(?P<sb>\d{{1,2}})(?P=sep)(?P<sy>\d{{4}})\b)
    |(?P<dmy>\b(?P<dd>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<dm>{_MONTH})\b\.?(?:,?\s+(?P<dy>\d{{4}})\b)?)
    |(?P<mdy>\b(?P<mm>{_MONTH})\b\.?\s+(?:the\s+)?(?P<md>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.,]?\d)(?:,?\s+(?P<my>\d{{4}})\b)?)
    |(?P<month>\b(?P<om>{_MONTH})\b\.?,?\s+(?P<oy>\d{{4}})\b)
    |(?P<clock>\b(?P<ch>\d{{1,2}}):(?P<cm>\d{{2}})\b(?:\s?(?P<cap>[ap])\.?m\b\.?)?|\b(?P<h>\d{{1,2}})(?:\.(?P<m>\d{{2}}))?\s?(?P<ap>[ap])\.?m\b\.?)
    |(?P<noon>(?i:\b(?:12\s+)?(?:noon|midnight)\b))
    |(?P<code>\b(?!(?:EUR|USD|GBP|CHF)\d)(?:[A-Za-z]{{1,5}}\d|[A-Z]{{1,6}}-\d|[a-z]-\d)[A-Za-z\d]*(?:[-./]\d+[A-Za-z]*)*|\b\d+(?:\.\d+){{2,}}\b|\b0\d+\b(?![.,]\d))
    |(?P<digits>(?P<sign>(?:(?<![\w)\]]|\w\s)-(?=[\d£$€])|\bminus\s+))?(?P<currency>(?:[£$€]|\b(?:EUR|USD|GBP|CHF))\s?)?
        (?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?))
    |(?P<half>(?i:\bhalf\s+an?\s+(?P<hu>hour|day|year|minute|mile|litre|metre)\b))
    |(?P<words>(?i:\b(?:{_NUMBER_WORDS})\b)(?P<ahalf>(?i:\s+and\s+a\s+half\b))?)
    |(?P<times>(?i:\b(?:once|twice|thrice)\b))
    |(?P<a>(?i:\ban?)\s+(?P<au>(?i:second|minute|hour|day|week|month|year))\b)
    |(?P<word>[\p{{L}}\p{{M}}]+(?:'[\p{{L}}]+)?)
    |(?P<end>[.!?]+["')\]]*\s+(?=[\p{{Lu}}"'(\d-])|\n+)
    |(?P<break>[,;:()])
    |(?P<dash>-)
    """,
    regex.VERBOSE,
)
_NO_PLURALS = frozenset({"perhaps", "whereas", "always", "sometimes"})
_ARTICLES = frozenset({"the", "a", "an"})


def _scan(text: str) -> Iterator[Token]:
    position = sentence = clause = 0
    while match := _SCAN.search(text, position):
        position = match.end()
        kind = match.lastgroup
        kind = next(
            name
            for name in (
                "iso slash dmy mdy month clock noon code digits half words times a word end break dash"
            ).split()
            if match[name] is not None
        )
        if kind in ("end", "break"):
            sentence += kind == "end"
            clause += 1
            continue
        if kind == "dash":
            # Between two numbers a range, with blanks a pause, else a hyphen inside a word.
            if regex.match(r"\s*[£$€]?\d", text[position:]) and regex.search(
                r"[\w%]\s*$", text[: match.start()]
            ):
                yield Token("word", "to", sentence=sentence, clause=clause)
            elif text[match.start() - 1 : match.start()].isspace():
                clause += 1
            continue
        if kind in ("digits", "words"):
            token, position = _quantity(match, text, kind)
        elif kind == "word":
            token = _word(match[0])
            if token.text in _ARTICLES:
                continue
        else:
            token = _other(match, kind)
        yield replace(token, sentence=sentence, clause=clause)


def _quantity(match: regex.Match[str], text: str, kind: str) -> tuple[Token, int]:
    """A number with its scale and unit, and where the text goes on."""
    start, end = match.span()
    if kind == "words":
        value = _value_of_words(match[0])
        soft = match[0].casefold() == "one"
    else:
        value, soft = Decimal(match["number"].replace(",", "")), False
        ordinal = regex.compile(r"(?:st|nd|rd|th)\b").match(text, end)
        if ordinal:
            return Token("word", text[start : ordinal.end()].casefold()), ordinal.end()
    after = _AFTER.match(text, end)
    assert after is not None
    unit = _unit(after["unit"])
    currency = _unit((match["currency"] or "").strip()) if kind == "digits" else ""
    scale = (after["scale"] or "").strip().casefold()
    if scale == "m" and not currency:
        scale, unit = "", "m"
    if unit or scale:
        end = after.end() if unit else after.end("scale")
    elif kind == "digits" and (code := regex.compile(r"[A-Za-z]\w*").match(text, end)):
        return Token("code", squeezed(text[start : code.end()])), code.end()
    if kind == "digits" and match["sign"]:
        value = -value
    qualifier = (after["qualifier"] or "").casefold() if unit else ""
    qualifier = {"business": "working", "working": "working", "calendar": "calendar"}.get(qualifier, "")
    token = Token(
        "number",
        text[start:end].strip(),
        value * SCALES.get(scale, Decimal(1)),
        unit=currency or unit,
        qualifier=qualifier,
        soft=soft and not unit,
    )
    return token, end


def _other(match: regex.Match[str], kind: str) -> Token:
    written = match[0]
    match kind:
        case "iso":
            return _date(written, match["iy"], match["im"], match["id"])
        case "slash":
            first, second = int(match["sa"]), int(match["sb"])
            # 02/05/2026 is taken day first; only a second number over 12 says otherwise.
            day, month = (second, first) if second > 12 else (first, second)
            return _date(written, match["sy"], month, day)
        case "dmy":
            return _date(written, match["dy"], MONTHS[match["dm"].casefold()], match["dd"])
        case "mdy":
            return _date(written, match["my"], MONTHS[match["mm"].casefold()], match["md"])
        case "month":
            return _date(written, match["oy"], MONTHS[match["om"].casefold()], None)
        case "clock":
            hour, half = int(match["ch"] or match["h"]), match["cap"] or match["ap"]
            minutes = int(match["cm"] or match["m"] or 0)
            if half:
                hour = hour % 12 + (12 if half == "p" else 0)
            return Token("time", written, Decimal(60 * hour + minutes))
        case "noon":
            return Token("time", written, Decimal(720 if "noon" in written.casefold() else 0))
        case "half":
            return Token("number", written, Decimal("0.5"), unit=match["hu"].casefold())
        case "times":
            counts = {"once": 1, "twice": 2, "thrice": 3}
            return Token(
                "number", written, Decimal(counts[written.casefold()]), "time", soft=written == "once"
            )
        case "a":
            return Token("number", written, Decimal(1), unit=match["au"].casefold(), soft=True)
        case _:
            return Token("code", squeezed(written))


def _date(written: str, year: object, month: object, day: object) -> Token:
    date = tuple(None if part is None else int(str(part)) for part in (year, month, day))
    return Token("date", written, date=date)  # type: ignore[arg-type]


def _word(written: str) -> Token:
    word = written.casefold().removesuffix("'s")
    word = {"cannot": "not", "n't": "not"}.get(word, word)
    word = ORDINALS.get(word, word)
    if (
        len(word) > 3
        and word.endswith("s")
        and word not in _NO_PLURALS
        and not word.endswith(("ss", "us", "is"))
    ):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    return Token("word", word)


def _value_of_words(written: str) -> Decimal:
    total = part = Decimal(0)
    for word in regex.findall(r"\w+", written.casefold()):
        if word in ONES or word in TENS:
            part += ONES.get(word) or TENS.get(word) or 0
        elif word == "half":
            part += Decimal("0.5")
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in SCALES:
            total += (part or 1) * SCALES[word]
            part = Decimal(0)
    return total + part


def _unit(written: str | None) -> str:
    if not written:
        return ""
    return written if written in UNITS else " ".join(written.casefold().split())


def _with_shared_units(row: list[Token]) -> list[Token]:
    """ "15 or 20 days", "15-20 days", "1 to 31 March": the first has the unit or month of the second."""
    for i in range(len(row) - 3, -1, -1):
        left, middle, right = row[i : i + 3]
        if left.kind != "number" or middle.text not in ("or", "to", "and"):
            continue
        if right.kind == "number" and not left.unit and right.unit and not left.soft:
            row[i] = replace(left, unit=right.unit, qualifier=right.qualifier)
        elif right.kind == "date" and right.date[2] and not left.unit and 1 <= left.value <= 31:
            row[i] = replace(left, kind="date", date=(*right.date[:2], int(left.value)))
    return row


def squeezed(text: str) -> str:
    """Letters and digits only, in lower case: "GM-70 882" and "gm 70882" are the same."""
    return regex.sub(r"[\W_]+", "", text).casefold()
