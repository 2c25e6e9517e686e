"""Where a fact stands in an answer, token by token, and how certain that is."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import regex

from ragcore.lexical.facts import Token, cleaned, folded, squeezed
from ragcore.lexical.units import MONEY


def spans(
    fact: Sequence[Token], said: Sequence[Token], asked: Sequence[Token] = ()
) -> list[tuple[int, int, str]]:
    """Every place of ``fact`` in ``said`` as (start, end, doubt); doubt is empty where it is certain."""
    places = []
    for start in range(len(said)):
        if start + len(fact) <= len(said) and fact:
            doubts = [compared(one, other, asked) for one, other in zip(fact, said[start:], strict=False)]
            if None not in doubts:
                places.append((start, start + len(fact), next(filter(None, doubts), "")))
                continue
        if end := _spelled(fact, said, start):
            places.append((start, end, ""))
    return places


def _spelled(fact: Sequence[Token], said: Sequence[Token], start: int) -> int | None:
    """End of a code that is written in other pieces: "GM 70882" for "GM-70882"."""
    if not any(token.kind == "code" for token in (*fact, *said[start : start + 1])):
        return None
    target, spelled = squeezed("".join(token.text for token in fact)), ""
    if not (any(map(str.isdigit, target)) and any(map(str.isalpha, target))):
        return None
    for end in range(start, min(start + 4, len(said))):
        spelled += squeezed(said[end].text)
        if spelled == target:
            return end + 1
    return None


def compared(fact: Token, said: Token, asked: Sequence[Token]) -> str | None:
    """None: different. Empty: the same. Otherwise: what is doubtful about it."""
    if fact.kind == "number" and said.kind == "number":
        return _numbers(fact, said, asked)
    if fact.kind == "number" and said.kind == "date":
        return "" if not fact.unit and fact.value == said.date[0] and fact.value >= 1000 else None
    if fact.kind == "number" and said.kind == "time":
        hour = said.value / 60
        return "" if not fact.unit and fact.value in (hour, hour - 12) else None
    if fact.kind == "time" and said.kind == "number":
        clock = regex.fullmatch(r"(\d{1,2})\.(\d\d)", said.text)
        return "" if clock and 60 * int(clock[1]) + int(clock[2]) == fact.value else None
    if fact.kind != said.kind:
        return None
    if fact.kind == "date":
        return _dates(fact, said, asked)
    if fact.kind == "time":
        if fact.value == said.value:
            return ""
        unsaid = "m" not in said.text.casefold() and said.value <= 720
        return "morning or evening is not said." if unsaid and abs(fact.value - said.value) == 720 else None
    return "" if fact.text == said.text else None


def _numbers(fact: Token, said: Token, asked: Sequence[Token]) -> str | None:
    if not fact.unit:
        return "" if fact.value == said.value else None
    if not said.unit:
        if fact.value != said.value:
            return None
        prices = {"much", "cost", "fee", "pay", "price", "deposit", "charge"}
        told = any(token.text in prices for token in asked) if fact.base in MONEY else False
        told = told or any(token.text in (fact.unit, fact.unit.removesuffix("s")) for token in asked)
        return "" if told else "the number is there without its unit."
    degrees = {fact.base, said.base} in ({"degree", "degree C"}, {"degree", "degree F"})
    if (fact.base != said.base and not degrees) or fact.amount != said.amount:
        return None
    if fact.qualifier and fact.qualifier != said.qualifier:
        return f"{fact.qualifier} days are meant, which the answer does not say."
    return ""


def _dates(fact: Token, said: Token, asked: Sequence[Token]) -> str | None:
    both = list(zip(fact.date, said.date, strict=True))
    if any(one and other and one != other for one, other in both):
        return None
    if not any(one and other for one, other in both):
        return None
    unsaid = [one for one, other in both if one and not other]
    if not unsaid:
        return ""
    if unsaid == [fact.date[0]] and any(
        compared(Token("number", "", Decimal(unsaid[0])), t, ()) == "" for t in asked
    ):
        return ""
    return "the answer has only a part of the date."


def trace_of(alternatives: Sequence[tuple[str, Sequence[Token]]], said: Sequence[Token], answer: str) -> str:
    """Why a missing fact may be there all the same: the value in other words, or the words in another order."""
    plain = cleaned(answer).casefold()
    for text, _ in alternatives:
        if regex.search(
            rf"(?<![\p{{L}}\p{{N}}.,])(?<!(?:^|\s)-){regex.escape(folded(text).casefold())}(?![\p{{L}}\p{{N}}]|[.,]\d)",
            plain,
        ):
            return "it is there, but as a part of something else."
    for _, fact in alternatives:
        content = [token for token in fact if token.kind != "word" or len(token.text) > 2]
        if len(fact) > 1 and content and all(_loosely(token, said) for token in content):
            return "all its words are there, but not in this order."
        values = [token for token in fact if token.kind != "word"]
        if len(fact) > 1 and values and all(_loosely(token, said) for token in values):
            return "its value is there, but not its words."
        if len(fact) == 1 and fact[0].kind == "word" and len(fact[0].text) > 4 and _loosely(fact[0], said):
            return "only another form of the word is there."
        if fact[0].kind == "number" and fact[0].value == 0 and any(t.text in ("no", "none") for t in said):
            return "the answer says none."
    return ""


def _loosely(token: Token, said: Sequence[Token]) -> bool:
    if token.kind != "word":
        return any(compared(token, other, ()) is not None for other in said)
    stem = token.text[: max(4, len(token.text) - 3)]
    return any(other.kind == "word" and other.text.startswith(stem) for other in said)
