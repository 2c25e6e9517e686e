"""One upload: how far it is, what became of it, and what can be done about it."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.upload_stages import share_done, stage_words
from ragcore.errors import NotFound
from ragcore.rag import Rag
from ragcore.records import IngestReport, Upload

_OUTCOMES = {
    "indexed": ":material/check_circle:",
    "replaced": ":material/change_circle:",
    "unchanged": ":material/radio_button_checked:",
    "rejected": ":material/cancel:",
    "cancelled": ":material/block:",
}


def pending_line(rag: Rag, upload: Upload) -> None:
    with st.container(key=f"upload_{upload.id}", gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            icon = ":material/sync:" if upload.status == "working" else ":material/schedule:"
            st.markdown(f"{icon} **{plain_line(upload.file)}**", width="stretch")
            st.button(
                "Cancel",
                key=f"cancel_{upload.id}",
                type="tertiary",
                icon=":material/close:",
                help="Stop it. Nothing of this file is kept.",
                disabled=upload.cancel_requested,
                on_click=cancel_uploads,
                args=(rag, [upload]),
            )
        st.progress(share_done(upload), text=plain_line(stage_words(upload)))


def finished_line(rag: Rag, upload: Upload) -> None:
    with st.container(key=f"upload_{upload.id}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            icon = _OUTCOMES[upload.status]
            st.markdown(f"{icon} **{plain_line(upload.file)}** {sentence(_outcome(upload))}", width="stretch")
            if upload.status == "rejected" and not needs_password(upload):
                st.button(
                    "Retry",
                    key=f"retry_{upload.id}",
                    type="tertiary",
                    icon=":material/refresh:",
                    help="Read the file again, as it was uploaded.",
                    on_click=_retry,
                    args=(rag, upload),
                )
        if needs_password(upload):
            _password_box(rag, upload)
        for warning in upload.report.warnings if upload.report else ():
            st.caption(f":material/warning: {sentence(warning)}")


def _password_box(rag: Rag, upload: Upload) -> None:
    """Reads the file at once: a password is not stored, so no worker could be given it."""
    with (
        st.form(f"unlock_{upload.id}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small", wrap=False),
    ):
        password = st.text_input(
            "Password",
            key=f"password_{upload.id}",
            type="password",
            placeholder="Password",
            label_visibility="collapsed",
            help="Opens this file once. It is not stored.",
        )
        opened = st.form_submit_button(
            "Open",
            key=f"unlock_button_{upload.id}",
            icon=":material/lock_open:",
            help="Read it with this password.",
        )
    if not opened or not password:
        return
    with st.spinner(plain_line(f"Reading {upload.file}…")):
        try:
            rag.unlock(upload.id, password)
        except NotFound:
            st.toast("It is no longer there. Upload it again.")
    st.rerun()


def needs_password(upload: Upload) -> bool:
    """Whether a password would open it: that of a Word file can only be taken off in Word."""
    return (
        upload.status == "rejected"
        and upload.file.lower().endswith(".pdf")
        and "password" in (upload.error or "").removeprefix(upload.file).lower()
    )


def _outcome(upload: Upload) -> str:
    if upload.error is not None:
        # Errors begin with the file's name, which stands right before.
        for name in (upload.file, f"'{upload.file}'"):
            if upload.error.startswith(f"{name} "):
                return f"rejected. It {upload.error.removeprefix(name).lstrip()}"
        return f"rejected. {upload.error}"
    if upload.report is None:
        return "cancelled. Nothing of it was kept."
    return f"{upload.status}: {_size(upload.report)}"


def _size(report: IngestReport) -> str:
    # Only PDF files have pages of their own.
    pages = f"{count(report.pages, 'page')}, " if report.file.lower().endswith(".pdf") else ""
    return pages + count(report.chunks, "chunk")


def cancel_uploads(rag: Rag, uploads: list[Upload]) -> None:
    for upload in uploads:
        rag.uploads.cancel(upload.id)


def _retry(rag: Rag, upload: Upload) -> None:
    try:
        rag.queue.retry(upload.id)
    except NotFound:
        # Cleared in another window meanwhile.
        st.toast("It is no longer there. Upload it again.")


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
