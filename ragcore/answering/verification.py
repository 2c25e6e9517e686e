"""The verdict on each sentence of an answer: supported by which passage, in which words, or why not.

A claim must be supported by the passage that it cites. One that another passage supports gets that
passage's citation instead. A claim that is a value alone, or in other words than the sentence it rests on,
gets that sentence, to be shown in its place in quotation marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragcore.answering.citations import contains, references
from ragcore.answering.claims import Sentence, is_claim, is_item, is_row
from ragcore.answering.grounds import Grounds
from ragcore.answering.planted import planted
from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.support import Support, support_of
from ragcore.answering.taking_apart import Said, stands, taken_apart
from ragcore.lexical.lexemes import lexemes
from ragcore.records import Passage


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence with its verdict."""

    sentence: Sentence
    claim: bool
    supported: bool
    """True of what is no claim."""
    sources: tuple[int, ...] = ()
    """The passages that are cited for it, in the order of the reply; found for it where it named none or a wrong one."""
    unknown: int = 0
    """References to passages that were never sent."""
    moved: bool = False
    """It cited a passage that does not support it, and another one does."""
    reason: str = ""
    """Why it is not supported, after "it"."""
    beside: bool = False
    """What was asked does not stand in the passage: no sentence of it is an answer."""
    quote: str = ""
    """The sentence of the document that it rests on, to be shown in its place: where the claim is a value alone,
    which does not tell what it is the value of, or has words that the sentence does not have."""

    def traced(self) -> dict[str, Any]:
        return {
            "sentence": " ".join(self.sentence.bare.split()),
            "supported": self.supported,
            "sources": list(self.sources),
            "reason": self.reason,
        }


class Checker:
    """Checks the sentences of one answer against the passages that were sent."""

    def __init__(self, question: str, passages: Sequence[Passage], embedder: SentenceEmbedder) -> None:
        self._question = question
        self._passages = {passage.number: passage for passage in passages}
        self._grounds = Grounds(question, passages, embedder)
        self._planted = planted(question, passages)

    @property
    def refusal_is_demanded(self) -> bool:
        """Whether an order in what was sent wants nothing to be answered: then a refusal is not to be believed."""
        return self._planted.wants_refusal

    def check(self, sentence: Sentence) -> Checked:
        """The verdict on a sentence of the reply."""
        cited, unknown = references(sentence, self._passages)
        if reason := self._planted.reason_against(sentence.bare):
            return Checked(sentence, True, False, tuple(cited), unknown, reason=reason)
        if not is_claim(sentence, self._question) or self._only_names_a_place(sentence):
            return Checked(sentence, False, True, tuple(cited), unknown)
        said = taken_apart(sentence.said, self._question)
        tried = {number: support_of(said, [number], self._grounds) for number in cited}
        found = next((one for one in tried.values() if one.supported), None)
        if found is None and len(cited) > 1:
            found = support_of(said, cited, self._grounds)
        if found and found.supported:
            return self._told(Checked(sentence, True, True, tuple(cited), unknown), said, found)
        for number in self._others(sentence, cited):
            tried[number] = one = support_of(said, [number], self._grounds)
            if one.supported:
                checked = Checked(sentence, True, True, (number,), unknown, moved=bool(cited))
                return self._told(checked, said, one)
        beside = any(one.beside for one in tried.values())
        return Checked(sentence, True, False, tuple(cited), unknown, reason=_reason(tried), beside=beside)

    def _told(self, checked: Checked, said: Said, found: Support) -> Checked:
        """A supported claim with the words to show it in; struck out where those are of another thing."""
        quote = self._in_words(checked.sentence, said, found)
        if quote and not said.bare and self._grounds.best_asked < CLOSE_FROM:
            asked = said.words & frozenset(lexemes(self._question))
            there = self._grounds.words[found.ground.passage]
            if asked and len(asked & there) <= len(asked) / 2:
                reason = "is about something that the passage does not speak of"
                return replace(checked, supported=False, moved=False, reason=reason, beside=True)
        return replace(checked, quote=quote)

    def _in_words(self, sentence: Sentence, said: Said, found: Support) -> str:
        """The sentence or table row that a claim rests on, on one line; empty for a claim that says it in the same words.

        Empty for a row of a table too, which a sentence would break.
        """
        if found.ground is None or is_row(sentence.text):
            return ""
        # "- deposit: 150 euros" says what its value is of.
        whole = not said.bare or is_item(sentence.text)
        there = said.words & found.ground.lexemes
        if whole and len(there) >= OWN_WORDING_FROM * len(said.words):
            return ""
        enough = [
            one
            for one in self._grounds.of(found.ground.passage)
            if there <= one.lexemes and all(stands(token, one.tokens) for _, token in said.values)
        ]
        text = " ".join(min([*enough, found.ground], key=lambda one: len(one.text)).text.split())
        return " | ".join(cell.strip() for cell in text.strip("| ").split("|")) if is_row(text) else text

    def _only_names_a_place(self, sentence: Sentence) -> bool:
        """Whether it is a reference in words: "handbook.md, § Committee decisions"."""
        said = sentence.said.casefold()
        words = frozenset(lexemes(said)) - _PLACE_WORDS
        return any(
            hit.file.casefold() in said
            and words <= frozenset(lexemes("\n".join([hit.file, hit.header, *hit.section, hit.location])))
            for hit in (passage.candidate for passage in self._passages.values())
        )

    def _others(self, sentence: Sentence, cited: Sequence[int]) -> list[int]:
        """The other passages; first those that plainly contain the sentence."""
        others = [number for number in self._passages if number not in cited]
        return sorted(others, key=lambda number: not contains(self._passages[number], sentence))


_PLACE_WORDS = frozenset({"page", "section", "see", "sourc", "passag"})


CLOSE_FROM = 0.67
"""Cosine of the best evidence from which other words may mean what was asked; the strict gate's strong evidence.
Below it at least half of a claim's words from the question have to stand in its passage, or its sentence is no answer."""
OWN_WORDING_FROM = 0.85
"""Share of a claim's words that the sentence it rests on has, from which the claim is shown in its own wording.
EXPERIMENTS.md, checked answers."""


def _reason(tried: dict[int, Support]) -> str:
    """The reason of the cited passage; said of all where what is missing stands in none."""
    if not tried:
        return "cannot be checked: no passage was sent"
    first = next(iter(tried.values()))
    if first.missing and all(one.missing == first.missing for one in tried.values()):
        return first.reason.replace("which the passage does not", "no passage does")
    # A passage that has the value, but of something else, says more than one that lacks it.
    told = next((one for one in tried.values() if not one.missing), first)
    return told.reason
