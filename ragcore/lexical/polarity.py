"""Whether a statement affirms or denies, and on which side of a value it says something lies.

Two statements of the same thing contradict each other when one denies what the other affirms ("is not
covered", "need not"), or when one says "at least 5" and the other "at most 5". English only; rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from ragcore.lexical.facts import Token

Side = Literal["lower", "upper"]

NEGATIONS = frozenset("not no never nobody none nor neither without except excluding nothing nowhere".split())
_DENYING = frozenset(
    """forbidden forbid prohibited prohibit banned ban refused declined excluded disallowed barred impossible
    unable false incorrect untrue wrong unnecessary needless""".split()
)
_HARMLESS_AFTER = frozenset(
    """later more less fewer exceed above below only earlier sooner before after until over under higher lower
    greater larger smaller longer shorter""".split()
)
_LOWER = {
    ("at", "least"), ("no", "fewer"), ("no", "less"), ("not", "less"), ("not", "fewer"), ("more", "than"),
    ("minimum", "of"), ("longer", "than"), ("greater", "than"), ("older", "than"), ("not", "before"), ("no", "earlier"),
}  # fmt: skip
_UPPER = {
    ("at", "most"), ("no", "more"), ("not", "more"), ("up", "to"), ("less", "than"), ("fewer", "than"), ("maximum", "of"),
    ("shorter", "than"), ("younger", "than"), ("no", "later"), ("not", "later"), ("no", "longer"), ("not", "after"),
}  # fmt: skip
_LOWER_WORD = frozenset("over above minimum after since exceeding beyond".split())
_UPPER_WORD = frozenset("under below maximum before until within by till".split())
_REACH = 3


def denies(row: Sequence[Token]) -> bool:
    """Whether the tokens deny: an odd number of negations, "no more than" and the like left out."""
    count = 0
    for place, token in enumerate(row):
        following = row[place + 1].text if place + 1 < len(row) else ""
        if token.kind != "word":
            continue
        negated = token.text in NEGATIONS and following not in _HARMLESS_AFTER and following != "only"
        count += negated or token.text in _DENYING
    return count % 2 == 1


def side_of(row: Sequence[Token], place: int) -> Side | None:
    """On which side of the value at ``place`` its sentence says that something lies; None: on neither."""
    before = [token.text for token in row[max(0, place - _REACH) : place]]
    if before[-2:] in (["more", "than"], ["less", "than"]) and before[:-2][-1:] in (["no"], ["not"]):
        return "upper" if before[-2] == "more" else "lower"
    for one, two in reversed(list(pairwise(before))):
        if (one, two) in _LOWER:
            return "lower"
        if (one, two) in _UPPER:
            return "upper"
    if before and before[-1] in _LOWER_WORD:
        return "lower"
    if before and before[-1] in _UPPER_WORD:
        return "upper"
    after = [token.text for token in row[place + 1 : place + 3]]
    if after[:1] == ["or"] and after[1:] and after[1] in ("more", "over", "older", "above"):
        return "lower"
    if after[:1] == ["or"] and after[1:] and after[1] in ("less", "fewer", "under", "younger", "below"):
        return "upper"
    return None
