"""What can be done with a run as a whole: rename it, repeat it with changes, delete it."""

from __future__ import annotations

import streamlit as st

from pages.parts.results.address import to_list
from pages.parts.results.run_form import repeat
from pages.parts.results.words import STATUS
from pages.parts.safe_markdown import plain_line
from ragcore.errors import NotFound
from ragcore.rag import Rag
from ragcore.storage import EvalRun

_REPEAT, _RENAME, _DELETE = "Run again with changes", "Rename", "Delete"
LONGEST_NAME = 120


def status_badge(run: EvalRun) -> None:
    """How a run ended. One that goes on has a bar that follows it, beside which a badge would be late."""
    if not run.pending:
        word, color, icon = STATUS[run.status]
        st.badge(word, icon=icon, color=color)


def run_menu(rag: Rag, run: EvalRun) -> None:
    """The three dots of a run."""
    chosen = st.menu_button(
        "",
        [_REPEAT, _RENAME, _DELETE],
        key=f"run_menu_{run.id}",
        type="tertiary",
        icon=":material/more_horiz:",
        help="Run again with other settings, rename or delete this run.",
    )
    if chosen == _REPEAT:
        repeat(rag, run)
        st.rerun()
    elif chosen == _RENAME:
        _rename(rag, run)
    elif chosen == _DELETE:
        _delete(rag, run)


@st.dialog("Rename run")
def _rename(rag: Rag, run: EvalRun) -> None:
    name = st.text_input(
        "Name",
        run.name,
        max_chars=LONGEST_NAME,
        key="run_new_name",
        help="What the run is called in lists; figures and links stay as they are.",
    )
    if st.button(
        "Rename",
        key="confirm_rename_run",
        type="primary",
        disabled=not name.strip(),
        help="Keep this name.",
        on_click=_rename_now,
        args=(rag, run.id),
    ):
        st.rerun()


def _rename_now(rag: Rag, run_id: int) -> None:
    try:
        rag.evaluations.rename_run(run_id, st.session_state["run_new_name"].strip())
    except NotFound:
        st.toast("The run has been deleted meanwhile.")


@st.dialog("Delete run?")
def _delete(rag: Rag, run: EvalRun) -> None:
    graded = sum(len(given) for given in rag.evaluations.grades(run.id).values())
    grades = f" and {graded:,} hand grade{'' if graded == 1 else 's'}" if graded else ""
    st.markdown(
        f"“{plain_line(run.name)}” (run {run.id}) with its {run.done:,} results{grades} will be gone for "
        "good. Export what you want to keep first. Documents and question sets stay."
    )
    with st.container(horizontal=True):
        deleted = st.button(
            "Delete",
            key="confirm_delete_run",
            type="primary",
            help="Delete the run, its results and their grades.",
            on_click=_delete_now,
            args=(rag, run.id),
        )
        kept = st.button("Keep it", key="keep_run", help="Close without deleting.")
    if deleted or kept:
        st.rerun()


def _delete_now(rag: Rag, run_id: int) -> None:
    try:
        rag.evaluations.delete_run(run_id)
    except NotFound:
        # Deleted from another window meanwhile: that is what was asked for.
        st.toast("It had been deleted already.")
    to_list()
