"""The automatic grade of an answer: right, wrong, refused, or left to a person.

Every fact of the question must be in the answer, by any of its alternatives, compared as tokens
(``facts``). "Right" and "wrong" are given only where the text leaves no doubt: a fact beside a
negation, beside another value of the same unit, or told by the question already, is ungraded.
Ungraded answers are counted apart and never enter a mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragcore.evaluation.doubts import Found, doubt_of
from ragcore.lexical.fact_matching import spans, trace_of
from ragcore.lexical.facts import tokens

Verdict = Literal["right", "wrong", "refused", "ungraded"]


@dataclass(frozen=True, slots=True)
class Grade:
    """A verdict, why, and which fact groups (by their first alternative) were found or not."""

    verdict: Verdict
    reason: str
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether it enters a mean; a refusal does, as an answer that is not right."""
        return self.verdict != "ungraded"


def grade_answer(
    answer_text: str, facts: Sequence[Sequence[str]], *, refused: bool, question: str = ""
) -> Grade:
    """Grade one answer against its facts: all groups needed, any alternative of each.

    An alternative that the question says already never counts; a group that has no other is left
    out, and the verdict rests on the remaining ones.

    ``refused`` is the app's own flag (or ``refusals.recognise_refusal`` for foreign text); whether
    a refusal was right depends on the question's kind and is not decided here. An empty answer is
    wrong. Without facts there is nothing to compare: ungraded. Never raises on any text.
    """
    if refused:
        return Grade("refused", "The question was refused.")
    if not answer_text.strip():
        return Grade("wrong", "The answer is empty.", missing=tuple(group[0] for group in facts if group))
    wanted = [[tokens(alternative) for alternative in group] for group in facts]
    if not facts or not all(any(group) for group in wanted):
        return Grade("ungraded", "The question has no facts to compare with.")
    said, asked = tokens(answer_text), tokens(question)
    # Words that the question has itself prove nothing when the answer repeats them.
    counted = [
        [
            (text, alternative)
            for text, alternative in zip(group, row, strict=True)
            if not spans(alternative, asked)
        ]
        for group, row in zip(facts, wanted, strict=True)
    ]
    if not any(counted):
        return Grade("ungraded", f'The question itself says "{facts[0][0]}", so repeating it proves nothing.')
    found, near, missing = [], [], []
    for number, alternatives in enumerate(counted):
        if not alternatives:
            continue
        places = [
            Found(number, text, start, end, doubt)
            for text, alternative in alternatives
            for start, end, doubt in spans(alternative, said, asked)
        ]
        if sure := [place for place in places if not place.doubt]:
            found.append(sure)
        elif places:
            near.append(places[0])
        elif trace := trace_of(alternatives, said, answer_text):
            near.append(Found(number, alternatives[0][0], 0, 0, trace))
        else:
            missing.append(facts[number][0])
    names = tuple(places[0].written for places in found)
    if missing:
        return Grade("wrong", f"Not in the answer: {', '.join(missing)}.", names, tuple(missing))
    if near:
        return Grade("ungraded", f'"{near[0].written}": {near[0].doubt}', names)
    doubt = doubt_of(found, wanted, said, asked)
    if doubt:
        return Grade("ungraded", doubt, names)
    return Grade("right", f"In the answer: {', '.join(names)}.", names)
