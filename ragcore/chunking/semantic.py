"""The semantic strategy: sections are cut further where one sentence is least like the next.

The similarity of what stands before and after a gap is followed through a section, as Hearst's
TextTiling (Computational Linguistics 23(1), 1997) does by shared words; here by sentence vectors, with a
percentile of the document's own gaps as the bar, as in Kamradt's "5 levels of text splitting" (2023).
A cut is a local minimum below the bar. What is still too big is cut at its deepest gap.

No vector is made here: ``embed`` comes from outside.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np

from ragcore.chunking.atoms import Atom
from ragcore.chunking.blocks import PARAGRAPH, WORD

Embed = Callable[[Sequence[str]], np.ndarray]
"""Texts -> float32 (n, dimension) of unit length."""

WINDOW = 2
"""How many sentences on either side of a gap are compared."""
PERCENTILE = 20.0
"""A gap is a valley when its similarity is among so many per cent of the lowest of its document."""
_SMALL = 4
"""No cut at a valley leaves less than a quarter of a chunk; see packing."""
_WHOLE = ("item", "row", "code")


def topical_pieces(
    segments: Sequence[list[Atom]], text: str, embed: Embed, room: Callable[[Atom], int]
) -> list[list[Atom]]:
    """The segments, cut at the valleys of their similarity; every atom is in exactly one piece, in order.

    Lists, tables and code are not cut here as long as they fit into a chunk. A piece that has no gap
    to be cut at may be larger than ``room``: packing divides it.
    """
    sections = [_Section(atoms, room) for atoms in segments]
    shown = dict.fromkeys(
        text[atom.start : atom.end] for section in sections for atom in section.atoms_to_compare()
    )
    vectors = dict(zip(shown, embed(list(shown)), strict=True)) if shown else {}
    for section in sections:
        section.compare(lambda atom: vectors[text[atom.start : atom.end]])
    depths = [value for section in sections for value in section.similarity.values()]
    bar = float(np.percentile(depths, PERCENTILE)) if depths else 0.0
    return [piece for section in sections for piece in section.pieces(bar)]


class _Section:
    """The atoms of one segment, the gaps that may be cut (before atom k) and their similarities."""

    def __init__(self, atoms: list[Atom], room: Callable[[Atom], int]) -> None:
        self.atoms = atoms
        self.room = room
        self.sums = [0, *accumulate(atom.tokens for atom in atoms)]
        self.gaps: dict[int, tuple[list[Atom], list[Atom]]] = {}
        self.similarity: dict[int, float] = {}
        # A section of less than two small pieces has nothing to be cut.
        if _SMALL * self.sums[-1] >= 2 * room(atoms[0]):
            together = self._together()
            for k in range(1, len(atoms)):
                if k not in together and not atoms[k].glued and atoms[k].level > WORD:
                    self._add(k)

    def size(self, i: int, j: int) -> int:
        return self.sums[j] - self.sums[i]

    def _add(self, k: int) -> None:
        before = [atom for atom in self.atoms[max(0, k - WINDOW) : k] if atom.content]
        after = [atom for atom in self.atoms[k : k + WINDOW] if atom.content]
        if before and after:
            self.gaps[k] = (before, after)

    def _together(self) -> set[int]:
        """Gaps inside lists, tables and code that fit into a chunk, and after the line that leads in."""
        kept: set[int] = set()
        i = 0
        while i < len(self.atoms):
            j = i + 1
            while j < len(self.atoms) and self._goes_on(j):
                j += 1
            if j - i > 1:
                first = i - 1 if i and self.size(i - 1, j) <= self.room(self.atoms[i - 1]) else i
                if self.size(first, j) <= self.room(self.atoms[first]):
                    kept.update(range(first + 1, j))
            i = j
        return kept

    def _goes_on(self, k: int) -> bool:
        atom, above = self.atoms[k], self.atoms[k - 1]
        same = atom.kind == above.kind and atom.kind in _WHOLE
        return same and (atom.kind == "item" or atom.level < PARAGRAPH)

    def atoms_to_compare(self) -> list[Atom]:
        return [atom for before, after in self.gaps.values() for atom in (*before, *after)]

    def compare(self, vector: Callable[[Atom], np.ndarray]) -> None:
        """Cosine of the mean vectors on either side of each gap."""
        for k, sides in self.gaps.items():
            left, right = (np.mean([vector(atom) for atom in side], axis=0) for side in sides)
            norms = float(np.linalg.norm(left) * np.linalg.norm(right))
            self.similarity[k] = float(left @ right) / norms if norms else 0.0

    def pieces(self, bar: float) -> list[list[Atom]]:
        gaps = sorted(self.similarity)
        values = [np.inf, *(self.similarity[k] for k in gaps), np.inf]
        valleys = {
            k
            for n, k in enumerate(gaps, 1)
            if values[n] <= bar and values[n] <= values[n - 1] and values[n] <= values[n + 1]
        }
        found: list[list[Atom]] = []
        # A stack and no recursion: a page of plain text may have thousands of sentences.
        waiting = [(0, len(self.atoms))]
        while waiting:
            i, j = waiting.pop()
            cut = self._best(i, j, gaps, valleys)
            if cut is None:
                found.append(self.atoms[i:j])
            else:
                waiting += [(cut, j), (i, cut)]
        return found

    def _best(self, i: int, j: int, gaps: list[int], valleys: set[int]) -> int | None:
        """The gap between i and j to be cut, the deepest that may be; None to leave it whole."""
        inside = gaps[bisect_right(gaps, i) : bisect_left(gaps, j)]
        roomy = [
            k
            for k in inside
            if _SMALL * self.size(i, k) >= self.room(self.atoms[i])
            and _SMALL * self.size(k, j) >= self.room(self.atoms[k])
        ]
        if self.size(i, j) <= self.room(self.atoms[i]):
            candidates = [k for k in roomy if k in valleys]
        else:
            candidates = roomy or inside
        return min(candidates, key=self.similarity.__getitem__, default=None)
