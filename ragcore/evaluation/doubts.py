"""Why facts that stand in an answer may still not be what it says: negations, guesses, rival values.

What is doubted is left to a person, so a doubt too many costs a minute and a doubt too few costs
a wrong grade.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragcore.lexical.fact_matching import compared
from ragcore.lexical.facts import Token
from ragcore.lexical.units import TIME


@dataclass(frozen=True, slots=True)
class Found:
    """Where an alternative stands in the answer, and whether only nearly."""

    group: int
    written: str
    start: int
    end: int
    doubt: str = ""


_NEGATIONS = frozenset(
    """not no never nobody none nor neither without except excluding unlike formerly
    previously""".split()
)
_DENYING = frozenset("false incorrect wrong untrue".split())
"""Only behind "is": "212 false coins" denies nothing."""
_NEGATING_PAIRS = frozenset(
    {
        ("instead", "of"),
        ("rather", "than"),
        ("other", "than"),
        ("apart", "from"),
        ("opposed", "to"),
        ("used", "to"),
    }
)
_HARMLESS_AFTER_NEGATION = frozenset(
    """later more less fewer exceed above below only earlier sooner before after until over under higher lower
    greater larger smaller""".split()
)
_BOUNDARY = frozenset("but however although though while whereas because so if when unless which".split())
_UNSURE = frozenset("perhaps maybe possibly guess unsure might".split())


def doubt_of(
    found: Sequence[Sequence[Found]],
    wanted: Sequence[Sequence[Sequence[Token]]],
    said: Sequence[Token],
    asked: Sequence[Token],
) -> str:
    """Why facts that are all there may still not be what the answer says; empty if nothing speaks against it."""
    negative_fact = any(
        any(token.text in _NEGATIONS for alternative in group for token in alternative) for group in wanted
    )
    expected = negative_fact or any(token.text in _NEGATIONS for token in asked)
    if negative_fact and said[0].text == "yes" and all(_bare_negation(group) for group in wanted):
        return "The answer says yes and negates something."
    for places in found:
        # One clean place is enough, unless another place takes it back in the same answer.
        for place in places:
            if not expected and (word := _negated(place, said)):
                return f'"{place.written}" stands beside "{word}".'
            if word := _unsure(place, said):
                return f'"{place.written}" stands beside "{word}".'
        place = places[0]
        if other := _rival(place, wanted, said, asked):
            return f'"{place.written}" is there, but also "{other}".'
    return ""


def _bare_negation(group: Sequence[Sequence[Token]]) -> bool:
    return all(len(alternative) == 1 and alternative[0].text in _NEGATIONS for alternative in group)


def _unsure(place: Found, said: Sequence[Token]) -> str:
    """A word of guessing before the fact, in its clause."""
    clause = said[place.start].clause
    return next((t.text for t in said[: place.start] if t.clause == clause and t.text in _UNSURE), "")


def _negated(place: Found, said: Sequence[Token]) -> str:
    """A negation within six tokens before or four after, in the same clause."""
    clause = said[place.start].clause
    for step, nearest in ((-1, place.start - 1), (1, place.end)):
        reach = 6 if step < 0 else 4
        for i in range(nearest, nearest + step * reach, step):
            if not 0 <= i < len(said) or said[i].clause != clause or said[i].text in _BOUNDARY:
                break
            if step > 0 and said[i].text == "and":
                break
            following = said[i + 1].text if i + 1 < len(said) else ""
            if (said[i].text, following) in _NEGATING_PAIRS:
                return f"{said[i].text} {following}"
            if said[i].text in _NEGATIONS and not (step < 0 and following in _HARMLESS_AFTER_NEGATION):
                return said[i].text
            if said[i].text in _DENYING and said[i - 1].text in ("is", "are", "was", "were"):
                return said[i].text
    return ""


def _rival(
    place: Found, wanted: Sequence[Sequence[Sequence[Token]]], said: Sequence[Token], asked: Sequence[Token]
) -> str:
    """Another value of the same kind and unit, or another word across an "or"."""
    welcome = [token for group in wanted for alternative in group for token in alternative]
    allowed = [*welcome, *asked]
    for i in range(place.start, place.end):
        own = said[i]
        if own.kind not in ("number", "date", "time"):
            continue
        noun = _noun(said, i)
        for j, other in enumerate(said):
            if place.start <= j < place.end or other.kind != own.kind or other.soft:
                continue
            if compared(own, other, ()) is not None or any(
                compared(t, other, ()) is not None for t in allowed
            ):
                continue
            linked = own.kind == "number" and not own.unit and not other.unit and abs(i - j) == 2
            linked = linked and said[min(i, j) + 1].text == "or"
            if linked or _same_sort(own, other, noun, _noun(said, j)):
                return other.text
    for edge, beyond in ((place.start - 1, place.start - 2), (place.end, place.end + 1)):
        if 0 <= edge < len(said) and said[edge].text == "or" and 0 <= beyond < len(said):
            other = said[beyond]
            if other.kind == said[place.start].kind and all(compared(t, other, ()) is None for t in allowed):
                return other.text
    return ""


def _same_sort(own: Token, other: Token, noun: str, other_noun: str) -> bool:
    if own.kind == "date":
        return [part is None for part in own.date[1:]] == [part is None for part in other.date[1:]]
    if own.kind == "time":
        return True
    if own.unit and other.unit:
        singular = own.unit.removesuffix("s") == other.unit.removesuffix("s")
        return singular or (own.base == other.base and own.base not in TIME)
    return not own.unit and not other.unit and bool(noun) and noun == other_noun


def _noun(said: Sequence[Token], index: int) -> str:
    """The word that a bare number counts: the next one in its clause."""
    following = said[index + 1 : index + 2]
    if following and following[0].kind == "word" and following[0].clause == said[index].clause:
        return following[0].text
    return ""
