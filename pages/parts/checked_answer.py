"""Checking of answers in words: the setting, and what the receipt says of it."""

from __future__ import annotations

from typing import Any

CHOICES = {
    "strike": "Leave them out",
    "quote": "Quote the documents instead",
    "refuse": "Refuse the answer",
    "show": "Show them, marked",
}
HELP = (
    "Every sentence of a model is compared with the passages before it is shown: numbers, dates, names and "
    "negations must match, and the rest must mean the same. What becomes of sentences that no passage supports. "
    "An answer of which nothing is left is quoted where the evidence is strong, and refused else."
)
REFUSAL_HELP = (
    "A small model often finds no answer that is there. Where the evidence is strong, the best-fitting sentences "
    "are then quoted, and marked as a quote."
)


def rows(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """Of a model's answer: how many sentences are supported, and those that are not, with the reason."""
    outcome = trace.get("outcome") or {}
    claims, unsupported = outcome.get("claims") or [], outcome.get("unsupported") or []
    if not claims:
        return []
    supported = sum(one["supported"] for one in claims)
    found = [("Checked", f"{supported} of {len(claims)} sentences supported by the passages")]
    if unsupported:
        name = "Marked" if unsupported[0]["shown"] else "Left out"
        found.append((name, "\n".join(f"“{one['sentence']}”: it {one['reason']}" for one in unsupported)))
    return found
