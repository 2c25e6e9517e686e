"""The second opinion: a logistic over signals of an answer being there, and its reasons in words.

There are two: by signals that cost nothing, and by the answer judge. Their coefficients
are measured by ``python -m benchmarks.second_opinion ... --write`` and belong to one embedder, one
granularity and one judge, whose figures they were fitted to; for others there is no opinion.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from ragcore.records import EmbedderIdentity, Opinion
from ragcore.retrieval.judging import LogOddsOf
from ragcore.retrieval.searching import Retrieval
from ragcore.retrieval.signals import Signals, TokenVectorsOf, signals

Fitted = Literal["signals", "judge"]
FILES: dict[Fitted, Path] = {
    "signals": Path(__file__).with_name("second_opinion.json"),
    "judge": Path(__file__).with_name("second_opinion_judge.json"),
}

_PLACES = {
    "absent_everywhere": "in any passage that was found",
    "absent_in_passage": "in the best passage",
    "absent_in_three": "in the three best sentences",
    "absent_in_sentence": "in the best sentence",
}
"""The absences, the widest first."""
_SAID = {
    "best_cosine": "best match {:.2f}",
    "lead": "the best passage leads by {:.2f}",
    "coverage": "words of the question in the best passage: {:.2f}",
    "sentence_coverage": "words of the question in the best sentence: {:.2f}",
    "unknown": "words of the question that no document has: {:.2f}",
    "agreement": "meaning and words agree on the best passage: {:.0f}",
    "soft_least": "worst-met word of the question: {:.2f}",
    "soft_loss": "greatest loss of a word: {:.2f}",
    "judged": "the likeliest sentence, by the answer judge and its distance from the best match: log-odds {:+.2f}",
}


@dataclass(frozen=True, slots=True)
class Term:
    """One signal in the sum: ``coefficient * (value - mean) / scale``."""

    signal: str
    coefficient: float
    mean: float
    scale: float

    def part(self, seen: Signals) -> float:
        return self.coefficient * (getattr(seen, self.signal) - self.mean) / self.scale


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """A fitted logistic with the profile that it belongs to and where it comes from."""

    terms: tuple[Term, ...]
    intercept: float
    threshold: float
    """Probability below which it speaks against; chosen on calibration splits."""
    embedder: str
    digest: str
    granularity: str
    provenance: dict[str, Any]
    """Sets, splits, date, git commit, numbers of questions."""
    source: Fitted = "signals"
    judge: str = ""
    """Digest of the answer judge; empty where it was not asked."""

    @classmethod
    def read(cls, path: Path) -> SecondOpinion:
        stored = json.loads(path.read_text("utf-8"))
        return cls(**{**stored, "terms": tuple(Term(**term) for term in stored["terms"])})

    @property
    def needs_token_vectors(self) -> bool:
        return any(term.signal.startswith("soft_") for term in self.terms)

    def misfit(self, embedder: EmbedderIdentity, granularity: str) -> str:
        """Why it says nothing about a collection of this profile; empty when it does."""
        if (embedder.digest, granularity) == (self.digest, self.granularity):
            return ""
        return (
            f"no second opinion: its signals were measured with {self.embedder} and granularity "
            f"'{self.granularity}', and this collection has {embedder.model} and '{granularity}'."
        )

    def of(self, seen: Signals, *, enforced: bool) -> Opinion:
        """The opinion on one retrieval."""
        parts = [(term.signal, term.part(seen)) for term in self.terms]
        odds = self.intercept + sum(part for _, part in parts)
        probability = 1 / (1 + math.exp(-odds))
        return Opinion(
            source=self.source,
            enforced=enforced,
            probability=probability,
            threshold=self.threshold,
            reason=against(seen, [term.signal for term in self.terms])
            if probability < self.threshold
            else "",
            contributions=tuple((said(name, seen), part) for name, part in parts),
            base=self.intercept,
        )


@cache
def shipped(source: Fitted = "signals") -> SecondOpinion:
    """The coefficients that come with the code."""
    return SecondOpinion.read(FILES[source])


def signals_opinion(
    retrieval: Retrieval,
    embedder: EmbedderIdentity,
    granularity: str,
    *,
    enforced: bool,
    token_vectors: TokenVectorsOf | None = None,
    judge: LogOddsOf | None = None,
    fitted: SecondOpinion | None = None,
) -> Opinion | None:
    """What the shipped (or given) coefficients say of a retrieval; those of the judge where one is given.

    None when nothing was found. Where they belong to another profile there is no probability, and the
    reason says so.
    """
    fitted = fitted or shipped("judge" if judge else "signals")
    if misfit := fitted.misfit(embedder, granularity):
        return Opinion(fitted.source, enforced, None, reason=misfit)
    seen = signals(retrieval, token_vectors if fitted.needs_token_vectors else None, judge)
    return None if seen is None else fitted.of(seen, enforced=enforced)


def against(seen: Signals, counted: Collection[str] = tuple(_PLACES)) -> str:
    """What speaks against an answer being there, as the end of a sentence: of the absences those that were ``counted``."""
    doubt = "the passages do not seem to hold an answer"
    where = next((place for name, place in _PLACES.items() if name in counted and getattr(seen, name)), None)
    if where is None and seen.judged is not None and seen.judged < 0:
        return f"{doubt}: none of the sentences found looks like one."
    if where is None:
        return f"{doubt}: the match is close to the cutoff, and nothing else speaks for one."
    return f"{doubt}: asked for {_article(seen.asked or '')}, none {where}."


def said(name: str, seen: Signals) -> str:
    """A signal in words."""
    if name not in _PLACES:
        return _SAID[name].format(getattr(seen, name))
    if seen.asked is None:
        return f"no rule knows what kind of thing is asked for ({_PLACES[name]})"
    thing = f"no {seen.asked}" if getattr(seen, name) else _article(seen.asked)
    return f"{thing} {_PLACES[name]}"


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
