"""The uploads of a collection, kept up to date by itself while something is pending."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import sentence
from pages.parts.upload_line import cancel_uploads, finished_line, pending_line
from pages.parts.uploading import uploads_of_session
from ragcore.errors import RagError
from ragcore.rag import Rag

LOOK_EVERY_S = 1.0
PENDING_SHOWN = 5
FINISHED_SHOWN = 8


def upload_queue(rag: Rag, collection: str) -> bool:
    """A line for each upload that waits, is worked on or was rejected, or whose end this session saw.

    It looks again by itself while something is pending; when nothing is any more, the whole page
    runs again, since there are new documents. Returns whether something is pending.
    """
    pending = any(upload.pending for upload in rag.uploads.list(collection))
    st.fragment(run_every=LOOK_EVERY_S if pending else None)(_queue)(rag, collection, pending)
    return pending


def _queue(rag: Rag, collection: str, was_pending: bool) -> None:
    try:
        uploads = rag.uploads.list(collection)
    except RagError as error:
        st.caption(sentence(str(error)))
        return
    pending = [upload for upload in uploads if upload.pending]
    if bool(pending) != was_pending:
        st.rerun()
    seen = uploads_of_session()
    seen.update(upload.id for upload in pending)
    over = [u for u in uploads if not u.pending and (u.status == "rejected" or u.id in seen)]
    if not pending and not over:
        return
    with st.container(border=True, key="upload_queue", gap="small"):
        for upload in pending[:PENDING_SHOWN]:
            pending_line(rag, upload)
        if len(pending) > PENDING_SHOWN:
            st.caption(f"{len(pending) - PENDING_SHOWN:,} more are waiting.")
        if len(over) > FINISHED_SHOWN:
            # What needs a hand comes first.
            over.sort(key=lambda upload: upload.status != "rejected")
        with st.container(height=420 if len(over) > FINISHED_SHOWN else "content", border=False, gap="small"):
            for upload in over:
                finished_line(rag, upload)
        with st.container(horizontal=True, gap="small"):
            if len(pending) > 1:
                st.button(
                    "Cancel all",
                    key="cancel_all_uploads",
                    type="tertiary",
                    icon=":material/close:",
                    help="Stop all that wait or are being worked on. Nothing of these files is kept.",
                    on_click=cancel_uploads,
                    args=(rag, pending),
                )
            if over:
                st.button(
                    "Clear finished",
                    key="clear_uploads",
                    type="tertiary",
                    icon=":material/clear_all:",
                    help="Empty this list. Indexed documents stay; rejected files can be added again.",
                    on_click=rag.uploads.clear_finished,
                    args=(collection,),
                )
