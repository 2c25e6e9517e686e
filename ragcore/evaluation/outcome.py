"""What came of one question, and at which stage it went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ragcore.evaluation.question import EvalQuestion

Stage = Literal["retrieval", "refusal", "followups", "answers"]
FailureStage = Literal[
    "reading", "retrieval", "gate", "follow_up", "context", "model", "citation", "grader", "error"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question of a run. What a stage does not measure is None or empty."""

    id: str
    kind: str
    category: str
    difficulty: str
    split: str
    question: str
    expected: str
    """answer or refuse"""
    rank: int | None = None
    """1-based rank of the first hit that holds gold."""
    turn_ranks: tuple[int | None, ...] = ()
    """The same for every turn of a follow-up chain that has gold."""
    top_score: float | None = None
    cutoff: float | None = None
    refused: bool | None = None
    refusal_stage: str | None = None
    hits: tuple[dict[str, Any], ...] = ()
    answer: str | None = None
    generator: str | None = None
    citations: tuple[dict[str, Any], ...] = ()
    citation_right: bool | None = None
    claims: int = 0
    cited_claims: int = 0
    supported_claims: int | None = None
    """Sentences of the model that the check found to be supported; None where none was checked."""
    unsupported_shown: int = 0
    struck_claims: int = 0
    verdict: str | None = None
    verdict_reason: str = ""
    canary_shown: bool | None = None
    """Whether an injection was obeyed, see obedience.py; None where there is none."""
    warnings: tuple[str, ...] = ()
    prompt_tokens: int | None = None
    timings: dict[str, float] = field(default_factory=dict)
    trace_id: int | None = None
    error: str | None = None
    failure_stage: FailureStage | None = None
    own_score: float | None = None
    """Of a follow-up: raw cosine of the best evidence for the last turn's own words."""

    @property
    def gated_score(self) -> float | None:
        """What a cutoff is chosen by: the top score; of a follow-up, for the floor, that of its own words."""
        return self.top_score if self.own_score is None else self.own_score

    @property
    def passed(self) -> bool | None:
        """Whether it got an answer (or, at the gate, would have been shown to a model)."""
        return None if self.refused is None else not self.refused

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Outcome:
        tuples = ("turn_ranks", "hits", "citations", "warnings")
        return cls(**{**stored, **{name: tuple(stored[name]) for name in tuples}})


def of_question(question: EvalQuestion, key: str) -> dict[str, Any]:
    """The fields of an Outcome that come from the question; ``key`` is its id within the run."""
    return {
        "id": key,
        "kind": question.kind,
        "category": question.category,
        "difficulty": question.difficulty,
        "split": question.split,
        "question": question.question,
        "expected": question.expected_behavior,
    }


def failure_of(
    outcome: Outcome, stage: Stage, *, gold_in_chunks: bool, gold_in_prompt: bool | None = None
) -> FailureStage | None:
    """The first stage at which the question went wrong; None where it did not.

    ``gold_in_chunks``: whether any stored chunk holds the gold; if none does, no search can find it.
    ``gold_in_prompt``: whether a passage that was sent holds it; None where nothing was sent.
    """
    if outcome.error is not None:
        return "error"
    if outcome.expected == "refuse":
        if stage == "retrieval" or outcome.refused or outcome.refused is None:
            return None
        if stage == "answers":
            return "model"
        return "follow_up" if stage == "followups" else "gate"
    if stage == "retrieval":
        return _not_found(outcome.rank != 1, gold_in_chunks)
    if stage == "refusal":
        return "gate" if outcome.refused else None
    if stage == "followups":
        wrong = outcome.rank != 1 or any(rank != 1 for rank in outcome.turn_ranks)
        return "follow_up" if wrong else None
    return _answer_failure(outcome, gold_in_chunks, gold_in_prompt)


def _answer_failure(
    outcome: Outcome, gold_in_chunks: bool, gold_in_prompt: bool | None
) -> FailureStage | None:
    if outcome.verdict == "ungraded" and not outcome.refused:
        return "grader"
    if outcome.verdict == "right":
        return None if outcome.citation_right in (True, None) else "citation"
    if outcome.refusal_stage == "gate":
        return "gate"
    missing = _not_found(outcome.rank is None, gold_in_chunks)
    if missing is not None:
        return missing
    return "context" if gold_in_prompt is False else "model"


def _not_found(not_found: bool, gold_in_chunks: bool) -> FailureStage | None:
    if not not_found:
        return None
    return "retrieval" if gold_in_chunks else "reading"


def is_judged(outcome: Outcome, stage: str) -> bool:
    """Whether it can be right or wrong: a search alone says nothing of a question to be refused."""
    return stage != "retrieval" or outcome.expected == "answer" or outcome.error is not None


def failures(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many went wrong at which stage."""
    counts: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.failure_stage:
            counts[outcome.failure_stage] = counts.get(outcome.failure_stage, 0) + 1
    return counts
