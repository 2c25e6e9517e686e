"""Cutoffs from stored runs: counts, nearest questions, in force, undone, stale."""

import time

import numpy as np
import pytest

from ragcore.errors import InputError, NotFound
from ragcore.evaluation.rate import share
from ragcore.evaluation.thresholds import ScoredRun
from ragcore.storage import ScoreRow
from tests.scored_runs import FOLLOW_UPS, SCORES, index_ferry, store_run


@pytest.fixture
def rag(open_test_rag):
    rag = open_test_rag()
    index_ferry(rag)
    return rag


def wrong(
    scored: ScoredRun, cutoff: float, in_force: float = 0.25
) -> dict[str, dict[str, tuple[int, int, int]]]:
    """By split and kind: count, of how many, change."""
    return {
        split: {one.kind: (one.rate.k, one.rate.n, one.change) for one in own}
        for split, own in scored.counts(cutoff, in_force).items()
    }


def test_counts_of_both_splits_and_their_change_against_the_cutoff_in_force(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    # At 0.25: calibration 0.26 leaks; test 0.24 and the question without a score are refused, 0.35 leaks.
    assert wrong(scored, 0.25) == {
        "calibration": {"answerable": (0, 3, 0), "general_knowledge": (1, 2, 0), "missing_info": (1, 1, 0)},
        "test": {"answerable": (2, 3, 0), "general_knowledge": (1, 2, 0), "missing_info": (1, 1, 0)},
    }
    # At 0.36: 0.30 is refused as well, 0.26 and 0.35 leak no more, 0.28 does not pass.
    assert wrong(scored, 0.36) == {
        "calibration": {"answerable": (1, 3, 1), "general_knowledge": (0, 2, -1), "missing_info": (1, 1, 0)},
        "test": {"answerable": (2, 3, 0), "general_knowledge": (0, 2, -1), "missing_info": (0, 1, -1)},
    }


def test_score_that_equals_the_cutoff_passes_as_at_the_gate(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    assert wrong(scored, 0.30)["calibration"]["answerable"][0] == 0
    assert wrong(scored, 0.3001)["calibration"]["answerable"][0] == 1


def test_intervals_are_wilsons(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    one = next(one for one in scored.counts(0.25, 0.25)["test"] if one.kind == "answerable")
    assert one.rate == share(2, 3)
    # Two of three: (2/3 + z²/6 ± z √(2/27 + z²/36)) / (1 + z²/3) with z = 1.96.
    assert (one.rate.low, one.rate.high) == pytest.approx((0.2077, 0.9385), abs=1e-4)


def test_nearest_questions_by_distance_on_both_sides(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    near = scored.nearest(0.25, limit=4)
    assert [(one.row.question_id, round(one.distance, 3), one.passes) for one in near] == [
        ("q-3", -0.01, False),
        ("q-7", 0.01, True),
        ("q-11", 0.03, True),
        ("q-0", 0.05, True),
    ]
    assert near[0].row.question == "Question q-3 <b>bold</b>?"
    assert len(scored.nearest(0.25, limit=100)) == len(SCORES) - 1


def test_evidence_is_what_the_question_was_scored_on(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    outcome = rag.thresholds.evidence(scored.rows[1].result_id)
    assert (outcome.id, outcome.top_score, outcome.hits[0]["file"]) == ("q-1", 0.40, "ferry.md")
    with pytest.raises(NotFound, match="no evaluation result 999999"):
        rag.thresholds.evidence(999999)


def test_floor_from_a_run_of_follow_ups(rag):
    scored = rag.thresholds.load(store_run(rag, FOLLOW_UPS, collection="ferry", stage="followups"))
    assert (scored.answered, scored.refused, scored.kinds) == (
        "follow_up",
        "follow_up_off_topic",
        ("follow_up", "follow_up_off_topic"),
    )
    assert scored.calibration.suggestion.cutoff == 0.15
    assert wrong(scored, 0.15, 0.0) == {
        "calibration": {"follow_up": (0, 2, 0), "follow_up_off_topic": (0, 2, -2)},
        "test": {"follow_up": (1, 1, 1), "follow_up_off_topic": (1, 1, 0)},
    }


def test_runs_are_listed_newest_first_and_apart_from_follow_ups_and_from_those_without_scores(rag):
    first = store_run(rag, collection="ferry")
    floor = store_run(rag, FOLLOW_UPS, collection="ferry", stage="followups")
    store_run(rag, [("answerable", "test", None)], collection="ferry")
    second = store_run(rag, collection="ferry", stage="retrieval")
    assert [run.id for run in rag.thresholds.runs()] == [second, first]
    assert [run.id for run in rag.thresholds.runs(follow_ups=True)] == [floor]


def test_without_answerable_questions_in_the_calibration_split_it_counts_but_suggests_nothing(rag):
    scores = [("answerable", "test", 0.5), ("general_knowledge", "calibration", 0.1)]
    scored = rag.thresholds.load(store_run(rag, scores, collection="ferry"))
    assert scored.calibration is None
    assert "no answerable question with a score" in scored.no_suggestion
    assert wrong(scored, 0.6)["test"]["answerable"][0] == 1


def test_used_cutoff_is_the_chats_and_undo_brings_the_earlier_back(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    assert rag.cutoff("ferry").cutoff == 0.25
    before = rag.thresholds.in_force(scored.run)
    assert (before.cutoff, before.floor, before.calibration) == (0.25, None, None)

    rag.thresholds.use(scored, 0.29, floor=0.15, reason="By hand.")
    rag.thresholds.use(scored, 0.36, reason="The highest.")
    now = rag.thresholds.in_force(scored.run)
    assert (rag.cutoff("ferry").cutoff, rag.cutoff("ferry").stale) == (0.36, "")
    assert (now.cutoff, now.floor, now.earlier_cutoff, now.earlier_floor, now.earlier_set) == (
        0.36, None, 0.29, 0.15, "ferry",
    )  # fmt: skip
    assert now.calibration.reason == "The highest."
    assert now.calibration.counts["calibration"]["false_refusal"]["k"] == 1
    assert now.calibration.counts["test"]["passed"]["general_knowledge"]["k"] == 0

    rag.thresholds.undo(now.calibration)
    assert rag.cutoff("ferry").cutoff == 0.29
    rag.thresholds.undo(rag.thresholds.in_force(scored.run).calibration)
    assert rag.cutoff("ferry").cutoff == 0.25


def test_collections_that_a_cutoff_counts_for(rag):
    scored = rag.thresholds.load(store_run(rag, collection="ferry"))
    index_ferry(rag, "other")
    rag.ingest(b"Cut in another way.", "apart.txt", collection="apart")
    rag.library.create_collection("empty", chunking={"strategy": "fixed"})
    assert [info.name for info in rag.thresholds.users_of(scored.run)] == ["ferry", "other"]


def test_run_is_stale_once_its_documents_have_changed_or_are_gone(rag):
    run = rag.evaluations.run(store_run(rag, collection="ferry"))
    assert rag.thresholds.stale(run) == ""
    rag.ingest(b"Dogs need a muzzle.", "dogs.txt", collection="ferry")
    assert (
        rag.thresholds.stale(run)
        == "The documents of 'ferry' have changed since these questions were scored."
    )
    rag.collections.delete("ferry")
    assert "The collection 'ferry' that run" in rag.thresholds.stale(run)
    with pytest.raises(NotFound, match="is gone"):
        rag.thresholds.in_force(run)


def test_tried_question_is_searched_for_and_leaves_no_trace(rag):
    found = rag.thresholds.try_question("  What does a day ticket cost? ", "ferry")
    asked = rag.ask("What does a day ticket cost?")  # of another collection: a trace of its own
    assert found.candidates[0].file == "ferry.md"
    assert 0.3 < found.top_score < 1
    assert asked.trace_id == 1
    with pytest.raises(InputError, match="question is empty"):
        rag.thresholds.try_question("   ", "ferry")


def ten_thousand() -> ScoredRun:
    random = np.random.default_rng(0)
    kinds = ["answerable"] * 6000 + ["general_knowledge"] * 2000 + ["missing_info"] * 2000
    rows = [
        ScoreRow(n, f"q-{n}", kind, "test" if n % 5 < 3 else "calibration", float(score), "?", "c")
        for n, (kind, score) in enumerate(zip(kinds, random.uniform(0, 1, len(kinds)), strict=True))
    ]
    run = type("Run", (), {"stage": "refusal"})()
    return ScoredRun(run, rows)


def test_ten_thousand_questions_count_as_a_loop_counts_them_within_5_ms():
    scored = ten_thousand()
    taken = []
    for cutoff in (0.0, 0.123, 0.5, 0.9999):
        started = time.perf_counter()
        counts = scored.counts(cutoff, 0.25)
        taken.append(time.perf_counter() - started)
        for split, own in counts.items():
            for one in own:
                mine = [row.score for row in scored.rows if (row.split, row.kind) == (split, one.kind)]
                refused = sum(score < cutoff for score in mine)
                assert (one.rate.k, one.rate.n) == (
                    refused if one.refused else len(mine) - refused,
                    len(mine),
                )
    assert min(taken) < 0.005
