"""Whether an amount can answer a question: "how heavy" asks for no metres, "how much" of money no days.

Only where the question says clearly what is measured; a question that does not is answered by anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ragcore.lexical.facts import Token
from ragcore.lexical.units import MONEY, TIME

_LENGTHS = frozenset({"metre", "foot", "mile"})
_ASKED: tuple[tuple[regex.Pattern[str], frozenset[str], str], ...] = (
    (regex.compile(r"\bhow heavy\b|\bhow much (?:does|do|did|can|may)\b.{0,40}\bweigh\b|\bweights?\b", regex.I), frozenset({"gram"}), "a weight"),
    (regex.compile(r"\bhow (?:tall|high|deep|wide|thick|broad)\b", regex.I), _LENGTHS, "a length"),
    (regex.compile(r"\bhow (?:hot|cold|warm)\b|\bwhat temperature\b", regex.I), frozenset({"degree", "degree C", "degree F"}), "a temperature"),
    (regex.compile(r"\b(?:how much|what)\b(?!\s+paid\b).{0,40}\b(?:cost|price|paid|charged?|fee|salary|fine)\b|\bhow much money\b", regex.I), MONEY | {"percent"}, "an amount of money"),
)  # fmt: skip
_SORTS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"gram"}), "a weight"),
    (_LENGTHS, "a length"),
    (frozenset({"degree", "degree C", "degree F"}), "a temperature"),
    (MONEY, "an amount of money"),
    (TIME, "a time"),
)


def wrong_dimension(question: str, values: Sequence[Token]) -> str:
    """Why none of the values can answer the question, after "it"; empty where one can, or none has a unit."""
    with_unit = [token for token in values if token.kind == "number" and token.base]
    if not with_unit or len(with_unit) < len(values):
        return ""
    for asks, bases, wanted in _ASKED:
        if asks.search(question) and not any(token.base in bases for token in with_unit):
            base = with_unit[0].base
            given = next((sort for sorts, sort in _SORTS if base in sorts), with_unit[0].text)
            return f"gives {given} where {wanted} is asked for"
    return ""
