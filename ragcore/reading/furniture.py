"""Running headers, footers and page numbers of a paged document.

A line is furniture when the same line (digits masked) stands at the edge of most pages. Whatever
it says is kept once: the first occurrence of a line with words stays in the text of its page, so
that a document number in the header can still be found, and a warning names it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .pdf_lines import PdfLine

_EDGE_LINES = 3
_MIN_PAGES = 3
_MOST = 0.6
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|p|s|página|pagina|stran[ae]|sida|side)?\W*(?:#|[ivxlc]+)\W*"
    r"(?:(?:of|von|de|di|van|av|/)\W*#\W*)?)\W*",
    re.IGNORECASE,
)


def strip_furniture(pages: Sequence[Sequence[PdfLine]]) -> tuple[list[list[PdfLine]], list[str]]:
    """The pages without furniture, and the lines that were taken out, each once as it first stood.

    Unchanged where nothing would be left at all.
    """
    edges = [_edges(lines) for lines in pages]
    counted = sum(1 for lines in pages if lines)
    needed = max(_MIN_PAGES, _MOST * counted)
    tops: Counter[str] = Counter()
    bottoms: Counter[str] = Counter()
    for lines, (top, bottom) in zip(pages, edges, strict=True):
        tops.update({_masked(lines[index].text) for index in top})
        bottoms.update({_masked(lines[index].text) for index in bottom})
    repeated_top = {text for text, count in tops.items() if count >= needed}
    repeated_bottom = {text for text, count in bottoms.items() if count >= needed}
    if not repeated_top and not repeated_bottom:
        return [list(lines) for lines in pages], []
    kept: list[list[PdfLine]] = []
    removed: dict[str, str] = {}
    rest = 0
    for lines, (top, bottom) in zip(pages, edges, strict=True):
        dropped = _peel(lines, top, repeated_top) | _peel(lines, bottom, repeated_bottom)
        rest += len(lines) - len(dropped)
        page: list[PdfLine] = []
        for index, line in enumerate(lines):
            masked = _masked(line.text)
            first = index in dropped and masked not in removed
            if first:
                removed[masked] = line.text
            if index not in dropped or (first and not _PAGE_NUMBER.fullmatch(masked)):
                page.append(line)
        kept.append(page)
    if not rest:
        return [list(lines) for lines in pages], []
    return kept, list(removed.values())


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


def _peel(lines: Sequence[PdfLine], edge: Sequence[int], repeated: set[str]) -> set[int]:
    """From the edge inwards, as long as lines are repeated ones."""
    peeled: set[int] = set()
    for index in edge:
        if _masked(lines[index].text) in repeated:
            peeled.add(index)
        elif not lines[index].aside:
            break
    return peeled


def _masked(text: str) -> str:
    masked = re.sub(r"\d+", "#", " ".join(text.casefold().split()))
    # Roman page numbers stand alone.
    return "#" if re.fullmatch(r"[ivxlc]+", masked) else masked
