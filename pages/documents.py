"""Documents: add files, see how they were read and cut, take them out again."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page, kept
from pages.parts.chunk_inspector import chunk_inspector, inspect
from pages.parts.collection_choice import ask_these_button, collection_choice, where_to
from pages.parts.cutting import cutting
from pages.parts.document_cards import document_list
from pages.parts.glossary import abbreviations_button
from pages.parts.safe_markdown import plain_line
from pages.parts.session_files import in_collection, is_session_collection, visible_collections
from pages.parts.upload_queue import upload_queue
from pages.parts.uploading import drop_zone, sample_button
from ragcore.rag import DEFAULT_COLLECTION

rag = begin_page()
collections = {info.name: info for info in visible_collections(rag)}
names = {*collections, kept("collection", DEFAULT_COLLECTION), DEFAULT_COLLECTION}

st.title("Documents", anchor=False)
chosen = collection_choice(sorted(name for name in names if not is_session_collection(name)))
collection = where_to(chosen)
documents = rag.library.documents(collection) if collection in collections else []
inspected = st.session_state.get("inspected")
if inspected is not None and any(info.file_name == inspected for info in documents):
    chunk_inspector(rag, collection, inspected)
else:
    inspect(None)
    drop_zone(rag, collection)
    pending = upload_queue(rag, collection)
    if documents:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(
                plain_line(f"{len(documents):,} in {in_collection(collection)}"),
                anchor=False,
                width="stretch",
            )
            abbreviations_button(rag, collection)
            ask_these_button(collection)
        cutting(rag, collections[collection])
        document_list(rag, documents)
    elif pending:
        st.caption("Documents are listed here once all files are through.")
    elif is_session_collection(collection):
        st.markdown("No files of this session yet. Drop some above.")
    else:
        st.markdown(f"Nothing in “{plain_line(collection)}” yet. Drop files above, or load a small sample.")
        sample_button(rag, collection)
