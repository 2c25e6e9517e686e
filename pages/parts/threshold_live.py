"""What a step of the slider draws anew: counts, chart, suggestions, the questions nearest by.

One fragment. While the slider moves, nothing is embedded, searched for or read from the database.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.app import kept, prepare
from pages.parts.safe_markdown import plain_line
from pages.parts.threshold_chart import DrawnAs, distribution, drawn_as
from pages.parts.threshold_counts import counts_table
from pages.parts.threshold_nearest import nearest
from pages.parts.threshold_suggestions import suggestions
from pages.parts.threshold_try import try_it
from pages.parts.threshold_use import use_in_chat
from pages.parts.threshold_value import value_slider
from ragcore.evaluation.thresholds import InForce, ScoredRun
from ragcore.rag import Rag

CUTOFF, FLOOR = "threshold_cutoff", "threshold_floor"
_CUTOFF_VIEW, _FLOOR_VIEW = "Cutoff", "Follow-up floor"


@st.fragment
def live(rag: Rag, scored: ScoredRun, follow_ups: ScoredRun | None, in_force: InForce, users: str) -> None:
    """Everything under the choice of the run."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="threshold_views"):
        view = st.segmented_control(
            "What is set",
            [_CUTOFF_VIEW, _FLOOR_VIEW],
            required=True,
            label_visibility="collapsed",
            help="The cutoff is what the best evidence of a question has to reach. The floor is what the user's own "
            "words have to reach in a follow-up, however well the conversation before fits.",
            **prepare("threshold_view", _CUTOFF_VIEW, [_CUTOFF_VIEW, _FLOOR_VIEW]),
        )
        st.space("stretch")
        drawn = drawn_as()
    cutoff = float(kept(CUTOFF, in_force.cutoff))
    floor = in_force.floor if follow_ups is None else kept(FLOOR, in_force.floor)
    panel, use = st.container(), st.container()
    if view == _CUTOFF_VIEW:
        # Before the chart above is drawn: a question that is tried now belongs on it.
        try_it(rag, scored, cutoff)
    with panel:
        if view == _CUTOFF_VIEW:
            _panel(scored, CUTOFF, in_force.cutoff, drawn)
        elif follow_ups is None:
            st.info(
                "No follow-ups have been scored for these documents yet. Open “Score others” and choose a set that "
                "has follow-ups, such as followups.",
                icon=":material/forum:",
            )
        else:
            _panel(follow_ups, FLOOR, in_force.floor_now, drawn)
    with use:
        use_in_chat(rag, scored, cutoff, floor, in_force, users)
    if view == _CUTOFF_VIEW:
        nearest(rag, scored, cutoff, "cutoff")
    elif follow_ups is not None:
        nearest(rag, follow_ups, float(in_force.floor_now if floor is None else floor), "floor")


def _panel(scored: ScoredRun, name: str, in_force: float, drawn: DrawnAs) -> None:
    """Slider and chart on the left, what they come to on the right, suggestions below."""
    is_floor = name == FLOOR
    chart, counts = st.columns([3, 2], gap="large")
    with chart:
        value = value_slider(
            name,
            "Follow-up floor" if is_floor else "Cutoff",
            in_force,
            help_text="Scores from here on pass, scores below are refused. With the slider chosen, the arrow keys "
            f"move it by 0.005. In force is {in_force:.4g}.",
        )
        distribution(scored, value, in_force, drawn, word="floor" if is_floor else "cutoff")
    with counts:
        st.html(counts_table(scored.counts(value, in_force)))
        st.caption(
            plain_line(
                f"At {value:.4g}, compared with {in_force:.4g} in force. Brackets: 95 % interval (Wilson). Choose by the "
                "calibration split, believe the test split."
            )
            + (f" {scored.unscored:,} without a score count as refused." if scored.unscored else "")
        )
    suggestions(scored, name, value)
