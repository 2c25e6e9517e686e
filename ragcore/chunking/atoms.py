"""Atoms: the smallest pieces that a chunk is put together from, and how to break one that is too big.

An atom is normally a sentence, list item, table row, code line or heading. Only an atom that
does not fit into a chunk is broken, into words; only a word that does not fit (base64, text
without spaces) into short runs of grapheme clusters; and so on down to one character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import regex

from ragcore.chunking.blocks import WORD, Kind, has_content, trim

CountTokens = Callable[[Sequence[str]], list[int]]

_CHARACTERS_PER_TOKEN = 12
"""No real text has more non-space characters a token. WordPiece turns a run of over 100 letters
into one unknown token; without this floor a 5,000-letter run would count as 1."""

_CLUSTERS_IN_RUN = 16
_WORDS = regex.compile(r"[^\s，、；：]+[，、；：]*|[，、；：]+")
_CLUSTER = regex.compile(r"\X")
_RUN = regex.compile(rf"\X{{1,{_CLUSTERS_IN_RUN}}}")
_CHARACTER = regex.compile(r".", regex.DOTALL)

WHOLE, WORDS = 0, 1
_BREAKING = (_WORDS, _RUN, _CLUSTER, _CHARACTER)


@dataclass(slots=True)
class Atom:
    """``text[start:end]`` of the document text, on page number ``page`` (where it begins)."""

    start: int
    end: int
    kind: Kind
    level: int
    """Strength of the boundary before it: blocks.PARAGRAPH, LINE, SENTENCE or WORD."""
    page: int
    content: bool
    """False when it holds no letter or digit; such an atom never makes a chunk."""
    section: tuple[str, ...] = ()
    table: tuple[int, int] | None = None
    """Span of the table's header rows, for a data row."""
    tokens: int = 0
    glued: bool = False
    """Must stand in one chunk with the atom before it."""
    broken: int = WHOLE
    """How far it has been broken down: WHOLE, WORDS or further."""

    @property
    def heading(self) -> bool:
        return self.kind == "heading"


class TokenCounter:
    """Counts pieces of text without the special tokens that the embedder adds to every text."""

    def __init__(self, count_tokens: CountTokens) -> None:
        self.count_texts = count_tokens
        self.special_tokens = count_tokens([""])[0]

    def pieces(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a part of a longer one. Adding them up is an estimate."""
        distinct = list(dict.fromkeys(texts))
        counts = self.count_texts(distinct) if distinct else []
        tokens = {
            text: max(count - self.special_tokens, len("".join(text.split())) // _CHARACTERS_PER_TOKEN, 0)
            for text, count in zip(distinct, counts, strict=True)
        }
        return [tokens[text] for text in texts]

    def measure(self, text: str, atoms: Sequence[Atom]) -> None:
        """Sets ``tokens``; the white space up to the next atom counts, since some tokenizers see it."""
        ends = [
            following.start if 0 <= following.start - atom.end <= 2 else atom.end
            for atom, following in pairwise(atoms)
        ] + [atom.end for atom in atoms[-1:]]
        texts = [text[atom.start : end] for atom, end in zip(atoms, ends, strict=True)]
        for atom, tokens in zip(atoms, self.pieces(texts), strict=True):
            atom.tokens = tokens


def word_atoms(text: str, whole: Atom) -> list[Atom]:
    """The words of an atom. Punctuation that stands alone is glued to the word before it."""
    return _broken(text, whole, WHOLE)


def has_words(text: str, atom: Atom) -> bool:
    """Whether an atom is still whole and has several words to be broken into."""
    return atom.broken == WHOLE and len(text[atom.start : atom.end].split(None, 1)) > 1


def break_down(text: str, whole: Atom) -> list[Atom]:
    """The next finer pieces of an atom; ``[]`` when it is a single character. Token counts are not set."""
    for depth in range(whole.broken, len(_BREAKING)):
        parts = _broken(text, whole, depth)
        if len(parts) > 1:
            return parts
    return []


def _broken(text: str, whole: Atom, depth: int) -> list[Atom]:
    parts: list[Atom] = []
    for start, end in _spans(text, whole, depth):
        part = replace(whole, start=start, end=end, broken=depth + 1, content=has_content(text[start:end]))
        if parts:
            alone = not part.content or not any(previous.content for previous in parts)
            part.glued = depth + 1 == WORDS and alone
            part.level = WORD
            part.kind = "prose" if whole.heading else whole.kind
        parts.append(part)
    return parts


def _spans(text: str, whole: Atom, depth: int) -> Iterator[tuple[int, int]]:
    for match in _BREAKING[depth].finditer(text, whole.start, whole.end):
        start, end = trim(text, *match.span())
        if start < end:
            yield start, end
