"""The findings of the doctor, and the mending that a button can do."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import in_collection, visible_collections
from ragcore.doctor import Check, package_versions
from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.records import CollectionInfo

_STATES = {
    "ok": (":material/check_circle:", "Works", "blue"),
    "warning": (":material/error:", "Limited", "orange"),
    "failed": (":material/cancel:", "Fails", "red"),
}


def draw_check(check: Check) -> None:
    """One finding: name, state as a word, detail, and the remedy if there is one."""
    icon, word, color = _STATES[check.state]
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{plain_line(check.name)}**", width="content")
            st.badge(word, icon=icon, color=color, help=f"State of: {plain_line(check.name)}")
        st.caption(sentence(check.detail))
        if check.remedy:
            st.markdown(f":material/build: {sentence(check.remedy)}")


def reembed_buttons(rag: Rag) -> None:
    """A button for each collection whose vectors are of another embedder."""
    if not rag.embedder_loaded:
        return
    for info in visible_collections(rag):
        if rag.needs_reembedding(info) and st.button(
            plain_line(f"Re-embed {in_collection(info.name)}"),
            key=f"reembed_{info.id}",
            icon=":material/sync:",
            type="primary",
            help="Embed all its documents with the embedder in use. The old vectors serve until it is done.",
        ):
            failure = _reembed(rag, info)
            if failure is None:
                st.rerun()
            st.error(sentence(failure))


def _reembed(rag: Rag, info: CollectionInfo) -> str | None:
    """Re-embed with a bar; the failure as a sentence, or None."""
    bar = st.progress(0.0, text=plain_line(f"Re-embedding {in_collection(info.name)}…"))

    def show(done: int, total: int) -> None:
        bar.progress(
            done / total if total else 0.0,
            text=plain_line(f"Re-embedding {in_collection(info.name)}: document {done} of {total}"),
        )

    try:
        rag.reembed(info.name, progress=show)
    except RagError as error:
        return str(error)
    finally:
        bar.empty()
    return None


def versions_table() -> None:
    versions = package_versions()
    st.table(
        {"Package": list(versions), "Version": list(versions.values())},
        hide_index=True,
        border="horizontal",
        width="content",
    )
