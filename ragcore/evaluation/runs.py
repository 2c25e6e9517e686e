"""Running a stage over question sets: every result committed as it comes, so a run can go on later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ragcore.errors import InputError
from ragcore.evaluation.outcome import Outcome, Stage, failures
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.sentinels import check_graders
from ragcore.evaluation.sets import QuestionSet
from ragcore.evaluation.stages import questions_of
from ragcore.evaluation.summary import summarise
from ragcore.storage import Evaluations

Ask = Callable[[EvalQuestion, str], Outcome]


@dataclass(frozen=True, slots=True)
class Part:
    """One set asked of one collection."""

    questions: QuestionSet
    collection: str
    corpus_name: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A run at its end, or where it stopped."""

    run_id: int
    status: str
    seconds: float
    metrics: dict[str, Rate]
    failures: dict[str, int]
    done: int
    total: int


def pair(sets: Sequence[QuestionSet], corpora: Sequence[str]) -> list[tuple[QuestionSet, str | None]]:
    """Which set is asked of which corpus; None stands for the set's own.

    As many corpora as sets: in their order. Otherwise every set of every corpus (of which
    ``that_hold_the_gold`` then leaves some out). A set without a corpus of its own is asked of
    every corpus that the other sets bring.
    """
    if corpora:
        if len(corpora) == len(sets):
            return list(zip(sets, corpora, strict=True))
        return [(one, corpus) for one in sets for corpus in corpora]
    owned = [str(path) for one in sets for path in one.corpus]
    pairs: list[tuple[QuestionSet, str | None]] = []
    for one in sets:
        if one.corpus or not owned:
            pairs.append((one, None))
        else:
            pairs += [(one, corpus) for corpus in dict.fromkeys(owned)]
    return pairs


def that_hold_the_gold(parts: Sequence[Part], share_of_gold: Callable[[Part], float]) -> list[Part]:
    """Of a set that is asked of several corpora, the one that holds most of its gold (or those).

    A set without gold keeps all its corpora, and so does one whose gold stands in none.
    """
    kept: list[Part] = []
    for name in dict.fromkeys(part.questions.name for part in parts):
        mine = [part for part in parts if part.questions.name == name]
        if len(mine) == 1 or not any(question.gold for question in mine[0].questions.questions):
            kept += mine
            continue
        shares = [share_of_gold(part) for part in mine]
        kept += [part for part, share in zip(mine, shares, strict=True) if share == max(shares)]
    return kept


def selected(
    parts: Sequence[Part], stage: Stage, split: str | None, limit: int | None
) -> list[tuple[Part, EvalQuestion, str]]:
    """The questions to ask, with the id of each within the run."""
    several = len(parts) > 1
    chosen = []
    for part in parts:
        questions = [
            one for one in questions_of(stage, part.questions.questions) if split in (None, one.split)
        ]
        for question in questions[:limit]:
            key = f"{part.questions.name}@{part.corpus_name}/{question.id}" if several else question.id
            chosen.append((part, question, key))
    if not chosen:
        names = ", ".join(part.questions.name for part in parts)
        raise InputError(
            f"No question of {names} belongs to the stage '{stage}'{f' and split {split}' if split else ''}."
        )
    return chosen


class Runner:
    """Carries a run out, or on."""

    def __init__(self, evaluations: Evaluations, run_id: int, stage: Stage) -> None:
        self._evaluations = evaluations
        self._run_id = run_id
        self._stage = stage

    def outcomes(
        self, chosen: Sequence[tuple[Part, EvalQuestion, str]], ask: Callable[[Part], Ask]
    ) -> Iterator[Outcome]:
        """Ask what has no result yet, yielding each outcome after it is stored.

        The graders are tried on known cases first. Whatever ends the iteration, the run is closed
        with the metrics of what is there: complete, cancelled (closed early, or on request), failed.

        Raises GraderBroken.
        """
        check_graders()
        # What failed for an outside reason (a server that was down) is asked again when a run goes on.
        known = {outcome.id for outcome in self.stored() if outcome.error is None}
        started = time.perf_counter()
        status, error = "failed", "It was stopped from outside."
        try:
            for part, question, key in chosen:
                if key in known:
                    continue
                if self._evaluations.cancel_requested(self._run_id):
                    status, error = "cancelled", ""
                    return
                outcome = ask(part)(question, key)
                self._store(outcome, part, question)
                yield outcome
            status, error = "complete", ""
        except (GeneratorExit, KeyboardInterrupt):
            status, error = "cancelled", ""
            raise
        except Exception as fault:
            error = f"{type(fault).__name__}: {fault}"
            raise
        finally:
            self._evaluations.finish(
                self._run_id,
                status,
                metrics={
                    name: rate.as_dict() for name, rate in summarise(self.stored(), self._stage).items()
                },
                seconds=time.perf_counter() - started,
                error=error or None,
            )

    def stored(self) -> list[Outcome]:
        """All outcomes of the run so far."""
        return [Outcome.from_dict(result.outcome) for result in self._evaluations.results(self._run_id)]

    def summary(self, total: int) -> Summary:
        run = self._evaluations.run(self._run_id)
        outcomes = self.stored()
        return Summary(
            run_id=run.id,
            status=run.status,
            seconds=run.seconds,
            metrics=summarise(outcomes, self._stage),
            failures=failures(outcomes),
            done=len(outcomes),
            total=total,
        )

    def _store(self, outcome: Outcome, part: Part, question: EvalQuestion) -> None:
        self._evaluations.save_result(
            self._run_id,
            {
                "question_id": outcome.id,
                "kind": outcome.kind,
                "category": outcome.category,
                "split": outcome.split,
                "question": {
                    "set": part.questions.name,
                    "collection": part.collection,
                    "turns": list(question.turns),
                    "gold": [_gold(gold) for gold in question.gold],
                    "facts": [list(group) for group in question.facts],
                    "note": question.note,
                },
                "outcome": outcome.as_dict(),
                "score": outcome.gated_score,
                "verdict": outcome.verdict,
                "failure_stage": outcome.failure_stage,
                "trace_id": outcome.trace_id,
            },
        )


def _gold(gold) -> dict:
    return {"document": gold.document, "page": gold.page, "section": gold.section, "quote": gold.quote}
