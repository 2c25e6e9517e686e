"""All runs, newest first: what each came to, and only the settings in which they differ."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.paging import page_of
from pages.parts.results.address import go, open_run
from pages.parts.results.figure_tiles import figure_tiles
from pages.parts.results.run_actions import run_menu, status_badge
from pages.parts.results.words import facts_of
from pages.parts.run_progress import run_progress
from pages.parts.safe_markdown import plain_line
from ragcore.evaluation.config_differences import differences
from ragcore.evaluation.metric_words import headline, stored_rates
from ragcore.rag import Rag
from ragcore.storage import EvalRun

RUNS_A_PAGE = 10
_SAID_ALREADY = {"sets", "stage", "set_content", "corpus_content", "limit", "split"}
"""These stand in a run's line of facts or tell nothing to a reader of the list."""


def run_list(rag: Rag) -> None:
    """A card a run, or what to do where there is none."""
    runs = rag.evaluations.runs()
    if not runs:
        st.markdown(
            "No runs yet. A run asks every question of a set, with the very code of the chat, and keeps "
            "what came of each: what was found, refused, answered, and where it went wrong."
        )
        _new_button("Start the first run")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        counted = f"{len(runs):,} run{'' if len(runs) == 1 else 's'}"
        st.subheader(counted, anchor=False, width="stretch")
        _new_button("New run")
    settings = own_settings(runs)
    for run in page_of(runs, RUNS_A_PAGE, "runs_page"):
        _card(rag, run, settings[run.id])


def own_settings(runs: Sequence[EvalRun]) -> dict[int, str]:
    """By run, its values of the settings in which the runs of its stage differ, in words."""
    words = {}
    for stage in {run.stage for run in runs}:
        own = [run for run in runs if run.stage == stage]
        varying = [one for one in differences(own) if one.key not in _SAID_ALREADY]
        for place, run in enumerate(own):
            words[run.id] = " · ".join(f"{one.label}: {one.values[place]}" for one in varying)
    return words


def _new_button(label: str) -> None:
    st.button(
        label,
        key="new_run",
        type="primary",
        icon=":material/add:",
        help="Choose question sets, a stage and settings, and measure.",
        on_click=go,
        kwargs={"new": 1},
    )


def _card(rag: Rag, run: EvalRun, settings: str) -> None:
    with st.container(border=True, gap="small", key=f"run_card_{run.id}"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown(f"**{plain_line(run.name)}**", width="content")
            status_badge(run)
            st.space("stretch")
            st.button(
                "Open",
                key=f"open_run_{run.id}",
                icon=":material/arrow_forward:",
                help="See its figures, and every question with what came of it.",
                on_click=open_run,
                args=(run.id,),
            )
            run_menu(rag, run)
        st.caption(plain_line(facts_of(run)) + (f"  \n{plain_line(settings)}" if settings else ""))
        if run.status != "complete":
            run_progress(rag, run.id)
        figure_tiles(headline(run.stage, stored_rates(run.metrics)))
