"""How far the automatic grades agree with a person's, and persons with each other."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.parts import grading_session as session
from pages.parts.app import keep, prepare
from pages.parts.paging import page_of
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.charts.chart import Chart
from ragcore.charts.grades import GRADE_WORDS, agreement_by_kind, confusion
from ragcore.evaluation.agreement import Agreement
from ragcore.evaluation.exporting import write_rows
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.evaluation.hand_agreement import GradedApart, against_automatic, between_graders

_DIFFERENCES = 10
_VIEWS = {"right": "Right or not right", "same": "All grades"}


def agreement_section(answers: Sequence[AnswerToGrade]) -> None:
    """Kappa, the table behind it, every difference; then the graders among themselves."""
    graders = sorted({name for one in answers for name in one.grades})
    if not graders:
        st.info("No answer of this run has been graded by hand yet.", icon=":material/balance:")
        st.button(
            "Grade some",
            key="agreement_grade",
            type="primary",
            help="Go to the answers.",
            on_click=keep,
            args=("grading_section", "grade"),
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mine = session.grader() if session.grader() in graders else graders[0]
        grader = st.selectbox(
            "Grader",
            graders,
            format_func=lambda name: name,
            help="Whose grades are compared with the automatic ones.",
            **prepare("agreement_grader", mine, graders),
        )
        view = st.segmented_control(
            "Compare",
            list(_VIEWS),
            format_func=_VIEWS.get,
            required=True,
            help="Right or not right is what the metrics count: “partly” is not right there. All grades: no "
            "automatic grade says “partly”, so each of those is a difference.",
            **prepare("agreement_view", "right", list(_VIEWS)),
        )
    found = against_automatic(answers, grader)
    table = found.right if view == "right" else found.same
    _figures(table)
    if table.n:
        left, right = st.columns(2, gap="medium")
        with left:
            _chart(confusion(table, grader), "confusion")
        with right:
            _chart(agreement_by_kind(found.by_kind, grader), "agreement_by_kind")
        _differences(found.differences)
    _between(answers, graders)


def _figures(found: Agreement) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            "Cohen’s kappa",
            "not defined" if found.kappa is None else f"{found.kappa:.2f}",
            help="1 is perfect agreement, 0 no better than chance.",
            width="content",
        )
        st.metric(
            "95 % interval",
            "none" if found.low is None or found.high is None else f"{found.low:.2f} to {found.high:.2f}",
            help="Bootstrap over the answers that both have graded.",
            width="content",
        )
        st.metric(
            "The same",
            f"{found.agreed} of {found.n}",
            help="Answers with equal grades, of those that both have graded.",
            width="content",
        )
        st.metric(
            "Left out",
            str(found.left_out),
            help="Graded by hand, but the automatic grader left them to a person.",
            width="content",
        )
    if found.note:
        st.info(sentence(found.note), icon=":material/info:")


def _chart(chart: Chart, name: str) -> None:
    st.plotly_chart(chart.figure, key=f"chart_{name}", config={"displayModeBar": False})
    st.download_button(
        "Data",
        data=lambda: write_rows(chart.table.to_dict("records"), "csv"),
        file_name=f"{name.replace('_', '-')}.csv",
        mime="text/csv",
        key=f"data_{name}",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        help="The numbers of this chart as CSV.",
    )


def _differences(differences: Sequence[GradedApart]) -> None:
    st.subheader("Where the automatic grade was otherwise", anchor=False)
    if not differences:
        st.markdown("Nowhere.")
        return
    wrong = sum(one.turns for one in differences)
    st.caption(
        f"{wrong} turn right into not right or back, so a metric counts them otherwise than this grader does; "
        f"{len(differences) - wrong} change only the reason."
    )
    for one in page_of(differences, _DIFFERENCES, "differences_page"):
        outcome = one.answer.outcome
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.markdown(plain_line(outcome.question))
                words = f"automatic **{GRADE_WORDS[one.automatic]}**, by hand **{GRADE_WORDS[one.hand]}**"
                said = f" · “{plain_line(one.note)}”" if one.note else ""
                badge = ":material/flag: **The grader was wrong here:** " if one.turns else ""
                st.caption(f"{badge}{words}{said}")
            _open(one.answer, f"difference_{one.answer.id}")


def _between(answers: Sequence[AnswerToGrade], graders: Sequence[str]) -> None:
    if len(graders) < 2:
        return
    st.subheader("Graders among themselves", anchor=False)
    pairs = between_graders(answers)
    if not pairs:
        st.markdown("No answer has been graded by two people yet.")
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Graders": f"{one.first}, {one.second}",
                    "Both graded": one.agreement.n,
                    "The same": one.agreement.agreed,
                    "Kappa": one.agreement.kappa,
                    "From": one.agreement.low,
                    "To": one.agreement.high,
                }
                for one in pairs
            ]
        ),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.2f") for name in ("Kappa", "From", "To")
        },
    )
    for one in pairs:
        if one.agreement.note:
            st.caption(f"{plain_line(f'{one.first}, {one.second}')}: {sentence(one.agreement.note)}")
    disputed = [one for one in answers if one.disputed]
    for one in page_of(disputed, _DIFFERENCES, "disputed_page"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.markdown(plain_line(one.outcome.question))
                st.caption(
                    " · ".join(
                        f"{plain_line(name)} **{GRADE_WORDS[given.grade or '']}**"
                        for name, given in one.grades.items()
                    )
                )
            _open(one, f"disputed_{one.id}")


def _open(answer: AnswerToGrade, key: str) -> None:
    st.button(
        "Open",
        key=key,
        icon=":material/open_in_new:",
        type="tertiary",
        help="Show this answer with its evidence, to be graded again.",
        on_click=_show,
        args=(answer,),
    )


def _show(answer: AnswerToGrade) -> None:
    session.go_to(answer.run_id, answer.id)
    keep("grading_section", "grade")
