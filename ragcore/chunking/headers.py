"""The lines that stand above a chunk's text when it is embedded: title, section, table header.

A passage without them often does not say what it is about. They cost tokens, so each part is
capped, and left out where the text itself begins with the same line.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragcore.chunking.atoms import Atom, TokenCounter
from ragcore.chunking.blocks import trim
from ragcore.chunking.config import ChunkingConfig
from ragcore.records import SourceDocument

SEPARATOR = " › "
_PATH_SHARE = 4
"""The title path takes at most a quarter of the chunk, the table header at most a third."""
_TABLE_SHARE = 3
_MARKS = "#*_ \t"
_MARKS_LENGTH = 20


class HeaderWriter:
    """Writes the header of the chunk that begins at a given atom, and knows its tokens beforehand."""

    def __init__(
        self, document: SourceDocument, text: str, config: ChunkingConfig, counter: TokenCounter
    ) -> None:
        self.structured = config.strategy != "fixed"
        explicit = sum(heading.explicit for page in document.pages for heading in page.headings)
        self.titled = config.header == "on" or (config.header == "auto" and explicit < 2)
        self.off = config.header == "off"
        self.title = " ".join(document.title.split())
        self.text = text
        self.counter = counter
        self.max_path = config.text_tokens // _PATH_SHARE
        self.max_table = (config.text_tokens - counter.special_tokens) // _TABLE_SHARE
        self.paths: dict[tuple[str, ...], str] = {}
        self.tables: dict[tuple[int, int], str] = {}
        self.tokens: dict[str, int] = {"": 0}

    def prime(self, atoms: Iterable[Atom]) -> None:
        """Counts everything that may stand above one of the atoms, in one batch."""
        atoms = list(atoms)
        spans = {atom.table for atom in atoms if atom.table}
        lines = {line for section in {atom.section for atom in atoms} for line in self._candidates(section)}
        lines |= {self.text[start:end] for start, end in spans}
        self._count(sorted(lines))

    def above(self, first: Atom) -> str:
        """The header of a chunk that begins with ``first``; empty if nothing stands above."""
        lines = [self._path(first), self._table(first)]
        return "\n".join(line for line in lines if line)

    def cost(self, first: Atom) -> int:
        """Tokens of ``above(first)``."""
        return self.tokens[self._path(first)] + self.tokens[self._table(first)]

    def _path(self, first: Atom) -> str:
        if self.off or (not self.titled and (first.heading or not self.structured)):
            return ""
        if first.section not in self.paths:
            self.paths[first.section] = self._fitting(self._candidates(first.section))
        path = self.paths[first.section]
        line = self.text[first.start : first.start + len(path) + _MARKS_LENGTH].split("\n", 1)[0]
        return "" if line.strip(_MARKS) == path else path

    def _table(self, first: Atom) -> str:
        if not first.table:
            return ""
        if first.table not in self.tables:
            rows = self.text[slice(*first.table)]
            self._count([rows])
            self.tables[first.table] = rows if self.tokens[rows] <= self.max_table else ""
        return self.tables[first.table]

    def _candidates(self, section: tuple[str, ...]) -> list[str]:
        """The wished path, then what to fall back on when it has too many tokens."""
        if not self.titled:
            parts = section[-2:]
        elif section and section[-1].casefold() != self.title.casefold():
            parts = (self.title, section[-1])
        else:
            parts = (self.title,)
        parts = tuple(part for part in parts if part)
        return [SEPARATOR.join(parts), parts[-1]] if parts else []

    def _fitting(self, candidates: list[str]) -> str:
        self._count(candidates)
        for line in candidates:
            if self.tokens[line] <= self.max_path:
                return line
        words = candidates[-1].split() if candidates else []
        shorter = [" ".join(words[:n]) for n in range(min(len(words) - 1, self.max_path), 0, -1)]
        self._count(shorter)
        return next((line for line in shorter if self.tokens[line] <= self.max_path), "")

    def _count(self, lines: list[str]) -> None:
        new = [line for line in lines if line not in self.tokens]
        # The line feed below the header counts, for tokenizers that see it.
        self.tokens.update(zip(new, self.counter.pieces([f"{line}\n" for line in new]), strict=True))


def title_line(text: str, start: int, end: int) -> tuple[int, int]:
    """A heading's span with the marks around it on the same line ("## ", a closing "##", "**")."""
    start, end = trim(text, start, end)
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    if not text[line_start:start].strip(_MARKS + ">"):
        start = line_start
    if not text[end:line_end].strip(_MARKS):
        end = line_end
    return trim(text, start, end)
