"""Two runs side by side."""

import pytest

from ragcore.evaluation.comparison import compare


def runs(n: int, wins: int, losses: int) -> tuple[dict, dict]:
    """``wins`` questions that only B has right, ``losses`` that only A has, and the rest both."""
    ids = [f"q{number}" for number in range(n)]
    a = {one: place >= wins for place, one in enumerate(ids)}
    b = {one: not wins <= place < wins + losses for place, one in enumerate(ids)}
    return a, b


def test_four_won_and_one_lost_may_be_noise():
    """McNemar exact: 2 (C(5,0) + C(5,1)) / 2^5 = 12 / 32."""
    result = compare(*runs(113, 4, 1))
    assert (result.wins, result.losses, result.ties, result.n) == (4, 1, 108, 113)
    assert (result.won, result.lost) == (("q0", "q1", "q2", "q3"), ("q4",))
    assert result.p_value == pytest.approx(12 / 32)
    assert result.difference == pytest.approx(3 / 113)
    assert result.low < 0 < result.difference < result.high
    assert result.sentence == "B finds 4 more and loses 1; p = 0.38: may be noise at n = 113"


def test_ten_won_and_none_lost_is_no_noise():
    """2 / 2^10 = 0.00195."""
    result = compare(*runs(50, 10, 0), names=("dense", "hybrid"))
    assert result.p_value == pytest.approx(2 / 1024)
    assert result.low > 0
    assert result.sentence == "hybrid finds 10 more and loses 0; p = 0.002: unlikely to be noise at n = 50"


def test_equal_runs():
    result = compare(*runs(20, 0, 0))
    assert (result.p_value, result.difference, result.low, result.high) == (1.0, 0.0, None, None)
    assert result.sentence == "A and B do not differ at n = 20"


def test_questions_of_one_run_only_are_named_and_not_compared():
    result = compare({"x": True, "y": False, "a": True}, {"x": True, "y": True, "b": False})
    assert (result.n, result.only_in_a, result.only_in_b) == (2, ("a",), ("b",))
    assert result.sentence == (
        "B finds 1 more and loses 0; p = 1.00: may be noise at n = 2; only in A: a; only in B: b"
    )


def test_failed_question_is_lost_and_not_dropped():
    result = compare({"x": True, "y": None}, {"x": None, "y": None})
    assert (result.lost, result.ties, result.n) == (("x",), 1, 2)


def test_reciprocal_ranks():
    result = compare({"x": 1.0, "y": 0.5, "z": 0.0}, {"x": 0.5, "y": 1.0, "z": 0.25})
    assert (result.won, result.lost) == (("y", "z"), ("x",))
    assert result.difference == pytest.approx((-0.5 + 0.5 + 0.25) / 3)


def test_nothing_in_common():
    result = compare({"x": True}, {"y": True})
    assert (result.n, result.difference, result.p_value) == (0, None, 1.0)
    assert result.sentence == "A and B have no question in common."
