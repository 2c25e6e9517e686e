"""Bringing files into a collection: the drop zone and the sample."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.parts.app import SAMPLE_FOLDER
from pages.parts.session_files import begin_session_files, is_session_collection
from ragcore.rag import Rag


def drop_zone(rag: Rag, collection: str, *, label: str = "Add documents") -> None:
    """An uploader that puts each file into the queue once and is empty again afterwards."""
    # Files that lie here belong to this collection, and are not added to the next one chosen.
    key = f"files_{st.session_state.get('drop_zone', 0)}_{collection}"
    files = st.file_uploader(
        label,
        accept_multiple_files=True,
        key=key,
        help="PDF, Word (.docx), Markdown, text, HTML and CSV, up to 200 MB each. They stay on this machine.",
    )
    ocr = bool(rag.ocr_tool) and st.checkbox(
        "Read scanned pages (OCR)",
        key="ocr",
        help="For the files that you add from now on: pages that are pictures are read by the OCR "
        "program on this machine. It takes some seconds a page.",
    )
    handed_over = st.session_state.setdefault("handed_over", set())
    # By upload, not by content: the library itself knows content that it has seen before.
    new = [file for file in files if (file.file_id, collection) not in handed_over]
    if not new:
        return
    for file in new:
        handed_over.add((file.file_id, collection))
        hand_over(rag, collection, [(file.name, file.getvalue())], ocr=ocr)
    # The queue shows them now; a fresh drop zone lets go of their bytes.
    st.session_state["drop_zone"] = st.session_state.get("drop_zone", 0) + 1
    st.rerun()


def sample_button(rag: Rag, collection: str) -> None:
    """One click that loads a small sample."""
    if st.button(
        "Load the sample documents",
        key="load_sample",
        icon=":material/library_books:",
        help="Three short documents of an invented observatory, to see how answers and refusals look.",
    ):
        paths = sorted(SAMPLE_FOLDER.iterdir())
        hand_over(rag, collection, [(path.name, path.read_bytes()) for path in paths])
        st.rerun()


def hand_over(rag: Rag, collection: str, files: Iterable[tuple[str, bytes]], *, ocr: bool = False) -> None:
    """Queue ``(name, bytes)`` of each file, and remember that this session did."""
    own = is_session_collection(collection)
    for name, data in files:
        upload_id = rag.upload(
            data, name, collection=collection, kind="session" if own else "library", ocr=ocr
        )
        uploads_of_session().add(upload_id)
        if own:
            begin_session_files(rag)


def uploads_of_session() -> set[int]:
    """The uploads whose outcome this session is to be told: its own, and those it saw on their way."""
    return st.session_state.setdefault("uploads_of_session", set())
