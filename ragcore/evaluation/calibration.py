"""Choosing a cutoff on the calibration split, and saying on the test split what it is worth.

Knows no database and no search, only scored questions. The same serves the gate (answerable against
general knowledge) and the floor of follow-ups, where the score is that of the user's own words
(follow_up against follow_up_off_topic). Missing information is counted along; a cutoff does not tell
it from what can be answered, so it has no say in the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragcore.errors import InputError
from ragcore.evaluation.cutoffs import CutoffCounts, ScoredQuestion, count, rounded_into
from ragcore.evaluation.rate import Rate, share

_WORDS = {
    "answerable": "answerable",
    "general_knowledge": "general-knowledge",
    "missing_info": "missing-information",
    "follow_up": "follow-up",
    "follow_up_off_topic": "off-topic follow-up",
    "injection": "injection",
}


@dataclass(frozen=True, slots=True)
class Window:
    """The gap between the highest score to be refused and the lowest to be answered.

    Any cutoff above ``highest_refused`` up to ``lowest_answered`` puts every question on its side,
    if the one is below the other. None: there is no such question.
    """

    highest_refused: float | None
    lowest_answered: float | None
    sentence: str

    @property
    def empty(self) -> bool:
        if self.highest_refused is None or self.lowest_answered is None:
            return True
        return self.highest_refused >= self.lowest_answered


@dataclass(frozen=True, slots=True)
class SplitRates:
    """One cutoff on one split: false refusals, and by other kind the share that passes."""

    false_refusal: Rate
    passed: dict[str, Rate]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A cutoff, why, and its counts on the split that chose it and on the one that did not."""

    cutoff: float
    reason: str
    calibration: SplitRates
    test: SplitRates


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Everything that a page draws: counts of both splits, the window, the suggestion."""

    answered: str
    refused: str
    calibration: CutoffCounts
    test: CutoffCounts
    window: Window
    suggestion: Suggestion

    def at(self, cutoff: float, reason: str = "Chosen by hand.") -> Suggestion:
        """The counts and intervals of any cutoff."""
        return _suggestion(self.answered, self.calibration, self.test, cutoff, reason)

    def by_target(self, false_refusals: float) -> Suggestion:
        """The highest cutoff whose share of false refusals on the calibration split is within the target.

        Raises InputError for a target outside 0 to 1, where 0.02 means 2 %.
        """
        if not 0 <= false_refusals <= 1:
            raise InputError(
                f"The target is {false_refusals:g}; give a share from 0 to 1, such as 0.02 for 2 %."
            )
        counts = self.calibration
        total = counts.totals[self.answered]
        # Compared as a count: 3/100 <= 0.03 must not hang on a rounding.
        allowed = int(np.floor(false_refusals * total + 1e-9))
        within = np.flatnonzero(counts.refused_of(self.answered) <= allowed)
        aim = f"At most {100 * false_refusals:.4g} % false refusals, so at most {allowed} of {total}"
        if not within.size:
            cutoff = counts.rounded_down(0)
            least = counts.refused_at(self.answered, cutoff)
            return self.at(cutoff, f"{aim}, cannot be had: {least} have no score or fail at any cutoff.")
        cutoff = counts.rounded_down(int(within[-1]))
        return self.at(cutoff, f"{aim}: {cutoff:.4g} is the highest cutoff that keeps to it.")

    def by_price(
        self,
        refusals: float,
        wrong: Sequence[str] = ("general_knowledge", "missing_info", "follow_up_off_topic"),
    ) -> Suggestion:
        """The cutoff with the least cost on the calibration split, if one wrong answer costs so many refusals.

        Every question of the kinds in ``wrong`` that passes counts as a wrong answer, so the mixture
        of the set matters. Of equal costs the lowest cutoff. Raises InputError unless the price is
        positive and finite.
        """
        if not (refusals > 0 and np.isfinite(refusals)):
            raise InputError(f"The price of a wrong answer is {refusals:g} refusals; it has to be over 0.")
        counts = self.calibration
        passing = sum((counts.passed(kind) for kind in wrong), np.zeros(counts.cutoffs.size, dtype=np.int64))
        cost = counts.refused_of(self.answered) + refusals * passing
        best = int(np.argmin(cost))
        cutoff = counts.place_between(best)
        return self.at(
            cutoff,
            f"If one wrong answer costs {refusals:.4g} refusals, {cutoff:.4g} costs least:"
            f" {int(counts.refused_of(self.answered)[best])} false refusals and"
            f" {int(passing[best])} wrong answers.",
        )


def calibrate(
    questions: Sequence[ScoredQuestion], answered: str = "answerable", refused: str = "general_knowledge"
) -> Calibration:
    """Counts, window and suggestion.

    Raises InputError if the calibration split has no scored question of the kind ``answered``: then
    nothing keeps a cutoff from refusing everything.
    """
    calibration = count(one for one in questions if one.split == "calibration")
    test = count(one for one in questions if one.split == "test")
    if not np.isfinite(calibration.scores.get(answered, np.empty(0))).any():
        raise InputError(
            f"The calibration split has no {_word(answered)} question with a score,"
            " so no cutoff can be chosen; add some to the question set."
        )
    window = _window(calibration, answered, refused)
    cutoff, reason = _suggested(calibration, window, answered, refused)
    if not test.totals.get(answered):
        reason += f" The test split has no {_word(answered)} question: how it does on new ones is unknown."
    suggestion = _suggestion(answered, calibration, test, cutoff, reason)
    return Calibration(answered, refused, calibration, test, window, suggestion)


def calibrate_floor(questions: Sequence[ScoredQuestion]) -> Calibration:
    """The floor that the user's own words have to reach in a follow-up."""
    return calibrate(questions, answered="follow_up", refused="follow_up_off_topic")


def _window(counts: CutoffCounts, answered: str, refused: str) -> Window:
    above, below = counts.scores[answered], counts.scores.get(refused, np.empty(0))
    below = below[np.isfinite(below)]
    # A question without a score is refused anyway: it does not close the window for the others.
    low = float(above[np.isfinite(above)][0])
    if not below.size:
        what = "has a score" if counts.totals.get(refused) else "was asked"
        return Window(None, low, f"There is no window: no {_word(refused)} question {what}.")
    high = float(below[-1])
    if high < low:
        return Window(
            high,
            low,
            f"The highest {_word(refused)} question has {high:.2f}, the lowest {_word(answered)} one {low:.2f}:"
            " a cutoff between them puts each on its side.",
        )
    crossing = counts.refused_at(answered, np.nextafter(high, np.inf)), counts.passed_at(refused, low)
    return Window(
        high,
        low,
        f"The window is empty: {crossing[1]} of {counts.totals[refused]} {_word(refused)} questions reach the"
        f" lowest {_word(answered)} score of {low:.2f}, and {crossing[0]} of {counts.totals[answered]}"
        f" {_word(answered)} ones are not above the highest {_word(refused)} score of {high:.2f}.",
    )


def _suggested(counts: CutoffCounts, window: Window, answered: str, refused: str) -> tuple[float, str]:
    if not window.empty:
        low, high = window.highest_refused, window.lowest_answered
        cutoff = rounded_into(low, high, (low + high) / 2)
        return cutoff, f"The middle of the window from {low:.4g} to {high:.4g}."
    if window.highest_refused is None:
        cutoff = counts.rounded_down(int(np.searchsorted(counts.cutoffs, window.lowest_answered)))
        return (
            cutoff,
            f"The lowest {_word(answered)} score; with no {_word(refused)} one there is nothing to weigh.",
        )
    errors = counts.refused_of(answered) / counts.totals[answered]
    errors = errors + counts.passed(refused) / counts.totals[refused]
    best = int(np.argmin(errors))
    cutoff = counts.place_between(best)
    return cutoff, (
        f"The window is empty. {cutoff:.4g} has the least sum of both shares of errors:"
        f" {counts.refused_at(answered, cutoff)} of {counts.totals[answered]} {_word(answered)} questions refused,"
        f" {counts.passed_at(refused, cutoff)} of {counts.totals[refused]} {_word(refused)} ones passed."
    )


def _suggestion(
    answered: str, calibration: CutoffCounts, test: CutoffCounts, cutoff: float, reason: str
) -> Suggestion:
    return Suggestion(cutoff, reason, _rates(calibration, answered, cutoff), _rates(test, answered, cutoff))


def _rates(counts: CutoffCounts, answered: str, cutoff: float) -> SplitRates:
    return SplitRates(
        false_refusal=share(counts.refused_at(answered, cutoff), counts.totals.get(answered, 0)),
        passed={
            kind: share(counts.passed_at(kind, cutoff), total)
            for kind, total in sorted(counts.totals.items())
            if kind != answered
        },
    )


def _word(kind: str) -> str:
    return _WORDS.get(kind, kind)
