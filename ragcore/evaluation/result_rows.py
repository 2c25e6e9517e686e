"""The results of a run as rows to be browsed, and the filters over them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ragcore.evaluation.matching import folded
from ragcore.evaluation.outcome import Outcome, is_judged
from ragcore.storage import EvalResult

State = Literal["right", "wrong", "not judged"]
Change = Literal["better", "worse", "same", "new"]

STAGES_OF_FAILURE: dict[str, tuple[str, ...]] = {
    "retrieval": ("reading", "retrieval", "error"),
    "refusal": ("gate", "error"),
    "followups": ("follow_up", "error"),
    "answers": ("reading", "retrieval", "gate", "context", "model", "citation", "grader", "error"),
}
"""By stage of the run, where a question can go wrong, in the order in which it passes them."""

FAILURE_WORDS = {
    "reading": ("Reading", "No stored chunk holds the gold, so no search can find it."),
    "retrieval": ("Retrieval", "The gold was not found, or (stage retrieval) not as the first hit."),
    "gate": ("Gate", "Refused though it has an answer, or let through though it has none."),
    "follow_up": ("Follow-up", "A follow-up that missed its gold, or an off-topic one that passed."),
    "context": ("Context", "The gold was found but did not reach the prompt."),
    "model": ("Model", "The gold was in the prompt, but the answer is wrong, or no refusal came."),
    "citation": ("Citation", "The answer is right, but cites another file or page than the gold's."),
    "grader": ("Grader", "The automatic grader could not decide; a person has to."),
    "error": ("Error", "The question ended in an error, which counts as a failure."),
}


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One question of a run with what came of it. ``question_set`` is the set it is from."""

    result_id: int
    question_set: str
    outcome: Outcome
    asked: dict[str, Any]
    """As it was stored: set, collection, turns, gold, facts, note."""
    state: State

    @property
    def id(self) -> str:
        return self.outcome.id

    @property
    def failed(self) -> bool:
        return self.outcome.failure_stage is not None

    @property
    def text(self) -> str:
        """What a search through the questions looks at."""
        return f"{self.outcome.id}\n{self.outcome.question}\n{self.outcome.answer or ''}"


def rows_of(results: Iterable[EvalResult], stage: str) -> tuple[ResultRow, ...]:
    """In the order of the results. In stage retrieval only what is to be answered is judged."""
    rows = []
    for result in results:
        outcome = Outcome.from_dict(result.outcome)
        state: State = (
            "wrong"
            if outcome.failure_stage is not None
            else "right"
            if is_judged(outcome, stage)
            else "not judged"
        )
        rows.append(ResultRow(result.id, result.question.get("set") or "", outcome, result.question, state))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which rows to show. What is empty lets everything through; what is given must all hold."""

    state: State | None = None
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    text: str = ""
    """Words that question, answer or id contain, case ignored, in any order."""

    def of(self, rows: Sequence[ResultRow], only: Collection[str] | None = None) -> list[ResultRow]:
        """The rows that meet it; ``only`` names the ids that are allowed at all (what has changed)."""
        wanted = folded(self.text, ignore_case=True).split()
        return [row for row in rows if (only is None or row.id in only) and self._meets(row, wanted)]

    def _meets(self, row: ResultRow, wanted: Sequence[str]) -> bool:
        outcome = row.outcome
        chosen = (
            (self.kinds, outcome.kind),
            (self.categories, outcome.category),
            (self.stages, outcome.failure_stage),
            (self.verdicts, outcome.verdict),
            (self.splits, outcome.split),
            (self.sets, row.question_set),
        )
        if self.state not in (None, row.state) or not all(value in some for some, value in chosen if some):
            return False
        text = folded(row.text, ignore_case=True) if wanted else ""
        return all(word in text for word in wanted)


def values_of(rows: Iterable[ResultRow]) -> dict[str, list[str]]:
    """What can be filtered by: the values that occur, by the name of the filter's field."""
    found: dict[str, dict[str, None]] = {
        name: {} for name in ("kinds", "categories", "verdicts", "splits", "sets")
    }
    for row in rows:
        values = (
            row.outcome.kind,
            row.outcome.category,
            row.outcome.verdict,
            row.outcome.split,
            row.question_set,
        )
        for name, value in zip(found, values, strict=True):
            if value:
                found[name][value] = None
    return {name: sorted(values) for name, values in found.items()}


def what_happened(row: ResultRow, *, with_scores: bool = True) -> str:
    """``Refused at the gate: best match 0.21, cutoff 0.25. Gold at rank 3.``"""
    outcome = row.outcome
    if outcome.error:
        return f"It ended in an error: {outcome.error}"
    said = []
    scores = "" if outcome.top_score is None or not with_scores else f"best match {outcome.top_score:.2f}"
    if outcome.cutoff is not None and scores:
        scores += f", cutoff {outcome.cutoff:.2f}"
    if outcome.refused is not None:
        at = f" at the {outcome.refusal_stage.replace('_', '-')}" if outcome.refusal_stage else ""
        said.append(
            (f"Refused{at}" if outcome.refused else "Not refused") + (f": {scores}" if scores else "")
        )
    elif scores:
        said.append(scores.capitalize())
    if outcome.expected == "answer":
        said.append("Gold not found" if outcome.rank is None else f"Gold at rank {outcome.rank}")
    else:
        said.append("It should be refused")
    return ". ".join(said) + "."
