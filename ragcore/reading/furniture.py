"""Running headers, footers and page numbers of a paged document.

A line is furniture when the same line (digits masked) stands at the edge of most pages. Whatever
it says is kept once: the first occurrence of a line with words stays in the text of its page, so
that a document number in the header can still be found, and a warning names it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .pdf_lines import PdfLine

_EDGE_LINES = 3
_MIN_PAGES = 3
_MOST = 0.6
# Books alternate: the title stands on the left pages, the chapter's on the right ones.
_MIN_FACING_PAGES = 4
_MOST_FACING = 0.8
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|p|s|página|pagina|stran[ae]|sida|side)?\W*(?:#|[ivxlc]+)\W*"
    r"(?:(?:of|von|de|di|van|av|/)\W*#\W*)?)\W*",
    re.IGNORECASE,
)

_NUMBERED_WORD = re.compile(r"[^\W\d_]+ #[.:]?")


def strip_furniture(pages: Sequence[Sequence[PdfLine]]) -> tuple[list[list[PdfLine]], list[str]]:
    """The pages without furniture, and the lines with words that were taken out, each once as it
    first stood (page numbers are not told).

    Unchanged where nothing would be left at all.
    """
    edges = [_edges(lines) for lines in pages]
    needed = max(_MIN_PAGES, _MOST * sum(1 for lines in pages if lines))
    sides = []
    for side in (0, 1):
        texts = [
            {lines[index].text for index in edge[side]} for lines, edge in zip(pages, edges, strict=True)
        ]
        counts = Counter(masked for page in texts for masked in {_masked(text) for text in page})
        titles = {masked for masked, count in counts.items() if count > 1 or masked == "#"}
        sides.append((_repeated(texts, counts, needed), titles, _page_offset(texts, needed)))
    kept: list[list[PdfLine]] = []
    removed: dict[str, str] = {}
    rest = 0
    for number, (lines, edge) in enumerate(zip(pages, edges, strict=True), start=1):
        dropped: set[int] = set()
        for indices, (repeated, titles, offset) in zip(edge, sides, strict=True):
            # A line with this page's number is a running title only if its words come again:
            # "1 Scope" may well be the heading on page 1.
            numbered = (
                set()
                if offset is None
                else {
                    lines[index].text
                    for index in indices
                    if number + offset in _outer_numbers(lines[index].text)
                    and _masked(lines[index].text) in titles
                }
            )
            dropped |= _peel(lines, indices, repeated, numbered)
        rest += len(lines) - len(dropped)
        page: list[PdfLine] = []
        for index, line in enumerate(lines):
            masked = _masked(line.text)
            first = index in dropped and masked not in removed and not _PAGE_NUMBER.fullmatch(masked)
            if first:
                removed[masked] = line.text
            if first:
                page.append(replace(line, running=True))
            elif index not in dropped:
                page.append(line)
        kept.append(page)
    if not rest:
        return [list(lines) for lines in pages], []
    return kept, list(removed.values())


def _repeated(texts: Sequence[set[str]], counts: Counter[str], needed: float) -> set[str]:
    """Masked lines that stand at this edge of most pages."""
    wordings: dict[str, set[str]] = {}
    for page in texts:
        for text in page:
            wordings.setdefault(_masked(text), set()).add(text)
    alternating = _on_facing_pages(texts)
    # "Lesson 1", "Lesson 2": a heading that opens each page, unless the word is one for pages.
    return {
        masked
        for masked, count in counts.items()
        if (count >= needed or masked in alternating)
        and not (
            len(wordings[masked]) > 1
            and _NUMBERED_WORD.fullmatch(masked)
            and not _PAGE_NUMBER.fullmatch(masked)
        )
    }


def _on_facing_pages(texts: Sequence[set[str]]) -> set[str]:
    """Masked lines that stand at this edge of nearly all left or nearly all right pages."""
    found: set[str] = set()
    for pages in (texts[0::2], texts[1::2]):
        filled = [page for page in pages if page]
        counts = Counter(masked for page in filled for masked in {_masked(text) for text in page})
        needed = max(_MIN_FACING_PAGES, _MOST_FACING * len(filled))
        found |= {masked for masked, count in counts.items() if count >= needed}
    return found


def _page_offset(texts: Sequence[set[str]], needed: float) -> int | None:
    """What to add to a page's position for the number that most pages print at this edge, beside
    a chapter's name that changes too often to be found as a repeated line."""
    offsets: Counter[int] = Counter()
    for number, page in enumerate(texts, start=1):
        offsets.update({printed - number for text in page for printed in _outer_numbers(text)})
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= needed else None


def _outer_numbers(text: str) -> set[int]:
    """Numbers at the beginning or the end of a line, as a page number stands beside a title."""
    found = (re.match(r"(\d{1,4})(?=\s|$)", text), re.search(r"(?:^|\s)(\d{1,4})$", text))
    return {int(match[1]) for match in found if match}


def _edges(lines: Sequence[PdfLine]) -> tuple[list[int], list[int]]:
    """Indices of the lines at the top and at the bottom, the outermost first.

    By place on the page where it is known: a footer may be drawn before the text. Lines that are
    turned aside (watermarks) are at an edge wherever they stand.
    """
    upright = [index for index, line in enumerate(lines) if not line.aside]
    if all(lines[index].size for index in upright):
        upright.sort(key=lambda index: -lines[index].up)
    aside = [index for index, line in enumerate(lines) if line.aside]
    return [*aside, *upright[:_EDGE_LINES]], upright[::-1][:_EDGE_LINES]


def _peel(lines: Sequence[PdfLine], edge: Sequence[int], repeated: set[str], numbered: set[str]) -> set[int]:
    """From the edge inwards, as long as lines are repeated (masked) or numbered (as they are) ones."""
    peeled: set[int] = set()
    for index in edge:
        text = lines[index].text
        if _masked(text) in repeated or (text in numbered and not _NUMBERED_WORD.fullmatch(_masked(text))):
            peeled.add(index)
        elif not lines[index].aside:
            break
    return peeled


def _masked(text: str) -> str:
    masked = re.sub(r"\d+", "#", " ".join(text.casefold().split()))
    # Roman page numbers stand alone.
    return "#" if re.fullmatch(r"[ivxlc]+", masked) else masked
