"""The bench: question sets in, runs, comparisons and calibrations out.

What a page or the command line calls; it wires the modules of this package to a pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from ragcore.answering import Pipeline
from ragcore.errors import InputError
from ragcore.evaluation.calibration import Calibration, Suggestion, calibrate, calibrate_floor
from ragcore.evaluation.comparison import Comparison
from ragcore.evaluation.corpora import index_corpus
from ragcore.evaluation.cutoffs import ScoredQuestion
from ragcore.evaluation.matching import folded
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.provenance import provenance
from ragcore.evaluation.run_config import RunConfig, default_name, planned
from ragcore.evaluation.runs import Part, Runner, Summary, selected, that_hold_the_gold
from ragcore.evaluation.sets import load_set
from ragcore.evaluation.stages import Asker
from ragcore.evaluation.stored_results import compared, exported_rows
from ragcore.indexing import Indexer
from ragcore.models import OllamaChat
from ragcore.records import AskOptions, Progress
from ragcore.storage import Calibration as StoredCalibration
from ragcore.storage import Calibrations, Evaluations, History, Library, profile_of


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
        choose_chat: Callable[[AskOptions], OllamaChat | None],
    ) -> None:
        self._pipeline = pipeline
        self._indexer = indexer
        self._library = library
        self._history = history
        self._evaluations = evaluations
        self._calibrations = calibrations
        self._choose_chat = choose_chat

    def begin(self, config: RunConfig, *, name: str = "") -> int:
        """Check everything that can be checked, index the corpora, and open the run; returns its id.

        Raises InputError and FileRejected's sentence for sets and corpora, ModelError for a model.
        """
        parts = self._parts(config)
        chosen = selected(parts, config.stage, config.split, config.limit)
        sets = list(dict.fromkeys(part.questions.name for part in parts))
        return self._evaluations.begin(
            name=name or default_name(sets, config),
            question_set=", ".join(sets),
            stage=config.stage,
            config=config.as_dict(),
            provenance=self._provenance(config, parts),
            questions=len(chosen),
        )

    def carry_out(self, run_id: int, *, indexing: Progress | None = None) -> Iterator[Outcome]:
        """Ask what the run has no result for yet. Close the iterator to cancel; call again to go on.

        ``indexing`` comes with a run of the queue, which has indexed nothing yet: it is called with
        files done and in all, and what it raises ends the run.
        """
        run = self._evaluations.run(run_id)
        config = RunConfig.from_dict(run.config)
        parts = self._parts(config, indexing)
        chosen = selected(parts, config.stage, config.split, config.limit)
        if not run.provenance:
            self._evaluations.describe(
                run_id, provenance=self._provenance(config, parts), questions=len(chosen)
            )
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
        if indexing is None:
            self._evaluations.reopen(run_id)
        self._evaluations.begin_asking(run_id)
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
        return exported_rows(self._evaluations, run_id)

    def compare(self, a: int, b: int) -> Comparison:
        """Run B against run A, question by question. Raises InputError for runs of different stages."""
        return compared(self._evaluations, a, b)

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

    def _provenance(self, config: RunConfig, parts: list[Part]) -> dict[str, Any]:
        collections = {part.corpus_name: part.collection for part in parts}
        return provenance(
            embedder=self._indexer.embedder_identity,
            corpora={
                corpus: self._library.collection(collection).content_hash
                for corpus, collection in collections.items()
            },
            sets={part.questions.name: part.questions.content_hash() for part in parts},
            chat=self._choose_chat(config.options) if config.stage == "answers" else None,
            prompt=config.options.prompt,
        )

    def _parts(self, config: RunConfig, indexing: Progress | None = None) -> list[Part]:
        if config.collection is not None:
            self._library.collection(config.collection)
            return [Part(load_set(path), config.collection, config.collection) for path in config.sets]
        digest = self._indexer.models_of(config.chunking)
        parts = [
            Part(
                one.questions,
                index_corpus(
                    self._indexer, self._library, one.paths, config.chunking, digest, progress=indexing
                ),
                one.corpus_name,
            )
            for one in planned(config)
        ]
        return that_hold_the_gold(parts, self._share_of_gold)

    def _share_of_gold(self, part: Part) -> float:
        """Share of the set's gold quotes that stand in the part's corpus."""
        text = folded(
            "\n".join(chunk.text for _, chunk in self._library.chunks(part.collection)), ignore_case=True
        )
        quotes = [gold.quote for question in part.questions.questions for gold in question.gold if gold.quote]
        return sum(folded(quote, ignore_case=True) in text for quote in quotes) / max(1, len(quotes))


_FLOOR_KINDS = {"follow_up", "follow_up_off_topic"}
