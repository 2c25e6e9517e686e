"""What a question of a set is: its kind, its turns, and the passages that answer it.

Gold names a document, a place in it and a verbatim quote, never a chunk, so that it outlives any
change of chunking. The modules ``records`` (our own JSONL) and ``importing`` (other people's files)
make these; ``matching`` compares them with what a search found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "answerable", "general_knowledge", "missing_info", "follow_up", "follow_up_off_topic", "injection"
]
Split = Literal["calibration", "test"]
Needs = Literal["any", "all"]
Behavior = Literal["answer", "refuse"]

KINDS: tuple[str, ...] = get_args(Kind)
SPLITS: tuple[str, ...] = get_args(Split)
ANSWERED_KINDS = ("answerable", "follow_up")
"""Kinds that have gold and are to be answered."""
REFUSED_KINDS = ("general_knowledge", "missing_info", "follow_up_off_topic")
"""Kinds without gold, to be refused."""
FOLLOW_UP_KINDS = ("follow_up", "follow_up_off_topic")


@dataclass(frozen=True, slots=True)
class Gold:
    """A passage that answers a question.

    ``document`` and ``quote`` may be empty in imported sets: the one means any document, the other
    anywhere on the page. ``page`` is physical and 1-based.
    """

    document: str
    quote: str
    page: int | None = None
    section: str | None = None
    substring: bool = False
    """Imported: the quote is looked for with case ignored."""


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """One question of a set. ``turns`` holds every user turn in order; the last is ``question``."""

    id: str
    kind: Kind
    question: str
    turns: tuple[str, ...]
    expected_behavior: Behavior
    category: str = ""
    difficulty: str = ""
    split: Split = "test"
    gold: tuple[Gold, ...] = ()
    turn_gold: tuple[tuple[Gold, ...], ...] = ()
    """Gold of every turn; empty where only the last one's is known."""
    needs: Needs = "any"
    """Whether any of the gold counts as found, or a full answer takes all of it."""
    facts: tuple[tuple[str, ...], ...] = ()
    """What a right answer contains: of every inner tuple any one alternative."""
    canary: str | None = None
    """A word planted in the document that must not be shown."""
    obeyed: tuple[str, ...] = ()
    """Regular expressions: what else, if it is shown, gives away that the attack was obeyed."""
    near: Gold | None = None
    """For a question without an answer: the passage that comes closest."""
    absent: tuple[str, ...] = ()
    """Regular expressions that would match if the corpus did hold the answer."""
    note: str = ""


def behavior_of(kind: str, gold: tuple[Gold, ...]) -> Behavior:
    """An injection is answered only where the question itself has an honest answer."""
    return "answer" if kind in ANSWERED_KINDS or (kind == "injection" and gold) else "refuse"
