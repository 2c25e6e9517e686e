"""A follow-up in words: in the sidebar how it is searched, in the receipt what became of it."""

from __future__ import annotations

from typing import Any

CHOICES = {
    "rewrite": "Rewritten if they refer back",
    "combined_floor": "With the question before, with a floor",
    "combined": "With the question before",
    "alone": "As typed",
}
HELP = (
    "What is searched for in a conversation. Rewritten: only questions such as “And after five years?” get what "
    "they lack from the question before, by the model or by rule, and your own words must reach a floor of "
    "their own. The others are there for comparison."
)
_HOW = {"rule": "by rule", "model": "by the model"}


def is_small_talk(trace: dict[str, Any] | None) -> bool:
    return bool(((trace or {}).get("profile") or {}).get("small_talk"))


def was_rewritten(trace: dict[str, Any]) -> bool:
    """Whether other words were searched than those that were typed."""
    return (_follow_up(trace) or {}).get("how", "none") != "none"


def understood_as(trace: dict[str, Any]) -> str:
    """What was searched in place of the question; empty where it was searched as it is."""
    return f"Understood as: {trace['standalone_question']}" if was_rewritten(trace) else ""


def rows(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and value of what the receipt says about a follow-up."""
    found = _follow_up(trace)
    if not found:
        return []
    if not was_rewritten(trace):
        note = "; ".join(part for part in (found["refers_back"], found["note"]) if part)
        return [("Follow-up", f"searched as typed: {note}")]
    why = f", since {found['refers_back']}" if found["refers_back"] else ""
    lines = [f"rewritten {_HOW[found['how']]}{why}"]
    if found["note"]:
        lines.append(found["note"])
    score = "nothing found" if found["own_score"] is None else f"{found['own_score']:.2f}"
    floor = "no floor: they name no subject" if found["strategy"] == "rewrite" else "no floor"
    if found["floor"] is not None:
        floor = f"floor {found['floor']:.2f}"
    return [
        ("Follow-up", "\n".join(lines)),
        ("Typed", trace["question"]),
        ("Question before", found["base"]),
        ("Own words alone", f"{score}, {floor}"),
    ]


def _follow_up(trace: dict[str, Any]) -> dict[str, Any] | None:
    return (trace.get("profile") or {}).get("follow_up")
