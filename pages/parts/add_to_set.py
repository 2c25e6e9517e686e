"""From chat to bench: a turn of the chat becomes a question of a set, with its gold."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.app import keep
from pages.parts.gold_picker import pick_gold
from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import is_session_collection
from pages.parts.turn_fields import ChatTurn, earlier_questions, set_choice, split_choice
from ragcore.errors import RagError
from ragcore.evaluation.from_chat import chat_question, facts_of, retrieved
from ragcore.rag import Rag
from ragcore.records import Message

_OPEN = "adding_to_set"
_KINDS = {
    "missing_info": "On the subject, but the documents do not say it",
    "general_knowledge": "Nothing to do with the documents",
}


def add_button(rag: Rag, message: Message, asked: Sequence[str]) -> None:
    """The action under an answer. A session's own files are nobody else's, so theirs has none."""
    turn = ChatTurn(message, tuple(asked))
    if not turn.asked or not message.trace or is_session_collection(turn.collection):
        return
    st.button(
        "Add to a question set",
        key=turn.key,
        icon=":material/playlist_add:",
        type="tertiary",
        help="Make this a question of the bench: what should have happened, and which passage says so.",
        on_click=_open,
        args=(turn,),
    )
    # Not by the click alone: when an upload ends the page runs again, and would close a half-filled form.
    if st.session_state.get(_OPEN) == turn.key:
        dialog = st.dialog(
            "Add to a question set", width="large", icon=":material/playlist_add:", on_dismiss=_close
        )
        dialog(turn_form)(rag, turn)


def _open(turn: ChatTurn) -> None:
    st.session_state[_OPEN] = turn.key
    st.session_state.pop(f"{turn.key}_saved", None)


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def turn_form(rag: Rag, turn: ChatTurn) -> None:
    """What stands in the dialog: the form, and after saving where it went."""
    if f"{turn.key}_saved" in st.session_state:
        # From here on nothing is lost when the page runs again and the dialog closes.
        _close()
        _saved(rag, turn)
    else:
        _form(rag, turn)


def _form(rag: Rag, turn: ChatTurn) -> None:
    key, message = turn.key, turn.message
    question = st.text_area(
        "Question",
        value=turn.asked[-1],
        key=f"{key}_question",
        height=80,
        help="As the bench will ask it. Mend it if it was not what you meant.",
    )
    earlier = earlier_questions(turn)
    expected = st.segmented_control(
        "What should have happened",
        ["Answer it", "Refuse"],
        default="Refuse" if message.status == "refused" else "Answer it",
        required=True,
        key=f"{key}_expected",
        help="Answer: the documents say it. Refuse: they do not, and it should have said so.",
    )
    gold, problems, facts, refuse = [], [], (), None
    if expected == "Answer it":
        facts = facts_of(
            st.text_area(
                "A right answer contains",
                key=f"{key}_facts",
                height=80,
                placeholder="88 %\n14 crowns | fourteen crowns",
                help="A line each: words or numbers that must be in the answer. Several ways to write the "
                "same are parted by |. Without any, only the search is measured.",
            )
        )
        hits = retrieved(message.trace)
        gold, problems = pick_gold(rag, message, turn.asked[-1], hits, turn.collection, key)
    elif earlier:
        st.caption("A follow-up that leads away from the documents.")
    else:
        refuse = st.radio(
            "Why",
            list(_KINDS),
            format_func=_KINDS.get,
            key=f"{key}_kind",
            help="Missing information is hard to refuse, since passages on the subject are found.",
        )
    note = st.text_input("Note", key=f"{key}_note", max_chars=500, help="For whoever reads the set later.")
    split = split_choice(key)
    name = set_choice(rag, key)
    if not st.button("Save", key=f"{key}_save", type="primary", help="Append the question to the set."):
        return
    try:
        if problems:
            st.error(sentence(problems[0]), icon=":material/error:")
            return
        made = chat_question(
            question or "",
            earlier=earlier,
            refuse=(refuse or "missing_info") if expected == "Refuse" else None,
            facts=facts,
            gold=gold,
            note=note or "",
            split=split,
        )
        stored = rag.question_sets.add(name, made)
    except RagError as error:
        st.error(sentence(str(error)), icon=":material/error:")
        return
    keep("own_set", name)
    st.session_state[f"{key}_saved"] = (name.strip(), stored.id)
    st.rerun()


def _saved(rag: Rag, turn: ChatTurn) -> None:
    name, question_id = st.session_state[f"{turn.key}_saved"]
    info = rag.question_sets.get(name)
    st.success(
        f"Saved to **{plain_line(name)}** as {plain_line(question_id)}. The set has "
        f"{info.questions:,} question{'' if info.questions == 1 else 's'} now.",
        icon=":material/check_circle:",
    )
    st.caption("Where it is, for `python -m ragcore eval run`:")
    st.code(str(info.path), language=None, wrap_lines=True)
    # So that the form of a new run asks this set of the documents that were asked here.
    keep("run_sets", [str(info.path)])
    keep("run_collection", turn.collection)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Close", key=f"{turn.key}_close", help="Back to the conversation."):
            st.rerun()
        st.page_link(
            "pages/eval_results.py",
            label="Measure it on Eval results",
            icon=":material/fact_check:",
            query_params={"new": "1"},
            help="Opens the form of a new run with this set and this collection.",
        )
