"""The verdict on each sentence of an answer: supported by which passage, in which words, or why not.

A claim must be supported by the passage that it cites. One that another passage supports gets that
passage's citation instead. A claim that is a value alone, or in other words than the sentence it rests on,
gets that sentence, to be shown in its place in quotation marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import regex

from ragcore.answering.citations import contains, references
from ragcore.answering.claims import Sentence, is_claim, is_item, without_lead
from ragcore.answering.grounds import Ground, Grounds
from ragcore.answering.planted import planted
from ragcore.answering.quoting import Quote, SentenceEmbedder
from ragcore.answering.saying import ANSWERS_FROM, DOUBTED_FROM, QUOTED_FROM, UNSAID, Saying
from ragcore.answering.support import Support, loses_bound, support_of
from ragcore.answering.taking_apart import Said, stands, taken_apart
from ragcore.lexical.answer_types import AnswerType, asked_for, holds
from ragcore.lexical.lexemes import is_code, lexemes
from ragcore.lexical.tables import is_row, on_one_line
from ragcore.records import Expansion, Passage


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
            "sentence": self.sentence.plain,
            "supported": self.supported,
            "sources": list(self.sources),
            "reason": self.reason,
        }


class Checker:
    """Checks the sentences of one answer against the passages that were sent."""

    def __init__(
        self,
        question: str,
        passages: Sequence[Passage],
        embedder: SentenceEmbedder,
        abbreviations: Sequence[Expansion] = (),
        saying: Saying | None = None,
    ) -> None:
        """``abbreviations``: those of the question, with what they stand for. ``saying``: whom to ask whether a sentence
        says the answer; without, the words of the question have to tell."""
        self._question = question
        self._saying = saying
        self._question_words = frozenset(lexemes(question))
        self._passages = {passage.number: passage for passage in passages}
        self._grounds = Grounds(question, passages, embedder, abbreviations)
        self._planted = planted(question, passages)
        asked = asked_for(question)
        # "Is it the 5 euro ticket that costs more?" brings an amount itself: then none need be new.
        brings = asked == "amount of money" and holds(question, asked)
        self._asked = asked if asked in TOLD_APART and not brings else None

    @property
    def refusal_is_demanded(self) -> bool:
        """Whether an order in what was sent wants nothing to be answered: then a refusal is not to be believed."""
        return self._planted.wants_refusal

    def may_be_quoted(self, quotes: Sequence[Quote]) -> bool:
        """Whether the sentences closest to the question likely answer it, where the model's own answer did not hold.

        Without anyone to ask: whether the evidence is close, or some passage has more than half of the question's words.
        """
        if self._saying is not None:
            return self._saying.of_quotes(quotes) >= QUOTED_FROM
        return self._grounds.best_asked >= CLOSE_FROM or any(
            self._has_most(self._question_words, number) for number in self._passages
        )

    def _has_most(self, words: frozenset[str], number: int) -> bool:
        """Whether a passage has more than half of some words, or a code among them; True of none."""
        there = words & self._grounds.words[number]
        return not words or len(there) > len(words) / 2 or any(map(is_code, there))

    def check(self, sentence: Sentence, lead: str = "", *, first: bool = False) -> Checked:
        """The verdict on a sentence of the reply.

        ``lead`` is what leads in to the list that it is an item of. The ``first`` claim is the answer: it, or
        the sentence it rests on, must hold the kind of thing that is asked for.
        """
        cited, unknown = references(sentence, self._passages)
        if reason := self._planted.reason_against(sentence.bare):
            return Checked(sentence, True, False, tuple(cited), unknown, reason=reason)
        if not is_claim(sentence, self._question) or self._only_names_a_place(sentence):
            return Checked(sentence, False, True, tuple(cited), unknown)
        said = taken_apart(self._without_place(sentence.said), self._question)
        tried: dict[int, Support] = {}
        refused: Checked | None = None
        for numbers in self._ways(sentence, cited):
            found = support_of(said, numbers, self._grounds)
            if len(numbers) == 1:
                tried[numbers[0]] = found
            if found.supported:
                as_cited = set(numbers) <= set(cited)
                sources = tuple(cited if as_cited else numbers)
                checked = Checked(sentence, True, True, sources, unknown, moved=bool(cited) and not as_cited)
                if said.belies_its_yes:
                    checked = replace(checked, sentence=without_lead(sentence))
                quote = self._in_words(checked.sentence, said, found)
                reason = self._beside(said, found, quote, numbers, lead, first)
                if first and not lead:
                    reason = self._lacks_what_is_asked(said, found, quote) or reason
                if not reason:
                    return replace(checked, quote=quote)
                refused = refused or replace(
                    checked, supported=False, moved=False, reason=reason, beside=True
                )
        beside = any(one.beside for one in tried.values())
        return refused or Checked(
            sentence, True, False, tuple(cited), unknown, reason=_reason(tried), beside=beside
        )

    def _beside(
        self, said: Said, found: Support, quote: str, numbers: Sequence[int], lead: str, first: bool
    ) -> str:
        """Why a supported claim is of another thing than what was asked; empty where it is not."""
        led = frozenset(lexemes(lead)) & self._question_words
        if not all(self._has_most(led, number) for number in numbers):
            return _BESIDE
        in_other_words = bool(quote) and not said.bare and self._grounds.best_asked < CLOSE_FROM
        asked = said.words & self._question_words
        doubted = in_other_words and not self._has_most(asked, found.ground.passage)
        if self._saying is None:
            return _BESIDE if doubted else ""
        # The answer comes first; what follows adds to it.
        return self._unsaid(said, found, numbers, doubted) if first and not lead else ""

    def _unsaid(self, said: Said, found: Support, numbers: Sequence[int], doubted: bool) -> str:
        """Why the first claim is no answer though it is supported: its sentence does not say one; empty where it does."""
        assert self._saying is not None
        if found.ground:
            odds = self._saying.of_ground(found.ground)
        else:
            odds = max(self._saying.of_words(said.text, number) for number in numbers)
        return "" if odds >= (DOUBTED_FROM if doubted else ANSWERS_FROM) else UNSAID

    def _lacks_what_is_asked(self, said: Said, found: Support, quote: str) -> str:
        """Why a supported claim cannot be the answer: it holds no such thing; empty where it does."""
        if self._asked is None:
            return ""
        shown = f"{said.text}\n{found.ground.text if found.ground else ''}\n{quote}"
        kinds: list[AnswerType] = [self._asked]
        if self._asked == "amount of money":
            # "14 guilders": not every currency is known.
            kinds.append("number")
        if any(holds(shown, kind, self._question) for kind in kinds):
            return ""
        return f"holds no {self._asked}, which was asked for"

    def _in_words(self, sentence: Sentence, said: Said, found: Support) -> str:
        """The sentence or table row that a claim rests on, on one line; empty for a claim that says it in the same words.

        Empty for a row of a table too, which a sentence would break.
        """
        if found.ground is None or is_row(sentence.text):
            return ""
        # "- deposit: 150 euros" says what its value is of, "- June" does not.
        whole = not said.bare or (is_item(sentence.text) and bool(said.values) and bool(said.words))
        around = self._grounds.of(found.ground.passage)
        if whole and any(one.sentences == 1 and self._says_the_same(said, one) for one in around):
            return ""
        there = said.words & found.ground.lexemes
        enough = [
            one
            for one in around
            if there <= one.lexemes and all(stands(token, one.tokens) for _, token in said.values)
        ]
        shortest = min([*enough, found.ground], key=lambda one: len(one.text))
        return on_one_line(shortest.text, shortest.above.rsplit("\n", 1)[-1])

    def _says_the_same(self, said: Said, ground: Ground) -> bool:
        """Whether one sentence has the claim's words and values, and bounds none that the claim gives unbounded."""
        there = said.words & ground.lexemes
        return (
            len(there) >= OWN_WORDING_FROM * len(said.words)
            and all(stands(token, ground.tokens + ground.tokens_above) for token in said.stated)
            and not any(loses_bound(said, place, ground) for place, _ in said.values)
        )

    def _only_names_a_place(self, sentence: Sentence) -> bool:
        """Whether it is a reference in words: "handbook.md, § Committee decisions"."""
        said = sentence.said.casefold()
        words = frozenset(lexemes(said)) - _PLACE_WORDS
        return any(
            hit.file.casefold() in said
            and words <= frozenset(lexemes("\n".join([hit.file, hit.header, *hit.section, hit.location])))
            for hit in (passage.candidate for passage in self._passages.values())
        )

    def _without_place(self, said: str) -> str:
        """What is said behind a place named in words: "In rates.md, § Fees, the deposit is 150 euros"."""
        for hit in (passage.candidate for passage in self._passages.values()):
            titles = "|".join([*map(regex.escape, filter(None, hit.section)), r"(?:pages?|p\.)\s*\d+"])
            place = regex.match(
                rf"(?:(?:in|from|see|per)\s+)?(?:the\s+)?{regex.escape(hit.file)}(?:\W*(?:{titles}))*[\s,.:;-]+",
                said,
                regex.I,
            )
            if place and any(map(str.isalnum, said[place.end() :])):
                return said[place.end() :]
        return said

    def _ways(self, sentence: Sentence, cited: Sequence[int]) -> Iterator[list[int]]:
        """What a claim may rest on, the likeliest first: each passage that it cites, these together, each other one.

        Of the others those first that plainly contain the sentence.
        """
        yield from ([number] for number in cited)
        if len(cited) > 1:
            yield list(cited)
        others = [number for number in self._passages if number not in cited]
        yield from (
            [number]
            for number in sorted(others, key=lambda number: not contains(self._passages[number], sentence))
        )


TOLD_APART: frozenset[AnswerType] = frozenset(
    {"email address", "web address", "phone number", "percentage", "amount of money"}
)
"""Kinds of things whose absence from an answer is plain. Of times, lengths, names and persons it is not: "two pay
cycles" is a duration."""
_BESIDE = "is about something that the passage does not speak of"
_PLACE_WORDS = frozenset({"page", "section", "see", "sourc", "passag"})


CLOSE_FROM = 0.67
"""Cosine of the best evidence from which other words may mean what was asked; the strict gate's strong evidence.
Below it a claim is doubted of whose words from the question not more than half stand in its passage."""
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
