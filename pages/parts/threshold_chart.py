"""The scores as a chart, with the cutoff on it; what does not move is drawn once and kept."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.app import prepare
from pages.parts.threshold_try import tried_marks
from ragcore.charts.scores import ScoreChart, Style, score_chart
from ragcore.evaluation.thresholds import ScoredRun

_STYLES: dict[str, Style] = {"Histogram": "histogram", "ECDF": "ecdf", "Rug": "rug"}
_SPLITS = {"Both splits": None, "Calibration": "calibration", "Test": "test"}


@dataclass(frozen=True, slots=True)
class DrawnAs:
    """How the scores are drawn, and of which split; ``table`` is where the download goes."""

    style: Style
    split: str | None
    table: DeltaGenerator


def drawn_as() -> DrawnAs:
    """The choice of the chart's kind and split."""
    style = st.segmented_control(
        "Drawn as",
        list(_STYLES),
        required=True,
        label_visibility="collapsed",
        help="Histogram: how many questions have which score. ECDF: what share of a kind a cutoff refuses. "
        "Rug: a line for every question.",
        **prepare("threshold_style", "Histogram", list(_STYLES)),
    )
    split = st.selectbox(
        "Questions of",
        list(_SPLITS),
        label_visibility="collapsed",
        width=150,
        help="Which questions are drawn. The counts always show both splits.",
        **prepare("threshold_split", "Both splits", list(_SPLITS)),
    )
    return DrawnAs(_STYLES[style], _SPLITS[split], st.empty())


def distribution(scored: ScoredRun, cutoff: float, in_force: float, drawn: DrawnAs, *, word: str) -> None:
    """Draw the chart of a run's scores with the cutoff on it, and the button with its numbers."""
    window = None
    if scored.calibration is not None and not scored.calibration.window.empty:
        found = scored.calibration.window
        window = (found.highest_refused, found.lowest_answered)
    chart = _chart(scored, drawn.style, drawn.split).at(
        cutoff,
        in_force=in_force,
        window=window,  # type: ignore[arg-type]
        marks=tried_marks() if word == "cutoff" else (),
        word=word,
    )
    drawn.table.download_button(
        "Table",
        data=lambda: chart.table.to_csv(index=False).encode(),
        file_name=f"scores-run-{scored.run.id}-{drawn.style}.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        help="The numbers behind the chart, as CSV.",
    )
    st.plotly_chart(
        chart.figure,
        key=f"threshold_plot_{word}_{drawn.style}",
        config={"displayModeBar": False},
        alt=f"Scores by kind of question as a {drawn.style}, with a line at the {word} {cutoff:.4g}.",
    )


def _chart(scored: ScoredRun, style: Style, split: str | None) -> ScoreChart:
    """Kept for as long as the same scores are drawn in the same way."""
    slot = f"threshold_drawn_{scored.run.stage == 'followups'}"
    wanted = (id(scored), style, split)
    kept = st.session_state.get(slot)
    if kept is None or kept[0] != wanted:
        scores = {kind: scored.scores_of(kind, split) for kind in scored.kinds}
        of = "user's own words" if scored.run.stage == "followups" else ""
        of += f"{', ' if of else ''}{split} split" if split else ""
        kept = st.session_state[slot] = (wanted, score_chart(scores, style=style, of=of))
    return kept[1]
