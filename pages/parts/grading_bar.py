"""The five grades, the note, and the way on and back: by key and by mouse."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import grading_session as session
from pages.parts.safe_markdown import plain_line
from ragcore.charts.grades import GRADE_WORDS
from ragcore.evaluation.grading_queue import AnswerToGrade, GradingQueue
from ragcore.storage import GRADES

_KEYS = Path(__file__).with_name("grading_keys.html")
_WHEN = {
    "right": "It answers the question, and all of it is true.",
    "partly": "True as far as it goes, but something that was asked for is missing.",
    "wrong": "It does not answer the question, or says something untrue.",
    "should_have_refused": "It answers what the documents do not hold.",
    "should_have_answered": "It refuses what the documents do hold.",
}


def progress(queue: GradingQueue, answer: AnswerToGrade | None) -> None:
    """How far this grader is, where, and what the last key did."""
    graded, total = queue.graded, len(queue)
    number = queue.number(answer.id) if answer else None
    at = f"Answer {number} of {total}" if number else "Not in the selection" if answer else ""
    parts = [at, f"{graded} of {total} graded by {plain_line(queue.grader)}", session.said()]
    st.progress(graded / total if total else 0.0, text=" · ".join(part for part in parts if part))


def grading_bar(queue: GradingQueue, answer: AnswerToGrade, bar: DeltaGenerator) -> None:
    """Drawn into the container ``grading_bar``, which stays at the foot of the window."""
    given = answer.grade_by(queue.grader)
    with bar:
        with st.container(horizontal=True, gap="xsmall", key="grading_keys"):
            for number, grade in enumerate(GRADES, 1):
                st.button(
                    GRADE_WORDS[grade],
                    # The answer is in the key: a key pressed twice never grades one that was not yet seen.
                    key=f"grade_{grade}_{answer.id}",
                    shortcut=str(number),
                    type="primary" if grade == given else "secondary",
                    help=_WHEN[grade] + (" This is your grade." if grade == given else ""),
                    on_click=session.give,
                    args=(answer, grade, queue),
                )
            st.space("stretch")
            with st.container(horizontal=True, gap="medium", width="content"):
                _way("Previous", "p", ":material/chevron_left:", answer, queue.previous(answer.id))
                _way("Next", "n", ":material/chevron_right:", answer, queue.next(answer.id))
                st.button(
                    "Undo",
                    key=f"undo_{answer.id}",
                    shortcut="u",
                    icon=":material/undo:",
                    type="tertiary",
                    help="Take back the last grade you gave, whichever answer it was for, and go there.",
                    on_click=session.take_back,
                    args=(answer.run_id,),
                )
        with st.container(key="grading_note"):
            _note(answer)
        st.html(_KEYS, unsafe_allow_javascript=True)


def _note(answer: AnswerToGrade) -> None:
    key = f"note_{answer.id}"
    st.session_state[key] = session.note_of(answer)
    st.text_input(
        "Note",
        key=key,
        label_visibility="collapsed",
        placeholder="Press / to write a note",
        max_chars=2000,
        help="Enter leaves the box. Stored with your grade, and again whenever you change it.",
        on_change=session.note_changed,
        args=(answer, key),
    )


def _way(label: str, key: str, icon: str, answer: AnswerToGrade, to: AnswerToGrade | None) -> None:
    st.button(
        label,
        key=f"{label.lower()}_{answer.id}",
        shortcut=key,
        icon=icon,
        type="tertiary",
        disabled=to is None,
        help=f"{label} answer, graded or not.",
        on_click=session.go_to,
        args=(answer.run_id, to.id if to else None),
    )
