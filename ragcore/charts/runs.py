"""Charts of runs: where questions went wrong, figures with their intervals, two runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd
import plotly.graph_objects as go

from ragcore.charts.chart import GRID, KIND_COLOURS, KIND_WORDS, Chart, styled
from ragcore.evaluation.metric_words import is_share, words_of
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.rate import LEVEL, Rate
from ragcore.evaluation.result_rows import FAILURE_WORDS, STAGES_OF_FAILURE

FIRST, SECOND = "#e69f00", "#0072b2"
"""Run A and run B; their markers differ in shape too."""
_OTHER = "#999999"
_DIMMED = 0.3
_INTERVAL = f"{LEVEL:.0%} interval".replace("%", " %")
_ROW_HEIGHT = 34
_LEGEND_ROW = 20


def failures_by_stage(outcomes: Sequence[Outcome], stage: str, *, selected: str | None = None) -> Chart:
    """Bars, one for each stage a question passes, in that order: how many went wrong there first.

    The bars are stacked by kind of question; ``selected`` dims all stages but one. Every point
    carries its stage as ``customdata[0]``.
    """
    # What was measured under other rules may have failed where this stage has no bar.
    met = {outcome.failure_stage for outcome in outcomes if outcome.failure_stage}
    stages = [*STAGES_OF_FAILURE.get(stage, ())]
    stages += [one for one in FAILURE_WORDS if one in met and one not in stages]
    counts = {
        (one, kind): sum(o.failure_stage == one and o.kind == kind for o in outcomes)
        for one in stages
        for kind in dict.fromkeys(o.kind for o in outcomes)
    }
    totals = {one: sum(n for (at, _), n in counts.items() if at == one) for one in stages}
    kinds = [kind for kind in KIND_WORDS if any(n for (_, of), n in counts.items() if of == kind)]
    labels = [FAILURE_WORDS[one][0] for one in stages]
    figure = go.Figure()
    for kind in kinds:
        figure.add_bar(
            y=labels,
            x=[counts[one, kind] for one in stages],
            name=KIND_WORDS[kind],
            orientation="h",
            customdata=[[one, KIND_WORDS[kind]] for one in stages],
            marker={
                "color": KIND_COLOURS.get(kind, _OTHER),
                "opacity": [1 if selected in (None, one) else _DIMMED for one in stages],
            },
            hovertemplate="%{y}: %{x} × %{customdata[1]}<extra></extra>",
            # Streamlit dims what is not selected on its own; the page draws the choice itself.
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1 if selected is None else _DIMMED}},
        )
    figure.add_scatter(
        y=labels,
        x=list(totals.values()),
        mode="text",
        text=[
            f" {n} ({n / len(outcomes):.0%})".replace("%", " %") if outcomes else "" for n in totals.values()
        ],
        textposition="middle right",
        customdata=[[one, "all kinds"] for one in stages],
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )
    failed = sum(totals.values())
    styled(
        figure,
        title=f"First stage that went wrong: {failed} of n = {len(outcomes)}",
        x="questions",
        y="",
        height=110 + _ROW_HEIGHT * len(stages) + _LEGEND_ROW * len(kinds) * (len(kinds) > 1),
        legend=len(kinds) > 1,
    )
    if len(kinds) > 1:
        # Below: in a narrow column the kinds stand one under the other, and would cover the title.
        figure.update_layout(
            legend={"yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
            margin={"t": 44, "b": 48 + _LEGEND_ROW * len(kinds)},
        )
    figure.update_layout(barmode="stack", bargap=0.3)
    figure.update_xaxes(range=[0, max([1, *totals.values()]) * 1.25], rangemode="tozero", tickformat="d")
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=labels, showgrid=False)
    table = pd.DataFrame(
        [{"stage": one, "kind": kind, "failed": n, "of": len(outcomes)} for (one, kind), n in counts.items()],
        columns=["stage", "kind", "failed", "of"],
    )
    return Chart(figure, table)


def metrics_with_intervals(metrics: Mapping[str, Rate], *, title: str = "Metrics") -> Chart:
    """A dot and a whisker for every share; what has another unit stands in the table alone."""
    drawn = {name: rate for name, rate in metrics.items() if is_share(name) and rate.value is not None}
    labels = [_measured(name, rate) for name, rate in drawn.items()]
    figure = go.Figure(_whiskers(labels, list(drawn.values()), colour=SECOND, name=""))
    _rows(figure, labels, title=f"{title}, with {_INTERVAL}s", legend=False)
    return Chart(figure, _table([("", metrics)]).drop(columns="run"))


def metric_by_group(groups: Mapping[str, Rate], metric: str, field: str) -> Chart:
    """One metric for every group of questions, such as the categories, a dot and a whisker each."""
    drawn = {group: rate for group, rate in groups.items() if rate.value is not None}
    words = words_of(metric)
    # Plotly reads tags in its texts, and whoever writes a set names its categories.
    labels = [f"{escape(_shown(field, group))} ({_size(rate)})" for group, rate in drawn.items()]
    figure = go.Figure(_whiskers(labels, list(drawn.values()), colour=SECOND, name=""))
    title = f"{words.label} by {field}, with {_INTERVAL}s"
    _rows(figure, labels, title=title, legend=False, unit=words.unit)
    table = pd.DataFrame(
        [{field: group, "metric": metric, **rate.as_dict()} for group, rate in groups.items()],
        columns=[field, "metric", "value", "k", "n", "low", "high"],
    )
    return Chart(figure, table)


def two_runs(metrics: Mapping[str, tuple[Rate, Rate]], names: tuple[str, str]) -> Chart:
    """The shares of two runs, one under the other: A a diamond, B a dot."""
    drawn = {
        name: pair
        for name, pair in metrics.items()
        if is_share(name) and None not in (pair[0].value, pair[1].value)
    }
    labels = [f"{words_of(name).label} {_arrow(name)}" for name in drawn]
    figure = go.Figure()
    for side, (colour, symbol) in enumerate(((FIRST, "diamond"), (SECOND, "circle"))):
        rates = [pair[side] for pair in drawn.values()]
        figure.add_trace(_whiskers(labels, rates, colour=colour, name=names[side], symbol=symbol))
        # Two whiskers on one line would hide each other.
        figure.data[side].update(offsetgroup=str(side), alignmentgroup="runs")
    _rows(figure, labels, title=f"Both runs, with {_INTERVAL}s", legend=True, row_height=46)
    figure.update_layout(scattermode="group", scattergap=0.45)
    both = [
        (name, {metric: pair[side] for metric, pair in metrics.items()}) for side, name in enumerate(names)
    ]
    return Chart(figure, _table(both))


def _whiskers(
    labels: Sequence[str], rates: Sequence[Rate], *, colour: str, name: str, symbol: str = "circle"
) -> go.Scatter:
    values = [rate.value or 0.0 for rate in rates]
    return go.Scatter(
        x=values,
        y=list(labels),
        mode="markers",
        orientation="h",
        name=name,
        marker={"color": colour, "size": 10, "symbol": symbol},
        cliponaxis=False,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [
                (rate.high if rate.high is not None else v) - v for rate, v in zip(rates, values, strict=True)
            ],
            "arrayminus": [
                v - (rate.low if rate.low is not None else v) for rate, v in zip(rates, values, strict=True)
            ],
            "color": colour,
            "thickness": 2,
            "width": 5,
        },
        customdata=[[str(rate)] for rate in rates],
        hovertemplate="%{y}: %{customdata[0]}<extra>%{fullData.name}</extra>"
        if name
        else "%{y}: %{customdata[0]}<extra></extra>",
    )


def _rows(
    figure: go.Figure,
    labels: Sequence[str],
    *,
    title: str,
    legend: bool,
    unit: str = "",
    row_height: int = _ROW_HEIGHT,
) -> None:
    """A row a label from the top down; shares on a fixed axis from 0 to 1, so that charts compare."""
    axis = unit or "share, 0 to 1"
    height = (140 if legend else 110) + row_height * max(1, len(labels))
    styled(figure, title=title, x=axis, y="", height=height, legend=legend)
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=list(labels))
    if not unit:
        figure.update_xaxes(range=[-0.02, 1.02], dtick=0.25, gridcolor=GRID)
    else:
        figure.update_xaxes(rangemode="tozero")


def _measured(name: str, rate: Rate) -> str:
    return f"{words_of(name).label} {_arrow(name)} ({_size(rate)})"


def _arrow(name: str) -> str:
    """Which way is better; without it a low point cannot be read."""
    return "↑" if words_of(name).better == "higher" else "↓"


def _size(rate: Rate) -> str:
    return f"n = {rate.n}"


def _shown(field: str, group: str) -> str:
    return KIND_WORDS.get(group, group) if field == "kind" else group.replace("_", " ")


def _table(runs: Sequence[tuple[str, Mapping[str, Rate]]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"run": run, "metric": name, **rate.as_dict()}
            for run, metrics in runs
            for name, rate in metrics.items()
        ],
        columns=["run", "metric", "value", "k", "n", "low", "high"],
    )
