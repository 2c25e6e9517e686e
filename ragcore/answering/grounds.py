"""What a claim can rest on: the sentences of the passages, alone and two together, with what stands above.

A row of a table is read under the table's first row, a sentence under its headings: "£112" is said of
female cats only where the heads of the columns are read with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ragcore.answering.quoting import SentenceEmbedder
from ragcore.chunking.evidence import says_something
from ragcore.chunking.sentences import sentences
from ragcore.lexical.facts import Token, folded, tokens
from ragcore.lexical.instructions import without_instructions
from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.tables import is_row, is_rule
from ragcore.records import Candidate, Expansion, Passage

ROWS_FROM = 0.7
"""Share of the lines of a "sentence" that begin with a capital, from which on they are rows, not prose."""


@dataclass(frozen=True)
class Ground:
    """A sentence of a passage, or two that follow one another: ``text[start:end]`` of its candidate."""

    passage: int
    start: int
    end: int
    text: str
    above: str
    """Headings, and the head of the table that a row belongs to."""
    sentences: int = 1
    row: bool = False
    """Of a table, also of one that has lost its rules."""
    short: frozenset[str] = frozenset()
    """Lexemes of the question's abbreviations that are spelled out here."""

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens(self.text)

    @cached_property
    def tokens_above(self) -> list[Token]:
        return tokens(self.above)

    @cached_property
    def lexemes(self) -> frozenset[str]:
        return frozenset(lexemes(f"{self.above}\n{self.text}")) | self.short

    @property
    def read(self) -> str:
        """As it is embedded: under what stands above."""
        return f"{self.above}\n{self.text}" if self.above else self.text


def grounds_of(passage: Passage) -> list[Ground]:
    """The sentences of a passage that say something, then every two that follow one another."""
    hit = passage.candidate
    # An order to a model is no evidence: what it demands stands in the passage, and is no fact.
    hit = replace(hit, text=without_instructions(hit.text), header=without_instructions(hit.header))
    above = " › ".join(map(without_instructions, hit.section)) or hit.header.split("\n")[0]
    singles: list[Ground] = []
    head = next((line for line in hit.header.split("\n") if is_row(line)), "")
    in_table = bool(head)
    for first, last in sentences(hit.text):
        lines = _lines(hit.text, first, last)
        for start, end in lines:
            text = hit.text[start:end]
            if is_rule(text):
                continue
            ruled = is_row(text)
            if ruled and not in_table:
                head = text
            in_table = ruled
            if not ruled:
                head = ""
                if not says_something(text, hit.section):
                    continue
            under = f"{above}\n{head}" if head and text != head else above
            singles.append(Ground(passage.number, start, end, text, under, row=ruled or len(lines) > 1))
    pairs = [
        Ground(passage.number, one.start, two.end, hit.text[one.start : two.end], above, 2)
        for one, two in pairwise(singles)
        if not one.row and not two.row
    ]
    return singles + pairs


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a table that has lost its rules, as tables of PDFs have; else the sentence as it is."""
    lines = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^\n]*\S[^\n]*", text[start:end])]
    begun = sum(text[first:last].lstrip()[:1].isupper() for first, last in lines[1:])
    if len(lines) < 3 or begun < (len(lines) - 1) * ROWS_FROM:
        return [(start, end)]
    return lines


@dataclass
class Grounds:
    """The grounds of all passages of an answer, with what is measured of them, once and when it is asked for."""

    question: str
    passages: Sequence[Passage]
    embedder: SentenceEmbedder
    abbreviations: Sequence[Expansion] = ()
    """Of the question, as it was searched: "EAP" is said by a passage on the Employee Assistance Program."""
    _asked: dict[int, list[float]] = field(default_factory=dict)
    _question: np.ndarray | None = None
    _said: tuple[str, np.ndarray] | None = None
    _vectors: dict[tuple[int, int, int], np.ndarray] = field(default_factory=dict)
    _plain: dict[int, list[str]] = field(default_factory=dict)
    _elsewhere: dict[int, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def by_passage(self) -> dict[int, list[Ground]]:
        return {
            passage.number: [
                replace(one, short=self._short(one.lexemes)) if self.abbreviations else one
                for one in grounds_of(passage)
            ]
            for passage in self.passages
        }

    @cached_property
    def words(self) -> dict[int, frozenset[str]]:
        """By passage all its lexemes, with those of its headings and its file's name."""
        found = {passage.number: frozenset(lexemes(whole(passage))) for passage in self.passages}
        return {number: words | self._short(words) for number, words in found.items()}

    def _short(self, words: frozenset[str]) -> frozenset[str]:
        """The lexemes of the abbreviations whose long forms are among the words."""
        return frozenset(
            word
            for one in self.abbreviations
            if all(any(_spelled_alike(long, other) for other in words) for long in lexemes(one.long))
            for word in lexemes(one.short)
        )

    @cached_property
    def tokens(self) -> dict[int, list[Token]]:
        """By passage all its tokens, those of the headings first."""
        return {passage.number: tokens(whole(passage)) for passage in self.passages}

    def headings(self, numbers: Sequence[int]) -> list[Token]:
        """The tokens of the headings of these passages."""
        return tokens("\n".join(title for number in numbers for title in self._hit(number).section))

    @property
    def _searched(self) -> list[int]:
        """The passages whose sentences search has compared with the question; all where it has none."""
        found = [one.number for one in self.passages if one.candidate.evidence]
        return found or [one.number for one in self.passages]

    def plain(self, number: int) -> list[str]:
        """The words of a passage's text in order, in lower case."""
        if number not in self._plain:
            self._plain[number] = plain_words(self._hit(number).text)
        return self._plain[number]

    def titles_elsewhere(self, number: int) -> frozenset[str]:
        """Words in the titles of other sections of the same document that passage ``number`` does not have."""
        if number not in self._elsewhere:
            own = self._hit(number)
            titles = [
                title
                for one in self.passages
                if one.candidate.document_id == own.document_id
                for title in one.candidate.section[-1:]
            ]
            self._elsewhere[number] = frozenset(lexemes("\n".join(titles))) - self.words[number]
        return self._elsewhere[number]

    def has_own_section(self, numbers: Sequence[int]) -> str:
        """An abbreviation of the question ("HSA") that stands in the heading of a passage, and nowhere in these.

        Empty where there is none: the passages of ``numbers`` may be on what is asked.
        """
        if self.question.isupper():
            return ""
        for short in re.findall(r"\b[A-Z]{2,6}\b", self.question):
            words = frozenset(lexemes(short))
            if words and not any(words <= self.words[number] for number in numbers):
                headings = (lexemes("\n".join(one.candidate.section)) for one in self.passages)
                if any(words <= frozenset(heading) for heading in headings):
                    return short
        return ""

    def _hit(self, number: int) -> Candidate:
        return next(one.candidate for one in self.passages if one.number == number)

    def of(self, number: int) -> list[Ground]:
        return self.by_passage.get(number, [])

    def asked(self, number: int) -> list[float]:
        """Of every ground the cosine against the question: as search has it, else measured here."""
        if number not in self._asked:
            hit = self._hit(number)
            found = self.of(number)
            if hit.evidence:
                self._asked[number] = [
                    max(
                        (e.score for e in hit.evidence if e.start < ground.end and e.end > ground.start),
                        default=-1.0,
                    )
                    for ground in found
                ]
            else:
                if self._question is None:
                    self._question = self.embedder.embed_queries([beginning(self.embedder, self.question)])[0]
                vectors = embedded(self.embedder, found)
                self._asked[number] = [float(score) for score in (vectors * self._question).sum(axis=1)]
        return self._asked[number]

    @cached_property
    def best_asked(self) -> float:
        """The best of them over all passages."""
        return max((score for number in self._searched for score in self.asked(number)), default=-1.0)

    def similarity(self, claim: str, grounds: Sequence[Ground]) -> float:
        """The best cosine of the claim with any of the grounds; -1 without one."""
        return float(self._similarities(claim, grounds).max(initial=-1.0))

    def closest(self, claim: str, grounds: Sequence[Ground]) -> Ground:
        """The one of the grounds, at least one, that is closest to the claim."""
        return grounds[int(self._similarities(claim, grounds).argmax())]

    def _similarities(self, claim: str, grounds: Sequence[Ground]) -> np.ndarray:
        """Cosines, float (n,)."""
        if not grounds:
            return np.empty(0)
        if self._said is None or self._said[0] != claim:
            self._said = (
                claim,
                self.embedder.embed_documents([beginning(self.embedder, claim)])[0],
            )
        new = [one for one in grounds if (one.passage, one.start, one.end) not in self._vectors]
        for one, vector in zip(new, embedded(self.embedder, new), strict=True):
            self._vectors[one.passage, one.start, one.end] = vector
        vectors = np.stack([self._vectors[one.passage, one.start, one.end] for one in grounds])
        return (vectors * self._said[1]).sum(axis=1)


def _spelled_alike(one: str, other: str) -> bool:
    """Whether two stems are one word in British and American spelling: "programm" and "program"."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 4 and len(longer) - len(shorter) <= 2 and longer.startswith(shorter)


def whole(passage: Passage) -> str:
    """All that a passage says, with what stands above it; orders to a model left out."""
    hit = passage.candidate
    return "\n".join(map(without_instructions, [hit.file, *hit.section, hit.header, hit.text]))


def plain_words(text: str) -> list[str]:
    """Words and numbers in lower case, without punctuation: what a quotation is compared by."""
    return re.findall(r"\w+(?:[.,:]\d+)*", folded(text).casefold())


def embedded(embedder: SentenceEmbedder, grounds: Sequence[Ground]) -> np.ndarray:
    """Float32 (n, dimension), unit length: each under what stands above it, alone where that is too long."""
    if not grounds:
        return np.empty((0, embedder.identity.dimension), dtype=np.float32)
    counts = embedder.count_tokens([ground.read for ground in grounds])
    limit = embedder.identity.max_tokens
    return embedder.embed_documents(
        [
            ground.read if count <= limit else beginning(embedder, ground.text)
            for ground, count in zip(grounds, counts, strict=True)
        ]
    )


def beginning(embedder: SentenceEmbedder, text: str) -> str:
    """As many words of ``text`` as the model reads, from its first on."""
    limit = embedder.identity.max_tokens
    words = text.split()
    while words and embedder.count_tokens([" ".join(words)])[0] > limit:
        words = words[: len(words) * 3 // 4]
    return " ".join(words)
