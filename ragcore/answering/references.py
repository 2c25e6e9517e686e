"""The ways in which models write a reference, brought to the one that they were asked for: ``[2]``.

Only what names a passage or a file that was sent is touched; other brackets are the author's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragcore.records import Candidate, Passage, location

NEVER_SENT = 999
"""The number of a place in a known file that was not among the passages."""

_LONGEST_RANGE = 20
_NOUN = r"(?:passages?|sources?|documents?|docs?|references?|refs?)\s*:?\s*"
# 【2】 and 【2†source】, \[2\], [^2], [Source 2], [2, page 3]; [0] is nobody's number, but an index in code.
_ODD = re.compile(
    rf"""【\s*(?P<lenticular>\d{{1,3}})\s*(?:†[^】]*)?】
    |\\\[\s*(?P<escaped>\d{{1,3}})\s*\\\]
    |\[\s*{_NOUN}(?P<named>\d{{1,3}})\s*\]
    |\[\s*\^(?P<footnote>\d{{1,3}})\s*\]
    |\[\s*(?:{_NOUN})?(?P<paged>\d{{1,3}})\s*[,:]\s*(?:pages?|p\.|pp\.)\s*\d+(?:\s*[-–]\s*\d+)?\s*\]
    |\[\s*(?:{_NOUN})?(?P<first>\d{{1,3}})\s*[-–]\s*(?P<last>\d{{1,3}})\s*\]""",
    re.IGNORECASE | re.VERBOSE,
)

# "[1] and [2]": the references move to the end of the sentence, and would leave an "and" behind.
_BETWEEN = re.compile(r"(\[[\d, ]+\])\s*(?:,\s*and|,|;|and|&)\s*(?=\[[\d, ]+\])")


def plain_numbers(reply: str, known: set[int]) -> str:
    """References to ``known`` passages in another form than ``[2]``, a range of them too."""

    def plain(match: re.Match[str]) -> str:
        if match["first"]:
            first, last = int(match["first"]), int(match["last"])
            numbers = list(range(first, min(last, first + _LONGEST_RANGE) + 1))
        else:
            numbers = [int(match[match.lastgroup or 0])]
        if not numbers or not known.issuperset(numbers):
            return match[0]
        return f"[{', '.join(map(str, numbers))}]"

    return _BETWEEN.sub(r"\1 ", _ODD.sub(plain, reply))


def names_to_numbers(reply: str, passages: Sequence[Passage]) -> str:
    """``[terms.pdf:3]`` or ``[terms.pdf, page 3; fees.pdf:1]``, as some models write, becomes ``[2, 1]``.

    Longest names first, so that ``a.pdf`` does not match inside ``ba.pdf``; a place in a known
    file that was not sent becomes a number that was not sent.
    """
    names = sorted({p.candidate.file for p in passages}, key=len, reverse=True)
    if not names:
        return reply
    name = "|".join(r"\s+".join(map(re.escape, file.split())) for file in names)
    # A section's title may hold a pair of brackets itself.
    place = r"(?:[^\[\]\n]|\[[^\[\]\n]*\])*?"
    one = rf"(?P<name>{name})\s*(?:[:,]\s*(?:pages?\s*|pp?\.\s*)?(?P<place>{place}))?"
    end = rf"(?=\s*(?:[;,]\s*(?:{name})\s*[:,;\]]|\]))"
    plain = re.sub(r"\?P<\w+>", "?:", one)
    bracket = re.compile(rf"\[\s*{plain}{end}(?:\s*[;,]\s*{plain}{end})*\s*\]", re.IGNORECASE)
    single = re.compile(one + end, re.IGNORECASE)

    def numbers(match: re.Match[str]) -> str:
        found: list[int] = []
        for reference in single.finditer(match[0]):
            file = " ".join(reference["name"].split()).casefold()
            fits = [p for p in passages if " ".join(p.candidate.file.split()).casefold() == file]
            found += _numbers(fits, (reference["place"] or "").strip().casefold())
        return f"[{', '.join(map(str, dict.fromkeys(found)))}]"

    return bracket.sub(numbers, reply)


def _numbers(passages: list[Passage], place: str) -> list[int]:
    """The passages of one file at ``place``: a page, several, a section; the best one without a place."""
    if not place:
        return [passages[0].number]
    found = []
    whole = [p.number for p in passages if place in _places(p.candidate)]
    for part in [place] if whole else re.split(r"\s*(?:,|;|&|\band\b)\s*", place):
        part = re.sub(r"(?<=\d)\s*–\s*(?=\d)", "-", part)
        fits = [p.number for p in passages if part in _places(p.candidate)]
        found.append(fits[0] if fits else NEVER_SENT)
    return found


def _places(hit: Candidate) -> set[str]:
    pages = {str(number) for number in range(hit.page_start, hit.page_end + 1)} if hit.paged else set()
    # As the document has the title, and as it is cited: in round brackets.
    titles = {form for title in hit.section for form in (title, location(False, 1, 1, (title,))[2:])}
    sections = {form for title in titles for form in (title.casefold(), f"§ {title.casefold()}")}
    return pages | sections | {hit.location.casefold()}
