"""Segments of atoms -> drafts of chunks, by adding up token counts.

Recursive splitting as LangChain's RecursiveCharacterTextSplitter made it known (whole if it fits,
else paragraphs, lines, sentences, words), but in one pass over atoms that are counted once, with
what must stay together kept together. Knows no text and no tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

from ragcore.chunking.atoms import Atom
from ragcore.chunking.blocks import PARAGRAPH, SENTENCE, WORD

_SMALL = 4
"""A chunk of less than a quarter of the room is filled up, or balanced with its neighbour."""


@dataclass(slots=True)
class Draft:
    """A chunk to be: its atoms, of which the first ``overlap`` stand in the previous chunk too."""

    atoms: list[Atom]
    overlap: int = 0
    bare: bool = False
    """True when the header had to be given up for lack of room."""


@dataclass(frozen=True, slots=True)
class Budget:
    """``room(first)`` gives the tokens for text in a chunk that begins with the atom ``first``."""

    room: Callable[[Atom], int]
    overlap: int
    overlap_level: int = SENTENCE
    """Overlap begins at an atom whose boundary is at least this strong: with whole sentences."""


def pack(atoms: list[Atom], budget: Budget) -> list[Draft]:
    """The chunks of one segment, in order. Every atom is fresh in exactly one of them."""
    packer = _Packer(atoms, budget)
    packer.place(0, len(atoms), PARAGRAPH)
    packer.close(len(atoms))
    packer.balance()
    return [packer.draft(n) for n in range(len(packer.closed))]


class _Packer:
    def __init__(self, atoms: list[Atom], budget: Budget) -> None:
        self.atoms = atoms
        self.budget = budget
        self.sums = [0, *accumulate(atom.tokens for atom in atoms)]
        self.closed: list[tuple[int, int]] = []
        self.start = 0
        self.end = 0

    def size(self, i: int, j: int) -> int:
        return self.sums[j] - self.sums[i]

    def room(self, i: int) -> int:
        """Tokens for fresh text of a chunk that begins at ``i``; all but the first keep room for overlap."""
        return max(1, self.budget.room(self.atoms[i]) - (self.budget.overlap if i > 0 else 0))

    def close(self, i: int) -> None:
        """Ends the open chunk before atom ``i`` and opens the next one there."""
        if self.end > self.start:
            self.closed.append((self.start, self.end))
        self.start = self.end = i

    def place(self, i: int, j: int, level: int) -> None:
        """Puts the atoms i..j, which follow the open chunk, into it or into new ones."""
        if self.size(self.start, j) <= self.room(self.start):
            self.end = j
            return
        may_close = self.end > self.start and not self.atoms[i].glued
        fits_alone = self.size(i, j) <= self.room(i)
        is_small = _SMALL * self.size(self.start, self.end) < self.room(self.start)
        keeps_whole = self.atoms[i].kind in ("code", "row") and self.atoms[j - 1].kind == self.atoms[i].kind
        if may_close and fits_alone and (not is_small or keeps_whole):
            self.close(i)
            self.end = j
        elif j - i == 1:
            if may_close:
                self.close(i)
            self.end = j
        else:
            for first, last in self.parts(i, j, level):
                self.place(first, last, level - 1)

    def parts(self, i: int, j: int, level: int) -> list[tuple[int, int]]:
        """i..j cut at the boundaries of this strength, or, below the weakest, at every atom."""
        cuts = [
            k
            for k in range(i + 1, j)
            if level < WORD or (self.atoms[k].level >= level and not self.atoms[k].glued)
        ]
        return list(zip([i, *cuts], [*cuts, j], strict=True))

    def balance(self) -> None:
        """Moves the boundary of the last two chunks when the last one is tiny."""
        if len(self.closed) < 2:
            return
        (start, middle), (_, end) = self.closed[-2:]
        if _SMALL * self.size(middle, end) >= self.room(middle):
            return
        weakest = min(self.atoms[middle].level, SENTENCE)
        fitting = [
            k
            for k in range(start + 1, middle)
            if not self.atoms[k].glued
            and self.atoms[k].level >= weakest
            and self.size(start, k) <= self.room(start)
            and self.size(k, end) <= self.room(k)
            and _SMALL * min(self.size(start, k), self.size(k, end)) >= self.room(k)
        ]
        if not fitting:
            return
        # A stronger boundary is worth an imbalance of a tenth of the chunk.
        tenth = self.room(start) / 10
        best = min(
            fitting,
            key=lambda k: abs(self.size(start, k) - self.size(k, end)) - self.atoms[k].level * tenth,
        )
        self.closed[-2:] = [(start, best), (best, end)]

    def draft(self, n: int) -> Draft:
        start, end = self.closed[n]
        first = self.overlap_start(n) if n else start
        return Draft(self.atoms[first:end], start - first)

    def overlap_start(self, n: int) -> int:
        """How far chunk ``n`` reaches back: whole sentences, never all of the chunk before it."""
        (before, _), (start, end) = self.closed[n - 1 : n + 1]
        best = start
        for k in range(start - 1, before, -1):
            atom = self.atoms[k]
            if self.size(k, start) > self.budget.overlap:
                break
            fits = self.size(k, end) <= self.budget.room(atom)
            if fits and atom.level >= self.budget.overlap_level and not atom.glued:
                best = k
        return best
