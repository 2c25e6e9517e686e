"""Charts of hand grades: beside the automatic ones, and the agreement by kind of question."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd
import plotly.graph_objects as go

from ragcore.charts.chart import KIND_COLOURS, KIND_WORDS, Chart, styled
from ragcore.evaluation.agreement import Agreement
from ragcore.evaluation.rate import Rate
from ragcore.storage import GRADES

GRADE_WORDS = {
    "right": "Right",
    "partly": "Partly",
    "wrong": "Wrong",
    "should_have_refused": "Should have refused",
    "should_have_answered": "Should have answered",
    "not right": "Not right",
    "ungraded": "Left to a person",
}
"""The grades as a person reads them."""
_ORDER = (*GRADES, "not right")
_FEW, _MANY = "#d6e6f2", "#0072b2"
_OUTLINE = "#e69f00"


def confusion(found: Agreement, grader: str) -> Chart:
    """Counts of automatic (rows) against hand grades (columns); where both agree is outlined."""
    labels = sorted(found.labels, key=lambda label: _ORDER.index(label) if label in _ORDER else len(_ORDER))
    counts = {
        (row, column): found.table[i][j]
        for i, row in enumerate(found.labels)
        for j, column in enumerate(found.labels)
    }
    words = [escape(GRADE_WORDS.get(label, label)) for label in labels]
    heights = [[counts[row, column] or None for column in labels] for row in labels]
    most = max([1, *counts.values()])
    figure = go.Figure(
        go.Heatmap(
            z=heights,
            x=[_folded(word) for word in words],
            y=[_folded(word) for word in words],
            colorscale=[[0, _FEW], [1, _MANY]],
            zmin=0,
            zmax=most,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="automatic: %{y}<br>by hand: %{x}<br>%{z} answers<extra></extra>",
        )
    )
    title = f"Automatic grades against {escape(grader)}’s: {found.agreed} of n = {found.n} the same"
    styled(figure, title=title, x="by hand", y="automatic", height=130 + 62 * len(labels), legend=False)
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False, autorange="reversed")
    for i, row in enumerate(labels):
        for j, column in enumerate(labels):
            n = counts[row, column]
            # On an empty cell the page's ground shows, which may be light or dark.
            colour = "#7f7f7f" if n == 0 else "#ffffff" if n > 0.6 * most else "#11191c"
            figure.add_annotation(x=j, y=i, text=str(n), showarrow=False, font={"size": 15, "color": colour})
        figure.add_shape(
            type="rect",
            x0=i - 0.5,
            x1=i + 0.5,
            y0=i - 0.5,
            y1=i + 0.5,
            line={"color": _OUTLINE, "width": 3},
        )
    table = pd.DataFrame(
        [(row, column, counts[row, column]) for row in labels for column in labels],
        columns=["automatic", "by_hand", "answers"],
    )
    return Chart(figure, table)


def agreement_by_kind(by_kind: Mapping[str, Rate], grader: str) -> Chart:
    """For each kind the share of answers on which both say right or both not right, with intervals."""
    kinds = [kind for kind in KIND_WORDS if kind in by_kind] + [k for k in by_kind if k not in KIND_WORDS]
    rates = [by_kind[kind] for kind in kinds]
    rows = [
        (kind, KIND_WORDS.get(kind, kind), rate.value, rate.low, rate.high, rate.k, rate.n)
        for kind, rate in zip(kinds, rates, strict=True)
        if rate.value is not None and rate.low is not None and rate.high is not None
    ]
    table = pd.DataFrame(rows, columns=["kind", "name", "share", "low", "high", "k", "n"])
    figure = go.Figure(
        go.Scatter(
            x=table["share"],
            y=[f"{escape(name)}<br>{k} of {n}" for _, name, *_, k, n in rows],
            mode="markers",
            marker={"size": 12, "color": [KIND_COLOURS.get(kind, "#7f7f7f") for kind in table["kind"]]},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": table["high"] - table["share"],
                "arrayminus": table["share"] - table["low"],
                "thickness": 2,
                "width": 6,
                "color": "#7f7f7f",
            },
            customdata=table[["low", "high"]],
            hovertemplate="%{x:.0%} (95 % interval %{customdata[0]:.0%} to %{customdata[1]:.0%})<extra></extra>",
        )
    )
    total = int(table["n"].sum())
    styled(
        figure,
        title=f"As right or not right as {escape(grader)} says, by kind (n = {total})",
        x="share of answers, with 95 % interval",
        y="",
        height=120 + 56 * max(1, len(rows)),
        legend=False,
    )
    figure.update_xaxes(range=[-0.02, 1.04], tickformat=".0%")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return Chart(figure, table)


def _folded(label: str) -> str:
    """A long label on two lines."""
    return label.replace("Should have ", "Should have<br>")
