"""Answering without a model: the best-supported sentences, word for word, each with its place.

It cannot invent anything. What it can do wrong is choose badly, so it chooses by the same
embedder that found the passages, sentence by sentence, alone and under the section's heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ragcore.answering.citations import citation_of
from ragcore.chunking.sentences import sentences
from ragcore.records import Candidate, Citation, EmbedderIdentity

MOST_SENTENCES = 3
MOST_CANDIDATES = 20
"""Only the best passages are read sentence by sentence: a hundred of them take ten seconds."""
FEWEST_WORDS = 4
LONGEST_HEADING = 6
"""A line of fewer words, without a number and without an end, is taken for a heading nobody marked."""
_ENDED = re.compile(r"[.!?:;…。！？]\W*$")
_NUMBER = re.compile(r"\b\d")
_CONTENTS_LINE = re.compile(r"(?:(?:\. ?){2,}|\s\.)\s*\d*$")
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

    @property
    def text(self) -> str:
        """The sentence with its line breaks folded, followed by its citation."""
        return f"{' '.join(self.citation.quote.split())} {self.citation.marker}"


def best_sentences(question: str, candidates: Sequence[Candidate], embedder: SentenceEmbedder) -> list[Quote]:
    """The sentences that answer best: the best one and up to two that come close to it.

    In the order of the document where they are from the same one. Empty only when the
    candidates have no sentences.
    """
    spans = [
        (rank, candidate, start, end)
        for rank, candidate in enumerate(candidates[:MOST_CANDIDATES], start=1)
        for start, end in sentences(candidate.text)
        if _says_something(candidate, start, end)
    ]
    # "Since: 1.6" says too little alone; but a document may have nothing longer.
    spans = [span for span in spans if _words(span) >= FEWEST_WORDS] or spans
    if not spans:
        return []
    alone = [candidate.text[start:end] for _, candidate, start, end in spans]
    asked = embedder.embed_queries([question])[0]
    # Under its heading a sentence is understood, alone it is not drowned by it: the better counts.
    vectors = embedder.embed_documents([*alone, *_under_headings(spans, alone, embedder)])
    scores = (vectors * asked).sum(axis=1).reshape(2, len(spans)).max(axis=0)
    order = np.argsort(-scores, kind="stable")
    kept = [i for i in order[:MOST_SENTENCES] if scores[i] >= scores[order[0]] - MARGIN]
    kept.sort(key=lambda i: (spans[i][0], spans[i][2]))
    return [
        Quote(citation_of(c, start, end, rank), float(scores[i]))
        for i in kept
        for rank, c, start, end in [spans[i]]
    ]


def quoted_answer(quotes: Sequence[Quote]) -> str:
    """The quotes as one text, a paragraph each."""
    return "\n\n".join(quote.text for quote in quotes)


def _says_something(candidate: Candidate, start: int, end: int) -> bool:
    """A heading alone is no answer, nor a line of a table of contents, nor one without letters or digits."""
    text = candidate.text[start:end].strip("#*=- \t\n")
    if not any(map(str.isalnum, text)) or text in candidate.section or _CONTENTS_LINE.search(text):
        return False
    unfinished = not _ENDED.search(text) and not _NUMBER.search(text)
    return not (unfinished and len(text.split()) < LONGEST_HEADING)


def _words(span: tuple[int, Candidate, int, int]) -> int:
    _, candidate, start, end = span
    return len(re.findall(r"\w+", candidate.text[start:end]))


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
