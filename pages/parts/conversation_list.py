"""The list of conversations in the sidebar."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import streamlit as st

from pages.parts.conversations import delete, open_conversation, rename, switch_to
from pages.parts.safe_markdown import plain_line
from pages.parts.session_files import is_session_collection, session_collection
from ragcore.rag import Rag
from ragcore.records import ConversationInfo

SHOWN_AT_FIRST = 15
_RENAME, _DELETE = "Rename", "Delete"


def new_conversation_button() -> None:
    st.button(
        "New conversation",
        key="new_conversation",
        icon=":material/edit_square:",
        help="Begin a new conversation. This one stays in the list.",
        width="stretch",
        on_click=switch_to,
        args=(None,),
    )


def conversation_list(rag: Rag) -> None:
    """Search, and the conversations by day, each with its menu."""
    search = st.text_input(
        "Search conversations",
        key="conversation_search",
        type="search",
        placeholder="Search conversations",
        label_visibility="collapsed",
        help="Looks in titles and in everything that was said.",
    )
    found = rag.history.conversations(search=search.strip(), session=session_collection())
    if not found:
        st.caption(
            "No conversation says that."
            if search
            else "Conversations appear here once you have asked something."
        )
        return
    everything = st.session_state.get("all_conversations", False) or bool(search)
    shown = found if everything else found[:SHOWN_AT_FIRST]
    with st.container(key="conversations", gap=None):
        for day, group in _by_day(shown):
            st.caption(day)
            for info in group:
                _row(rag, info)
    if len(shown) < len(found):
        st.button(
            f"Show all {len(found)}",
            key="show_all_conversations",
            type="tertiary",
            help="Show the older conversations too.",
            on_click=_show_all,
        )


def _show_all() -> None:
    st.session_state["all_conversations"] = True


def _row(rag: Rag, info: ConversationInfo) -> None:
    is_open = info.id == open_conversation()
    with st.container(
        horizontal=True, gap=None, wrap=False, vertical_alignment="center", key=f"row_{info.id}"
    ):
        st.button(
            plain_line(info.title),
            key=f"open_{info.id}",
            type="secondary" if is_open else "tertiary",
            icon=":material/lock:" if is_session_collection(info.collection) else None,
            width="stretch",
            wrap=False,
            help=plain_line(info.title),
            on_click=switch_to,
            args=(info.id,),
        )
        chosen = st.menu_button(
            "",
            [_RENAME, _DELETE],
            key=f"menu_{info.id}",
            type="tertiary",
            icon=":material/more_horiz:",
            help="Rename or delete this conversation",
        )
    if chosen == _RENAME:
        rename(rag, info)
    elif chosen == _DELETE:
        delete(rag, info)


def _by_day(conversations: Iterable[ConversationInfo]) -> list[tuple[str, list[ConversationInfo]]]:
    today = date.today()
    groups: dict[str, list[ConversationInfo]] = {}
    for info in conversations:
        day = info.updated_at.astimezone().date()
        name = "Today" if day >= today else "Yesterday" if day == today - timedelta(days=1) else "Earlier"
        groups.setdefault(name, []).append(info)
    return list(groups.items())
