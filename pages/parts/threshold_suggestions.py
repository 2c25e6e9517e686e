"""Cutoffs that the calibration split suggests, each a button that moves the slider and says why."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.app import prepare
from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.threshold_value import move, reason_for
from ragcore.evaluation.calibration import Suggestion
from ragcore.evaluation.thresholds import ScoredRun


def suggestions(scored: ScoredRun, name: str, value: float) -> None:
    """The middle of the window, a target for false refusals, the price of a wrong answer."""
    found = scored.calibration
    if found is None:
        st.caption(f":material/info: {sentence(scored.no_suggestion)}")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{name}_suggestions"):
        _button(name, "window", found.suggestion, "Least errors" if found.window.empty else "Window")
        with _pair():
            target = st.number_input(
                "Refuse at most (%)",
                0.0,
                100.0,
                step=0.5,
                format="%.1f",
                width=165,
                help="How many of the questions that could be answered may be refused.",
                **prepare(f"{name}_target", 2.0),
            )
            _button(name, "target", found.by_target(target / 100), f"At most {target:g} %")
        with _pair():
            price = st.number_input(
                "Price of a wrong answer",
                0.1,
                1000.0,
                step=1.0,
                format="%.1f",
                width=195,
                help="How many refused questions are as bad as one that passes and should not. 5 means: rather "
                "refuse five good questions than pass a bad one.",
                **prepare(f"{name}_price", 1.0),
            )
            _button(name, "price", found.by_price(price), f"Price {price:g}")
    st.caption(plain_line(f"{value:.4g}: {reason_for(name, value)} {found.window.sentence}"))


def _button(name: str, which: str, suggestion: Suggestion, words: str) -> None:
    st.button(
        f"{words}: {suggestion.cutoff:.4g}",
        key=f"{name}_{which}_button",
        icon=":material/arrow_forward:",
        help=plain_line(suggestion.reason),
        on_click=move,
        args=(name, suggestion.cutoff, suggestion.reason),
    )


def _pair() -> DeltaGenerator:
    """A number and the button that uses it, side by side however narrow the window is."""
    return st.container(horizontal=True, vertical_alignment="bottom", wrap=False, width="content")
