"""Pages with headings -> segments: the runs of atoms inside which chunks may be formed.

A segment is a section's text on one page. It reaches over a page break only where it must:
a sentence that the break cuts is completed, and a heading at the foot of a page (or a line of
mere punctuation) is kept with what follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from ragcore.chunking.atoms import Atom
from ragcore.chunking.blocks import PARAGRAPH, has_content, trim
from ragcore.chunking.headers import title_line
from ragcore.chunking.sentences import pieces
from ragcore.records import PAGE_SEPARATOR, Page, SourceDocument

Segment = list[Atom]

_CLOSERS = "\"'”’»)]」』）】*_"
_SENTENCE_FINAL = ".!?…:;。！？；।؟۔"
_NUMBERED_HEADING = regex.compile(r"\d+(?:\.\d+)*\.?\s+\p{Lu}\p{Ll}|\d+\s*(?:\n|$)")


@dataclass(frozen=True, slots=True)
class PageMap:
    """Which physical page an offset of the document text stands on."""

    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, pages: Sequence[Page]) -> PageMap:
        starts, offset = [], 0
        for page in pages:
            starts.append(offset)
            offset += len(page.text) + len(PAGE_SEPARATOR)
        return cls(tuple(starts), tuple(page.number for page in pages))

    def number_at(self, offset: int) -> int:
        return self.numbers[max(0, bisect_right(self.starts, offset) - 1)]

    def breaks(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """``(offset in text[start:end], page number)`` of the pages that begin inside the span."""
        first = bisect_right(self.starts, start)
        last = bisect_right(self.starts, end - 1)
        return tuple((self.starts[i] - start, self.numbers[i]) for i in range(first, last))


def segments(document: SourceDocument, text: str, page_map: PageMap) -> list[Segment]:
    """All atoms of the document in order, grouped into segments; ``[]`` if no page has a letter."""
    found = group(_joined_atoms(document, text, page_map))
    for members in found:
        # Headings without a body count to the section that they are joined with.
        body = next(filter(_is_body, members), members[-1])
        for atom in members:
            atom.section = body.section
    return found


def group(atoms: Iterable[Atom]) -> list[Segment]:
    """Atoms in order -> segments, with what must stay together marked."""
    groups: list[Segment] = []
    # Kept, not asked of the group each time: a page of rules is one group of thousands of atoms.
    has_body = False
    for atom in atoms:
        if groups and not (has_body and (atom.heading or atom.page != groups[-1][-1].page)):
            groups[-1].append(atom)
        else:
            groups.append([atom])
            has_body = False
        has_body |= _is_body(atom)
    if len(groups) > 1 and not has_body:
        groups[-2].extend(groups.pop())
    if len(groups) == 1 and not any(atom.content for atom in groups[0]):
        return []
    for members in groups:
        _glue(members)
    return groups


def _glue(members: Segment) -> None:
    """Marks what must not be parted from the atom before it: what follows a heading, mere
    punctuation, the first data row of a table, and a heading that nothing follows."""
    bare = True
    for i, atom in enumerate(members):
        above = members[i - 1] if i else atom
        first_row = atom.table is not None and above.table is None and above.kind == "row"
        atom.glued = i > 0 and (bare or first_row or atom.heading or not atom.content)
        if atom.content:
            bare = atom.heading


def _is_body(atom: Atom) -> bool:
    return atom.content and not atom.heading


def _joined_atoms(document: SourceDocument, text: str, page_map: PageMap) -> Iterator[Atom]:
    pending: Atom | None = None
    path: list[tuple[int, str]] = []
    for page, offset in zip(document.pages, page_map.starts, strict=True):
        for atom in page_atoms(page, offset, text, path):
            if pending is None:
                pending = atom
            elif _is_cut(text, pending, atom, page_map):
                # Its rest stands on the next page, where the segment then ends with it.
                pending.end = atom.end
            else:
                yield pending
                pending = atom
    if pending is not None:
        yield pending


def page_atoms(page: Page, offset: int, text: str, path: list[tuple[int, str]]) -> Iterator[Atom]:
    """The atoms of one page; ``path`` holds (level, title) of the headings in force and is updated."""
    done, page_end = offset, offset + len(page.text)
    for heading in sorted(page.headings, key=lambda heading: heading.start):
        start = offset + max(0, min(heading.start, len(page.text)))
        end = offset + max(0, min(heading.end, len(page.text)))
        start, end = title_line(text, start, end) if start < end else (start, end)
        start, end = trim(text, max(start, done), min(end, page_end))
        if start >= end:
            continue
        yield from _body_atoms(text, done, start, page.number, path)
        title = " ".join((heading.title or text[start:end]).split())
        path[:] = [(level, above) for level, above in path if level < heading.level]
        path.append((heading.level, title))
        section = tuple(title for _, title in path)
        content = has_content(text[start:end])
        yield Atom(start, end, "heading", PARAGRAPH, page.number, content, section)
        done = end
    yield from _body_atoms(text, done, page_end, page.number, path)


def _body_atoms(text: str, start: int, end: int, page: int, path: list[tuple[int, str]]) -> Iterator[Atom]:
    section = tuple(title for _, title in path)
    for piece in pieces(text, start, end):
        # A heading line that reading did not report is text like any other.
        kind = "line" if piece.kind == "heading" else piece.kind
        content = has_content(text[piece.start : piece.end])
        yield Atom(piece.start, piece.end, kind, piece.level, page, content, section, piece.table)


def _is_cut(text: str, before: Atom, after: Atom, page_map: PageMap) -> bool:
    """Whether a page break cuts a sentence: it is not finished before and goes on after."""
    last_page = page_map.number_at(before.end - 1)
    if after.page != last_page + 1 or before.kind not in ("prose", "item") or after.kind != "prose":
        return False
    tail = text[before.start : before.end].rstrip(_CLOSERS)
    if not tail or tail[-1] in _SENTENCE_FINAL:
        return False
    head = text[after.start]
    if head.isdigit():
        return not _NUMBERED_HEADING.match(text, after.start, after.end)
    return head.islower()
