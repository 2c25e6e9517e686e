"""Counts at cutoffs, the window, and the cutoffs chosen by target and by price."""

import math
import random
import time

import pytest

from ragcore.errors import InputError
from ragcore.evaluation.calibration import calibrate, calibrate_floor
from ragcore.evaluation.cutoffs import ScoredQuestion, count


def scored(kind: str, *scores: float | None, split: str = "calibration") -> list[ScoredQuestion]:
    return [ScoredQuestion(f"{kind}-{split}-{n}", kind, split, score) for n, score in enumerate(scores)]


OPEN = [
    *scored("answerable", 0.40, 0.50, 0.60, 0.70),
    *scored("general_knowledge", 0.10, 0.20),
    *scored("missing_info", 0.30, 0.65),
    *scored("answerable", 0.25, 0.45, split="test"),
    *scored("general_knowledge", 0.05, 0.35, split="test"),
]
CROSSED = [
    *scored("answerable", 0.15, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.85, 0.90, 0.95),
    *scored("general_knowledge", 0.05, 0.10, 0.20, 0.35),
]


def test_counts_at_every_distinct_score_and_above_all():
    counts = count([*scored("answerable", 0.2, 0.4, 0.4), *scored("general_knowledge", 0.2, 0.1)])
    assert counts.cutoffs.tolist() == pytest.approx([0.1, 0.2, 0.4, 0.41])
    assert counts.refused_of("answerable").tolist() == [0, 0, 1, 3]
    assert counts.passed("general_knowledge").tolist() == [2, 1, 0, 0]
    assert counts.passed("injection").tolist() == [0, 0, 0, 0]


def test_score_that_equals_the_cutoff_passes():
    counts = count(scored("answerable", 0.25, 0.3))
    assert (counts.refused_at("answerable", 0.25), counts.refused_at("answerable", 0.2501)) == (0, 1)


def test_question_without_a_score_is_refused_by_every_cutoff():
    counts = count([*scored("answerable", None, math.nan, 0.3), *scored("general_knowledge", None)])
    assert counts.cutoffs.tolist() == pytest.approx([0.3, 0.31])
    assert counts.refused_of("answerable").tolist() == [2, 3]
    assert counts.passed("general_knowledge").tolist() == [0, 0]


def test_open_window_suggests_its_middle_and_counts_on_the_test_split():
    result = calibrate(OPEN)
    assert (result.window.highest_refused, result.window.lowest_answered) == (0.20, 0.40)
    assert not result.window.empty
    assert result.suggestion.cutoff == 0.30
    assert result.suggestion.reason == "The middle of the window from 0.2 to 0.4."
    calibration, test = result.suggestion.calibration, result.suggestion.test
    assert (calibration.false_refusal.k, calibration.false_refusal.n) == (0, 4)
    assert {kind: (rate.k, rate.n) for kind, rate in calibration.passed.items()} == {
        "general_knowledge": (0, 2),
        "missing_info": (2, 2),
    }
    assert (test.false_refusal.k, test.false_refusal.n) == (1, 2)
    assert (test.passed["general_knowledge"].k, test.passed["general_knowledge"].n) == (1, 2)
    assert test.false_refusal.low < 0.5 < test.false_refusal.high


def test_narrow_window_keeps_its_cutoff_inside():
    result = calibrate([*scored("answerable", 0.2504), *scored("general_knowledge", 0.2501)])
    assert 0.2501 < result.suggestion.cutoff <= 0.2504


def test_empty_window_says_so_and_suggests_the_fewest_errors():
    """At 0.36 to 0.40: 2/10 + 0/4 = 0.20. At 0.21 to 0.30: 1/10 + 1/4 = 0.35; at 0.15: 0 + 2/4."""
    result = calibrate(CROSSED)
    assert result.window.empty
    assert result.window.sentence == (
        "The window is empty: 2 of 4 general-knowledge questions reach the lowest answerable score of 0.15, "
        "and 2 of 10 answerable ones are not above the highest general-knowledge score of 0.35."
    )
    assert result.suggestion.cutoff == 0.38
    assert result.suggestion.calibration.false_refusal.k == 2
    assert result.suggestion.calibration.passed["general_knowledge"].k == 0
    assert "2 of 10 answerable questions refused, 0 of 4" in result.suggestion.reason
    assert result.suggestion.reason.endswith(
        "The test split has no answerable question: how it does on new ones is unknown."
    )


@pytest.mark.parametrize(
    ("target", "cutoff", "refused"),
    [(0.0, 0.15, 0), (0.09, 0.15, 0), (0.1, 0.30, 1), (0.3, 0.50, 3), (0.02, 0.15, 0), (1.0, 0.96, 10)],
)
def test_highest_cutoff_within_a_target_of_false_refusals(target, cutoff, refused):
    chosen = calibrate(CROSSED).by_target(target)
    assert chosen.cutoff == pytest.approx(cutoff)
    assert chosen.calibration.false_refusal.k == refused


def test_target_that_cannot_be_met_says_so():
    chosen = calibrate(scored("answerable", None, 0.3, 0.4)).by_target(0.1)
    assert chosen.cutoff == 0.3
    assert "cannot be had" in chosen.reason
    assert chosen.calibration.false_refusal.k == 1
    with pytest.raises(InputError, match="from 0 to 1"):
        calibrate(CROSSED).by_target(2)


@pytest.mark.parametrize(
    ("price", "cutoff", "false_refusals", "wrong"),
    [
        # By the gap below 0.15, 0.30 and 0.40: 2 passed, 1 refused and 1 passed, 2 refused.
        (0.1, 0.12, 0, 2),  # 0.2 against 1.1 and 2
        (1, 0.12, 0, 2),  # 2 each: the lowest
        (1.5, 0.38, 2, 0),  # 3 and 2.5 against 2
    ],
)
def test_cutoff_by_the_price_of_a_wrong_answer(price, cutoff, false_refusals, wrong):
    chosen = calibrate(CROSSED).by_price(price)
    assert chosen.cutoff == cutoff
    assert chosen.calibration.false_refusal.k == false_refusals
    assert chosen.calibration.passed["general_knowledge"].k == wrong
    assert chosen.reason.endswith(f"{false_refusals} false refusals and {wrong} wrong answers.")


def test_price_counts_missing_information_unless_told_not_to():
    result = calibrate([*OPEN, *scored("missing_info", 0.45, 0.46)])
    assert result.by_price(100).cutoff > 0.65
    assert result.by_price(100, wrong=("general_knowledge",)).cutoff <= 0.40
    with pytest.raises(InputError, match="over 0"):
        result.by_price(0)


def test_only_the_test_split_has_questions():
    with pytest.raises(InputError, match="calibration split has no answerable question with a score"):
        calibrate(scored("answerable", 0.5, split="test"))


def test_without_general_knowledge_the_lowest_answerable_score_is_suggested():
    result = calibrate(scored("answerable", 0.31239, 0.5))
    assert result.window.sentence == "There is no window: no general-knowledge question was asked."
    assert result.suggestion.cutoff == 0.3123


def test_floor_of_follow_ups():
    result = calibrate_floor([*scored("follow_up", 0.2, 0.5), *scored("follow_up_off_topic", 0.06, 0.1)])
    assert result.suggestion.cutoff == 0.15
    assert result.suggestion.calibration.passed["follow_up_off_topic"].k == 0
    assert result.window.sentence.startswith("The highest off-topic follow-up question has 0.10")


def test_scores_up_to_one_never_give_a_cutoff_over_one():
    assert count(scored("answerable", 0.5, 1.0)).cutoffs.max() == 1.0
    assert count(scored("answerable", 0.999)).cutoffs.max() == 1.0


def test_every_distinct_cutoff_counts_as_a_plain_loop_does():
    draw = random.Random(3)
    questions = [
        *scored("answerable", *(round(draw.gauss(0.5, 0.2), 2) for _ in range(60))),
        *scored("general_knowledge", *(round(draw.gauss(0.2, 0.2), 2) for _ in range(40))),
    ]
    counts = count(questions)
    for place, cutoff in enumerate(counts.cutoffs):
        for kind in ("answerable", "general_knowledge"):
            plain = sum(one.score < cutoff for one in questions if one.kind == kind)
            assert counts.refused_of(kind)[place] == plain


def test_ten_thousand_questions_are_counted_in_milliseconds():
    draw = random.Random(5)
    questions = [
        *scored("answerable", *(draw.gauss(0.5, 0.1) for _ in range(6000))),
        *scored("general_knowledge", *(draw.gauss(0.2, 0.1) for _ in range(4000))),
    ]
    started = time.perf_counter()
    calibrate(questions).by_price(5)
    assert time.perf_counter() - started < 0.5
