"""The bench: question sets in, runs, comparisons and calibrations out.

What a page or the command line calls; it wires the modules of this package to a pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ragcore.answering import Pipeline
from ragcore.chunking import ChunkingConfig
from ragcore.errors import InputError
from ragcore.evaluation.calibration import Calibration, Suggestion, calibrate, calibrate_floor
from ragcore.evaluation.comparison import Comparison, compare
from ragcore.evaluation.corpora import index_corpus
from ragcore.evaluation.cutoffs import ScoredQuestion
from ragcore.evaluation.matching import folded
from ragcore.evaluation.outcome import Outcome, Stage
from ragcore.evaluation.provenance import provenance
from ragcore.evaluation.runs import Part, Runner, Summary, pair, selected, that_hold_the_gold
from ragcore.evaluation.sets import QuestionSet, load_set
from ragcore.evaluation.stages import Asker
from ragcore.indexing import Indexer
from ragcore.records import AskOptions
from ragcore.storage import Calibration as StoredCalibration
from ragcore.storage import Calibrations, Evaluations, History, Library, profile_of


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What is asked, of what, and how; stored with the run, so that it can be made again."""

    sets: tuple[str, ...]
    corpora: tuple[str, ...] = ()
    collection: str | None = None
    """Ask an existing collection instead of a corpus."""
    stage: Stage = "retrieval"
    split: str | None = None
    limit: int | None = None
    """At most so many questions of each set."""
    chunking: ChunkingConfig = field(default_factory=ChunkingConfig)
    options: AskOptions = field(default_factory=AskOptions)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "chunking": self.chunking.to_dict()}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> RunConfig:
        return cls(
            **{
                **stored,
                "sets": tuple(stored["sets"]),
                "corpora": tuple(stored["corpora"]),
                "chunking": ChunkingConfig.from_dict(stored["chunking"]),
                "options": AskOptions(**stored["options"]),
            }
        )


class Bench:
    """Evaluates, compares and calibrates."""

    def __init__(
        self,
        *,
        pipeline: Pipeline,
        indexer: Indexer,
        library: Library,
        history: History,
        evaluations: Evaluations,
        calibrations: Calibrations,
        chat_digest: Callable[[AskOptions], dict[str, str] | None],
    ) -> None:
        self._pipeline = pipeline
        self._indexer = indexer
        self._library = library
        self._history = history
        self._evaluations = evaluations
        self._calibrations = calibrations
        self._chat_digest = chat_digest

    def begin(self, config: RunConfig, *, name: str = "") -> int:
        """Check everything that can be checked, index the corpora, and open the run; returns its id.

        Raises InputError and FileRejected's sentence for sets and corpora, ModelError for a model.
        """
        parts = self._parts(config)
        chosen = selected(parts, config.stage, config.split, config.limit)
        chat = self._chat_digest(config.options) if config.stage == "answers" else None
        collections = {part.corpus_name: part.collection for part in parts}
        return self._evaluations.begin(
            name=name
            or f"{' + '.join(dict.fromkeys(part.questions.name for part in parts))}, {config.stage}",
            question_set=", ".join(dict.fromkeys(part.questions.name for part in parts)),
            stage=config.stage,
            config=config.as_dict(),
            provenance=provenance(
                embedder=self._indexer.embedder_identity,
                corpora={
                    corpus: self._library.collection(collection).content_hash
                    for corpus, collection in collections.items()
                },
                sets={part.questions.name: part.questions.content_hash() for part in parts},
                chat_model=chat,
            ),
            questions=len(chosen),
        )

    def carry_out(self, run_id: int) -> Iterator[Outcome]:
        """Ask what the run has no result for yet. Close the iterator to cancel; call again to go on."""
        config = RunConfig.from_dict(self._evaluations.run(run_id).config)
        parts = self._parts(config)
        chosen = selected(parts, config.stage, config.split, config.limit)
        askers = {
            id(part): Asker(
                self._pipeline,
                self._library,
                self._history,
                stage=config.stage,
                options=replace(config.options, collection=part.collection),
            )
            for part in parts
        }
        self._evaluations.reopen(run_id)
        runner = Runner(self._evaluations, run_id, config.stage)
        with closing(runner.outcomes(chosen, lambda part: askers[id(part)].ask)) as outcomes:
            yield from outcomes

    def summary(self, run_id: int) -> Summary:
        run = self._evaluations.run(run_id)
        return Runner(self._evaluations, run_id, run.stage).summary(run.questions)

    def outcomes(self, run_id: int) -> list[Outcome]:
        return Runner(self._evaluations, run_id, self._evaluations.run(run_id).stage).stored()

    def rows(self, run_id: int) -> list[dict[str, Any]]:
        """A run's results with its hand grades, a flat row a question, ready to be exported."""
        run = self._evaluations.run(run_id)
        grades = self._evaluations.grades(run_id)
        rows = []
        for result in self._evaluations.results(run_id):
            outcome = Outcome.from_dict(result.outcome)
            given = grades.get(result.id, [])
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
                    "embedder_digest": run.provenance["embedder"]["digest"],
                    "chat_model": (run.provenance["chat_model"] or {}).get("name"),
                    "chat_digest": (run.provenance["chat_model"] or {}).get("digest"),
                    "prompt_hash": run.provenance["prompt_hash"],
                }
            )
        return rows

    def compare(self, a: int, b: int) -> Comparison:
        """Run B against run A, question by question. Raises InputError for runs of different stages."""
        first, second = self._evaluations.run(a), self._evaluations.run(b)
        if first.stage != second.stage:
            raise InputError(
                f"Run {a} is of stage {first.stage} and run {b} of stage {second.stage}; "
                "only runs of the same stage can be compared."
            )
        verb = "finds" if first.stage in ("retrieval", "followups") else "gets right"
        return compare(
            {o.id: o.failure_stage is None for o in self.outcomes(a)},
            {o.id: o.failure_stage is None for o in self.outcomes(b)},
            names=(f"run {a}", f"run {b}"),
            verb=verb,
        )

    def calibrate(self, config: RunConfig) -> tuple[Calibration, Calibration | None]:
        """Score the questions of all sets; the calibration of the cutoff, and of the follow-up floor.

        The floor is None where the calibration split has no follow-ups of both kinds. Raises InputError when there are no answerable
        or no general-knowledge questions.
        """
        scored = self._scores(replace(config, stage="refusal"))
        try:
            follow_ups = self._scores(replace(config, stage="followups"))
        except InputError:
            follow_ups = []
        to_choose_by = {question.kind for question in follow_ups if question.split == "calibration"}
        return calibrate(scored), calibrate_floor(follow_ups) if to_choose_by >= _FLOOR_KINDS else None

    def store_calibration(
        self, config: RunConfig, chosen: Suggestion, floor: float | None, *, apply: bool
    ) -> StoredCalibration:
        """Keep a cutoff for the profile of the sets' corpora, and put it in force if asked to."""
        parts = self._parts(config)
        collection = self._library.collection(parts[0].collection)
        return self._calibrations.save(
            profile=profile_of(self._indexer.embedder_identity, collection.chunking),
            corpus_hash=" ".join(
                dict.fromkeys(self._library.collection(part.collection).content_hash for part in parts)
            ),
            question_set=", ".join(dict.fromkeys(part.questions.name for part in parts)),
            cutoff=chosen.cutoff,
            follow_up_floor=floor,
            reason=chosen.reason,
            counts={
                split: {
                    "false_refusal": rates.false_refusal.as_dict(),
                    "passed": {kind: rate.as_dict() for kind, rate in rates.passed.items()},
                }
                for split, rates in (("calibration", chosen.calibration), ("test", chosen.test))
            },
            apply=apply,
        )

    def _scores(self, config: RunConfig) -> list[ScoredQuestion]:
        parts = self._parts(config)
        scored = []
        for part, question, key in selected(parts, config.stage, None, config.limit):
            asked = question.turns[-1]
            options = replace(config.options, collection=part.collection, generator="quote")
            score = self._pipeline.start(asked, options).answer.decision.top_score
            scored.append(ScoredQuestion(key, question.kind, question.split, score))
        return scored

    def _parts(self, config: RunConfig) -> list[Part]:
        sets = [load_set(path) for path in config.sets]
        if config.collection is not None:
            self._library.collection(config.collection)
            return [Part(one, config.collection, config.collection) for one in sets]
        parts = []
        for one, corpus in pair(sets, config.corpora):
            paths = [Path(corpus)] if corpus is not None else list(one.corpus)
            if not paths:
                raise InputError(
                    f"The set '{one.name}' has no corpus of its own: give one with --corpus, or a collection."
                )
            parts.append(self._part(one, paths, config))
        return that_hold_the_gold(parts, self._share_of_gold)

    def _share_of_gold(self, part: Part) -> float:
        """Share of the set's gold quotes that stand in the part's corpus."""
        text = folded(
            "\n".join(chunk.text for _, chunk in self._library.chunks(part.collection)), ignore_case=True
        )
        quotes = [gold.quote for question in part.questions.questions for gold in question.gold if gold.quote]
        return sum(folded(quote, ignore_case=True) in text for quote in quotes) / max(1, len(quotes))

    def _part(self, questions: QuestionSet, paths: list[Path], config: RunConfig) -> Part:
        collection = index_corpus(
            self._indexer, self._library, paths, config.chunking, self._indexer.embedder_identity.digest
        )
        name = paths[0].parent.name if paths[0].name == "corpus" else paths[0].stem
        return Part(questions, collection, name)


_FLOOR_KINDS = {"follow_up", "follow_up_off_topic"}
