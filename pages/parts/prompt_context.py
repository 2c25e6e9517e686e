"""What the model was given, in words: in the sidebar what there is to choose, in the receipt what it was."""

from __future__ import annotations

from typing import Any

CHOICES = {"hits": "The passages found", "documents": "With what stands around them"}
HELP = (
    "What the model is given to read. The passages found: these alone, best first. With what stands around them: "
    "document by document in reading order, short documents whole; of long ones the opening and what is next to each "
    "passage. That costs about twice the words, so the answer takes longer. Questions that count or list get "
    "the best document whole as far as there is room. Quoting reads the passages found either way."
)
RULES = {"auto": "By size", "small": "Small", "large": "Large"}
RULES_HELP = (
    "The rules that stand before the passages. Those for small models are few and short, or they keep none; those for "
    "large models speak of exceptions and conditions, lists, and passages that disagree. By size: the model's, large "
    "from 7 thousand million parameters on."
)
_NAMED = 10
_WORDS = {"hit": "found", "opening": "its opening", "neighbour": "beside them", "whole": "the rest"}


def added(trace: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The chunks in the prompt that were not searched out, as the trace has passages; they have no score."""
    return (_context(trace) or {}).get("added", [])


def rows(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and value of what the receipt says: what was in the prompt and why, and what did not fit."""
    context = _context(trace)
    if not context:
        return []
    said = []
    if size := trace["prompt"].get("prompt_for"):
        said.append(("Rules for the model", f"those for {size} models"))
    if context["from"] == "documents":
        said.append(("In the prompt", "\n".join(_documents(trace, context))))
    if context["cut"]:
        why = ", so a number or a list may be incomplete" if context["counts"] else ""
        said.append(("Not given whole", f"{', '.join(context['cut'])}: there was no room{why}"))
    places = [f"{one['file']}:{one['location']}" for one in context["left_out"]]
    if places:
        more = [f"and {len(places) - _NAMED} more"] if len(places) > _NAMED else []
        said.append(("Left out", "\n".join([*places[:_NAMED], *more])))
    return said


def _documents(trace: dict[str, Any], context: dict[str, Any]) -> list[str]:
    """A line a document: ``ferry.md, whole: found [2], the rest [1, 3]``."""
    known = {one["chunk_id"]: one for one in [*trace["passages"], *context["added"]]}
    grouped: dict[int, list[dict[str, Any]]] = {}
    for one in context["passages"]:
        grouped.setdefault(known[one["chunk_id"]]["document_id"], []).append(one)
    lines = []
    for passages in grouped.values():
        file = known[passages[0]["chunk_id"]]["file"]
        whole = ", whole" if file in context["whole"] else ""
        parts = [
            f"{words} {_ranges([one['number'] for one in passages if one['why'] == why])}"
            for why, words in _WORDS.items()
            if any(one["why"] == why for one in passages)
        ]
        lines.append(f"{file}{whole}: {', '.join(parts)}")
    return lines


def _ranges(numbers: list[int]) -> str:
    """``[1-3, 5]``"""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return f"[{', '.join(str(a) if a == b else f'{a}-{b}' for a, b in runs)}]"


def _context(trace: dict[str, Any] | None) -> dict[str, Any] | None:
    return ((trace or {}).get("prompt") or {}).get("context")
