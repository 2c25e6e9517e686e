"""What stored results come to without asking anything: flat rows for an export, two runs compared."""

from __future__ import annotations

from typing import Any

from ragcore.errors import InputError
from ragcore.evaluation.comparison import Comparison, compare
from ragcore.evaluation.outcome import Outcome, is_judged
from ragcore.storage import Evaluations


def exported_rows(evaluations: Evaluations, run_id: int) -> list[dict[str, Any]]:
    """A run's results with its hand grades, a flat row a question, ready to be exported.

    Raises NotFound.
    """
    run = evaluations.run(run_id)
    grades = evaluations.grades(run_id)
    rows = []
    for result in evaluations.results(run_id):
        outcome = Outcome.from_dict(result.outcome)
        given = grades.get(result.id, [])
        chat = run.provenance.get("chat_model") or {}
        rows.append(
            {
                "run": run.id,
                "question_id": outcome.id,
                "kind": outcome.kind,
                "category": outcome.category,
                "difficulty": outcome.difficulty,
                "split": outcome.split,
                "question": outcome.question,
                "answer": outcome.answer or "",
                "rank": outcome.rank,
                "top_score": outcome.top_score,
                "cutoff": outcome.cutoff,
                "refused": outcome.refused,
                "refusal_stage": outcome.refusal_stage,
                "verdict": outcome.verdict,
                "verdict_reason": outcome.verdict_reason,
                "failure_stage": outcome.failure_stage,
                "citations": " ".join(f"[{c['file']}:{c['location']}]" for c in outcome.citations),
                "error": outcome.error,
                "hand_grade": " | ".join(grade.grade or "" for grade in given),
                "hand_note": " | ".join(grade.note for grade in given if grade.note),
                "grader": " | ".join(grade.grader for grade in given),
                "graded_at": " | ".join(grade.created_at.isoformat() for grade in given),
                "embedder_digest": (run.provenance.get("embedder") or {}).get("digest"),
                "chat_model": chat.get("name"),
                "chat_digest": chat.get("digest"),
                "prompt_hash": run.provenance.get("prompt_hash"),
            }
        )
    return rows


def compared(evaluations: Evaluations, a: int, b: int) -> Comparison:
    """Run B against run A, question by question; what a stage does not judge is left out.

    Raises NotFound, and InputError for runs of different stages.
    """
    first, second = evaluations.run(a), evaluations.run(b)
    if first.stage != second.stage:
        raise InputError(
            f"Run {a} is of stage {first.stage} and run {b} of stage {second.stage}; "
            "only runs of the same stage can be compared."
        )

    def right(run_id: int) -> dict[str, bool]:
        outcomes = (Outcome.from_dict(result.outcome) for result in evaluations.results(run_id))
        return {one.id: one.failure_stage is None for one in outcomes if is_judged(one, first.stage)}

    return compare(
        right(a),
        right(b),
        names=(f"run {a}", f"run {b}"),
        verb="finds" if first.stage in ("retrieval", "followups") else "gets right",
    )
