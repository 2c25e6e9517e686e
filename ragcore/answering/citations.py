"""Citations: reading them out of a reply, matching them to the passages that were sent.

A model cites by passage number. Here the numbers become ``[file.pdf:page]``, and numbers and names
that were never sent are removed and counted. Whether a cited passage supports the sentence is not
decided here.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from ragcore.answering.claims import REFERENCE, Sentence, split
from ragcore.answering.references import names_to_numbers, plain_numbers
from ragcore.chunking.sentences import sentences
from ragcore.records import Candidate, Citation, Passage, location, page_at

CONTAINED_FROM = 0.7
"""Share of a sentence's content words that must stand in a passage for it to be its source."""

_NUMBERS = re.compile(REFERENCE, re.I)
_WORD = re.compile(r"[^\W_]+(?:[.,:/-]\d+)*", re.UNICODE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her his i if in into is it "
    "its must no not of on or our per she should so such than that the their them then there these they this "
    "those to was we were what when where which who will with would you your".split()
)


def only_references(reply: str, passages: Sequence[Passage]) -> list[int] | None:
    """The passages that a reply refers to which says nothing else, as small models sometimes answer: ``[2]``.

    None for a reply with words of its own.
    """
    by_number = {passage.number: passage for passage in passages}
    found = split(with_plain_references(reply, passages))
    if any(_content_words(sentence.bare) for sentence in found):
        return None
    return list(dict.fromkeys(number for one in found for number in references(one, by_number)[0]))


def with_plain_references(reply: str, passages: Sequence[Passage], *, cut: bool = True) -> str:
    """The reply with every reference written as ``[2]``, and without one that was cut off at its end.

    ``cut`` is False for a reply that still goes on.
    """
    plain = names_to_numbers(plain_numbers(reply, {one.number for one in passages}), passages)
    return _drop_dangling_bracket(plain) if cut else plain


def references(sentence: Sentence, known: Container[int]) -> tuple[list[int], int]:
    """The ``known`` passages that a sentence refers to, and how many others it does."""
    numbers: list[int] = []
    unknown = 0
    for match in _NUMBERS.finditer(sentence.text):
        for number in map(int, re.findall(r"\d+", match.group())):
            if number not in known:
                unknown += 1
            elif number not in numbers:
                numbers.append(number)
    return numbers, unknown


def contains(passage: Passage, sentence: Sentence) -> bool:
    """Whether a passage plainly contains a sentence."""
    return _share(_content_words(sentence.bare), passage) >= CONTAINED_FROM


class WrittenText:
    """An answer as it is put together, sentence by sentence, and its citations, each place once."""

    def __init__(self) -> None:
        self.text = ""
        self._citations: dict[tuple[int, str], Citation] = {}

    @property
    def citations(self) -> list[Citation]:
        """In the order of first appearance."""
        return list(self._citations.values())

    def add(self, sentence: Sentence, sources: Sequence[Passage], note: str = "") -> str:
        """Append a sentence with its citations, and a note behind them; returns what was appended."""
        markers = ""
        for passage in sources:
            citation = cite(passage, sentence.bare)
            self._citations.setdefault((citation.chunk_id, citation.marker), citation)
            if citation.marker not in markers:
                markers += f" {citation.marker}"
        piece = _with_markers(sentence.bare, markers + note) + sentence.gap
        self.text += piece
        return piece


def cite(passage: Passage, claim: str) -> Citation:
    """The citation of a passage for a claim: its best matching sentence, on that sentence's page."""
    hit = passage.candidate
    spans = sentences(hit.text) or [(0, len(hit.text))]
    words = _content_words(claim)
    start, end = max(spans, key=lambda span: len(words & _content_words(hit.text[span[0] : span[1]])))
    return citation_of(hit, start, end, passage.number)


def citation_of(hit: Candidate, start: int, end: int, passage_number: int = 0) -> Citation:
    """The citation of ``hit.text[start:end]``, on the page or pages on which it stands."""
    first = page_at(hit.page_start, hit.page_offsets, start)
    last = page_at(hit.page_start, hit.page_offsets, max(start, end - 1))
    return Citation(
        file=hit.file,
        page=first,
        quote=hit.text[start:end],
        location=location(hit.paged, first, last, hit.section),
        document_id=hit.document_id,
        chunk_id=hit.chunk_id,
        section=hit.section,
        page_label=hit.page_label if first == hit.page_start else None,
        passage=passage_number,
    )


def _drop_dangling_bracket(reply: str) -> str:
    return re.sub(r"\s*\[[^\]\n]{0,60}\Z", "", reply)


def _with_markers(sentence: str, markers: str) -> str:
    """Put the markers before the final punctuation, as in ``... 20 days [a.pdf:3].``"""
    sentence = re.sub(r"[ \t]+([.,;:!?])", r"\1", re.sub(r"[ \t]{2,}", " ", sentence)).rstrip()
    sentence = re.sub(r"([.!?])(?:\s*\1)+$", r"\1", sentence) if not sentence.endswith("...") else sentence
    body, final = re.fullmatch(r"(?s)(.*?)([.!?:;]*)", sentence).groups()
    return f"{body}{markers}{final}"


def _share(words: set[str], passage: Passage) -> float:
    """Share of a sentence's content words that stand in the passage; 0 when one of its numbers does not."""
    there = _content_words(f"{passage.candidate.header} {passage.candidate.text}")
    if not words or any(word[0].isdigit() and word not in there for word in words):
        return 0.0
    return len(words & there) / len(words)


def _content_words(text: str) -> set[str]:
    words = {word.casefold().rstrip(".,") for word in _WORD.findall(_THOUSANDS.sub("", text))}
    return {_stem(word) for word in words if word not in _STOP_WORDS}


def _stem(word: str) -> str:
    """Plural and verb endings off long words: enough to match "days" with "day"."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word[0].isdigit():
            return word[: -len(ending)]
    return word
