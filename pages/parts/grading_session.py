"""Where a grader stands: which run, as whom, at which answer; and what the keys do."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.app import get_rag, keep, kept
from ragcore.charts.grades import GRADE_WORDS
from ragcore.evaluation.grading_queue import AnswerToGrade, GradingQueue, Selection

ORDERS = {"cutoff": "Nearest to the cutoff first", "random": "Random"}
STATES = {
    "all": "All answers",
    "ungraded": "Not graded by me",
    "graded": "Graded by me",
    "disputed": "Graders disagree",
    "differing": "Mine differs from the automatic grade",
}
ANY = "Any"


def grader() -> str:
    """The name that this session grades under; empty until it has been asked for."""
    return kept("grader", "")


def become(name: str) -> None:
    keep("grader", " ".join(name.split()))


def blind() -> bool:
    return kept("grading_blind", True)


def queue_of(answers: Sequence[AnswerToGrade]) -> GradingQueue:
    """What is to be graded, as chosen in this session. Nothing is filtered by what a blind grader may not see."""
    state, automatic = kept("grading_state", "all"), kept("grading_automatic", ANY)
    seen = not blind()
    return GradingQueue(
        answers,
        grader(),
        order=kept("grading_order", "cutoff"),
        seed=int(kept("grading_seed", 1)),
        selection=Selection(
            kind=_chosen("grading_kind"),
            category=_chosen("grading_category"),
            automatic=automatic if seen and automatic != ANY else None,
            state=state if seen or state != "differing" else "all",
        ),
    )


def _chosen(key: str) -> str | None:
    value = kept(key, ANY)
    return None if value == ANY else value


def current(queue: GradingQueue, run_id: int) -> AnswerToGrade | None:
    """The answer that this session is at: the one gone to, or the first that is not graded yet."""
    at = queue.get(_places().get(run_id)) or queue.next_ungraded()
    at = at or (queue.answers[0] if queue.answers else None)
    _places()[run_id] = at.id if at else None
    return at


def go_to(run_id: int, answer_id: int | None) -> None:
    """None: to the first that is not graded."""
    _places()[run_id] = answer_id


def _places() -> dict[int, int | None]:
    return st.session_state.setdefault("grading_places", {})


def start_over() -> None:
    """After the order or the selection has changed: from its first ungraded answer."""
    _places().clear()


# --- what the buttons and their keys do ---


def give(answer: AnswerToGrade, grade: str, queue: GradingQueue) -> None:
    """Store the grade of the answer that was on the screen, and go on to the next ungraded one."""
    if _places().get(answer.run_id) != answer.id:
        # A key that was pressed while the next answer was on its way belongs to neither.
        _say("That key came too early and was not stored")
        return
    note = note_of(answer)
    get_rag().grading.grade(answer, grade, grader=grader(), note=note)
    _notes().pop(answer.id, None)
    following = queue.next_ungraded(behind=answer.id)
    go_to(answer.run_id, following.id if following else answer.id)
    _say(f"Stored: {GRADE_WORDS[grade]}" + (", with its note" if note else ""))


def take_back(run_id: int) -> None:
    """Undo this grader's last grade, whichever answer it was for, and go back to that answer."""
    taken = get_rag().grading.take_back(run_id, grader())
    if taken is None:
        _say("Nothing to take back")
        return
    go_to(run_id, taken.answer_id)
    if taken.restored is None:
        # The words are the grader's: they go back to the box, to be stored with the next grade.
        _notes()[taken.answer_id] = taken.note
        _say(f"Taken back: {GRADE_WORDS[taken.grade]}")
    else:
        _notes().pop(taken.answer_id, None)
        _say(f"Taken back; {GRADE_WORDS[taken.restored.grade or '']} counts again")


def note_of(answer: AnswerToGrade) -> str:
    """What was typed and is not stored yet, or the note of the grade."""
    return _notes().get(answer.id, answer.note_by(grader()))


def note_changed(answer: AnswerToGrade, key: str) -> None:
    """The note of a grade is stored at once; before there is one, it waits for the grade."""
    note = st.session_state[key].strip()
    grade = answer.grade_by(grader())
    if grade is None:
        _notes()[answer.id] = note
        return
    if get_rag().grading.grade(answer, grade, grader=grader(), note=note):
        _say("Note stored")


def _notes() -> dict[int, str]:
    return st.session_state.setdefault("grading_notes", {})


def _say(message: str) -> None:
    st.session_state["grading_said"] = message


def said() -> str:
    """What the last key did, once."""
    return st.session_state.pop("grading_said", "")
