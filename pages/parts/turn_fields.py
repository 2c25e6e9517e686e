"""A turn of the chat, and the fields that say which question of which set it becomes."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts.app import kept
from ragcore.evaluation.from_chat import refers_back
from ragcore.evaluation.question import SPLITS
from ragcore.rag import Rag
from ragcore.records import Message

NEW_SET = "A new set…"
FIRST_NAME = "my-questions"


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """An answer with the questions up to it; the last is the one it answers."""

    message: Message
    asked: tuple[str, ...]

    @property
    def collection(self) -> str:
        return ((self.message.trace or {}).get("profile") or {}).get("collection", "")

    @property
    def key(self) -> str:
        return f"to_set_{self.message.id}"


def earlier_questions(turn: ChatTurn) -> list[str]:
    """The earlier questions that belong to it; none for one that stands alone."""
    before = turn.asked[:-1]
    if not before:
        return []
    follows = st.toggle(
        "It is a follow-up",
        value=refers_back(turn.asked[-1], turn.message.trace),
        key=f"{turn.key}_follows",
        help="Ask the earlier questions first, as in this conversation. Leave it off for a question "
        "that is understood alone.",
    )
    if not follows:
        return []
    chosen = st.multiselect(
        "After these questions",
        range(len(before)),
        default=range(len(before))[-3:],
        format_func=lambda number: before[number],
        key=f"{turn.key}_earlier",
        help="What has to be asked before, in this order.",
    )
    return [before[number] for number in sorted(chosen)]


def set_choice(rag: Rag, key: str) -> str:
    """The name of an own set that is there, or of one to be made."""
    own = [info.name for info in rag.question_sets.all() if info.editable]
    last = kept("own_set", "")
    chosen = NEW_SET
    if own:
        chosen = st.selectbox(
            "Question set",
            [*own, NEW_SET],
            index=own.index(last) if last in own else 0,
            key=f"{key}_set",
            help="Your own sets. The bundled ones are read only.",
        )
    if chosen != NEW_SET:
        return chosen or ""
    return (
        st.text_input(
            "Name of the new set",
            value="" if own else FIRST_NAME,
            key=f"{key}_new_set",
            max_chars=60,
            help="Letters, digits, spaces, - and _.",
        )
        or ""
    )


def split_choice(key: str) -> str:
    """calibration or test, and what that means."""
    split = st.segmented_control(
        "Split",
        SPLITS,
        default="test",
        required=True,
        format_func=str.capitalize,
        key=f"{key}_split",
        help="A cutoff is chosen on calibration questions, and test questions tell how good it is.",
    )
    st.caption(
        "Calibration: may be used to choose a cutoff. Test: kept apart, to report how well it does."
        if split == "calibration"
        else "Test: kept apart to report how well it does; never used to choose a cutoff."
    )
    return split
