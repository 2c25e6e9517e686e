"""The filters over the questions of a run; each is kept in the address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import streamlit as st

from pages.parts.results.address import Address, bound
from pages.parts.results.words import STATE_WORDS, kind_words, plain_words, stage_words
from ragcore.evaluation.result_rows import FAILURE_WORDS, ResultRow, values_of
from ragcore.storage import EvalRun

FILTER_WIDTH = 165
"""Pixels: two fit beside each other on a phone."""
_CHANGES = {"any": "Any change", "better": "Better", "worse": "Worse"}


def question_filters(
    run: EvalRun, rows: tuple[ResultRow, ...], address: Address, other: EvalRun | None
) -> None:
    """Draw the filters that the run has more than one value for."""
    chosen = address.filter
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        counts = Counter(row.state for row in rows)
        st.segmented_control(
            "State",
            [state for state in STATE_WORDS if counts[state] or state == chosen.state],
            format_func=lambda state: f"{STATE_WORDS[state]} {counts[state]:,}",
            label_visibility="collapsed",
            help="Failed: went wrong at some stage. Not judged: the stage says nothing of these.",
            **bound("state", chosen.state),
        )
        if other is not None:
            st.segmented_control(
                f"Changed since run {other.id}",
                list(_CHANGES),
                format_func=lambda change: (
                    f"{_CHANGES[change]} since {other.id}" if change == "any" else _CHANGES[change]
                ),
                label_visibility="collapsed",
                help=f"Only questions that changed since run {other.id}: better were wrong there and are not here.",
                **bound("changed", address.changed),
            )
    st.text_input(
        "Text",
        type="search",
        placeholder="Words of question, answer or id",
        label_visibility="collapsed",
        help="Shows questions that contain all of these words in the question, the answer or the id.",
        **bound("text", chosen.text),
    )
    values = values_of(rows)
    failed_at = [stage for stage in FAILURE_WORDS if any(r.outcome.failure_stage == stage for r in rows)]
    drawn = [
        ("stage", "Went wrong at", failed_at, chosen.stages, stage_words),
        ("kind", "Kind", values["kinds"], chosen.kinds, kind_words),
        ("category", "Category", values["categories"], chosen.categories, plain_words),
        ("verdict", "Automatic grade", values["verdicts"], chosen.verdicts, plain_words),
        ("split", "Split", values["splits"], chosen.splits, plain_words),
        ("set", "Set", values["sets"], chosen.sets, str),
    ]
    drawn = [one for one in drawn if len(one[2]) > 1 or one[3]]
    # Side by side also on a phone, where columns would stand one under the other.
    with st.container(horizontal=True, gap="small"):
        for name, label, options, value, words in drawn:
            _several(name, label, options, value, words)


def _several(
    name: str, label: str, options: list[str], value: tuple[str, ...], words: Callable[[str], str]
) -> None:
    # A link may name a value that this run does not have: then nothing is shown, and one sees why.
    st.multiselect(
        label,
        [*options, *(one for one in value if one not in options)],
        format_func=words,
        placeholder="All",
        width=FILTER_WIDTH,
        help="Only questions with one of these. Empty: all.",
        **bound(name, list(value)),
    )
