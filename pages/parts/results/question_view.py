"""One question of a run, opened: gold beside what was retrieved, and all that came of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.passages import passage_html
from pages.parts.receipt import score_bar
from pages.parts.results.address import Address, go
from pages.parts.results.question_answer import answer, prompt, trace
from pages.parts.results.question_list import shown_rows
from pages.parts.results.words import kind_words, plain_words, result_words, stage_words
from pages.parts.safe_markdown import plain, plain_line, quoted
from ragcore.errors import NotFound
from ragcore.evaluation.opened_result import GoldPassage, OpenedResult, RetrievedPassage
from ragcore.evaluation.result_rows import FAILURE_WORDS, ResultRow, what_happened
from ragcore.rag import Rag
from ragcore.storage import EvalRun

_STATES = {
    "wrong": ("red", ":material/close:"),
    "right": ("green", ":material/check:"),
    "not judged": ("gray", ":material/remove:"),
}


def question_view(rag: Rag, run: EvalRun, address: Address) -> None:
    """Draw it, with the keys that turn to its neighbours. Raises NotFound for an unknown question."""
    opened = rag.results.opened(run.id, address.question or "")
    _navigation(run, shown_rows(rag, run, address), opened.row)
    _head(opened)
    _other_run(rag, run, address, opened.row)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _gold(opened)
    with right:
        _retrieved(opened)
    if run.stage == "answers":
        answer(opened)
    prompt(opened)
    trace(opened)


def _navigation(run: EvalRun, shown: list[ResultRow], row: ResultRow) -> None:
    """Previous and next among the filtered questions; a link to a question outside has no neighbours."""
    ids = [one.id for one in shown]
    place = ids.index(row.id) if row.id in ids else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="question_navigation"):
        st.button(
            "List",
            key="to_questions",
            icon=":material/arrow_back:",
            shortcut="L",
            help="Back to the questions of this run. Key: L.",
            on_click=go,
            kwargs={"question": None},
        )
        _turn("Previous", "P", ids[place - 1] if place else None)
        _turn("Next", "N", ids[place + 1] if place is not None and place + 1 < len(ids) else None)
        where = f"{place + 1:,} of {len(ids):,}" if place is not None else "not among the filtered questions"
        st.caption(plain_line(f"{where} · run {run.id}: {run.name}"), width="content")


def _turn(label: str, key: str, question: str | None) -> None:
    st.button(
        label,
        key=f"{label.lower()}_question",
        shortcut=key,
        disabled=question is None,
        help=f"{label} question of the filtered list. Key: {key}.",
        on_click=go,
        kwargs={"question": question},
    )


def _head(opened: OpenedResult) -> None:
    row = opened.row
    outcome = row.outcome
    for turn in opened.turns[:-1]:
        st.caption(f"Asked before: {plain_line(turn)}")
    st.subheader(plain_line(outcome.question), anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        color, icon = _STATES[row.state]
        word = (
            f"Failed at: {stage_words(outcome.failure_stage)}"
            if outcome.failure_stage
            else row.state.capitalize()
        )
        why = FAILURE_WORDS.get(outcome.failure_stage or "", ("", "It did not go wrong at any stage."))[1]
        st.badge(word, icon=icon, color=color, help=why)
        for fact in (
            kind_words(outcome.kind),
            plain_words(outcome.category),
            outcome.difficulty,
            f"{outcome.split} split" if outcome.split else "",
        ):
            if fact:
                st.badge(plain_line(fact), color="gray")
        st.caption(plain_line(outcome.id), width="content")
    has_bar = outcome.top_score is not None and outcome.cutoff is not None
    st.markdown(plain_line(what_happened(row, with_scores=not has_bar)))
    if has_bar:
        st.html(
            score_bar(
                {
                    "top_score": outcome.top_score,
                    "cutoff": outcome.cutoff,
                    "passed": outcome.top_score >= outcome.cutoff,
                }
            )
        )
    if opened.note:
        st.caption(f"Note of the set: {plain_line(opened.note)}")


def _other_run(rag: Rag, run: EvalRun, address: Address, row: ResultRow) -> None:
    """What the run that is compared with made of the same question."""
    if address.compare is None or address.compare == run.id:
        return
    try:
        before = next((one for one in rag.results.rows(address.compare) if one.id == row.id), None)
    except NotFound:
        return
    if before is None:
        st.caption(f"Run {address.compare} did not ask this question.")
        return
    changed = "the same" if before.failed == row.failed else "better here" if before.failed else "worse here"
    st.info(
        plain_line(
            f"Run {address.compare}: {result_words(before).lower()} ({changed}). {what_happened(before)}"
        ),
        icon=":material/compare_arrows:",
    )


def _gold(opened: OpenedResult) -> None:
    st.markdown("**Gold**")
    if not opened.gold:
        refuse = opened.row.outcome.expected == "refuse"
        st.caption(
            "None: the documents do not hold the answer, so it should be refused." if refuse else "None."
        )
    for passage in opened.gold:
        _gold_passage(passage)
    if opened.facts:
        listed = "  \n".join(plain_line(" or ".join(group)) for group in opened.facts)
        st.caption("A right answer says:")
        st.markdown(listed)


def _gold_passage(passage: GoldPassage) -> None:
    found = "not found" if passage.found_at is None else f"found at rank {passage.found_at}"
    with st.container(border=True, gap="small"):
        where = ", ".join(filter(None, (passage.document, passage.place)))
        st.caption(f"{plain_line(where)} · **{found}**")
        st.markdown(quoted(passage.quote) if passage.quote else plain("Anywhere on this page."))


def _retrieved(opened: OpenedResult) -> None:
    st.markdown("**Retrieved**")
    if not opened.retrieved:
        st.caption("Nothing was retrieved.")
    st.html("".join(_passage(one) for one in opened.retrieved))


def _passage(passage: RetrievedPassage) -> str:
    """Rank and score in front; gold is said in words and marked at the edge, the quote within it."""
    gold = '<span class="pl-gold-word">gold</span>' if passage.gold else ""
    where = f"{passage.file}, {passage.place}" if passage.place else passage.file
    return (
        f'<div class="pl-hit{" pl-gold" if passage.gold else ""}">'
        f'<div class="pl-hit-head"><span class="pl-rank">{passage.rank}</span>'
        f'<span class="pl-number">{passage.score:.3f}</span>'
        f'<span class="pl-where">{escape(where)}</span>{gold}</div>'
        f"{passage_html(passage.text, passage.quotes)}</div>"
    )
