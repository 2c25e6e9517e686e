"""How well the check of answers tells supported from unsupported sentences, against a reader's labels.

Every labelled reply goes through the very code that shows a chat model's answer. Two errors are counted,
which only mean something together: unsupported sentences that are shown, and supported ones that are
struck out. Beside it two simpler ways, measured on the same sentences. Whether a supported sentence answers the
question is another matter: the answer judge is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragcore.answering.checked_text import CheckedText
from ragcore.answering.citations import references, with_plain_references
from ragcore.answering.claims import REFERENCE, is_structure, split
from ragcore.answering.grounds import whole
from ragcore.answering.prompts import is_refusal
from ragcore.answering.quoting import SentenceEmbedder
from ragcore.answering.streaming import SentenceBySentence
from ragcore.answering.taking_apart import stands, taken_apart
from ragcore.answering.verification import Checked, Checker
from ragcore.evaluation.labelled_answers import LabelledAnswer, LabelledSentence
from ragcore.evaluation.rate import Rate, share
from ragcore.lexical.facts import tokens

Way = Literal["everything", "values", "checked", "worded"]
WAYS: dict[Way, str] = {
    "everything": "show everything",
    "values": "values must stand in the cited passage",
    "checked": "each claim checked",
    "worded": "checked, in the document's words",
}
"""``worded`` is what the product does: nothing is left of an answer whose first claim is unsupported, and a claim in
words of its own is replaced by the sentence that it rests on; then a supported one counts as shown, and an
unsupported one does not, for the document says what it says. ``values``: numbers, dates, times and codes that the question does not bring; of a sentence that cites
nothing in any passage."""
Fate = Literal["supported, shown", "supported, struck", "unsupported, struck", "unsupported, shown"]
FATES: tuple[Fate, ...] = (
    "supported, shown",
    "supported, struck",
    "unsupported, struck",
    "unsupported, shown",
)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A sentence that a reader has found supported or not, and in which ways it is shown."""

    answer: LabelledAnswer
    sentence: LabelledSentence
    shown: frozenset[Way]
    reason: str
    """Why the check strikes it out, to be read after "it"; empty where it does not."""

    def fate(self, way: Way) -> Fate:
        if self.sentence.supported:
            return "supported, shown" if way in self.shown else "supported, struck"
        return "unsupported, shown" if way in self.shown else "unsupported, struck"


@dataclass(frozen=True, slots=True)
class Tally:
    """The fates of some claims, one way."""

    counts: dict[Fate, int]

    @property
    def claims(self) -> int:
        return sum(self.counts.values())

    @property
    def unsupported_shown(self) -> Rate:
        """Of the unsupported."""
        return share(
            self.counts["unsupported, shown"],
            self.counts["unsupported, shown"] + self.counts["unsupported, struck"],
        )

    @property
    def supported_struck(self) -> Rate:
        """Of the supported."""
        return share(
            self.counts["supported, struck"],
            self.counts["supported, struck"] + self.counts["supported, shown"],
        )

    @property
    def unsupported_of_shown(self) -> Rate:
        """What a reader meets: of the sentences that are shown, those that no passage supports."""
        return share(
            self.counts["unsupported, shown"],
            self.counts["unsupported, shown"] + self.counts["supported, shown"],
        )


def judge(answers: Iterable[LabelledAnswer], embedder: SentenceEmbedder) -> list[JudgedClaim]:
    """Every sentence with a label, in order; those that the reader takes for no claim are left out."""
    return [claim for answer in answers for claim in _judged(answer, embedder)]


def tally(claims: Sequence[JudgedClaim], way: Way) -> Tally:
    counts: dict[Fate, int] = dict.fromkeys(FATES, 0)
    for claim in claims:
        counts[claim.fate(way)] += 1
    return Tally(counts)


def _judged(answer: LabelledAnswer, embedder: SentenceEmbedder) -> list[JudgedClaim]:
    labelled = [one for one in answer.sentences if one.supported is not None]
    if not labelled:
        return []
    checked, is_shown, fallen = _as_shown(answer, embedder)
    keys = [_key(one.sentence.text) for one in checked]
    found = []
    for one in labelled:
        places = _places(_key(with_plain_references(one.text, answer.passages)), keys)
        shown: set[Way] = {"everything"}
        if any(is_shown[place] for place in places):
            shown.add("checked")
        told = [place for place in places if is_shown[place] and (one.supported or not checked[place].quote)]
        if told and not fallen:
            shown.add("worded")
        if _values_stand(one, answer):
            shown.add("values")
        reasons = [checked[place].reason or "is taken for no claim" for place in places]
        reason = "" if "checked" in shown else next(iter(reasons), "is a refusal")
        found.append(JudgedClaim(answer, one, frozenset(shown), reason))
    return found


def _as_shown(answer: LabelledAnswer, embedder: SentenceEmbedder) -> tuple[list[Checked], list[bool], bool]:
    """The sentences of the reply as the product checks them, whether each passes, and whether the answer falls."""
    text = CheckedText(Checker(answer.question, answer.passages, embedder), answer.passages)
    reading = SentenceBySentence(text, answer.passages)
    reading.feed(answer.reply)
    reading.finish()
    if is_refusal(answer.reply, cited=any(one.sources for one in text.checked)):
        return text.checked, [False] * len(text.checked), True
    shown: list[bool] = []
    leads_to_shown = False
    for one in reversed(text.checked):
        if one.claim:
            leads_to_shown |= one.supported
        # Headings and lead-ins are shown with the next claim that is.
        shown.append(one.supported if one.claim else leads_to_shown and is_structure(one.sentence))
    return text.checked, shown[::-1], text.fallen


def _values_stand(one: LabelledSentence, answer: LabelledAnswer) -> bool:
    by_number = {passage.number: passage for passage in answer.passages}
    for sentence in split(with_plain_references(one.text, answer.passages)):
        cited, _ = references(sentence, by_number)
        there = [tokens(whole(by_number[number])) for number in cited or by_number]
        said = taken_apart(sentence.said, answer.question)
        if not all(any(stands(token, row) for row in there) for _, token in said.values):
            return False
    return True


def _places(key: str, keys: Sequence[str]) -> list[int]:
    """Where a labelled sentence stands among the checked ones, which may be cut elsewhere."""
    same = [place for place, other in enumerate(keys) if other == key]
    return same or [place for place, other in enumerate(keys) if other in key or key in other]


def _key(text: str) -> str:
    """Words and numbers without references, each between blanks."""
    words = re.findall(r"\w+", re.sub(REFERENCE, " ", text, flags=re.IGNORECASE))
    return f" {' '.join(words).casefold()} "
