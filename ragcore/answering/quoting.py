"""Answering without a model: the best-supported sentences, word for word, each with its place.

It cannot invent anything. What it can do wrong is choose badly, so it chooses by the same
embedder that found the passages, sentence by sentence, alone and under the section's heading; by the
very scores that they were found by, where sentences have vectors of their own (EXPERIMENTS.md,
2026-11-30, quoting by the order of search).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ragcore.answering.citations import citation_of
from ragcore.chunking import evidence_spans
from ragcore.lexical.instructions import overlaps_instruction
from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.tables import head_above, is_head, on_one_line
from ragcore.records import Candidate, Citation, EmbedderIdentity
from ragcore.retrieval.fusion import fused, lexical_weight

MOST_SENTENCES = 3
MOST_CANDIDATES = 20
"""Only the best passages are read sentence by sentence: a hundred of them take ten seconds."""
FEWEST_WORDS = 4
MARGIN = 0.08
"""A further sentence is quoted only if its score is within this of the best one's. EXPERIMENTS.md, 2026-11-30."""


class SentenceEmbedder(Protocol):
    identity: EmbedderIdentity

    def embed_queries(self, texts: list[str]) -> np.ndarray: ...

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a candidate, with its score against the question."""

    citation: Citation
    score: float
    head: str = ""
    """Of a table's row: the head of its table."""

    @property
    def said(self) -> str:
        """The sentence on one line, a table's row read out."""
        return on_one_line(self.citation.quote, self.head)

    @property
    def text(self) -> str:
        """The same, followed by its citation."""
        return f"{self.said} {self.citation.marker}"


def best_sentences(question: str, candidates: Sequence[Candidate], embedder: SentenceEmbedder) -> list[Quote]:
    """The sentences that answer best: the best one and up to two that come close to it.

    In the order of the document where they are from the same one. Empty only when the
    candidates have no sentences but heads of tables and such as talk to a model.
    """
    scored = _scored(question, candidates[:MOST_CANDIDATES], embedder)
    # An order to a model is found and can be cited, but it is no answer.
    scored = [one for one in scored if not overlaps_instruction(one.candidate.text, one.start, one.end)]
    # The head of a table says what its rows are about, and nothing of it.
    scored = [one for one in scored if not is_head(one.candidate.text, one.start)]
    # "Since: 1.6" says too little alone; but a document may have nothing longer.
    scored = [one for one in scored if _words(one) >= FEWEST_WORDS] or scored
    scored.sort(key=lambda one: -one.score)
    kept = [one for one in scored[:MOST_SENTENCES] if one.score >= scored[0].score - MARGIN]
    kept.sort(key=lambda one: (one.rank, one.start))
    return [
        Quote(
            citation_of(one.candidate, one.start, one.end, one.rank),
            one.score,
            head_above(one.candidate.text, one.start, one.candidate.header),
        )
        for one in kept
    ]


def quoted_answer(quotes: Sequence[Quote]) -> str:
    """The quotes as one text, a paragraph each."""
    return "\n\n".join(quote.text for quote in quotes)


@dataclass(frozen=True, slots=True)
class _Sentence:
    rank: int
    candidate: Candidate
    start: int
    end: int
    score: float


def _scored(question: str, candidates: Sequence[Candidate], embedder: SentenceEmbedder) -> list[_Sentence]:
    """The sentences of all candidates with the scores that they were found by, or with new ones."""
    ranked = list(enumerate(candidates, start=1))
    weight = lexical_weight(lexemes(question))
    found = [
        # What put the passages in order puts their sentences in order too.
        _Sentence(
            rank,
            candidate,
            evidence.start,
            evidence.end,
            fused(evidence.score, candidate.coverage, weight),
        )
        for rank, candidate in ranked
        for evidence in candidate.evidence
    ]
    bare = [(rank, candidate) for rank, candidate in ranked if not candidate.evidence]
    # Where sentences have vectors, a chunk without one has nothing to say.
    return found or _embedded(question, bare, embedder)


def _embedded(
    question: str, ranked: Sequence[tuple[int, Candidate]], embedder: SentenceEmbedder
) -> list[_Sentence]:
    spans = [
        (rank, candidate, start, end)
        for rank, candidate in ranked
        for start, end in evidence_spans(candidate.text, candidate.section)
    ]
    if not spans:
        return []
    alone = [candidate.text[start:end] for _, candidate, start, end in spans]
    asked = embedder.embed_queries([question])[0]
    # Under its heading a sentence is understood, alone it is not drowned by it: the better counts.
    vectors = embedder.embed_documents([*alone, *_under_headings(spans, alone, embedder)])
    scores = (vectors * asked).sum(axis=1).reshape(2, len(spans)).max(axis=0)
    return [
        _Sentence(rank, candidate, start, end, float(score))
        for (rank, candidate, start, end), score in zip(spans, scores, strict=True)
    ]


def _words(sentence: _Sentence) -> int:
    return len(re.findall(r"\w+", sentence.candidate.text[sentence.start : sentence.end]))


def _under_headings(
    spans: list[tuple[int, Candidate, int, int]], alone: list[str], embedder: SentenceEmbedder
) -> list[str]:
    """Each sentence below its section's heading, or alone where both are more than the model reads."""
    headings = [
        candidate.section[-1] if candidate.section else candidate.header for _, candidate, _, _ in spans
    ]
    under = [f"{heading}\n{text}" if heading else text for heading, text in zip(headings, alone, strict=True)]
    counts = embedder.count_tokens(under)
    limit = embedder.identity.max_tokens
    return [
        long if count <= limit else short for long, short, count in zip(under, alone, counts, strict=True)
    ]
