"""A chart of checked answers: what becomes of supported and unsupported sentences, way by way."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd
import plotly.graph_objects as go

from ragcore.charts.chart import KIND_COLOURS, Chart, styled
from ragcore.evaluation.checked_claims import FATES, Tally

_DARK, _LIGHT = "#11191c", "#ffffff"
_LOOKS = {
    "supported, shown": (KIND_COLOURS["answerable"], "", _LIGHT),
    "supported, struck": (KIND_COLOURS["injection"], "/", _DARK),
    "unsupported, struck": (KIND_COLOURS["general_knowledge"], ".", _DARK),
    "unsupported, shown": (KIND_COLOURS["follow_up_off_topic"], "x", _DARK),
}
"""Colour, pattern and that of the figure on it: which segment is which can be told without the colour."""


def fates_of_claims(tallies: Mapping[str, Tally], *, title: str) -> Chart:
    """A bar a way, as long as there are claims: shown and struck, of the supported and of the others.

    Supported claims lie at the left, so the edge between both kinds stands at the same place in every bar.
    """
    names = [escape(name) for name in tallies]
    figure = go.Figure()
    for fate in FATES:
        colour, pattern, ink = _LOOKS[fate]
        counts = [one.counts[fate] for one in tallies.values()]
        figure.add_bar(
            x=counts,
            y=names,
            orientation="h",
            name=fate,
            text=[str(count) if count else "" for count in counts],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"size": 13, "color": ink, "weight": 700},
            marker={
                "color": colour,
                "pattern": {"shape": pattern, "fgcolor": _LIGHT, "size": 6, "solidity": 0.2},
                "line": {"color": "#7f7f7f", "width": 1},
            },
            hovertemplate="%{y}: %{x} claims<extra>%{fullData.name}</extra>",
        )
    most = max((one.claims for one in tallies.values()), default=0)
    styled(figure, title=f"{title} (n = {most})", x="claims", y="", height=150 + 52 * max(1, len(names)))
    figure.update_layout(
        barmode="stack",
        bargap=0.35,
        legend={"yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
        margin={"t": 44, "b": 90},
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    rows = [(name, fate, one.counts[fate], one.claims) for name, one in tallies.items() for fate in FATES]
    return Chart(figure, pd.DataFrame(rows, columns=["way", "fate", "claims", "n"]))
