"""Two runs compared question by question, and whether the difference is more than noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ragcore.evaluation.rate import bootstrapped

SIGNIFICANT = 0.05

Outcome = bool | float | None
"""Right or wrong, or a number where more is better; None: the question failed, which is 0."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What run B does to the questions that both runs have. ``won`` and the others are ids."""

    a: str
    b: str
    n: int
    won: tuple[str, ...]
    lost: tuple[str, ...]
    ties: int
    p_value: float
    """Two-sided. Of right-or-wrong outcomes McNemar's exact test, of numbers the sign test."""
    difference: float | None
    """Mean of B less mean of A."""
    low: float | None
    high: float | None
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]
    verb: str = "finds"

    @property
    def wins(self) -> int:
        return len(self.won)

    @property
    def losses(self) -> int:
        return len(self.lost)

    @property
    def significant(self) -> bool:
        return self.p_value < SIGNIFICANT

    @property
    def sentence(self) -> str:
        """``B finds 4 more and loses 1; p = 0.38: may be noise at n = 113``"""
        if not self.n:
            return f"{self.a} and {self.b} have no question in common."
        if not self.won and not self.lost:
            counted = f"{self.a} and {self.b} do not differ at n = {self.n}"
        else:
            p = "p < 0.001" if self.p_value < 0.001 else f"p = {_rounded(self.p_value)}"
            verdict = "unlikely to be noise" if self.significant else "may be noise"
            counted = f"{self.b} {self.verb} {self.wins} more and loses {self.losses}; {p}: {verdict} at n = {self.n}"
        sides = ((self.a, self.only_in_a), (self.b, self.only_in_b))
        return counted + "".join(f"; only in {name}: {_named(ids)}" for name, ids in sides if ids)


def compare(
    a: Mapping[str, Outcome],
    b: Mapping[str, Outcome],
    *,
    names: tuple[str, str] = ("A", "B"),
    verb: str = "finds",
) -> Comparison:
    """Outcomes of two runs by question id. Questions of one run alone are named and not compared."""
    from scipy.stats import binomtest

    shared = [identity for identity in a if identity in b]
    differences = np.array([_number(b[one]) - _number(a[one]) for one in shared], dtype=float)
    won = tuple(one for one, gain in zip(shared, differences, strict=True) if gain > 0)
    lost = tuple(one for one, gain in zip(shared, differences, strict=True) if gain < 0)
    changed = len(won) + len(lost)
    low, high = bootstrapped((differences,), np.mean)
    return Comparison(
        a=names[0],
        b=names[1],
        n=len(shared),
        won=won,
        lost=lost,
        ties=len(shared) - changed,
        p_value=float(binomtest(len(won), changed, 0.5).pvalue) if changed else 1.0,
        difference=float(differences.mean()) if shared else None,
        low=low,
        high=high,
        only_in_a=tuple(one for one in a if one not in b),
        only_in_b=tuple(one for one in b if one not in a),
        verb=verb,
    )


def _number(outcome: Outcome) -> float:
    return 0.0 if outcome is None else float(outcome)


def _rounded(p: float) -> str:
    """Two decimals, three where two would blur which side of the limit it is on."""
    return f"{p:.2f}" if p >= 0.1 else f"{p:.3f}"


def _named(ids: tuple[str, ...], most: int = 5) -> str:
    shown = ", ".join(ids[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most} more"
