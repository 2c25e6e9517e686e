"""Calibrations: which is in force, and taking the newest back."""

import pytest

from ragcore.errors import NotFound
from ragcore.storage import Calibrations

PROFILE = {"embedder": {"model": "m"}, "chunking": {"max_tokens": 200}, "granularity": "chunk"}
OTHER = {**PROFILE, "chunking": {"max_tokens": 100}}


@pytest.fixture
def calibrations(database) -> Calibrations:
    return Calibrations(database)


def save(calibrations: Calibrations, cutoff: float, *, profile=PROFILE, floor=None, apply=True):
    return calibrations.save(
        profile=profile,
        corpus_hash="c",
        question_set=f"set-{cutoff}",
        cutoff=cutoff,
        follow_up_floor=floor,
        reason="by hand",
        counts={},
        apply=apply,
    )


def cutoffs(calibrations: Calibrations, profile=PROFILE) -> list[float]:
    return [one.cutoff for one in calibrations.applied(profile)]


def test_newest_applied_comes_first_and_others_do_not_count(calibrations):
    save(calibrations, 0.3)
    save(calibrations, 0.4)
    save(calibrations, 0.5, apply=False)
    save(calibrations, 0.6, profile=OTHER)
    assert cutoffs(calibrations) == [0.4, 0.3]
    assert cutoffs(calibrations, OTHER) == [0.6]


def test_taken_back_twice_down_to_the_default(calibrations):
    first, second = save(calibrations, 0.3, floor=0.1), save(calibrations, 0.4)
    calibrations.take_back(second.id)
    (left,) = calibrations.applied(PROFILE)
    assert (left.id, left.cutoff, left.follow_up_floor) == (first.id, 0.3, 0.1)
    calibrations.take_back(first.id)
    assert calibrations.applied(PROFILE) == ()
    assert [one.applied_at for one in calibrations.list()] == [None, None]


def test_taken_back_and_applied_again(calibrations):
    first, second = save(calibrations, 0.3), save(calibrations, 0.4)
    calibrations.take_back(second.id)
    calibrations.apply(second.id)
    assert cutoffs(calibrations) == [0.4, 0.3]
    calibrations.apply(first.id)
    assert cutoffs(calibrations) == [0.3, 0.4]


def test_calibration_that_is_not_there(calibrations):
    with pytest.raises(NotFound, match="There is no calibration 77"):
        calibrations.take_back(77)
