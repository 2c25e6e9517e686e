"""Choosing a cutoff by looking at the scores of a stored run, and putting it in force.

Nothing here asks a question again: a run's scores are read once, and every cutoff is then counted by
binary search in sorted arrays. The same serves the gate and the floor of follow-ups. Only
``try_question`` searches, for the one question that somebody types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ragcore.errors import InputError, NotFound
from ragcore.evaluation.calibration import Calibration, calibrate
from ragcore.evaluation.cutoffs import CutoffCounts, ScoredQuestion, count
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.question import KINDS, SPLITS
from ragcore.evaluation.rate import Rate, share
from ragcore.models import profile_for
from ragcore.records import CollectionInfo, EmbedderIdentity
from ragcore.retrieval import Retrieval
from ragcore.storage import Calibration as StoredCalibration
from ragcore.storage import Calibrations, EvalRun, Evaluations, Library, ScoreRow, Scores, profile_of

SearchIn = Callable[[str, str], Retrieval]
"""(question, collection) -> its best evidence, nothing generated or traced."""


@dataclass(frozen=True, slots=True)
class KindCount:
    """Of one kind in one split: how many a cutoff puts on the wrong side."""

    kind: str
    refused: bool
    """Whether refused questions are counted (those to be answered) or those that pass."""
    rate: Rate
    change: int
    """How many more than at the cutoff in force."""


@dataclass(frozen=True, slots=True)
class NearQuestion:
    """A question and how far its score is from the cutoff; ``distance`` is score - cutoff."""

    row: ScoreRow
    distance: float

    @property
    def passes(self) -> bool:
        return self.distance >= 0


class ScoredRun:
    """The scores of one run, sorted by kind and split so that a cutoff costs a binary search."""

    def __init__(self, run: EvalRun, rows: list[ScoreRow]) -> None:
        self.run = run
        self.rows = tuple(rows)
        follow_ups = run.stage == "followups"
        self.answered = "follow_up" if follow_ups else "answerable"
        self.refused = "follow_up_off_topic" if follow_ups else "general_knowledge"
        present = {row.kind for row in rows}
        self.kinds = tuple(kind for kind in KINDS if kind in present)
        self.splits: dict[str, CutoffCounts] = {
            split: count(_scored(row) for row in rows if row.split == split) for split in SPLITS
        }
        with_score = [row for row in rows if row.score is not None]
        self._with_score = sorted(with_score, key=lambda row: row.score)
        self._sorted = np.array([row.score for row in self._with_score], dtype=float)
        self.unscored = len(rows) - len(with_score)
        self.calibration: Calibration | None = None
        self.no_suggestion = ""
        try:
            self.calibration = calibrate(
                [_scored(row) for row in rows], answered=self.answered, refused=self.refused
            )
        except InputError as error:
            self.no_suggestion = str(error)

    @property
    def collections(self) -> tuple[str, ...]:
        """The collections that were asked, in order."""
        return tuple(dict.fromkeys(row.collection for row in self.rows))

    def counts(self, cutoff: float, in_force: float) -> dict[str, tuple[KindCount, ...]]:
        """By split, a count of every kind at ``cutoff``, compared with the cutoff in force."""
        return {
            split: tuple(self._count(counts, kind, cutoff, in_force) for kind in self.kinds)
            for split, counts in self.splits.items()
        }

    def _count(self, counts: CutoffCounts, kind: str, cutoff: float, in_force: float) -> KindCount:
        refused = kind == self.answered
        at = counts.refused_at if refused else counts.passed_at
        wrong = at(kind, cutoff)
        rate = share(wrong, counts.totals.get(kind, 0))
        return KindCount(kind, refused, rate, wrong - at(kind, in_force))

    def nearest(self, cutoff: float, limit: int = 20) -> list[NearQuestion]:
        """The questions whose scores are nearest to the cutoff, nearest first; equals in score order."""
        middle = int(np.searchsorted(self._sorted, cutoff))
        low, high = max(0, middle - limit), min(self._sorted.size, middle + limit)
        distances = self._sorted[low:high] - cutoff
        order = np.argsort(np.abs(distances), kind="stable")[:limit]
        return [NearQuestion(self._with_score[low + i], float(distances[i])) for i in order]

    def scores_of(self, kind: str, split: str | None = None) -> np.ndarray:
        """(n,) float64 ascending: the scores of a kind, of one split or of both; no-scores left out."""
        wanted = SPLITS if split is None else (split,)
        arrays = [self.splits[name].scores.get(kind, np.empty(0)) for name in wanted]
        scores = np.sort(np.concatenate(arrays))
        return scores[np.isfinite(scores)]


@dataclass(frozen=True, slots=True)
class InForce:
    """The cutoff and the floor of a profile as they are now, and what taking them back would restore."""

    cutoff: float
    floor: float | None
    calibration: StoredCalibration | None
    """None: the default of the embedder, never measured."""
    earlier_cutoff: float
    earlier_floor: float | None
    earlier_set: str
    """The question set of what was replaced; empty for the default."""
    default_floor: float = 0.0
    """The floor that counts where none was applied."""

    @property
    def floor_now(self) -> float:
        return self.default_floor if self.floor is None else self.floor


class Thresholds:
    """Stored runs in, counts and cutoffs in force out."""

    def __init__(
        self,
        *,
        evaluations: Evaluations,
        scores: Scores,
        calibrations: Calibrations,
        library: Library,
        search: SearchIn,
    ) -> None:
        self._evaluations = evaluations
        self._scores = scores
        self._calibrations = calibrations
        self._library = library
        self._search = search

    def runs(self, *, follow_ups: bool = False) -> list[EvalRun]:
        """Runs that have scores, newest first: of stage followups, or of any other stage."""
        scored = self._scores.runs()
        return [
            run
            for run in self._evaluations.runs()
            if run.id in scored and (run.stage == "followups") == follow_ups
        ]

    def load(self, run_id: int) -> ScoredRun:
        """A run with all its scores; as many as there are if it is still going on. Raises NotFound."""
        return ScoredRun(self._evaluations.run(run_id), self._scores.of(run_id))

    def evidence(self, result_id: int) -> Outcome:
        """What a question was scored on, as it was stored. Raises NotFound."""
        return Outcome.from_dict(self._scores.result(result_id).outcome)

    # --- the profile that a cutoff belongs to ---

    def profile(self, run: EvalRun) -> dict[str, Any]:
        """The profile that the run's scores were measured with.

        Raises NotFound when the collection that was asked is gone, so that nobody can tell how it was cut.
        """
        chunking = run.config["chunking"]
        if run.config["collection"] is not None:
            chunking = self._collection_of(run).chunking
        return profile_of(_embedder_of(run), chunking)

    def in_force(self, run: EvalRun) -> InForce:
        """What the run's profile uses now. Raises NotFound as ``profile`` does."""
        family, granularity = profile_for(_embedder_of(run).model), self.profile(run)["granularity"]
        default, default_floor = family.cutoff_for(granularity), family.floor_for(granularity)
        applied = self._calibrations.applied(self.profile(run))
        if not applied:
            return InForce(default, None, None, default, None, "", default_floor)
        mine, earlier = applied[0], applied[1] if len(applied) > 1 else None
        return InForce(
            mine.cutoff,
            mine.follow_up_floor,
            mine,
            earlier.cutoff if earlier else default,
            earlier.follow_up_floor if earlier else None,
            earlier.question_set if earlier else "",
            default_floor,
        )

    def users_of(self, run: EvalRun) -> list[CollectionInfo]:
        """The collections of the library that the run's profile is the profile of: they use its cutoff."""
        profile = self.profile(run)
        return [
            info
            for info in self._library.collections()
            if info.kind != "eval"
            and info.embedder is not None
            and profile_of(info.embedder, info.chunking) == profile
        ]

    def stale(self, run: EvalRun) -> str:
        """One sentence on why the run's scores are no longer those of its collection; empty if they are."""
        name = run.config["collection"]
        if name is None:
            return ""
        try:
            info = self._collection_of(run)
        except NotFound as error:
            return str(error)
        if info.embedder != _embedder_of(run):
            return f"'{name}' has been embedded with another model since these questions were scored."
        if info.content_hash != run.provenance["corpora"].get(name):
            return f"The documents of '{name}' have changed since these questions were scored."
        return ""

    def corpus_names(self, scored: ScoredRun) -> dict[str, str]:
        """What to call the run's collections: the names of their corpora, where those can be told."""
        by_hash = {digest: name for name, digest in scored.run.provenance["corpora"].items()}
        there = {info.name: info.content_hash for info in self._library.collections()}
        return {name: by_hash.get(there.get(name, ""), name) for name in scored.collections}

    # --- putting it in force ---

    def use(
        self, scored: ScoredRun, cutoff: float, *, floor: float | None = None, reason: str = "Chosen by hand."
    ) -> StoredCalibration:
        """Put a cutoff, and a floor if one is given, in force for the run's profile.

        What was in force is kept, so ``undo`` can bring it back. Raises NotFound as ``profile`` does.
        """
        run = scored.run
        return self._calibrations.save(
            profile=self.profile(run),
            corpus_hash=" ".join(dict.fromkeys(run.provenance["corpora"].values())),
            question_set=run.question_set,
            cutoff=cutoff,
            follow_up_floor=floor,
            reason=reason,
            counts={
                split: {
                    "false_refusal": _rate_of(counts, scored.answered).as_dict(),
                    "passed": {one.kind: one.rate.as_dict() for one in counts if not one.refused},
                }
                for split, counts in scored.counts(cutoff, cutoff).items()
            },
            apply=True,
        )

    def undo(self, calibration: StoredCalibration) -> None:
        """Put the cutoff that was in force before back in force. Raises NotFound."""
        self._calibrations.take_back(calibration.id)

    def try_question(self, question: str, collection: str) -> Retrieval:
        """The score of one question, and the evidence it comes from. Raises InputError, NotFound, ModelError."""
        return self._search(question, collection)

    def _collection_of(self, run: EvalRun) -> CollectionInfo:
        name = run.config["collection"]
        found = [info for info in self._library.collections() if info.name == name]
        if not found:
            raise NotFound(
                f"The collection '{name}' that run {run.id} asked is gone; score the questions on another."
            )
        return found[0]


def _scored(row: ScoreRow) -> ScoredQuestion:
    return ScoredQuestion(row.question_id, row.kind, row.split, row.score)  # type: ignore[arg-type]


def _embedder_of(run: EvalRun) -> EmbedderIdentity:
    return EmbedderIdentity(**run.provenance["embedder"])


def _rate_of(counts: tuple[KindCount, ...], kind: str) -> Rate:
    return next((one.rate for one in counts if one.kind == kind), share(0, 0))
