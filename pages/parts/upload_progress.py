"""The line in the sidebar, on every page, that tells how far uploads are."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import visible_collections
from pages.parts.upload_stages import share_done, time_left
from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.records import Upload

LOOK_EVERY_S = 2.0


def sidebar_progress(rag: Rag) -> None:
    """How far the uploads are that this session may see; nothing at all when there are none."""
    if _pending(rag):
        st.fragment(run_every=LOOK_EVERY_S)(_progress)(rag)


def _progress(rag: Rag) -> None:
    try:
        pending = _pending(rag)
    except RagError as error:
        st.caption(sentence(str(error)))
        return
    if not pending:
        # The page has something new to show.
        st.rerun()
    current = next((upload for upload in pending if upload.status == "working"), pending[0])
    share = share_done(current)
    files = "1 file" if len(pending) == 1 else f"{len(pending):,} files"
    with st.container(key="upload_progress", gap=None):
        st.progress(share, text=f"Indexing {files}")
        words = [current.file, f"{share:.0%}", time_left(current)]
        st.caption(plain_line(" · ".join(word for word in words if word)))


def _pending(rag: Rag) -> list[Upload]:
    uploads = rag.uploads.list(pending_only=True)
    if not uploads:
        return []
    visible = {info.name for info in visible_collections(rag)}
    return [upload for upload in uploads if upload.collection in visible]
