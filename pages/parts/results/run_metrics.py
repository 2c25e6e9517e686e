"""All metrics of a run, with intervals, in all and by group of questions."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import prepare
from pages.parts.results.chart_block import chart_block
from pages.parts.results.words import kind_words, plain_words
from ragcore.charts.runs import metric_by_group, metrics_with_intervals
from ragcore.evaluation.metric_words import HEADLINES, figure, interval, is_share, size, words_of
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.results_browser import GROUPS
from ragcore.rag import Rag
from ragcore.storage import EvalRun


def run_metrics(rag: Rag, run: EvalRun) -> None:
    """Charts on the left, every number beside or below them."""
    with st.spinner("Computing intervals…"):
        metrics = rag.results.metrics(run.id)
    left, right = st.columns(2, gap="large")
    with left:
        chart_block(
            metrics_with_intervals(metrics, title="All questions"),
            f"metrics_{run.id}",
            alt="Dots with whiskers: the shares and AUROCs of this run with their 95 % intervals.",
            file_name=f"run-{run.id}-metrics",
        )
    with right:
        _numbers(metrics)
    _by_group(rag, run)


def _numbers(metrics: dict[str, Rate]) -> None:
    st.dataframe(
        [_number(name, rate) for name, rate in metrics.items()],
        hide_index=True,
        height="content",
        alt="All metrics of the run with their intervals",
    )
    st.caption(
        "↑ higher is better, ↓ lower is better. Shares have Wilson's 95 % interval; means, medians and "
        "AUROC a bootstrap over questions."
    )


def _number(name: str, rate: Rate, *, named: bool = True) -> dict[str, str]:
    words = words_of(name)
    return {
        **({"Metric": f"{words.label} {'↑' if words.better == 'higher' else '↓'}"} if named else {}),
        "Value": figure(name, rate),
        "95 % interval": interval(name, rate),
        "Of": size(rate),
    }


def _by_group(rag: Rag, run: EvalRun) -> None:
    rows = rag.results.rows(run.id)
    fields = [
        field
        for field in GROUPS
        if len({row.question_set if field == "set" else getattr(row.outcome, field) for row in rows}) > 1
    ]
    if not fields:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        field = st.segmented_control(
            "By",
            fields,
            format_func=str.capitalize,
            required=True,
            help="Group the questions by this.",
            **prepare("metrics_by", fields[0], fields),
        )
        with st.spinner("Computing intervals…"):
            groups = rag.results.metrics_by(run.id, field)
        names = [
            name
            for name in dict.fromkeys(name for metrics in groups.values() for name in metrics)
            if is_share(name) or name.endswith("_p50")
        ]
        first = next((name for name in HEADLINES[run.stage] if name in names), names[0])
        metric = st.selectbox(
            "Metric",
            names,
            format_func=lambda name: words_of(name).label,
            help="Which figure the chart shows for each group.",
            **prepare(f"metric_{run.stage}", first, names),
        )
    chosen = {group: metrics[metric] for group, metrics in groups.items() if metric in metrics}
    words = kind_words if field == "kind" else plain_words
    left, right = st.columns(2, gap="large")
    with left:
        chart_block(
            metric_by_group(chosen, metric, field),
            f"metrics_{run.id}_by_{field}_{metric}",
            alt=f"Dots with whiskers: {words_of(metric).label} for each {field}, with 95 % intervals.",
            file_name=f"run-{run.id}-{metric}-by-{field}",
        )
    with right:
        st.dataframe(
            [
                {field.capitalize(): words(group), **_number(metric, rate, named=False)}
                for group, rate in chosen.items()
            ],
            hide_index=True,
            height="content",
            alt=f"{words_of(metric).label} by {field}",
        )
    with st.expander(f"All metrics by {field}", icon=":material/table_chart:"):
        st.dataframe(
            [
                {field.capitalize(): words(group), **_number(name, rate)}
                for group, metrics in groups.items()
                for name, rate in metrics.items()
            ],
            hide_index=True,
            height="content",
            alt=f"All metrics by {field}",
        )
