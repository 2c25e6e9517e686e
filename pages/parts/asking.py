"""Asking a question on the chat page: now, again after a failure, or as one of the suggestions."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts.app import keep
from pages.parts.ask_settings import QUOTE, forget_models
from pages.parts.conversations import open_conversation, show_in_address, switch_to
from pages.parts.messages import draw_question
from pages.parts.safe_markdown import sentence
from pages.parts.streaming import draw_turn
from ragcore.errors import ModelError, RagError
from ragcore.rag import Rag
from ragcore.records import Answer, AskOptions


def ask_next(question: str, *, replace: bool = False) -> None:
    """Ask this as soon as the page runs again; ``replace``: in the last answer's place."""
    st.session_state["ask_next"] = (question, replace)


def ask_again(question: str, *, as_typed: bool = False) -> None:
    """``as_typed``: without what the conversation before would add to it."""
    st.session_state["ask_as_typed"] = as_typed
    ask_next(question, replace=True)


def quote_instead(question: str) -> None:
    keep("answered_by", QUOTE)
    ask_next(question)


def asked(typed: str | None) -> tuple[str | None, bool]:
    """The question of this run, if there is one, and whether it replaces the last answer."""
    return st.session_state.pop("ask_next", (typed, False))


def refill_box(key: str) -> None:
    """Put a question that failed back into the box. Call it before the box is drawn."""
    if "refill" in st.session_state:
        st.session_state[key] = st.session_state.pop("refill")


def ask(rag: Rag, question: str, options: AskOptions, *, replaces: int | None) -> None:
    """Ask and draw the answer while it is written; afterwards it is in the history.

    ``replaces`` is the message of the answer whose place it takes, once there is a new one. A failure is kept for ``draw_failure``, and the question goes back into the box.
    """
    st.session_state.pop("failure", None)
    # Until there is something to save, a click elsewhere must not lose what was typed.
    st.session_state["refill"] = question
    if st.session_state.pop("ask_as_typed", False):
        options = replace(options, follow_ups="alone")
    conversation_id = open_conversation()
    draw_question(question)
    words = (
        "Searching the documents…"
        if rag.embedder_loaded
        else "Loading the embedding model (the first time only)…"
    )
    try:
        with st.spinner(words):
            turn = rag.start(
                question,
                options,
                conversation_id=conversation_id,
                new_conversation=conversation_id is None,
                replaces=replaces,
            )
        switch_to(turn.answer.conversation_id)
        show_in_address()
        draw_turn(turn, saved=lambda answer: take_place(rag, answer, replaces), on_text=_forget_refill)
    except RagError as error:
        forget_models()
        st.session_state["failure"] = (question, str(error), isinstance(error, ModelError))
        st.session_state["refill"] = question


def take_place(rag: Rag, answer: Answer, replaces: int | None) -> None:
    """Of the old and the new answer one stays: the old one if the new one has no word."""
    if replaces is not None and answer.message_id is not None:
        rag.history.remove_turn(replaces if answer.text.strip() else answer.message_id)


def _forget_refill() -> None:
    st.session_state.pop("refill", None)


def draw_failure() -> None:
    """What went wrong with the last question, and the ways on."""
    if "failure" not in st.session_state:
        return
    question, failure, of_model = st.session_state["failure"]
    draw_question(question)
    st.error(sentence(failure), icon=":material/error:")
    with st.container(horizontal=True):
        st.button(
            "Try again",
            key="retry_failed",
            icon=":material/refresh:",
            help="Ask the same question again.",
            on_click=ask_next,
            args=(question,),
        )
        if of_model:
            st.button(
                "Quote instead",
                key="quote_failed",
                icon=":material/format_quote:",
                help="Answer without a model, from the documents' own sentences.",
                on_click=quote_instead,
                args=(question,),
            )
