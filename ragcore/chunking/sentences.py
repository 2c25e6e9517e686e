"""Where sentences begin and end.

A rule-based segmenter in the manner of Kiss and Strunk's and pySBD's lists: a full stop ends a
sentence unless an abbreviation, an initial, an ordinal or what follows says otherwise. It works
on spans, so that a quotation is always a verbatim slice. It errs towards longer sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ragcore.chunking.blocks import SENTENCE, Block, blocks, trim

_END = regex.compile(
    r"""(?:(?P<soft>[.!?…‽؟۔።]+)|(?P<full>[。！？；｡।॥။։]+))
        (?:["'”’»)\]」』）】》*_]|\[\d{1,3}\])*
        (?(soft)(?=\s))""",
    regex.VERBOSE,
)
_NEXT = regex.compile(r"""\s*["'“‘«„(\[*_¿¡<]*(.?)""", regex.DOTALL)
_LAST_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}.]*$")
_DOTTED = regex.compile(r"\p{L}{1,2}(?:\.\p{L}{1,2})+")
_MONTH = regex.compile(
    r"\s+(?:Jan|Feb|Mär|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec)[\p{L}]*\b\.?", regex.IGNORECASE
)

_NEVER_LAST = regex.compile(
    r"""dr|mrs?|ms|mx|prof|st|mt|rev|hon|gen|col|lt|sgt|capt|gov|sen|rep|messrs|mme|mlle|hr|fr
        |vs|cf|viz|eg|ie|bzw|vgl|inkl|ggf|evtl|sog|resp""",
    regex.VERBOSE,
)
"""Abbreviations that always have something after them."""

_BEFORE_NUMBERS = regex.compile(
    r"""nos?|nr|arts?|abs|secs?|sect|figs?|pp?|ch|chap|vol|paras?|tab|eq|refs?|pt|cl|reg|ext|tel|ed|rs
        |approx|ca|circa|min|max|est|al|ziff|rn|bd
        |jan|feb|mar|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez""",
    regex.VERBOSE,
)
"""Words that are abbreviations only before a number ("No. 5"); "No. It is not." is two sentences."""

_HOUR = regex.compile(r"[ap]\.m")
_AFTER_HOUR = regex.compile(r"\s+(?:[\p{L}]+day\b|\p{Lu}{2,4}\b|Eastern|Central|Mountain|Pacific)")
_SPACED_PAIR = regex.compile(r"\s+\p{L}\.")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans ``(start, end)`` of the sentences of ``text``, in order, covering all but white space.

    List items, table rows, heading lines and lines of code begin sentences of their own; a
    hard-wrapped line break inside a paragraph does not.
    """
    return [(piece.start, piece.end) for piece in pieces(text, 0, len(text))]


def pieces(text: str, start: int, end: int) -> Iterator[Block]:
    """The sentences of ``text[start:end]`` with their kind and the boundary before them."""
    for block in blocks(text, start, end):
        if block.kind not in ("prose", "item"):
            yield block
            continue
        level = block.level
        for first, last in _split(text, block.start, block.end):
            yield Block(first, last, block.kind, level)
            level = SENTENCE


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() >= end:
            break
        if match["full"] or _ends(text, begin, match, end):
            yield trim(text, begin, match.end())
            begin = match.end()
    if begin < end:
        yield trim(text, begin, end)


def _ends(text: str, begin: int, match: regex.Match[str], end: int) -> bool:
    """Whether the punctuation at ``match``, which white space follows, closes the sentence."""
    following = _NEXT.match(text, match.end(), end)[1]
    if following.islower():
        return False
    if match["soft"] != ".":
        return True
    word_match = _LAST_WORD.search(text[max(begin, match.start() - 30) : match.start()])
    if word_match is None:
        return True
    word = word_match[0]
    lowered = word.casefold()
    if _HOUR.fullmatch(lowered):
        return not _AFTER_HOUR.match(text, match.end(), end)
    if _NEVER_LAST.fullmatch(lowered) or _DOTTED.fullmatch(word):
        return False
    if len(word) == 1 and word.isalpha() and (word.isupper() or _SPACED_PAIR.match(text, match.end(), end)):
        return False  # an initial, or "z. B."
    if _BEFORE_NUMBERS.fullmatch(lowered) and (following.isdigit() or following == "§"):
        return False
    if word.isdigit() and len(word) <= 3:
        # "1. Scope" begins a list item or a heading; "am 3. Mai" is a date.
        lead = text[begin : match.start()].strip(" \t(*_>")
        return lead != word and not (len(word) <= 2 and _MONTH.match(text, match.end(), end))
    return True
