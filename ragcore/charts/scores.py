"""Top-1 scores by kind of question, and where a cutoff falls among them.

``score_chart`` draws what stays while a cutoff is being moved; its ``at`` adds what moves, as shapes
and notes only, so that a step of a slider neither counts nor draws ten thousand points again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ragcore.charts.chart import GRID, KIND_COLOURS, KIND_WORDS, Chart, styled

Style = Literal["histogram", "ecdf", "rug"]
X_TITLE = "Score: cosine similarity of the best evidence"
BIN = 0.02
MOST_POINTS = 400
"""Points of a curve, or ticks of a row, beyond which scores are put together: the eye sees no more."""
MARGINS = 106
"""Pixels for title, the cutoff's label, the axis and its title."""
CUTOFF_COLOUR = "#d55e00"
IN_FORCE_COLOUR = "#7f8c8d"
MARK_COLOUR = "#56b4e9"
WINDOW_COLOUR = "rgba(0, 158, 115, 0.16)"


@dataclass(frozen=True, slots=True)
class Mark:
    """A single score with a name, such as a question that was just tried."""

    score: float
    text: str


class ScoreChart:
    """A drawn chart on which a cutoff can be moved."""

    def __init__(self, chart: Chart) -> None:
        self._figure = chart.figure
        self._table = chart.table
        self._notes = [note.to_plotly_json() for note in chart.figure.layout.annotations]

    def at(
        self,
        cutoff: float,
        *,
        in_force: float | None = None,
        window: tuple[float, float] | None = None,
        marks: Sequence[Mark] = (),
        word: str = "cutoff",
    ) -> Chart:
        """The chart with a line at the cutoff, one where another is in force, the window shaded, marks.

        It is one figure that is drawn on anew: copying it would take plotly 20 ms at every step.
        """
        shapes, notes = [], list(self._notes)
        if window is not None:
            low, high = window
            shapes.append(
                {"type": "rect", "xref": "x", "yref": "paper", "x0": low, "x1": high, "y0": 0, "y1": 1}
                | {"fillcolor": WINDOW_COLOUR, "line": {"width": 0}, "layer": "below"}
            )
            notes.append(_note((low + high) / 2, 0.5, "usable<br>window", anchor="center"))
        right = in_force is None or cutoff >= in_force
        if in_force is not None and in_force != cutoff:
            shapes.append(_line(in_force, IN_FORCE_COLOUR, "dash"))
            notes.append(_note(in_force, 1, f"in force {in_force:.4g}", anchor="right" if right else "left"))
        shapes.append(_line(cutoff, CUTOFF_COLOUR, "solid", width=2.5))
        notes.append(_note(cutoff, 1, f"<b>{word} {cutoff:.4g}</b>", anchor="left" if right else "right"))
        for number, mark in enumerate(marks):
            shapes.append(_line(mark.score, MARK_COLOUR, "dot"))
            notes.append(_mark_note(mark, 0.02 + 0.09 * number))
        self._figure.update_layout(shapes=shapes, annotations=notes, overwrite=True)
        return Chart(self._figure, self._table)


def score_chart(scores: Mapping[str, np.ndarray], *, style: Style = "histogram", of: str = "") -> ScoreChart:
    """``scores`` by kind, each (n,) float64 ascending; ``of`` says in the title what they are scores of."""
    n = sum(own.size for own in scores.values())
    title = f"Best score of every question{f', {of}' if of else ''} (n = {n:,})"
    chart = _DRAWN[style](scores, title)
    low = min([0.0, *(float(own[0]) for own in scores.values() if own.size)])
    high = max([0.6, *(float(own[-1]) for own in scores.values() if own.size)])
    chart.figure.update_xaxes(range=[low - 0.01, min(1.02, high + 0.06)])
    # What somebody has zoomed into stays in view while the cutoff moves.
    chart.figure.update_layout(uirevision=f"{style} {of}", bargap=0, margin_t=52)
    return ScoreChart(chart)


def _histogram(scores: Mapping[str, np.ndarray], title: str) -> Chart:
    """A row a kind with bins in common, so that no bar hides another."""
    edges = _edges(scores)
    figure = make_subplots(rows=max(1, len(scores)), shared_xaxes=True, vertical_spacing=0.05)
    rows = []
    for number, (kind, own) in enumerate(scores.items(), start=1):
        # Of a half-open bin, as the gate has it: a score that equals an edge is above it.
        counts = np.diff(np.searchsorted(own, edges, side="left"))
        figure.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=BIN,
            customdata=np.stack([edges[:-1], edges[1:]], axis=1),
            marker={"color": KIND_COLOURS[kind], "line": {"width": 0.5, "color": GRID}},
            name=KIND_WORDS[kind],
            hovertemplate="%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y} questions<extra>%{fullData.name}</extra>",
            row=number,
            col=1,
        )
        # Room above the bars for the row's own name.
        figure.update_yaxes(range=[0, 1.45 * max(1, int(counts.max(initial=0)))], row=number, col=1)
        axis = "y domain" if number == 1 else f"y{number} domain"
        figure.add_annotation(_kind_note(kind, own.size) | {"xref": "paper", "yref": axis, "x": 1, "y": 1})
        rows += [(KIND_WORDS[kind], *bin_) for bin_ in zip(edges[:-1], edges[1:], counts, strict=True)]
    table = pd.DataFrame(rows, columns=["kind", "score_from", "score_below", "questions"])
    styled(figure, title=title, x="", y="", height=MARGINS + 78 * max(1, len(scores)), legend=False)
    figure.update_xaxes(title_text=X_TITLE, row=max(1, len(scores)))
    figure.update_yaxes(title_text="", nticks=4)
    figure.update_yaxes(title_text="Questions", row=(len(scores) + 1) // 2 or 1)
    return Chart(figure, table.round(2))


def _ecdf(scores: Mapping[str, np.ndarray], title: str) -> Chart:
    """The share of each kind that a cutoff refuses, as a curve of the cutoff."""
    figure = go.Figure()
    rows = []
    for kind, own in scores.items():
        at = _thinned(own)
        # Below a cutoff equal to a score stand those before it; just above it, itself as well.
        share = 100 * np.searchsorted(own, at, side="right") / max(1, own.size)
        figure.add_scatter(
            x=at,
            y=share,
            mode="lines",
            line={"shape": "hv", "color": KIND_COLOURS[kind], "width": 2.5},
            name=KIND_WORDS[kind],
            hovertemplate="up to %{x:.3f}: %{y:.1f} %<extra>%{fullData.name}</extra>",
        )
        # In the corner below the curves, which is empty: by the curves the names would cross them.
        place = {"xref": "paper", "x": 1, "yref": "y", "y": 9 * (len(scores) - len(figure.data) + 1) + 2}
        figure.add_annotation(_kind_note(kind, own.size) | place)
        rows += [(KIND_WORDS[kind], *point) for point in zip(at, share, strict=True)]
    table = pd.DataFrame(rows, columns=["kind", "score", "percent_up_to_it"])
    styled(
        figure, title=title, x=X_TITLE, y="Questions up to this score (%)", height=MARGINS + 234, legend=False
    )
    figure.update_yaxes(range=[0, 103])
    return Chart(figure, table.round(4))


def _rug(scores: Mapping[str, np.ndarray], title: str) -> Chart:
    """A tick a question, a row a kind."""
    figure = go.Figure()
    rows = []
    for number, (kind, own) in enumerate(scores.items()):
        at, questions = _ticks(own)
        figure.add_scatter(
            x=at,
            y=np.full(at.size, len(scores) - number),
            customdata=questions,
            mode="markers",
            marker={
                "symbol": "line-ns-open",
                "size": 34,
                "color": KIND_COLOURS[kind],
                "line": {"width": 1.5},
            },
            name=KIND_WORDS[kind],
            hovertemplate="%{x:.3f}: %{customdata} questions<extra>%{fullData.name}</extra>",
        )
        figure.add_annotation(
            _kind_note(kind, own.size)
            | {"xref": "paper", "x": 1, "y": len(scores) - number + 0.45, "yanchor": "middle"}
        )
        rows += [(KIND_WORDS[kind], *tick) for tick in zip(at, questions, strict=True)]
    table = pd.DataFrame(rows, columns=["kind", "score", "questions"])
    styled(figure, title=title, x=X_TITLE, y="", height=MARGINS + 78 * max(1, len(scores)), legend=False)
    figure.update_yaxes(range=[0.5, len(scores) + 0.6], showticklabels=False, showgrid=False)
    return Chart(figure, table.round(4))


_DRAWN: dict[Style, Callable[[Mapping[str, np.ndarray], str], Chart]] = {
    "histogram": _histogram,
    "ecdf": _ecdf,
    "rug": _rug,
}


def _edges(scores: Mapping[str, np.ndarray]) -> np.ndarray:
    """Edges of bins that all kinds share, in whole hundredths."""
    own = [part for part in scores.values() if part.size]
    low = min([0.0, *(part[0] for part in own)])
    high = max([0.5, *(part[-1] for part in own)])
    return np.round(np.arange(np.floor(low / BIN), np.floor(high / BIN) + 2) * BIN, 2)


def _thinned(own: np.ndarray) -> np.ndarray:
    """Every score, or so many of them, the first and the last among them."""
    if own.size <= MOST_POINTS:
        return own
    return own[np.unique(np.linspace(0, own.size - 1, MOST_POINTS).astype(int))]


def _ticks(own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where to draw ticks, and of how many questions each is one."""
    if own.size > MOST_POINTS:
        own = np.round(own * 400) / 400
    return np.unique(own, return_counts=True)


def _kind_note(kind: str, n: int) -> dict:
    text = f"<span style='color:{KIND_COLOURS[kind]}'>■</span> {KIND_WORDS[kind]} (n = {n:,})"
    return {"text": text, "showarrow": False, "xanchor": "right", "yanchor": "top", "font": {"size": 13}}


def _line(x: float, colour: str, dash: str, width: float = 1.5) -> dict:
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": colour, "width": width, "dash": dash},
    }  # fmt: skip


def _note(x: float, y: float, text: str, *, anchor: str) -> dict:
    return {
        "text": text, "x": x, "y": y, "xref": "x", "yref": "paper", "showarrow": False,
        "xanchor": anchor, "yanchor": "bottom", "yshift": 2, "font": {"size": 12},
    }  # fmt: skip


def _mark_note(mark: Mark, y: float) -> dict:
    # Plotly reads a few tags in its texts, so what somebody typed is escaped.
    return _note(mark.score, y, f"◆ {mark.score:.3f}", anchor="left") | {
        "bgcolor": "#1b2a2f",
        "font": {"size": 12, "color": "#ffffff"},
        "borderpad": 2,
        "xshift": 3,
        "hovertext": escape(_shortened(mark.text)),
    }


def _shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
