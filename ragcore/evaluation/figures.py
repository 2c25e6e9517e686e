"""The figures of a report as PNG: score distributions, ranks, failures by stage.

Colours are those of Okabe and Ito (2008, Color Universal Design), which stay apart for colour-blind
readers; bars carry their counts, so that nothing hangs on colour alone.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ragcore.evaluation.outcome import Outcome, failures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {
    "answerable": "#0072B2",
    "general_knowledge": "#D55E00",
    "missing_info": "#E69F00",
    "follow_up": "#56B4E9",
    "follow_up_off_topic": "#CC79A7",
    "injection": "#009E73",
}
_BAR, _LINE = "#0072B2", "#000000"
_BIN = 0.05
_DPI = 120


def score_distributions(outcomes: Sequence[Outcome]) -> bytes | None:
    """Histogram of the top cosine by kind, bins of 0.05, with the cutoff; None without any score."""
    by_kind: dict[str, list[float]] = {}
    for outcome in outcomes:
        if outcome.top_score is not None:
            by_kind.setdefault(outcome.kind, []).append(outcome.top_score)
    if not by_kind:
        return None
    scored = [score for own in by_kind.values() for score in own]
    # A common grid for all kinds; bins that begin at multiples of 0.05 hold round cutoffs.
    first, last = np.floor(min(scored) / _BIN), np.floor(max(scored) / _BIN) + 1
    edges = np.arange(first, last + 1) * _BIN
    kinds = sorted(by_kind)
    cutoffs = sorted({outcome.cutoff for outcome in outcomes if outcome.cutoff is not None})
    figure, rows = _figure(len(kinds), height=1.2 + 1.3 * len(kinds))
    for axes, kind in zip(rows, kinds, strict=True):
        axes.hist(by_kind[kind], bins=edges, color=COLOURS.get(kind, "#999999"), edgecolor="white")
        axes.set_ylabel("questions")
        axes.set_title(f"{kind.replace('_', ' ')} (n = {len(by_kind[kind])})", loc="left", fontsize=9)
        for cutoff in cutoffs:
            axes.axvline(cutoff, color=_LINE, linestyle="--", linewidth=1.2, label=f"cutoff {cutoff:.4g}")
    if cutoffs:
        rows[0].legend(fontsize=8, frameon=False)
    rows[-1].set_xlabel("cosine similarity of the best passage")
    figure.suptitle(f"Scores by kind of question (n = {len(scored)})", fontsize=11)
    return _png(figure)


def hits_by_rank(outcomes: Sequence[Outcome]) -> bytes | None:
    """Bars: at which rank the first passage with gold stood; None where no question has gold."""
    asked = [outcome for outcome in outcomes if outcome.expected == "answer"]
    if not asked:
        return None
    deepest = max([5, *(o.rank for o in asked if o.rank is not None)])
    counts = {str(rank): sum(o.rank == rank for o in asked) for rank in range(1, deepest + 1)}
    counts["not found"] = sum(o.rank is None for o in asked)
    title = f"Rank of the first passage with gold (n = {len(asked)})"
    return _bars(counts, len(asked), title, "rank (1 is best)")


def failures_by_stage(outcomes: Sequence[Outcome]) -> bytes | None:
    """Bars: how many questions went wrong at which stage; None where none did."""
    counts = dict(sorted(failures(outcomes).items(), key=lambda item: (-item[1], item[0])))
    if not counts:
        return None
    title = f"Failures by stage ({sum(counts.values())} of n = {len(outcomes)})"
    return _bars(counts, len(outcomes), title, "first stage that went wrong")


def _bars(counts: Mapping[str, int], n: int, title: str, label: str) -> bytes:
    figure, (axes,) = _figure(1, height=3.4)
    bars = axes.bar(list(counts), list(counts.values()), color=_BAR)
    axes.bar_label(bars, [f"{k}\n{100 * k / n:.0f} %" for k in counts.values()], fontsize=8, padding=2)
    axes.margins(y=0.2)
    axes.set_xlabel(label)
    axes.set_ylabel("questions")
    figure.suptitle(title, fontsize=11)
    return _png(figure)


def _figure(rows: int, *, height: float) -> tuple[Figure, Sequence[Axes]]:
    """A figure of its own, 7 inches wide, without pyplot: nothing global, no window, any thread."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, height), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    for axes in grid:
        axes.spines[["top", "right"]].set_visible(False)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
    return figure, list(grid)


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    # Without the version of the library in it, the same run gives the same bytes for longer.
    figure.savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None})
    return buffer.getvalue()
