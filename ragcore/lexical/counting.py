"""Whether a question asks for a number of things, or for all of them: no single passage answers that.

"How many projects were there?" is answered by counting, and a part of them makes a wrong count; "How
many days?" is answered by the one sentence that says so. Rules for English.
"""

from __future__ import annotations

import regex

from ragcore.lexical.units import UNITS

_MEASURED = "|".join(
    sorted(
        (regex.escape(unit) + "s?" for unit in {*UNITS, "time", "metre"} if unit.isalpha() and len(unit) > 1),
        key=len,
    )
)
_BEFORE = r"(?:(?!(?:an?|per|each|every|in|of|for)\b)\w+\s+)"
"""A word between "how many" and what is measured: "paid sick days", but not "people a day"."""
_ALL = r"(?:all|every|each)"
_ASKS = regex.compile(
    rf"""\bhow\s+many\s+(?!(?:{_BEFORE}{{0,2}}(?:{_MEASURED})|percent|per\s+cent)\b)
    |\b(?:what|which)\b[^.?!]{{0,60}}\b(?:are|were)\s+there\b
    |\bnumber\s+of\s+(?:the\s+)?\w+s\b
    |\b(?:list|name|enumerate|give|show|tell|mention)\b[^.?!]{{0,30}}\b{_ALL}\b
    |(?:^|[,;:.!?]\s*)(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:list|enumerate|count)\b
    |\b(?:what|which|who)\s+are\s+{_ALL}\b""",
    regex.IGNORECASE | regex.VERBOSE,
)


def asks_for_all(question: str) -> bool:
    """Whether a question wants things counted or listed."""
    return bool(_ASKS.search(question))
