"""Figures of a run as small tiles: the number, its interval as text and as a whisker from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from ragcore.evaluation.metric_words import figure, interval, is_share, size, words_of
from ragcore.evaluation.rate import Rate


def figure_tiles(metrics: Mapping[str, Rate]) -> None:
    """A tile a figure, in the order given; nothing where there are none."""
    if metrics:
        tiles = "".join(_tile(name, rate) for name, rate in metrics.items())
        st.html(f'<div class="pl-figures">{tiles}</div>')


def _tile(name: str, rate: Rate) -> str:
    words = words_of(name)
    better = "higher is better" if words.better == "higher" else "lower is better"
    between = interval(name, rate)
    spoken = f"{words.label}: {figure(name, rate)}" + (f", 95 % interval {between}" if between else "")
    return (
        f'<div class="pl-figure" title="{escape(words.meaning)} {better.capitalize()}.">'
        f'<div class="pl-title">{escape(words.label)} <span aria-hidden="true">'
        f"{'↑' if words.better == 'higher' else '↓'}</span></div>"
        f'<div class="pl-figure-value">{escape(figure(name, rate))}</div>'
        f"{_whisker(rate, spoken) if is_share(name) else ''}"
        f'<div class="pl-figure-interval">{escape(" · ".join(filter(None, (between, size(rate)))))}</div></div>'
    )


def _whisker(rate: Rate, spoken: str) -> str:
    if rate.value is None:
        return ""
    low = rate.value if rate.low is None else rate.low
    high = rate.value if rate.high is None else rate.high
    return (
        f'<div class="pl-figure-whisker" role="img" aria-label="{escape(spoken)}">'
        f'<div class="pl-figure-span" style="left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"></div>'
        f'<div class="pl-figure-dot" style="left:{100 * rate.value:.1f}%"></div></div>'
    )
