"""Two runs side by side: the plain sentence, what was set differently, every question of both."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages.parts.app import prepare
from pages.parts.results.address import Address, go
from pages.parts.results.chart_block import chart_block
from pages.parts.results.words import CHANGE_WORDS, result_words
from pages.parts.safe_markdown import plain_line
from ragcore.charts.runs import two_runs
from ragcore.evaluation.exporting import write_rows
from ragcore.evaluation.pairing import Pair, PairedRuns
from ragcore.rag import Rag
from ragcore.storage import EvalRun


def compared(rag: Rag, run: EvalRun, other: EvalRun | None, address: Address) -> None:
    """``run`` against ``other``; without one, how to choose it."""
    if other is None:
        st.info(
            f"Choose above which run to compare with. It takes two runs of the stage {run.stage}; change a "
            "setting with “Run again with changes” from the menu beside the run's name.",
            icon=":material/compare_arrows:",
        )
        return
    with st.spinner("Comparing…"):
        paired = rag.results.paired(other.id, run.id)
    said = paired.comparison
    sentence = f"{said.sentence[0].upper()}{said.sentence[1:]}."
    st.markdown(f"##### {plain_line(sentence)}")
    _counts(paired, other, run)
    left, right = st.columns(2, gap="large")
    with left:
        chart_block(
            two_runs(paired.metrics, (f"run {other.id}", f"run {run.id}")),
            f"two_runs_{other.id}_{run.id}",
            alt="Dots with whiskers: the shares of both runs with their 95 % intervals.",
            file_name=f"run-{run.id}-against-{other.id}",
        )
    with right:
        _differences(paired, other, run)
    _pairs(paired, other, run)


def _counts(paired: PairedRuns, other: EvalRun, run: EvalRun) -> None:
    """The fourfold table behind the test, in words."""
    judged = [p for p in paired.pairs if p.a and p.b and "not judged" not in (p.a.state, p.b.state)]
    counts = Counter((pair.a.failed, pair.b.failed) for pair in judged if pair.a and pair.b)
    st.caption(
        plain_line(
            f"{len(judged):,} questions are judged in both. Right in both: {counts[False, False]:,} · only in run "
            f"{other.id}: {counts[False, True]:,} · only in run {run.id}: {counts[True, False]:,} · in neither: "
            f"{counts[True, True]:,}. McNemar's exact test looks at the two in the middle; whether intervals "
            "overlap says less than it does."
        )
    )


def _differences(paired: PairedRuns, other: EvalRun, run: EvalRun) -> None:
    st.markdown("**Set differently**")
    if not paired.differences:
        st.caption("Nothing: both runs have the same settings, code, models, documents and questions.")
        return
    st.dataframe(
        [
            {"Setting": one.label, f"Run {other.id}": one.values[0], f"Run {run.id}": one.values[1]}
            for one in paired.differences
        ],
        hide_index=True,
        height="content",
        column_config={"Setting": st.column_config.TextColumn(width=150)}
        | {f"Run {one.id}": st.column_config.TextColumn(width=130) for one in (other, run)},
        alt="The settings in which the two runs differ",
    )


def _pairs(paired: PairedRuns, other: EvalRun, run: EvalRun) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Question by question**", width="content")
        only_changed = st.toggle(
            "Only what changed",
            help="Leave out the questions that both runs have right or both have wrong.",
            **prepare("only_changed", True),
        )
    pairs = [pair for pair in paired.pairs if not only_changed or pair.change != "same"]
    if not pairs:
        st.caption("No question changed between these runs.")
        return
    key = f"pairs_{other.id}_{run.id}_{only_changed}"
    st.dataframe(
        [_row(pair, other, run) for pair in pairs],
        key=key,
        hide_index=True,
        placeholder="–",
        on_select=lambda: _open_clicked(key, pairs),
        selection_mode=["single-row", "single-cell"],
        column_config={"Question": st.column_config.TextColumn(width=280)}
        | {f"Run {one.id}": st.column_config.TextColumn(width=125) for one in (other, run)}
        | {f"Gold at ({one.id})": st.column_config.NumberColumn(width=72) for one in (other, run)}
        | {
            f"Score ({one.id})": st.column_config.NumberColumn(format="%.3f", width=72)
            for one in (other, run)
        },
        alt="Questions of both runs; a click on a row opens it",
    )
    st.download_button(
        "Paired table",
        data=lambda: write_rows([pair.as_row() for pair in pairs], "csv"),
        file_name=f"run-{run.id}-against-{other.id}-questions.csv",
        mime="text/csv",
        key="download_pairs",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
        help="These questions with what both runs made of them, as CSV.",
    )


def _row(pair: Pair, other: EvalRun, run: EvalRun) -> dict:
    outcome = pair.either.outcome
    row = {
        "Question": outcome.question,
        "Change": CHANGE_WORDS[pair.change],
    }
    for number, side in ((other.id, pair.a), (run.id, pair.b)):
        row[f"Run {number}"] = result_words(side) if side else "not asked"
        if run.stage != "refusal":
            row[f"Gold at ({number})"] = side.outcome.rank if side else None
        row[f"Score ({number})"] = side.outcome.top_score if side else None
    return row


def _open_clicked(key: str, pairs: list[Pair]) -> None:
    selection = st.session_state[key]["selection"]
    places = [*selection["rows"], *(row for row, _ in selection["cells"])]
    if places and pairs[places[0]].b is not None:
        go(question=pairs[places[0]].id)
    elif places:
        st.toast("This run has not asked that question; open the other run to see it.")
