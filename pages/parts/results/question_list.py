"""The questions of a run: where they went wrong, filters, the list itself, its export."""

from __future__ import annotations

import streamlit as st

from pages.parts.results.address import Address, clear_filters, go
from pages.parts.results.chart_block import chart_block, clicked
from pages.parts.results.question_filters import question_filters
from pages.parts.results.words import (
    CHANGE_WORDS,
    kind_words,
    plain_words,
    result_words,
    stage_words,
)
from ragcore.charts.runs import failures_by_stage
from ragcore.evaluation.result_rows import ResultRow
from ragcore.rag import Rag
from ragcore.storage import EvalRun

FORMATS = {"csv": "text/csv", "jsonl": "application/x-ndjson", "parquet": "application/vnd.apache.parquet"}


def shown_rows(rag: Rag, run: EvalRun, address: Address) -> list[ResultRow]:
    """The rows that the address asks for, in the order of the run."""
    only = None
    if address.changed and address.compare is not None:
        paired = rag.results.paired(address.compare, run.id)
        only = paired.changed(None if address.changed == "any" else address.changed)
    return address.filter.of(rag.results.rows(run.id), only)


def question_list(rag: Rag, run: EvalRun, address: Address, other: EvalRun | None) -> None:
    """Draw chart, filters and list. A click on a row opens the question."""
    rows = rag.results.rows(run.id)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _chart(run, rows, address)
    with right:
        question_filters(run, rows, address, other)
    shown = shown_rows(rag, run, address)
    if not shown:
        st.info("No question meets all of these filters.", icon=":material/filter_alt_off:")
        _clear_button()
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        counted = f"{len(shown):,}" if len(shown) == len(rows) else f"{len(shown):,} of {len(rows):,}"
        st.markdown(f"**{counted} question{'' if len(shown) == 1 else 's'}**", width="content")
        st.button(
            "Read one by one",
            key="read_first",
            icon=":material/play_arrow:",
            help="Open the first of these; N and P turn to the next and the previous.",
            on_click=go,
            kwargs={"question": shown[0].id},
        )
        if address.filtered:
            _clear_button()
    _table(rag, run, shown, other)
    _downloads(rag, run, shown)


def _chart(run: EvalRun, rows: tuple[ResultRow, ...], address: Address) -> None:
    stages = address.filter.stages
    selected = stages[0] if len(stages) == 1 else None
    # Another key for every choice: a mark that was clicked must not stay selected for the browser.
    key = f"failures_{run.id}_{'_'.join(stages)}"
    outcomes = [row.outcome for row in rows]
    chart_block(
        failures_by_stage(outcomes, run.stage, selected=selected),
        key,
        alt="Bars: how many questions went wrong at which stage. The filter “Went wrong at” does the same.",
        file_name=f"run-{run.id}-failures",
        on_select=lambda: _choose_stage(key, selected),
    )


def _choose_stage(key: str, selected: str | None) -> None:
    """A click shows that stage alone; a second click on it shows all again."""
    stage = clicked(key)
    if stage is not None:
        go(stage=None if stage == selected else [stage], state=None)


def _clear_button() -> None:
    st.button(
        "Clear filters",
        key="clear_filters",
        icon=":material/filter_alt_off:",
        type="tertiary",
        help="Show all questions again.",
        on_click=clear_filters,
    )


def _table(rag: Rag, run: EvalRun, shown: list[ResultRow], other: EvalRun | None) -> None:
    changes = {pair.id: pair.change for pair in rag.results.paired(other.id, run.id).pairs} if other else {}
    several = len({row.question_set for row in rag.results.rows(run.id)}) > 1
    table = [
        {
            "Question": row.outcome.question,
            "Kind": kind_words(row.outcome.kind),
            "Category": plain_words(row.outcome.category),
            "Result": result_words(row),
            "Gold at": row.outcome.rank,
            "Score": row.outcome.top_score,
            **({"Grade": plain_words(row.outcome.verdict or "")} if run.stage == "answers" else {}),
            **({f"Since run {other.id}": CHANGE_WORDS[changes[row.id]]} if other else {}),
            **({"Set": row.question_set} if several else {}),
        }
        for row in shown
    ]
    key = f"results_table_{run.id}_{hash(tuple(row.id for row in shown))}"
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        placeholder="–",
        on_select=lambda: _open_clicked(key, [row.id for row in shown]),
        selection_mode=["single-row", "single-cell"],
        column_config={
            "Question": st.column_config.TextColumn(width=340),
            "Result": st.column_config.TextColumn(
                help=f"{', '.join(stage_words(one) for one in ('reading', 'retrieval', 'gate'))} …: the first "
                "stage at which it went wrong."
            ),
            "Gold at": st.column_config.NumberColumn(help="Rank of the first hit that holds gold.", width=70),
            "Score": st.column_config.NumberColumn(
                help="Raw cosine of the best hit.", format="%.3f", width=75
            ),
        },
        alt="Questions of the run; a click on a row opens it",
    )


def _open_clicked(key: str, ids: list[str]) -> None:
    selection = st.session_state[key]["selection"]
    places = [*selection["rows"], *(row for row, _ in selection["cells"])]
    if places:
        go(question=ids[places[0]])


def _downloads(rag: Rag, run: EvalRun, shown: list[ResultRow]) -> None:
    ids = [row.id for row in shown]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Download what is shown, with hand grades:", width="content")
        for kind, mime in FORMATS.items():
            st.download_button(
                kind.upper() if kind != "parquet" else "Parquet",
                data=lambda kind=kind: rag.results.export(run.id, ids, kind),
                file_name=f"run-{run.id}.{kind}",
                mime=mime,
                key=f"download_{kind}",
                type="tertiary",
                icon=":material/download:",
                on_click="ignore",
                help=f"These {len(ids):,} questions as {kind.upper() if kind != 'parquet' else 'Parquet'}.",
            )
