"""One question's candidates by their two scores, and what each way of joining them makes of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ragcore.charts.chart import GRID, Chart, styled
from ragcore.records import Candidate
from ragcore.retrieval.fusion import LEXICAL_WEIGHT, by_cosine, reciprocal_rank, weighted
from ragcore.storage.search import ChunkScore

RIGHT_COLOUR, WINNER_COLOUR, OTHER_COLOUR = "#0072b2", "#d55e00", "#999999"
_SIDE_BY_SIDE = 0.02
"""Scores nearer than this print their names over each other."""


def two_scores(candidates: Sequence[Candidate], right: Collection[int], *, title: str) -> Chart:
    """A point a candidate: lexical coverage against cosine. ``right`` holds the ids of the right chunks.

    The best of the right ones (by cosine) is a star, what rank fusion puts first a diamond. On the
    dashed line the weighted sum is that of the star: whatever lies above it comes before the star.
    The table holds the place of each candidate in every order, from 1; by coverage there is none
    (a missing value) for one that has no word of the question.
    """
    scores = [ChunkScore(one.chunk_id, one.score, one.coverage) for one in candidates]
    orders = {
        "by_cosine": by_cosine(scores),
        # What has no word of the question has no place among the words.
        "by_coverage": sorted(
            (score for score in scores if score.coverage > 0),
            key=lambda score: (-score.coverage, -score.cosine, score.chunk_id),
        ),
        "rrf": reciprocal_rank(scores),
        "weighted": weighted(scores),
    }
    places = {
        name: {score.chunk_id: place for place, score in enumerate(order, 1)}
        for name, order in orders.items()
    }
    rows = [
        {
            "chunk_id": score.chunk_id,
            "right": score.chunk_id in right,
            "cosine": round(score.cosine, 4),
            "coverage": round(score.coverage, 4),
            **{name: place.get(score.chunk_id) for name, place in places.items()},
        }
        for score in orders["by_cosine"]
    ]
    table = pd.DataFrame(
        rows,
        columns=["chunk_id", "right", "cosine", "coverage", "by_cosine", "by_coverage", "rrf", "weighted"],
    ).astype({"by_coverage": "Int64"})
    star = next((row for row in rows if row["right"]), None)
    winner = next((row for row in rows if row["rrf"] == 1), None)
    named = [row for row in (star, winner) if row is not None]
    figure = go.Figure()
    _points(figure, [row for row in rows if row not in named], "other candidates", OTHER_COLOUR, "circle", 7)
    if star is not None:
        _points(figure, [star], "right passage", RIGHT_COLOUR, "star", 17)
        reach = np.array([0.0, table["coverage"].max()])
        level = star["cosine"] + LEXICAL_WEIGHT * star["coverage"]
        figure.add_scatter(
            x=reach,
            y=level - LEXICAL_WEIGHT * reach,
            mode="lines",
            line={"dash": "dash", "color": RIGHT_COLOUR, "width": 1.5},
            name=f"cosine + {LEXICAL_WEIGHT:g} × coverage as of the right passage",
            hoverinfo="skip",
        )
    if winner is not None and winner is not star:
        _points(figure, [winner], "first by rank fusion", WINNER_COLOUR, "diamond", 13)
    for row in named if winner is not star else named[:1]:
        close = star is not None and abs(row["coverage"] - star["coverage"]) < _SIDE_BY_SIDE
        figure.add_annotation(
            text=f"{_nth(row['by_cosine'])} by cosine, {_by_words(row['by_coverage'])}",
            x=row["coverage"],
            y=row["cosine"],
            showarrow=False,
            yshift=16 if row is star or not close else -16,
            xanchor="right" if row["coverage"] > _middle(table) else "left",
            font={"size": 12},
        )
    styled(
        figure, title=title, x="coverage of the question's words, weighted by rarity", y="cosine", height=420
    )
    figure.update_layout(legend={"yref": "container", "y": 0, "yanchor": "bottom"}, margin={"t": 52, "b": 96})
    # A margin on the left: many points lie at 0, and would be cut in half.
    widest = float(table["coverage"].max()) if rows else 1.0
    figure.update_xaxes(gridcolor=GRID, range=[-0.03 * widest, 1.05 * widest or 1])
    return Chart(figure, table)


def _middle(table: pd.DataFrame) -> float:
    """The middle of the drawn coverages: names of points beyond it stand to their left."""
    return float(table["coverage"].max()) / 2


def _points(figure: go.Figure, rows: Sequence[dict], name: str, colour: str, symbol: str, size: int) -> None:
    figure.add_scatter(
        x=[row["coverage"] for row in rows],
        y=[row["cosine"] for row in rows],
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": symbol, "size": size},
        customdata=[
            [row["by_cosine"], _by_words(row["by_coverage"]), row["rrf"], row["weighted"]] for row in rows
        ],
        hovertemplate=(
            "cosine %{y:.3f} (place %{customdata[0]}), coverage %{x:.2f} (%{customdata[1]})<br>"
            "rank fusion: place %{customdata[2]}, weighted: place %{customdata[3]}<extra>%{fullData.name}</extra>"
        ),
    )


def _by_words(place: int | None) -> str:
    return "no word in common" if place is None else f"{_nth(place)} by words"


def _nth(place: int) -> str:
    """``1st``, ``12th``"""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
