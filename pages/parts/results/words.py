"""Words of the page for what is stored: states, stages, dates."""

from __future__ import annotations

from ragcore.charts.chart import KIND_WORDS
from ragcore.evaluation.result_rows import FAILURE_WORDS, ResultRow
from ragcore.storage import EvalRun

STATE_WORDS = {"wrong": "Failed", "right": "Right", "not judged": "Not judged"}
STATUS = {
    "complete": ("Complete", "green", ":material/check_circle:"),
    "cancelled": ("Cancelled", "orange", ":material/stop_circle:"),
    "failed": ("Failed", "red", ":material/error:"),
}
CHANGE_WORDS = {"better": "better", "worse": "worse", "same": "same", "new": "only in one run"}


def kind_words(kind: str) -> str:
    return KIND_WORDS.get(kind, kind.replace("_", " "))


def plain_words(value: str) -> str:
    """``two_turn`` -> ``two turn``: categories and verdicts as they are read."""
    return value.replace("_", " ")


def stage_words(stage: str) -> str:
    return FAILURE_WORDS[stage][0] if stage in FAILURE_WORDS else plain_words(stage)


def result_words(row: ResultRow) -> str:
    """``failed at retrieval``, ``right`` or ``not judged``."""
    if row.outcome.failure_stage:
        return f"failed at {stage_words(row.outcome.failure_stage).lower()}"
    return STATE_WORDS[row.state].lower()


def facts_of(run: EvalRun) -> str:
    """Stage, sets, size, time and date in a line."""
    of = "" if run.done == run.questions else f"{run.done:,} of "
    words = [
        f"Run {run.id}",
        run.stage,
        run.question_set,
        f"{of}{run.questions:,} question{'' if run.questions == 1 else 's'}",
        duration(run.seconds),
        run.created_at.astimezone().strftime("%d %b %Y, %H:%M"),
    ]
    return " · ".join(word for word in words if word)


def duration(seconds: float) -> str:
    if seconds <= 0:
        return ""
    if seconds < 90:
        return f"{seconds:.1f}\u00a0s" if seconds < 10 else f"{seconds:.0f}\u00a0s"
    minutes = round(seconds / 60)
    return f"{minutes}\u00a0min" if minutes < 90 else f"{minutes // 60}\u00a0h {minutes % 60}\u00a0min"
