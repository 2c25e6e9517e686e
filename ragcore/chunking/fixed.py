"""The fixed strategy: windows of as many words as fit, page by page, blind to structure.

It is there to be compared with. Headings, paragraphs and tables are so many words to it. The
last two windows of a page are evened out when the last would be tiny.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragcore.chunking.atoms import Atom, word_atoms
from ragcore.chunking.outline import PageMap, Segment, group, page_atoms
from ragcore.records import SourceDocument


def word_segments(document: SourceDocument, text: str, page_map: PageMap) -> list[Segment]:
    """The words of each page as one segment; a page without a letter goes with its neighbour."""
    return group(_words(document, text, page_map))


def _words(document: SourceDocument, text: str, page_map: PageMap) -> Iterator[Atom]:
    path: list[tuple[int, str]] = []
    for page, offset in zip(document.pages, page_map.starts, strict=True):
        for atom in page_atoms(page, offset, text, path):
            yield from word_atoms(text, replace(atom, kind="prose", table=None))
