"""Cohen's kappa with the arithmetic written out, and the cases in which it says nothing."""

import pytest

from ragcore.evaluation.agreement import Difference, agreement


def grades(*pairs: tuple[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    automatic = {str(i): pair[0] for i, pair in enumerate(pairs)}
    return automatic, {str(i): pair[1] for i, pair in enumerate(pairs)}


def test_two_by_two_table():
    """20 both right, 15 both wrong, 5 and 10 apart: (35/50 - 0.5) / (1 - 0.5) = 0.4."""
    pairs = (
        [("right", "right")] * 20
        + [("right", "wrong")] * 5
        + [("wrong", "right")] * 10
        + [("wrong", "wrong")] * 15
    )
    found = agreement(*grades(*pairs))
    assert found.labels == ("right", "wrong")
    assert found.table == ((20, 5), (10, 15))
    assert found.kappa == pytest.approx(0.4)
    assert found.observed == pytest.approx(0.7)
    assert (found.n, found.agreed, len(found.differences)) == (50, 35, 15)
    assert found.low == pytest.approx(0.15, abs=0.06)
    assert found.high == pytest.approx(0.64, abs=0.06)
    assert found.note == ""


def test_same_seed_gives_the_same_interval():
    pairs = grades(*[("right", "right")] * 9, *[("right", "wrong")] * 3, *[("wrong", "wrong")] * 8)
    assert agreement(*pairs) == agreement(*pairs)


def test_opposite_graders():
    found = agreement(*grades(*[("right", "wrong")] * 10, *[("wrong", "right")] * 10))
    assert found.kappa == pytest.approx(-1.0)


def test_differences_are_listed_by_id():
    found = agreement({"a": "right", "b": "wrong"}, {"a": "right", "b": "refused"})
    assert found.differences == (Difference("b", "wrong", "refused"),)


def test_ungraded_and_one_sided_answers_are_left_out_and_counted():
    automatic = {"a": "right", "b": "ungraded", "c": "wrong", "only here": "right"}
    hand = {"a": "right", "b": "right", "c": "wrong", "only there": "wrong"}
    found = agreement(automatic, hand)
    assert (found.n, found.left_out) == (2, 3)


def test_one_class_only_on_both_sides():
    found = agreement(*grades(*[("right", "right")] * 12))
    assert (found.kappa, found.low, found.high, found.observed) == (None, None, None, 1.0)
    assert found.note == "Both graders gave only 'right' (12 of 12): kappa is not defined for a single class."


def test_automatic_grader_with_one_class_only():
    found = agreement(*grades(*[("right", "right")] * 18, *[("right", "wrong")] * 2))
    assert found.kappa == 0
    assert found.observed == pytest.approx(0.9)
    assert found.note == "The automatic grader gave only 'right', so kappa is 0 however often the two agree."


def test_full_agreement_warns_of_the_interval_without_width():
    found = agreement(*grades(*[("right", "right")] * 10, *[("wrong", "wrong")] * 10))
    assert (found.kappa, found.low, found.high) == (1.0, 1.0, 1.0)
    assert "not certainty" in found.note


def test_class_too_rare_for_an_interval():
    found = agreement(*grades(*[("right", "right")] * 20, ("wrong", "wrong")))
    assert found.kappa == 1.0
    assert (found.low, found.high) == (None, None)
    assert "too rare" in found.note


def test_nothing_graded_by_both():
    found = agreement({"a": "right"}, {"b": "right"})
    assert (found.n, found.kappa, found.observed, found.left_out) == (0, None, None, 2)
    assert found.note == "No answer has both an automatic and a hand grade."
