"""The documents of a collection, a card each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.parts.app import prepare
from pages.parts.chunk_inspector import inspect
from pages.parts.document_health import coverage, details, page_chart
from pages.parts.paging import page_of
from pages.parts.safe_markdown import plain_line
from ragcore.errors import NotFound
from ragcore.rag import Rag
from ragcore.records import DocumentInfo

DOCUMENTS_A_PAGE = 25
ORDERS = ("Trouble first", "Name", "Newest first")
_KEYS: dict[str, Callable[[DocumentInfo], tuple]] = {
    ORDERS[0]: lambda info: (-info.health.trouble, info.file_name.casefold()),
    ORDERS[1]: lambda info: (info.file_name.casefold(),),
    ORDERS[2]: lambda info: (-info.indexed_at.timestamp(), info.file_name.casefold()),
}
_HEALTHY = ("Healthy", ":material/check_circle:", "blue")
_LOOK = ("Look at this", ":material/warning:", "orange")


def document_list(rag: Rag, documents: list[DocumentInfo]) -> None:
    """A card for each document, those with trouble first, with a filter once there are many."""
    wanted, order = "", ORDERS[0]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="document_controls"):
        if len(documents) > 5:
            wanted = st.text_input(
                "Filter by name",
                key="document_filter",
                type="search",
                placeholder="Filter by name",
                label_visibility="collapsed",
                help="Show only documents whose name contains this.",
            )
        if len(documents) > 1:
            order = st.segmented_control(
                "Order",
                ORDERS,
                required=True,
                label_visibility="collapsed",
                help="Trouble first: pages without text or misread ones, then chunks that were cut or stand "
                "twice, then warnings.",
                **prepare("document_order", ORDERS[0], ORDERS),
            )
    documents = with_duplicates(rag, documents)
    documents = [info for info in documents if wanted.casefold() in info.file_name.casefold()]
    if not documents:
        st.caption("No document has that in its name.")
    for info in page_of(sorted(documents, key=_KEYS[order]), DOCUMENTS_A_PAGE, "documents_page"):
        _card(rag, info)


def with_duplicates(rag: Rag, documents: list[DocumentInfo]) -> list[DocumentInfo]:
    """The same documents with the chunks counted that stand twice in their collection."""
    counts = rag.library.duplicate_chunks(documents[0].collection) if documents else {}
    return [
        replace(info, health=replace(info.health, duplicate_chunks=counts.get(info.id, 0)))
        for info in documents
    ]


def _card(rag: Rag, info: DocumentInfo) -> None:
    with st.container(border=True, gap="small", key=f"document_{info.id}"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{plain_line(info.file_name)}**", width="content")
            state, icon, color = _LOOK if info.health.needs_a_look else _HEALTHY
            st.badge(
                state,
                icon=icon,
                color=color,
                help="From the share of pages without text or with misread text, of chunks that were cut or "
                "stand twice, and from warnings.",
            )
        if info.other_names:
            st.caption(plain_line(f"The same file as {', '.join(info.other_names)}; kept once."))
        st.caption(f"{plain_line(facts(info))}  \n{plain_line(coverage(info))}")
        if chart := page_chart(info):
            st.html(chart)
        details(info)
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


def file_size(size_bytes: int) -> str:
    if size_bytes < 1000:
        return f"{size_bytes} bytes"
    return f"{size_bytes / 1000:.0f} kB" if size_bytes < 1_000_000 else f"{size_bytes / 1_000_000:.1f} MB"
