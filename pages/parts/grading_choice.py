"""Choosing the run to grade, the name to grade under, and what of the run comes in which order."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import grading_session as session
from pages.parts.app import keep, kept, prepare
from pages.parts.safe_markdown import plain_line
from ragcore.charts.chart import KIND_WORDS
from ragcore.charts.grades import GRADE_WORDS
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.rag import Rag
from ragcore.storage import EvalRun


def choose_run(runs: Sequence[tuple[EvalRun, int]]) -> int:
    """The run that is graded: as the address says, as chosen before, or the newest."""
    by_id = {run.id: (run, answers) for run, answers in runs}
    asked = st.query_params.get("run", "")
    if asked.isdigit() and int(asked) in by_id and st.session_state.get("grading_address") != asked:
        keep("grading_run", int(asked))
    elif asked and st.session_state.get("grading_address") != asked:
        st.warning(f"There is no run {plain_line(asked)} with answers to grade.")
    chosen = st.selectbox(
        "Run",
        list(by_id),
        label_visibility="collapsed",
        format_func=lambda run_id: _run_words(*by_id[run_id]),
        help="A run whose answers are graded. While you grade blind, only its number is shown.",
        **prepare("grading_run", next(iter(by_id)), list(by_id)),
    )
    st.query_params["run"] = st.session_state["grading_address"] = str(chosen)
    return chosen


def _run_words(run: EvalRun, answers: int) -> str:
    count = f"{answers} answer{'' if answers == 1 else 's'}"
    if session.blind():
        return f"Run {run.id} · {count}"
    return f"Run {run.id} · {run.name} · {count} · {run.created_at:%d %b %Y}"


def ask_name(rag: Rag, answers: Sequence[AnswerToGrade]) -> None:
    """Asked once a session: every grade is stored under a name."""
    st.subheader("Who is grading?", anchor=False)
    st.markdown("Each grade is stored under a name, so that several people can grade the same answers.")
    known = rag.grading.graders()[:6]
    if known:
        with st.container(horizontal=True, gap="small"):
            for number, name in enumerate(known):
                graded = sum(one.grade_by(name) is not None for one in answers)
                st.button(
                    plain_line(f"{name} ({graded} of {len(answers)})"),
                    key=f"grader_{number}",
                    icon=":material/person:",
                    help="Go on under this name where it stopped.",
                    on_click=session.become,
                    args=(name,),
                )
    with st.form("grader_form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            "Another name" if known else "Your name",
            max_chars=60,
            key="grader_name",
            help="Shown beside your grades and in exports. Kept for this session.",
        )
        if st.form_submit_button("Start grading", type="primary", help="Grade under this name."):
            if typed.strip():
                session.become(typed)
                st.rerun()
            st.warning("Type a name first.")


def choose_order(answers: Sequence[AnswerToGrade]) -> None:
    """In a popover, so that the answer has the page."""
    kinds = sorted({one.outcome.kind for one in answers})
    categories = sorted({one.outcome.category for one in answers if one.outcome.category})
    changed = _changed()
    with st.popover(
        f"Order and filter ({changed})" if changed else "Order and filter",
        icon=":material/tune:",
        type="tertiary",
        help="Which answers come, and in which order.",
    ):
        st.radio(
            "Order",
            list(session.ORDERS),
            format_func=session.ORDERS.get,
            help="Near the cutoff a grade tells most about where it should be. Random order suits a sample.",
            **_again("grading_order", "cutoff", list(session.ORDERS)),
        )
        if kept("grading_order", "cutoff") == "random":
            st.number_input(
                "Seed",
                min_value=0,
                step=1,
                help="The same seed gives the same order, for every grader.",
                **_again("grading_seed", 1),
            )
        states = [one for one in session.STATES if one != "differing" or not session.blind()]
        _select("Show", "grading_state", states, session.STATES, "Which answers to go through.")
        _select("Kind of question", "grading_kind", [session.ANY, *kinds], KIND_WORDS, "Only this kind.")
        if categories:
            _select("Category", "grading_category", [session.ANY, *categories], {}, "Only this category.")
        if not session.blind():
            automatic = sorted({one.automatic for one in answers if one.automatic})
            _select(
                "Automatic grade",
                "grading_automatic",
                [session.ANY, *automatic],
                GRADE_WORDS,
                "Only answers with this automatic grade. Not offered while you grade blind.",
            )


def _changed() -> int:
    """How many of the filters are set."""
    keys = ["grading_kind", "grading_category", *([] if session.blind() else ["grading_automatic"])]
    return sum(kept(key, session.ANY) != session.ANY for key in keys) + (
        kept("grading_state", "all") != "all"
    )


def _select(label: str, key: str, options: list[str], words: dict[str, str], why: str) -> None:
    st.selectbox(
        label,
        options,
        format_func=lambda value: words.get(value, value),
        help=why,
        **_again(key, options[0], options),
    )


def _again(key: str, default, options=None) -> dict:
    """As ``prepare``, and grading begins anew at the first ungraded answer of what is chosen."""
    arguments = prepare(key, default, options)
    changed, given = arguments["on_change"], arguments["args"]

    def change() -> None:
        changed(*given)
        session.start_over()

    return {"key": key, "on_change": change}
