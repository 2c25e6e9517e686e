"""Which collection the documents page is about, beginning another one, and this session's own."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import keep, prepare
from pages.parts.session_files import session_collection
from ragcore.rag import DEFAULT_COLLECTION

_TO_COLLECTION = "The collection"
_TO_SESSION = "Just for this session"


def collection_choice(names: list[str]) -> str:
    """A choice of collections; a new one exists as soon as it has a document."""
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
        chosen = st.selectbox(
            "Collection",
            names,
            help="Documents that are searched together.",
            **prepare("collection", DEFAULT_COLLECTION, names),
        )
        with st.popover("New", icon=":material/add:", help="Begin another collection"):
            st.text_input(
                "Name of the new collection",
                key="new_collection",
                max_chars=60,
                help="Collections keep subjects apart: a question is answered from one of them.",
            )
            st.button(
                "Begin it",
                key="begin_collection",
                help="Switch to it. It is kept once you add a document.",
                on_click=_begin,
            )
    return chosen


def where_to(chosen: str) -> str:
    """Where files go, and whose are listed: the chosen collection, or this session's own."""
    where = st.segmented_control(
        "Where to",
        [_TO_COLLECTION, _TO_SESSION],
        required=True,
        help="Files of a collection are kept until you delete them. Files just for this session are "
        "seen by nobody else and are deleted when it ends.",
        **prepare("where_to", _TO_COLLECTION, [_TO_COLLECTION, _TO_SESSION]),
    )
    if where != _TO_SESSION:
        return chosen
    st.caption(
        ":material/lock: Only this browser tab sees these files, their conversations and answers. They are "
        "deleted when you close or reload the tab, and after two hours without use."
    )
    return session_collection()


def ask_these_button(collection: str) -> None:
    """To the chat page, with these documents chosen there."""
    if st.button(
        "Ask these",
        key="ask_these",
        icon=":material/forum:",
        help="Go to the chat page with these documents chosen.",
    ):
        keep("collection", collection)
        st.switch_page("pages/chat.py")


def _begin() -> None:
    name = " ".join(st.session_state["new_collection"].split())
    if name:
        keep("collection", name)
        keep("where_to", _TO_COLLECTION)
        st.session_state["new_collection"] = ""
