"""Whether what is about to be shown says the answer, or is only on its subject: by the answer judge.

The sentence that a model rests its answer on has been picked from all that was found, so the judge has one
question to decide where the second opinion at the gate has ten. It reads the document's words, never the
model's: those always look like an answer. Limits: EXPERIMENTS.md, 2026-12-01, the judge trained on invented documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragcore.answering.grounds import Ground
from ragcore.answering.quoting import Quote
from ragcore.records import Passage
from ragcore.retrieval.judging import LogOddsOf, judged_text, judged_words

ANSWERS_FROM = -2.5
"""Log-odds of the sentence that the first claim rests on, below which it is no answer."""
DOUBTED_FROM = -1.5
"""The same where the claim says it in other words and its passage has few of the question's."""
QUOTED_FROM = -2.5
"""Log-odds of the likeliest quotation, from which the documents are quoted where the model's answer is not shown."""
UNSAID = "rests on a sentence that does not say the answer"
"""Why a claim is struck that is supported and beside the question."""


class Saying:
    """The log-odds that sentences of the passages say the answer to one question."""

    def __init__(self, question: str, passages: Sequence[Passage], log_odds: LogOddsOf) -> None:
        """``question``: as it was searched, with its abbreviations spelled out."""
        self._question = question
        self._hits = {passage.number: passage.candidate for passage in passages}
        self._log_odds = log_odds

    def of_ground(self, ground: Ground) -> float:
        """Of the sentence that a claim rests on."""
        return self._of([judged_text(self._hits[ground.passage], ground.start, ground.end)])

    def of_words(self, words: str, number: int) -> float:
        """Of a claim that is a passage's own words."""
        return self._of([judged_words(words, self._hits[number].section)])

    def of_quotes(self, quotes: Sequence[Quote]) -> float:
        """Of the likeliest of some quotations; minus infinity without one."""
        return self._of([judged_words(one.said, one.citation.section) for one in quotes])

    def _of(self, texts: Sequence[str]) -> float:
        return float(max(self._log_odds(self._question, texts))) if texts else float("-inf")
