"""Documents: add files, see how they were read and cut, take them out again."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import get_rag, kept, through_router
from pages.parts.chunk_inspector import chunk_inspector, inspect
from pages.parts.collection_choice import collection_choice
from pages.parts.document_cards import document_list
from pages.parts.indexing import indexing_queue
from pages.parts.safe_markdown import plain_line
from pages.parts.upload_results import upload_results
from pages.parts.uploading import drop_zone, follow, sample_button
from ragcore.rag import DEFAULT_COLLECTION

through_router()
rag = get_rag()
collections = {info.name: info for info in rag.library.collections() if info.kind != "session"}
current = kept("collection", DEFAULT_COLLECTION)

st.title("Documents", anchor=False)
collection = collection_choice(sorted({*collections, current, DEFAULT_COLLECTION}))
documents = rag.library.documents(collection) if collection in collections else []
inspected = st.session_state.get("inspected")
if inspected is not None and any(info.file_name == inspected for info in documents):
    chunk_inspector(rag, collection, inspected)
else:
    inspect(None)
    queue = indexing_queue(rag)
    drop_zone(queue, collection)
    place = st.container()
    shown = upload_results(queue, collection)
    if documents:
        st.subheader(plain_line(f"{len(documents):,} in “{collection}”"), anchor=False)
        document_list(rag, documents)
    else:
        st.markdown(f"Nothing in “{plain_line(collection)}” yet. Drop files above, or load a small sample.")
        sample_button(queue, collection)
    follow(queue, place, shown)
