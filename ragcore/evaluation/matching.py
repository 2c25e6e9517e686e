"""Whether a search hit or a citation is the gold: the one place where the two are compared.

White space is folded on both sides. A quote may stand in the chunk's text or in the header above it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

import regex

from ragcore.evaluation.question import EvalQuestion, Gold
from ragcore.records import Candidate, Citation, page_at


def folded(text: str, *, ignore_case: bool = False) -> str:
    """NFC, one blank for any run of white space, none around."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text.casefold() if ignore_case else text


def matches(hit: Candidate, gold: Gold) -> bool:
    """Whether the hit holds the quote of the gold, in its document and at its place.

    A page counts where the quote begins; a section counts where the chunk's section path or the
    chunk itself names it (a chunk may join several short sections).
    """
    if gold.document and not same_file(hit.file, gold.document):
        return False
    whole = f"{hit.header}\n{hit.text}"
    if folded(gold.quote, ignore_case=gold.substring) not in folded(whole, ignore_case=gold.substring):
        return False
    if gold.page is not None:
        return gold.page in _pages(hit, gold)
    return gold.section is None or _in_section(hit, gold.section)


def gold_rank(hits: Sequence[Candidate], question: EvalQuestion) -> int | None:
    """1-based rank of the first hit that holds any of the gold; None if none does."""
    return next((rank for rank, relevant in enumerate(relevant_hits(hits, question), 1) if relevant), None)


def gold_ranks(hits: Sequence[Candidate], gold: Sequence[Gold]) -> tuple[int | None, ...]:
    """For every gold the 1-based rank of the first hit that holds it, or None."""
    return tuple(next((rank for rank, hit in enumerate(hits, 1) if matches(hit, one)), None) for one in gold)


def relevant_hits(hits: Sequence[Candidate], question: EvalQuestion) -> tuple[bool, ...]:
    """For every hit whether it holds any of the gold."""
    return tuple(any(matches(hit, gold) for gold in question.gold) for hit in hits)


def citation_right(citation: Citation, question: EvalQuestion) -> bool:
    """Whether a citation names the file and the page (or section, without pages) of any gold.

    Gold without a document (imported substrings) is right where the cited quote contains it.
    """
    return any(_cites(citation, gold) for gold in question.gold)


def same_file(one: str, other: str) -> bool:
    """File names compared as a reader would: case and Unicode composition do not matter."""
    return folded(one, ignore_case=True) == folded(other, ignore_case=True)


def _cites(citation: Citation, gold: Gold) -> bool:
    if not gold.document:
        return folded(gold.quote, ignore_case=True) in folded(citation.quote, ignore_case=True)
    if not same_file(citation.file, gold.document):
        return False
    if gold.page is not None:
        return citation.page == gold.page
    return gold.section is None or not citation.section or _names(citation.section, gold.section)


def _in_section(hit: Candidate, section: str) -> bool:
    if not hit.section or _names(hit.section, section):
        return True
    return folded(section, ignore_case=True) in folded(f"{hit.header}\n{hit.text}", ignore_case=True)


def _names(path: Sequence[str], section: str) -> bool:
    return folded(section, ignore_case=True) in [folded(title, ignore_case=True) for title in path]


def _pages(hit: Candidate, gold: Gold) -> set[int]:
    """Pages on which the quote begins; every page of the hit where it cannot be placed."""
    pages = {page_at(hit.page_start, hit.page_offsets, start) for start in _starts(hit.text, gold)}
    return pages or set(range(hit.page_start, hit.page_end + 1))


def _starts(text: str, gold: Gold) -> Iterator[int]:
    """Offsets in the text as stored, for the page of a quote depends on where it stands."""
    words = gold.quote.split()
    if words:
        flags = regex.IGNORECASE | regex.FULLCASE if gold.substring else regex.V0
        pattern = r"\s+".join(regex.escape(word) for word in words)
        yield from (match.start() for match in regex.finditer(pattern, text, flags))
