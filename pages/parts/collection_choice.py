"""Which collection a page is about, and beginning another one."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import keep, prepare
from ragcore.rag import DEFAULT_COLLECTION


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


def _begin() -> None:
    name = " ".join(st.session_state["new_collection"].split())
    if name:
        keep("collection", name)
        st.session_state["new_collection"] = ""
