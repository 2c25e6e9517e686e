"""Charts of follow-ups: what passes the two doors, and what a strategy finds beside what it lets through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd
import plotly.graph_objects as go

from ragcore.charts.chart import GRID, KIND_COLOURS, Chart, styled
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.rate import Rate

_FOLLOW_UP, _OFF_TOPIC = KIND_COLOURS["follow_up"], KIND_COLOURS["follow_up_off_topic"]
_FATES = {
    "found": ("Follow-up, its passage comes first", _FOLLOW_UP, "circle"),
    "not_first": ("Follow-up, another passage first", _FOLLOW_UP, "x"),
    "refused": ("Follow-up, refused", _FOLLOW_UP, "circle-open"),
    "kept_out": ("Off topic, refused", _OFF_TOPIC, "diamond-open"),
    "leak": ("Off topic, let through", _OFF_TOPIC, "diamond"),
}
"""What can become of a follow-up; shape and words tell it as well as colour."""


def fate_of(outcome: Outcome) -> str:
    """A key of ``_FATES``: found, not_first, refused, kept_out or leak."""
    if outcome.kind == "follow_up_off_topic":
        return "kept_out" if outcome.refused else "leak"
    if outcome.refused:
        return "refused"
    return "found" if outcome.rank == 1 else "not_first"


def two_doors(outcomes: Sequence[Outcome], *, cutoff: float, floor: float | None, title: str) -> Chart:
    """A point a follow-up: the score of what is searched against that of the user's own words.

    On the diagonal nothing was added to the words. ``cutoff`` is the first door, a line across;
    ``floor`` the second, a line down. Outcomes without both scores are left out.
    """
    rows = [
        {
            "id": one.id,
            "fate": fate_of(one),
            "own_words": round(one.own_score, 4),
            "searched": round(one.top_score, 4),
            "question": one.question,
        }
        for one in outcomes
        if one.own_score is not None and one.top_score is not None
    ]
    table = pd.DataFrame(rows, columns=["id", "fate", "own_words", "searched", "question"])
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": GRID, "width": 1}, hoverinfo="skip", showlegend=False
    )
    for fate, (name, colour, symbol) in _FATES.items():
        own = [row for row in rows if row["fate"] == fate]
        if own:
            figure.add_scatter(
                x=[row["own_words"] for row in own],
                y=[row["searched"] for row in own],
                mode="markers",
                name=f"{name} ({len(own)})",
                marker={"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
                # Plotly reads a few tags in its texts, and whoever writes a set writes its questions.
                customdata=[[escape(row["question"])] for row in own],
                hovertemplate="%{customdata[0]}<br>own words %{x:.2f}, searched %{y:.2f}<extra></extra>",
            )
    _door(figure, cutoff, f"cutoff {cutoff:g}", across=True)
    if floor is not None:
        _door(figure, floor, f"floor {floor:g}", across=False)
    styled(
        figure,
        title=f"{title} (n = {len(rows)})",
        x="cosine of the best evidence for the user's own words",
        y="… for the question that is searched",
        height=520,
    )
    low = min([0.0, *table["own_words"], *table["searched"]]) - 0.02
    high = max([0.6, *table["own_words"], *table["searched"]]) + 0.05
    figure.update_xaxes(range=[low, high])
    figure.update_yaxes(range=[low, high])
    figure.update_layout(
        legend={"yref": "container", "y": 0, "yanchor": "bottom"}, margin={"t": 44, "b": 120}
    )
    return Chart(figure, table)


def hits_and_leaks(rates: Mapping[str, tuple[Rate, Rate]], *, title: str) -> Chart:
    """For each strategy two points with their 95 % intervals: what it finds, and what it lets through."""
    names = [name for name, pair in rates.items() if any(rate.n for rate in pair)]
    sides = (
        ("follow-ups that find their passage first ↑", _FOLLOW_UP, "circle"),
        ("off topic, let through ↓", _OFF_TOPIC, "diamond"),
    )
    figure = go.Figure()
    rows = []
    for side, (words, colour, symbol) in enumerate(sides):
        measured = [(name, rates[name][side]) for name in names if rates[name][side].value is not None]
        values = [rate.value or 0.0 for _, rate in measured]
        figure.add_scatter(
            x=values,
            y=[escape(name) for name, _ in measured],
            mode="markers",
            name=words,
            orientation="h",
            marker={"color": colour, "symbol": symbol, "size": 12},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(rate.high or 0.0) - x for (_, rate), x in zip(measured, values, strict=True)],
                "arrayminus": [x - (rate.low or 0.0) for (_, rate), x in zip(measured, values, strict=True)],
                "color": colour,
                "thickness": 2,
                "width": 5,
            },
            customdata=[[str(rate)] for _, rate in measured],
            hovertemplate="%{y}: %{customdata[0]}<extra>%{fullData.name}</extra>",
            offsetgroup=str(side),
            alignmentgroup="strategies",
            cliponaxis=False,
        )
        rows += [(name, ("found_first", "let_through")[side], *_numbers(rate)) for name, rate in measured]
    styled(figure, title=title, x="share, with 95 % interval", y="", height=130 + 56 * max(1, len(names)))
    figure.update_layout(
        scattermode="group",
        scattergap=0.5,
        legend={"yref": "container", "y": 0, "yanchor": "bottom"},
        margin={"t": 44, "b": 90},
    )
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=[escape(n) for n in names])
    columns = ["strategy", "what", "value", "k", "n", "low", "high"]
    return Chart(figure, pd.DataFrame(rows, columns=columns))


def _numbers(rate: Rate) -> tuple[float | None, int | None, int, float | None, float | None]:
    return rate.value, rate.k, rate.n, rate.low, rate.high


def _door(figure: go.Figure, at: float, words: str, *, across: bool) -> None:
    line = {"color": "#7f7f7f", "width": 1.5, "dash": "dash"}
    if across:
        figure.add_hline(y=at, line=line, annotation_text=words, annotation_position="bottom right")
    else:
        figure.add_vline(x=at, line=line, annotation_text=words, annotation_position="top right")
