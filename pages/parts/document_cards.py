"""The documents of a collection, a card each."""

from __future__ import annotations

import streamlit as st

from pages.parts.chunk_inspector import inspect
from pages.parts.paging import page_of
from pages.parts.safe_markdown import plain_line
from ragcore.errors import NotFound
from ragcore.rag import Rag
from ragcore.records import DocumentInfo

DOCUMENTS_A_PAGE = 25
_HEALTH = {
    "Healthy": (":material/check_circle:", "blue"),
    "Look at this": (":material/warning:", "orange"),
}


def document_list(rag: Rag, documents: list[DocumentInfo]) -> None:
    """A card for each document, with a filter once there are many."""
    if len(documents) > 5:
        wanted = st.text_input(
            "Filter by name",
            key="document_filter",
            type="search",
            placeholder="Filter by name",
            label_visibility="collapsed",
            help="Show only documents whose name contains this.",
        )
        documents = [info for info in documents if wanted.casefold() in info.file_name.casefold()]
        if not documents:
            st.caption("No document has that in its name.")
    for info in page_of(documents, DOCUMENTS_A_PAGE, "documents_page"):
        _card(rag, info)


def _card(rag: Rag, info: DocumentInfo) -> None:
    with st.container(border=True, gap="small", key=f"document_{info.id}"):
        state, notes = health(info)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{plain_line(info.file_name)}**", width="content")
            icon, color = _HEALTH[state]
            st.badge(state, icon=icon, color=color, help="Whether every page gave text, without warnings.")
        st.caption(plain_line(facts(info)))
        for note in notes:
            st.caption(plain_line(note))
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Chunks",
                key=f"inspect_{info.id}",
                icon=":material/segment:",
                help="See how this document was cut into chunks, and what is embedded with each.",
                on_click=inspect,
                args=(info.file_name,),
            )
            st.download_button(
                "Original",
                data=lambda: rag.library.original(info.id),
                file_name=info.file_name.rsplit("/", 1)[-1],
                mime=info.media_type,
                key=f"original_{info.id}",
                icon=":material/download:",
                on_click="ignore",
                help="Download the file as it was added.",
            )
            if st.button(
                "Delete",
                key=f"delete_document_{info.id}",
                icon=":material/delete:",
                help="Delete this document and its chunks, after a question.",
            ):
                _confirm_delete(rag, info)


@st.dialog("Delete document?")
def _confirm_delete(rag: Rag, info: DocumentInfo) -> None:
    st.markdown(
        f"“{plain_line(info.file_name)}” and its {info.chunks:,} chunks will no longer be searched. "
        "Answers that were given keep the passages they cite."
    )
    with st.container(horizontal=True):
        deleted = st.button(
            "Delete",
            key="confirm_delete_document",
            type="primary",
            help="Delete it. The file on your disk stays.",
            on_click=_delete_now,
            args=(rag, info),
        )
        kept = st.button("Keep it", key="keep_document", help="Close without deleting.")
    if deleted or kept:
        st.rerun()


def _delete_now(rag: Rag, info: DocumentInfo) -> None:
    try:
        rag.library.delete_document(info.collection, info.file_name)
    except NotFound:
        # Deleted from another window meanwhile: that is what was asked for.
        st.toast("It had been deleted already.")


def facts(info: DocumentInfo) -> str:
    """Pages, chunks, size and date in a line."""
    pages = f"{info.pages:,} page{'s' if info.pages != 1 else ''} · " if info.paged else ""
    chunks = f"{info.chunks:,} chunk{'s' if info.chunks != 1 else ''}"
    added = info.indexed_at.astimezone().strftime("%d %b %Y, %H:%M")
    return f"{pages}{chunks} · {file_size(info.size_bytes)} · added {added}"


def health(info: DocumentInfo) -> tuple[str, list[str]]:
    """``Healthy``, or what to look at."""
    notes = list(info.warnings)
    if info.empty_pages and not any("no text" in note or "empty" in note.lower() for note in notes):
        pages = ", ".join(map(str, info.empty_pages[:20])) + (", …" if len(info.empty_pages) > 20 else "")
        notes.insert(0, f"No text on page {pages}: nothing there can be found.")
    return ("Look at this" if notes else "Healthy"), notes


def file_size(size_bytes: int) -> str:
    if size_bytes < 1000:
        return f"{size_bytes} bytes"
    return f"{size_bytes / 1000:.0f} kB" if size_bytes < 1_000_000 else f"{size_bytes / 1_000_000:.1f} MB"
