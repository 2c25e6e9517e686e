"""A collection's abbreviations, in a dialog of the documents page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.app import prepare
from pages.parts.paging import page_of
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.records import GlossaryEntry

_ENTRIES_A_PAGE = 10
_PARTS = {"learned": "From documents", "user": "Your own", "built-in": "Built in"}
_EMPTY = {
    "learned": "The documents define no abbreviations. They do it by “Employee Assistance Program (EAP)”, by a "
    "list or by a table.",
    "user": "None of your own yet. Add one above: it counts before what documents say.",
    "built-in": "None has that in it.",
}
_SAID = "glossary_said"


def abbreviations_button(rag: Rag, collection: str) -> None:
    """Opens the dialog."""
    if st.button(
        "Abbreviations",
        key="open_glossary",
        icon=":material/match_case:",
        help="What short forms in questions stand for: from these documents, your own, and a built-in list.",
    ):
        _dialog(rag, collection)


@st.dialog("Abbreviations", width="medium", icon=":material/match_case:")
def _dialog(rag: Rag, collection: str) -> None:
    st.caption(
        "A short form in a question is searched by what it stands for. Your own meaning counts first, then "
        "the documents’, then the built-in one. The receipt of each answer shows what was put in its place."
    )
    try:
        _contents(rag, collection)
    except RagError as error:
        st.error(sentence(str(error)))


def _contents(rag: Rag, collection: str) -> None:
    entries = rag.abbreviations.entries(collection)
    for one in rag.abbreviations.ambiguous(collection):
        meanings = " or ".join(f"“{plain_line(meaning)}”" for meaning in one.meanings)
        st.warning(
            f"**{plain_line(one.short)}** is {meanings} in these documents, so it is not replaced. Add your "
            "own meaning, or switch one of these off.",
            icon=":material/call_split:",
        )
    counts = {source: sum(entry.source == source for entry in entries) for source in _PARTS}
    source = st.segmented_control(
        "Which",
        list(_PARTS),
        format_func=lambda name: f"{_PARTS[name]} · {counts[name]}",
        required=True,
        label_visibility="collapsed",
        help="Where the meaning is from.",
        **prepare("glossary_part", "learned", list(_PARTS)),
    )
    if source == "user":
        _add_form(rag, collection)
    if said := st.session_state.pop(_SAID, None):
        st.error(sentence(said))
    shown = [entry for entry in entries if entry.source == source]
    if len(shown) > _ENTRIES_A_PAGE:
        wanted = st.text_input(
            "Search",
            key=f"glossary_search_{source}",
            type="search",
            placeholder="Search",
            label_visibility="collapsed",
            help="Show only those with this in the short or the long form.",
        ).casefold()
        shown = [entry for entry in shown if wanted in f"{entry.short} {entry.long}".casefold()]
    if not shown:
        st.caption(_EMPTY["built-in" if counts[source] else source])
    for entry in page_of(shown, _ENTRIES_A_PAGE, f"glossary_page_{source}"):
        _row(rag, collection, entry)


def _add_form(rag: Rag, collection: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Short form", key="glossary_short", max_chars=40, help="One word, such as PTO.")
        st.text_input(
            "Stands for",
            key="glossary_long",
            max_chars=200,
            help="What is searched instead, such as paid time off.",
        )
        st.button(
            "Save",
            key="glossary_add",
            type="primary",
            help="Add it, or change what you said of this short form before.",
            on_click=_add,
            args=(rag, collection),
        )


def _row(rag: Rag, collection: str, entry: GlossaryEntry) -> None:
    name = f"{entry.source}_{entry.short}_{entry.long}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{plain_line(entry.short)}** {plain_line(entry.long)}")
            if entry.found_in:
                st.caption(_places(entry))
        st.toggle(
            f"Use {plain_line(entry.short)}",
            value=entry.enabled,
            key=f"glossary_on_{name}",
            label_visibility="collapsed",
            help="Off: questions to this collection keep the short form as it is.",
            on_change=_switch,
            args=(rag, collection, entry, f"glossary_on_{name}"),
        )
        if entry.source == "user":
            _icon_button("Edit", "edit", name, _edit, (entry,))
            _icon_button("Delete", "delete", name, _remove, (rag, collection, entry))


def _icon_button(words: str, icon: str, name: str, do: Callable[..., None], args: tuple) -> None:
    st.button(
        words,
        key=f"glossary_{icon}_{name}",
        icon=f":material/{icon}:",
        type="tertiary",
        help=f"{words} this entry.",
        on_click=do,
        args=args,
    )


def _places(entry: GlossaryEntry) -> str:
    first, *others = entry.found_in
    more = f" and {len(others)} more" if others else ""
    return f"{plain_line(first.file + (f', page {first.page}' if first.page else ''))}{more}"


def _add(rag: Rag, collection: str) -> None:
    short, long = st.session_state["glossary_short"], st.session_state["glossary_long"]
    if _done(lambda: rag.abbreviations.add(collection, short, long)):
        st.session_state["glossary_short"] = st.session_state["glossary_long"] = ""


def _edit(entry: GlossaryEntry) -> None:
    st.session_state["glossary_short"], st.session_state["glossary_long"] = entry.short, entry.long


def _remove(rag: Rag, collection: str, entry: GlossaryEntry) -> None:
    _done(lambda: rag.abbreviations.remove(collection, entry.short))


def _switch(rag: Rag, collection: str, entry: GlossaryEntry, toggle: str) -> None:
    _done(lambda: rag.abbreviations.switch(collection, entry, on=st.session_state[toggle]))


def _done(change: Callable[[], object]) -> bool:
    try:
        change()
    except RagError as error:
        st.session_state[_SAID] = str(error)
        return False
    return True
