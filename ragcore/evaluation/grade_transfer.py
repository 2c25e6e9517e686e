"""Hand grades as rows of a file, and back: a row for each question and grader, nothing joined.

A row carries the answer it was given for. A grade comes back only to a run that gave the same
answer to the same question, under its grader's name and with its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ragcore.errors import InputError
from ragcore.evaluation.exporting import ExportFormat, read_rows
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.storage import GRADES, HandGrade

_NEEDED = ("question_id", "grade", "grader")
_FORMATS: tuple[ExportFormat, ...] = ("csv", "jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class ImportedGrades:
    """What became of the rows of a file."""

    imported: tuple[HandGrade, ...] = ()
    there: int = 0
    older: int = 0
    """The grader has given another grade since."""
    other_answer: int = 0
    """The run answered the question otherwise, so the grade is not of its answer."""
    unknown: tuple[str, ...] = ()
    """Ids of questions that the run has no answer to."""
    without_grade: int = 0

    @property
    def sentence(self) -> str:
        graders = ", ".join(sorted({one.grader for one in self.imported}))
        first = f"Imported {_count(len(self.imported), 'grade')}{f' by {graders}' if graders else ''}"
        shown = ", ".join(self.unknown[:5]) + (", …" if len(self.unknown) > 5 else "")
        rest = [
            f"{self.there} there already" if self.there else "",
            f"{self.older} older than the grade that counts" if self.older else "",
            f"{self.other_answer} given for another answer than this run's" if self.other_answer else "",
            f"{len(self.unknown)} for questions that this run has no answer to ({shown})"
            if self.unknown
            else "",
            f"{_count(self.without_grade, 'row')} without a grade" if self.without_grade else "",
        ]
        skipped = ", ".join(part for part in rest if part)
        return f"{first}; skipped: {skipped}." if skipped else f"{first}."


def grade_rows(answers: Iterable[AnswerToGrade]) -> list[dict[str, Any]]:
    """A flat row for each grade in force, in the order of the answers, ready for ``write_rows``."""
    return [
        {
            "run": one.run_id,
            "question_id": one.outcome.id,
            "kind": one.outcome.kind,
            "category": one.outcome.category,
            "difficulty": one.outcome.difficulty,
            "split": one.outcome.split,
            "question": one.outcome.question,
            "expected": one.outcome.expected,
            "answer": one.outcome.answer or "",
            "citations": " ".join(f"[{c['file']}:{c['location']}]" for c in one.outcome.citations),
            "top_score": one.outcome.top_score,
            "cutoff": one.outcome.cutoff,
            "refused": one.outcome.refused,
            "refusal_stage": one.outcome.refusal_stage,
            "automatic_grade": one.automatic,
            "verdict_reason": one.outcome.verdict_reason,
            "failure_stage": one.outcome.failure_stage,
            "grade": given.grade,
            "note": given.note,
            "grader": given.grader,
            "graded_at": given.created_at.astimezone(UTC).isoformat(),
        }
        for one in answers
        for given in one.grades.values()
    ]


def read_grades(data: bytes, file_name: str) -> list[dict[str, Any]]:
    """The rows of a file of grades, by the ending of its name. Raises InputError.

    Of a CSV everything is text: a spreadsheet may have saved it, and "0017" is a note, not 17.
    """
    for kind in _FORMATS:
        if file_name.lower().endswith(f".{kind}"):
            return read_rows(data, kind, as_text=True)
    raise InputError(f"'{file_name}' is no file of grades: its name must end in .csv, .jsonl or .parquet.")


def to_import(
    rows: Sequence[Mapping[str, Any]], answers: Iterable[AnswerToGrade], *, now: datetime
) -> ImportedGrades:
    """What of ``rows`` a run does not have yet, oldest first; the whole file is checked before.

    Where a grader's grade differs from the one that counts, the newer wins. Text is compared without
    regard to white space, since spreadsheets change line ends. Raises InputError, naming the row.
    """
    by_question = {one.outcome.id: one for one in answers}
    counts = {(one.id, name): given for one in by_question.values() for name, given in one.grades.items()}
    found = ImportedGrades()
    read = [_read(row, number, by_question, now) for number, row in enumerate(rows, 1)]
    given = [one for one in read if isinstance(one, HandGrade)]
    fresh: list[HandGrade] = []
    for one in sorted(given, key=lambda one: one.created_at):
        standing = counts.get((one.result_id, one.grader))
        if standing and (one.grade, one.note) == (standing.grade, standing.note):
            found = replace(found, there=found.there + 1)
        elif standing and one.created_at < standing.created_at:
            found = replace(found, older=found.older + 1)
        else:
            fresh.append(one)
            counts[(one.result_id, one.grader)] = one
    return replace(
        found,
        imported=tuple(fresh),
        other_answer=read.count("other answer"),
        without_grade=read.count(None),
        unknown=tuple(dict.fromkeys(one[1] for one in read if isinstance(one, tuple))),
    )


def _read(
    row: Any, number: int, by_question: Mapping[str, AnswerToGrade], now: datetime
) -> HandGrade | tuple[str, str] | str | None:
    """The grade of a row; ("unknown", id), "other answer", or None for a row that has no grade."""
    if not isinstance(row, Mapping) or any(name not in row for name in _NEEDED):
        raise InputError(
            f"Row {number} has no {', no '.join(_NEEDED)}."
            if not isinstance(row, Mapping)
            else f"Row {number} has no column {', '.join(n for n in _NEEDED if n not in row)}: this is no file "
            "of grades. Export one with `eval export RUN --grades`."
        )
    grade, grader, key = (_text(row[name]).strip() for name in ("grade", "grader", "question_id"))
    if not grade:
        return None
    if grade not in GRADES:
        raise InputError(f"Row {number}: '{grade}' is no grade; use one of {', '.join(GRADES)}.")
    if not grader:
        raise InputError(f"Row {number}, question '{key}': the grade has no grader.")
    answer = by_question.get(key)
    if answer is None:
        return ("unknown", key)
    if row.get("answer") is not None and _folded(row["answer"]) != _folded(answer.outcome.answer):
        return "other answer"
    return HandGrade(
        answer.id, grade, _text(row.get("note")), grader, _time(row.get("graded_at"), number, now)
    )


def _time(value: Any, number: int, now: datetime) -> datetime:
    """A time without a zone is taken as UTC, in which they are exported."""
    if value in (None, ""):
        return now
    try:
        read = value if isinstance(value, datetime) else datetime.fromisoformat(_text(value).strip())
    except ValueError:
        raise InputError(
            f"Row {number}: graded_at '{value}' is no time such as 2026-05-02T14:30:00+00:00."
        ) from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _folded(value: Any) -> str:
    return " ".join(_text(value).split())


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"
