"""Signs of an answer being there: what a retrieval shows beyond the best cosine.

A passage that is on the subject scores as high without the answer as with it. These look for the
answer itself: does a thing of the kind that is asked for stand in the evidence? Pure: no database, and
no model but the token vectors and the judge that a caller may bring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragcore.lexical.answer_types import AnswerType, asked_for, holds
from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.weights import inverse_frequencies
from ragcore.records import Candidate
from ragcore.retrieval.judging import LogOddsOf, judged
from ragcore.retrieval.searching import Retrieval
from ragcore.retrieval.soft_coverage import TokenVectors, soft_coverage

SENTENCES = 3
"""How many of the best sentences are looked at together."""
PASSAGES = 5
"""How many candidates; what a larger top-k brings is not looked at."""

TokenVectorsOf = Callable[[Sequence[str]], list[TokenVectors] | None]


@dataclass(frozen=True, slots=True)
class Signals:
    """What is measured of one retrieval. The absences are 1 where a rule knows what is asked and the
    evidence holds nothing of that kind that does not stand in the question already, else 0."""

    asked: AnswerType | None
    """The kind of thing asked for; None when no rule knows."""
    best_cosine: float
    """Raw, -1 to 1; what the cutoff is compared with."""
    lead: float
    """Of the best candidate's cosine over the last one's; 0 to 2."""
    coverage: float
    """Lexical, of the candidate with the best cosine; from 0, 1 when it holds every lexeme. Hybrid only."""
    sentence_coverage: float
    """Share of the question's lexemes by rarity in the best sentence and its headings, 0 to 1. Hybrid only."""
    unknown: float
    """The same share of lexemes that occur nowhere in the collection, 0 to 1. Hybrid only."""
    agreement: float
    """1 where the best candidate by cosine is the best by coverage too, else 0."""
    absent_in_sentence: float
    absent_in_three: float
    """In the three best sentences of all candidates."""
    absent_in_passage: float
    """In the candidate with the best cosine, with its headings."""
    absent_everywhere: float
    """In all candidates."""
    soft_least: float | None = None
    """The worst-met content word, -1 to 1; None without token vectors. See soft_coverage."""
    soft_loss: float | None = None
    """The greatest loss of a content word by rarity, -2 to 0; None without token vectors."""
    judged: float | None = None
    """Log-odds of the likeliest sentence, less what it loses by its distance from the best; None without a judge. See judging."""


def signals(
    retrieval: Retrieval, token_vectors: TokenVectorsOf | None = None, judge: LogOddsOf | None = None
) -> Signals | None:
    """The signals of a retrieval; None when nothing was found.

    ``token_vectors`` costs a pass of the model over the question and up to four sentences, ``judge`` one of
    its own over up to ten.
    """
    candidates = retrieval.candidates[:PASSAGES]
    if not candidates:
        return None
    question = retrieval.question.dense
    best = max(candidates, key=lambda hit: hit.score)
    sentences = _sentences(candidates)
    weights = inverse_frequencies(
        lexemes(retrieval.question.lexical), retrieval.frequencies, retrieval.chunks
    )
    if not retrieval.chunks:
        weights = {}
    asked = asked_for(question)

    def absent(*texts: str) -> float:
        return float(asked is not None and not any(holds(text, asked, question) for text in texts))

    under = " ".join([*sentences[0][0].section, sentences[0][1]])
    least, loss = None, None
    if token_vectors is not None:
        given = token_vectors([question, under, *(text for _, text in sentences[:SENTENCES])])
        if given is not None:
            least, loss = soft_coverage(question, given[0], given[1:], weights)
    return Signals(
        asked=asked,
        best_cosine=best.score if retrieval.top_score is None else retrieval.top_score,
        lead=best.score - min(hit.score for hit in candidates),
        coverage=best.coverage,
        sentence_coverage=_share(weights, set(lexemes(under))),
        unknown=_share(weights, {term for term in weights if not retrieval.frequencies.get(term)}),
        agreement=float(best.coverage == max(hit.coverage for hit in candidates)),
        absent_in_sentence=absent(sentences[0][1]),
        absent_in_three=absent(*(text for _, text in sentences[:SENTENCES])),
        absent_in_passage=absent(_whole(best)),
        absent_everywhere=absent(*map(_whole, candidates)),
        soft_least=least,
        soft_loss=loss,
        judged=None if judge is None else judged(question, candidates, judge),
    )


def _sentences(candidates: Sequence[Candidate]) -> list[tuple[Candidate, str]]:
    """The best sentences of all candidates, best first; whole texts where sentences have no vectors."""
    scored = [(one.score, hit, hit.text[one.start : one.end]) for hit in candidates for one in hit.evidence]
    scored = scored or [(hit.score, hit, hit.text) for hit in candidates]
    return [(hit, text) for _, hit, text in sorted(scored, key=lambda one: -one[0])]


def _whole(hit: Candidate) -> str:
    return "\n".join([" ".join(hit.section), hit.header, hit.text])


def _share(weights: dict[str, float], found: set[str]) -> float:
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in found) / total if total else 0.0
