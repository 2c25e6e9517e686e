"""Which conversation is open, and what can be done with one: rename, delete, download."""

from __future__ import annotations

import streamlit as st

from pages.parts.exporting import as_json, as_markdown, file_stem
from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import is_session_collection, session_collection
from ragcore.errors import NotFound, RagError
from ragcore.rag import Rag
from ragcore.records import ConversationInfo, Message


def open_conversation() -> int | None:
    """The open conversation: of this session, or named by the address when the page is reloaded."""
    if "conversation" not in st.session_state:
        named = st.query_params.get("conversation", "")
        st.session_state["conversation"] = int(named) if named.isascii() and named.isdigit() else None
    return st.session_state["conversation"]


def switch_to(conversation_id: int | None) -> None:
    """Open a conversation, or with None begin a new one at the next question."""
    st.session_state["conversation"] = conversation_id
    st.session_state.pop("failure", None)


def show_in_address() -> None:
    """Name the open conversation in the address, so that reloading the page comes back to it."""
    conversation_id = open_conversation()
    wanted = {} if conversation_id is None else {"conversation": str(conversation_id)}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def messages_of(rag: Rag, conversation_id: int | None) -> list[Message]:
    """What was said. Raises NotFound for a conversation that is gone, or that is another session's."""
    if conversation_id is None:
        return []
    rag.history.conversation(conversation_id, session=session_collection())
    return rag.history.messages(conversation_id)


def can_go_on(rag: Rag, conversation_id: int, collection: str) -> bool:
    """Whether a question about the collection may be added: a session's own files stay apart.

    Raises NotFound.
    """
    about = rag.history.conversation(conversation_id, session=session_collection()).collection
    return is_session_collection(about) == is_session_collection(collection)


@st.dialog("Rename conversation")
def rename(rag: Rag, info: ConversationInfo) -> None:
    key = f"title_{info.id}"
    st.text_input(
        "Title", value=info.title, key=key, max_chars=80, help="Shown in the list of conversations."
    )
    saved = st.button(
        "Rename",
        key=f"rename_{info.id}",
        type="primary",
        help="Save this title.",
        on_click=_rename_now,
        args=(rag, info.id, key),
    )
    if "rename_failure" in st.session_state:
        st.error(sentence(st.session_state.pop("rename_failure")))
    elif saved:
        st.rerun()


def _rename_now(rag: Rag, conversation_id: int, key: str) -> None:
    try:
        rag.history.rename(conversation_id, st.session_state[key])
    except RagError as error:
        st.session_state["rename_failure"] = str(error)


@st.dialog("Delete conversation?")
def delete(rag: Rag, info: ConversationInfo) -> None:
    st.markdown(
        f"“{plain_line(info.title)}” with its {info.messages} messages will be gone for good. Documents stay."
    )
    with st.container(horizontal=True):
        deleted = st.button(
            "Delete",
            key=f"delete_{info.id}",
            type="primary",
            help="Delete it. This cannot be undone.",
            on_click=_delete_now,
            args=(rag, info.id),
        )
        kept = st.button("Keep it", key=f"keep_{info.id}", help="Close without deleting.")
    if deleted or kept:
        st.rerun()


def _delete_now(rag: Rag, conversation_id: int) -> None:
    try:
        rag.history.delete(conversation_id)
    except NotFound:
        # Deleted from another window meanwhile: that is what was asked for.
        st.toast("It had been deleted already.")
    if open_conversation() == conversation_id:
        switch_to(None)


def conversation_header(rag: Rag, conversation_id: int, messages: list[Message]) -> None:
    """The title and the downloads of the open conversation."""
    info = rag.history.conversation(conversation_id, session=session_collection())
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="conversation_header"):
        st.caption(plain_line(info.title), width="stretch")
        with st.popover(
            "Export", icon=":material/download:", type="tertiary", help="Download this conversation"
        ):
            stem = file_stem(info.title)
            st.download_button(
                "Markdown",
                as_markdown(info, messages),
                file_name=f"{stem}.md",
                mime="text/markdown",
                key="export_markdown",
                on_click="ignore",
                width="stretch",
                help="Questions, answers and quotes as text.",
            )
            st.download_button(
                "JSON",
                as_json(info, messages),
                file_name=f"{stem}.json",
                mime="application/json",
                key="export_json",
                on_click="ignore",
                width="stretch",
                help="Everything that is stored, receipts included.",
            )
