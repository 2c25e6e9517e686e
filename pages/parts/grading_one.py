"""The section in which answers are graded: progress, one answer, the keys."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import grading_session as session
from pages.parts.app import keep, prepare
from pages.parts.grading_answer import draw_rest, draw_text
from pages.parts.grading_bar import grading_bar, progress
from pages.parts.grading_choice import ask_name, choose_order
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.charts.chart import KIND_WORDS
from ragcore.charts.grades import GRADE_WORDS
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.rag import Rag


def grade_section(rag: Rag, run_id: int, answers: Sequence[AnswerToGrade]) -> None:
    """One answer at a time; asks for the grader's name first."""
    if not session.grader():
        ask_name(rag, answers)
        return
    queue = session.queue_of(answers)
    answer = session.current(queue, run_id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="grading_top"):
        progress(queue, answer)
        choose_order(answers)
        st.toggle(
            "Blind",
            help="Hides the automatic grade, the other graders' grades and the name of the run, so that "
            "they do not sway you.",
            **prepare("grading_blind", True),
        )
        st.button(
            "Name",
            key="grader_change",
            type="tertiary",
            icon=":material/person:",
            help=f"You grade as {plain_line(queue.grader)}. Grade under another name.",
            on_click=session.become,
            args=("",),
        )
    if answer is None:
        _nothing_selected()
        return
    if queue.answers and queue.graded == len(queue):
        _all_graded(len(queue))
    body = st.container()
    bar = st.container(key="grading_bar", gap="small")
    with body:
        card, beside = draw_text(answer)
    # Right after the question, before anything is looked up: who has read it can press a key.
    grading_bar(queue, answer, bar)
    if not session.blind():
        with beside:
            _revealed(answer, queue.grader)
    with body:
        draw_rest(rag, answer, card, beside)


def _nothing_selected() -> None:
    st.info("No answer fits the filter.", icon=":material/filter_alt_off:")
    st.button("Show all answers", key="grading_all", help="Take the filters off.", on_click=_take_filters_off)


def _take_filters_off() -> None:
    for key in ("grading_kind", "grading_category", "grading_automatic"):
        keep(key, session.ANY)
    keep("grading_state", "all")


def _all_graded(total: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"All {total} are graded. Grades can still be changed.", icon=":material/done_all:")
        st.button(
            "Compare",
            key="grading_compare",
            icon=":material/balance:",
            help="See how far the automatic grades agree with yours.",
            on_click=keep,
            args=("grading_section", "agreement"),
        )


def _revealed(answer: AnswerToGrade, grader: str) -> None:
    """What a blind grader does not see."""
    outcome = answer.outcome
    with st.container(border=True, gap="small", key="grading_revealed"):
        automatic = GRADE_WORDS.get(answer.automatic or "", "none")
        st.markdown(f":material/smart_toy: Automatic grade: **{automatic}**")
        if outcome.verdict_reason:
            st.caption(sentence(outcome.verdict_reason))
        facts = [KIND_WORDS.get(outcome.kind, plain_line(outcome.kind))]
        if outcome.top_score is not None and outcome.cutoff is not None:
            facts.append(f"best score {outcome.top_score:.3f}, cutoff {outcome.cutoff:.3f}")
        st.caption(" · ".join(facts))
        for name, given in answer.grades.items():
            if name != grader:
                note = f", “{plain_line(given.note)}”" if given.note else ""
                st.markdown(
                    f":material/person: {plain_line(name)}: **{GRADE_WORDS[given.grade or '']}**{note}"
                )
