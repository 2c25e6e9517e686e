"""One run: its figures on top, below them its questions, metrics, a comparison or its settings."""

from __future__ import annotations

import streamlit as st

from pages.parts.results.address import VIEWS, Address, bound, to_list
from pages.parts.results.compared import compared
from pages.parts.results.figure_tiles import figure_tiles
from pages.parts.results.question_list import question_list
from pages.parts.results.run_actions import run_menu, status_badge
from pages.parts.results.run_metrics import run_metrics
from pages.parts.results.words import facts_of
from pages.parts.run_progress import run_progress
from pages.parts.safe_markdown import plain_line
from ragcore.evaluation.config_differences import label, settings
from ragcore.evaluation.metric_words import headline
from ragcore.rag import Rag
from ragcore.storage import EvalRun


def one_run(rag: Rag, run: EvalRun, address: Address) -> None:
    """Everything of a run but a single question. Raises NotFound for a run to compare that is gone."""
    head(rag, run)
    run_progress(rag, run.id)
    if not run.done:
        if not run.pending:
            st.markdown("This run has no results. Resume it, or run it again with changes.")
        return
    figure_tiles(headline(run.stage, rag.results.metrics(run.id)))
    with st.container(horizontal=True, vertical_alignment="bottom", key="run_views"):
        view = st.segmented_control(
            "View",
            list(VIEWS),
            format_func=VIEWS.get,
            required=True,
            label_visibility="collapsed",
            help="What to see of this run.",
            **bound("view", address.view),
        )
        other = _other_run(rag, run, address)
    if view == "metrics":
        run_metrics(rag, run)
    elif view == "compared":
        compared(rag, run, other, address)
    elif view == "settings":
        _settings(run)
    else:
        question_list(rag, run, address, other)


def head(rag: Rag, run: EvalRun) -> None:
    """The way back, the run's name and state, and what can be done with it."""
    st.button(
        "All runs",
        key="to_runs",
        icon=":material/arrow_back:",
        type="tertiary",
        help="Back to the list of runs.",
        on_click=to_list,
    )
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(plain_line(run.name), anchor=False, width="content")
            status_badge(run)
            run_menu(rag, run)
        st.caption(plain_line(facts_of(run)))


def _other_run(rag: Rag, run: EvalRun, address: Address) -> EvalRun | None:
    """The run to compare with: of the same stage, and with results."""
    others = {
        one.id: one
        for one in rag.evaluations.runs()
        if one.stage == run.stage and one.id != run.id and one.done
    }
    if not others:
        return None
    chosen = st.selectbox(
        "Compare with",
        list(others),
        format_func=lambda number: f"run {number}: {others[number].name}",
        placeholder="Compare with a run",
        label_visibility="collapsed",
        width=340,
        help="An earlier run of the same stage. Then questions show what has changed since it.",
        **bound("compare", address.compare if address.compare in others else None),
    )
    return others.get(chosen)


def _settings(run: EvalRun) -> None:
    st.dataframe(
        [{"Setting": label(key), "Value": value} for key, value in settings(run).items()],
        hide_index=True,
        height="content",
        alt="Settings and provenance of the run",
    )
    st.caption(
        "Code, corpora, question sets and models are named by the start of their hashes, so that the run "
        "can be made again."
    )
