"""The chunks of one document: where each stands, and what is embedded with it."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.paging import page_of
from pages.parts.passages import passage_html
from pages.parts.safe_markdown import plain_line
from pages.parts.suspicion import suspicion_badge
from ragcore.rag import Rag
from ragcore.records import Chunk

CHUNKS_A_PAGE = 10


def inspect(file_name: str | None) -> None:
    """Show the chunks of a document, or with None the list again."""
    st.session_state["inspected"] = file_name
    st.session_state.pop("chunks_page", None)


def chunk_inspector(rag: Rag, collection: str, file_name: str) -> None:
    """All chunks of a document with what is embedded above them. Raises NotFound."""
    st.button(
        "All documents",
        key="back_to_documents",
        icon=":material/arrow_back:",
        type="tertiary",
        help="Back to the list of documents.",
        on_click=inspect,
        args=(None,),
    )
    chunks = [chunk for _, chunk in rag.library.chunks(collection, file_name=file_name)]
    st.subheader(plain_line(file_name), anchor=False)
    tokens = sorted(chunk.token_count for chunk in chunks)
    st.caption(f"{len(chunks):,} chunks of {tokens[0]} to {tokens[-1]} tokens" if tokens else "No chunks.")
    for chunk in page_of(chunks, CHUNKS_A_PAGE, "chunks_page"):
        _chunk_card(chunk, len(chunks))


def _chunk_card(chunk: Chunk, of: int) -> None:
    pages = (
        f"page {chunk.page_start}"
        if chunk.page_end == chunk.page_start
        else f"pages {chunk.page_start}-{chunk.page_end}"
    )
    facts_of_chunk = [
        f"Chunk {chunk.ordinal + 1} of {of}",
        pages,
        " › ".join(chunk.section),
        f"{chunk.token_count} tokens",
    ]
    with st.container(border=True, gap="small"):
        st.caption(plain_line(" · ".join(fact for fact in facts_of_chunk if fact)))
        suspicion_badge(chunk.text, chunk.header)
        if chunk.header:
            st.html(
                '<div class="pl-embedded"><span class="pl-title">Embedded above it</span>'
                f"<div>{escape(chunk.header)}</div></div>"
            )
        st.html(passage_html(chunk.text))
