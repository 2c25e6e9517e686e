"""The gate's boundary, its bands, and scores that are not numbers."""

import math

import pytest

from ragcore.errors import InputError
from ragcore.retrieval import GateBands, decide

DEFAULT = GateBands.of(0.25)


def test_score_equal_to_the_cutoff_passes() -> None:
    assert decide(0.25, DEFAULT).passed
    assert not decide(math.nextafter(0.25, 0), DEFAULT).passed


def test_bands_of_the_default_and_of_strict_evidence() -> None:
    assert (DEFAULT.weak, DEFAULT.strong) == (0.25, 0.40)
    assert GateBands.of(0.25, strict=True) == GateBands(0.40, 0.55)
    assert [decide(score, DEFAULT).band for score in (0.24, 0.25, 0.39, 0.40, 1.0)] == [
        "refused",
        "weak",
        "weak",
        "strong",
        "strong",
    ]


def test_refusal_says_score_and_cutoff() -> None:
    decision = decide(0.19, DEFAULT)
    assert (decision.passed, decision.band) == (False, "refused")
    assert decision.reason == "Best match 0.19, cutoff 0.25."


def test_refusal_by_a_hair_shows_enough_digits() -> None:
    assert decide(0.2496, DEFAULT).reason == "Best match 0.2496, cutoff 0.2500."


def test_opposite_vector_and_negative_cutoff() -> None:
    assert not decide(-1.0, DEFAULT).passed
    assert decide(-0.5, GateBands.of(-1.0)).passed


def test_nan_and_nothing_are_refused() -> None:
    nan = decide(math.nan, GateBands.of(-1.0))
    assert (nan.passed, nan.top_score) == (False, None)
    empty = decide(None, GateBands.of(-1.0))
    assert (empty.passed, empty.reason) == (False, "There is nothing to search: the collection is empty.")


def test_cutoff_on_a_scale_that_is_no_cosine() -> None:
    with pytest.raises(InputError, match="The cutoff is 25; it compares cosines"):
        GateBands.of(25)
