"""A chart: a plotly figure together with the numbers that it shows, and the look all of them share."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

ANSWERABLE, GENERAL, MISSING = "#0072b2", "#e69f00", "#cc79a7"
KIND_COLOURS = {
    "answerable": ANSWERABLE,
    "general_knowledge": GENERAL,
    "missing_info": MISSING,
    "follow_up": "#009e73",
    "follow_up_off_topic": "#d55e00",
    "injection": "#56b4e9",
}
"""Okabe and Ito's colours, which the colour-blind tell apart. No chart relies on colour alone."""
KIND_WORDS = {
    "answerable": "Answerable",
    "general_knowledge": "General knowledge",
    "missing_info": "Missing info",
    "follow_up": "Follow-up",
    "follow_up_off_topic": "Off-topic follow-up",
    "injection": "Injection",
}
GRID = "rgba(128, 128, 128, 0.25)"


@dataclass(frozen=True, slots=True)
class Chart:
    """``figure`` to be drawn, ``table`` to be downloaded: every number that the figure shows."""

    figure: go.Figure
    table: pd.DataFrame


def styled(
    figure: go.Figure, *, title: str, x: str, y: str, height: int = 360, legend: bool = True
) -> go.Figure:
    """Title, axis titles with units, quiet grid, transparent ground (so that a page's theme shows)."""
    figure.update_layout(
        title={"text": title, "x": 0, "xanchor": "left", "font": {"size": 15}},
        xaxis_title=x,
        yaxis_title=y,
        height=height,
        margin={"l": 8, "r": 8, "t": 72 if legend else 44, "b": 8},
        showlegend=legend,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        paper_bgcolor="rgba(0, 0, 0, 0)",
        plot_bgcolor="rgba(0, 0, 0, 0)",
        hovermode="closest",
    )
    figure.update_xaxes(gridcolor=GRID, zerolinecolor=GRID, automargin=True)
    figure.update_yaxes(gridcolor=GRID, zerolinecolor=GRID, automargin=True)
    return figure
