"""What a person says of an answer, and which of all that was ever said counts.

Nothing is overwritten: a change of mind is a row of its own, and so is taking a grade back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ragcore.errors import InputError

GRADES = ("right", "partly", "wrong", "should_have_refused", "should_have_answered")


@dataclass(frozen=True, slots=True)
class HandGrade:
    """One grade of one grader; ``grade`` None takes back the last one on that answer."""

    result_id: int
    grade: str | None
    note: str
    grader: str
    created_at: datetime


def standing_grades(history: Iterable[HandGrade]) -> dict[tuple[int, str], list[HandGrade]]:
    """By result and grader the grades that were not taken back, oldest first and never none.

    The last one counts. ``history`` is in the order of giving.
    """
    standing: dict[tuple[int, str], list[HandGrade]] = {}
    for given in history:
        place = (given.result_id, given.grader)
        if given.grade is not None:
            standing.setdefault(place, []).append(given)
        elif place in standing:
            standing[place].pop()
            if not standing[place]:
                del standing[place]
    return standing


def grade_values(result_id: int, grade: str | None, grader: str, note: str) -> dict[str, Any]:
    """The columns of a grade's row. Raises InputError."""
    if grade is not None and grade not in GRADES:
        raise InputError(f"'{grade}' is no grade; use one of {', '.join(GRADES)}.")
    if not grader.strip():
        raise InputError("A grade needs the name of its grader.")
    return {"result_id": result_id, "grade": grade, "note": note, "grader": grader.strip()}
