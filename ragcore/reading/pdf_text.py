"""Lines of all pages -> text of each page: cut words joined, paragraphs, headings.

Paragraphs are told by the distance between lines, which needs the positions that most files
give; without them the lines stay one paragraph.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from ragcore.records import Heading

from .blocks import Block, assemble
from .cleaning import join_cut_words, word_counts
from .headings import Found, TextLine, find_headings
from .pdf_lines import PdfLine
from .pdf_outline import Match

_PARAGRAPH_GAP = 1.3  # line distances
_ROW_DISTANCE = 4.0  # type sizes; the rows of a table are often set wider than lines
_MIN_GAPS = 4
_USUAL_LEADING = 1.7  # type sizes; looser than most texts are set
# So many bookmarks found in the text describe it: guesses are not needed then.
_ENOUGH_BOOKMARKS = 3
_CUT_END = re.compile(r"[^\W\d_]-$")
_WORD_START = re.compile(r"^\S+\s*")
_LIST_ITEM = re.compile(r"^(?:[-*•·‣◦▪–●○]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_PageText = tuple[str, tuple[Heading, ...]]


def page_texts(
    pages: Sequence[Sequence[PdfLine]], matches: Sequence[Match], extras: Sequence[Sequence[str]]
) -> list[_PageText]:
    """``(text, headings)`` of each page. ``extras`` are lines that follow a page's text (form values)."""
    leading = _line_distance([pair for lines in pages for pair in _pairs(lines)])
    breaks = [_breaks(lines, leading) for lines in pages]
    explicit: list[dict[int, Found]] = [{} for _ in pages]
    for match in matches:
        explicit[match.page_index][match.first] = Found(match.first, match.last, match.level, "", True)
    guesses = _guesses(pages, breaks) if len(matches) < _ENOUGH_BOOKMARKS else [{} for _ in pages]
    counts = word_counts("\n".join(line.text for lines in pages for line in lines))
    texts = []
    for lines, page_breaks, marked, guessed, extra in zip(
        pages, breaks, explicit, guesses, extras, strict=True
    ):
        taken = {index for found in marked.values() for index in range(found.first, found.last + 1)}
        headings = marked | {
            first: found
            for first, found in guessed.items()
            if not taken & set(range(found.first, found.last + 1))
        }
        blocks = list(_blocks(lines, page_breaks, headings, counts))
        blocks += [Block(line, tight=position > 0) for position, line in enumerate(extra)]
        texts.append(assemble(blocks))
    return texts


def _guesses(pages: Sequence[Sequence[PdfLine]], breaks: Sequence[set[int]]) -> list[dict[int, Found]]:
    """Guessed headings by page and first line; looked for over the whole document at once, because
    body type and section numbers belong to the document."""
    stream: list[TextLine] = []
    places: list[tuple[int, int]] = []
    for page_index, (lines, page_breaks) in enumerate(zip(pages, breaks, strict=True)):
        for index, line in enumerate(lines):
            if index == 0 or index in page_breaks:
                stream.append(TextLine(""))
                places.append((page_index, -1))
            # A footer above everything that follows would be a false title of it all.
            never = line.tabular or line.aside or line.running
            stream.append(TextLine(line.text, line.size, line.bold, never))
            places.append((page_index, index))
    guesses: list[dict[int, Found]] = [{} for _ in pages]
    for found in find_headings(stream):
        page_index, first = places[found.first]
        last_page, last = places[found.last]
        if page_index == last_page and first >= 0:
            guesses[page_index][first] = replace(found, first=first, last=last)
    return guesses


def _blocks(
    lines: Sequence[PdfLine], breaks: set[int], headings: dict[int, Found], counts: Counter[str]
) -> Iterator[Block]:
    paragraph: list[PdfLine] = []
    index = 0
    while index < len(lines):
        heading = headings.get(index)
        if paragraph and (heading or index in breaks):
            yield Block(_joined(paragraph, counts))
            paragraph = []
        if heading:
            text = "\n".join(line.text for line in lines[heading.first : heading.last + 1])
            yield Block(text, heading.level, heading.explicit, title=heading.title)
            index = heading.last + 1
        else:
            paragraph.append(lines[index])
            index += 1
    if paragraph:
        yield Block(_joined(paragraph, counts))


def _joined(lines: Sequence[PdfLine], counts: Counter[str]) -> str:
    """The lines of a paragraph; the rest of a cut word is moved up to the line where it begins."""
    texts = [line.text for line in lines]
    for index in range(len(texts) - 1):
        if not _CUT_END.search(texts[index]):
            continue
        rest = _WORD_START.match(texts[index + 1])
        if rest is None:
            continue
        whole = join_cut_words(f"{texts[index]}\n{rest[0].rstrip()}", counts)
        if "\n" not in whole:
            texts[index] = whole
            texts[index + 1] = texts[index + 1][rest.end() :]
    return "\n".join(text for text in texts if text)


def _pairs(lines: Sequence[PdfLine]) -> list[tuple[PdfLine, PdfLine]]:
    return [pair for pair in itertools.pairwise(lines) if pair[0].size and pair[1].size]


def _line_distance(pairs: Sequence[tuple[PdfLine, PdfLine]]) -> float:
    """The usual distance between the baselines of two lines, in type sizes."""
    distances = [
        (before.up - after.up) / before.size
        for before, after in pairs
        if before.size == after.size and 0.5 * before.size < before.up - after.up < 4 * before.size
    ]
    return median(distances) if len(distances) >= _MIN_GAPS else _USUAL_LEADING


def _breaks(lines: Sequence[PdfLine], leading: float) -> set[int]:
    """Indices of the lines that begin a new paragraph (the first one is not among them)."""
    page_leading = min(leading, _line_distance(_pairs(lines)))
    breaks = set()
    for index, (before, after) in enumerate(itertools.pairwise(lines), start=1):
        if before.aside != after.aside or before.angle != after.angle:
            breaks.add(index)
        elif not before.size or not after.size:
            continue
        elif max(before.size, after.size) > 1.12 * min(before.size, after.size):
            breaks.add(index)
        elif before.tabular and after.tabular and 0 < before.up - after.up < _ROW_DISTANCE * before.size:
            continue
        else:
            goes_on = after.text[0].islower() and before.text[-1] not in ".!?:"
            distance = before.up - after.up
            # Upwards means: the next column. Its first line may end a sentence of the last one.
            apart = distance <= 0 or distance > _PARAGRAPH_GAP * page_leading * before.size
            if apart and not goes_on and not (distance == 0 and not _LIST_ITEM.match(after.text)):
                breaks.add(index)
    return breaks
