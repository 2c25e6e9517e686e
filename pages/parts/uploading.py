"""Bringing files into a collection: the drop zone, the sample, and how far they are."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.app import SAMPLE_FOLDER
from pages.parts.indexing import FileToIndex, IndexingQueue
from pages.parts.safe_markdown import plain_line

LOOK_EVERY_S = 0.2


def drop_zone(queue: IndexingQueue, collection: str, *, label: str = "Add documents") -> None:
    """An uploader that hands each file to the queue once, however often the page runs again."""
    files = st.file_uploader(
        label,
        accept_multiple_files=True,
        # Files that lie here belong to this collection, and are not added to the next one chosen.
        key=f"files_{st.session_state.get('drop_zone', 0)}_{collection}",
        help="PDF, Word (.docx), Markdown, text, HTML and CSV, up to 200 MB each. They stay on this machine.",
    )
    with st.expander("Files that need a password", type="compact"):
        password = st.text_input(
            "Password",
            type="password",
            key="file_password",
            help="Tried on the files that you add from now on. It is not stored.",
        )
    # By upload, not by content: the library itself knows content that it has seen before.
    queue.add(
        [
            FileToIndex(file.file_id, file.name, file.getvalue(), collection, password)
            for file in files
            if not queue.knows(file.file_id)
        ]
    )


def sample_button(queue: IndexingQueue, collection: str) -> None:
    """One click that loads a small sample."""
    st.button(
        "Load the sample documents",
        key="load_sample",
        icon=":material/library_books:",
        help="Three short documents of an invented observatory, to see how answers and refusals look.",
        disabled=queue.busy,
        on_click=_add_sample,
        args=(queue, collection),
    )


def _add_sample(queue: IndexingQueue, collection: str) -> None:
    paths = sorted(SAMPLE_FOLDER.iterdir())
    queue.add(
        [
            FileToIndex(f"sample {path.name} {collection}", path.name, path.read_bytes(), collection)
            for path in paths
        ]
    )


def follow(queue: IndexingQueue, place: DeltaGenerator, shown: int) -> None:
    """Draw in ``place`` how far the queue is, and run the page again whenever a file is done.

    ``shown`` is how many reports there were when the page drew them. Call this last: what stands
    after it waits, what stands before it can be used meanwhile.
    """
    if not queue.busy and len(queue.reports) == shown:
        return
    bar = place.progress(0.0, text="Beginning…")
    while queue.busy and len(queue.reports) == shown:
        share, words = queue.progress()
        bar.progress(share, text=plain_line(words))
        time.sleep(LOOK_EVERY_S)
    st.rerun()
