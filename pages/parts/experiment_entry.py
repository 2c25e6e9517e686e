"""One entry of the experiments: its text, and the runs stored here that it cites."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.app import keep
from pages.parts.results.chart_block import chart_block
from pages.parts.safe_markdown import plain_line, safe_markdown
from ragcore.charts.runs import metrics_with_intervals
from ragcore.evaluation.experiments import CitedRun, Entry, EvalCommand, cited_runs
from ragcore.evaluation.metric_words import METRICS, stored_rates
from ragcore.rag import Rag
from ragcore.storage import EvalRun

_BECAUSE = {"name": "named in the entry", "command": "the same command as in the entry"}


def entry_card(rag: Rag, entry: Entry, runs: Sequence[EvalRun], *, newest: bool) -> None:
    """Folded away but for the newest; what is folded away is not drawn at all."""
    key = f"entry_{entry.date}_{entry.slug}"
    label = f"**{plain_line(entry.title)}**"
    with st.expander(label, expanded=newest, key=key, icon=":material/science:", on_change="rerun") as box:
        if not box.open:
            return
        st.caption(entry.date.strftime("%d %B %Y").lstrip("0"))
        cited = cited_runs(entry, runs)
        if not cited:
            with st.container(width=820):
                st.markdown(safe_markdown(entry.body))
                _made_with(rag, entry)
            return
        text, figures = st.columns([11, 9], gap="large")
        with text:
            st.markdown(safe_markdown(entry.body))
        with figures:
            _runs(cited, key)


def _runs(cited: Sequence[CitedRun], key: str) -> None:
    st.markdown("**Runs of this stored here**" if len(cited) > 1 else "**The run of this stored here**")
    chosen = cited[0]
    if len(cited) > 1:
        number = st.selectbox(
            "Run",
            range(len(cited)),
            format_func=lambda one: f"Run {cited[one].run.id}: {cited[one].run.name}",
            key=f"{key}_run",
            help="Which of the stored runs to show.",
        )
        chosen = cited[number or 0]
    run = chosen.run
    made = run.created_at.astimezone().strftime("%d %b %Y, %H:%M").lstrip("0")
    st.caption(
        plain_line(f"Run {run.id} · {run.name} · {run.done:,} questions · {made} · {_BECAUSE[chosen.by]}")
    )
    rates = stored_rates(run.metrics)
    # In the order in which they are read everywhere, not in that of the database.
    ordered = {name: rates[name] for name in (*METRICS, *rates) if name in rates}
    chart_block(
        metrics_with_intervals(ordered, title=f"Run {run.id}"),
        f"{key}_chart",
        alt=f"The figures of run {run.id} with their intervals",
        file_name=f"run-{run.id}",
    )
    st.page_link(
        "pages/eval_results.py",
        label=f"Open run {run.id} on Eval results",
        icon=":material/fact_check:",
        query_params={"run": str(run.id)},
        help="Every question of it, with what came of it.",
    )


def _made_with(rag: Rag, entry: Entry) -> None:
    """Says what the figures were made with, since no run of it is here."""
    if not entry.programs:
        st.caption("The entry names no command, and no run of it is stored here.")
        return
    programs = ", ".join(f"`{program}`" for program in entry.programs)
    st.caption(f"Made with {programs}. No run of this is stored here.")
    bundled = {info.name: str(info.path) for info in rag.question_sets.all() if info.questions}
    for number, command in enumerate(entry.commands):
        if set(command.sets) <= bundled.keys() and st.button(
            f"Measure {plain_line(' + '.join(command.sets))} again",
            key=f"again_{entry.date}_{entry.slug}_{number}",
            icon=":material/replay:",
            help="Opens the form of a new run, with the sets, the stage and the model of the entry's command.",
        ):
            _fill_form(command, [bundled[name] for name in command.sets])
            st.switch_page("pages/eval_results.py", query_params={"new": "1"})


def _fill_form(command: EvalCommand, paths: list[str]) -> None:
    keep("run_sets", paths)
    keep("run_stage", command.settings["stage"])
    keep("run_split", command.settings.get("split", "all"))
    keep("run_generator", command.settings.get("options.generator", "auto"))
    keep("run_model", command.settings.get("options.chat_model"))
