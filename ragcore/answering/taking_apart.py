"""A claim taken apart, beside its question: what it brings, and what it is about.

What the question says already is brought by nobody: "The fee for a cadet is £8" brings £8. An answer
that is only a value is about what the question is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ragcore.answering.claims import LEADING_ANSWER
from ragcore.lexical.fact_matching import compared, spans
from ragcore.lexical.facts import Token, folded, tokens
from ragcore.lexical.lexemes import is_identifying, lexemes
from ragcore.lexical.polarity import denies

_VALUES = ("number", "date", "time", "code")
_NAME = regex.compile(r"(?<![\p{L}\d])\p{Lu}[\p{L}'’-]*(?:\p{L}|\d)")
_EMPTY = frozenset(
    """answer passag document state accord mention follow provid inform say said thing use may must need not no
    cannot never nobodi none nor neither without except yes also more most any all each one other only then there here per have been""".split()
)


@dataclass(frozen=True)
class Said:
    """A claim taken apart, beside the question."""

    text: str
    question: str
    row: list[Token]
    values: list[tuple[int, Token]]
    """Numbers, dates, times and codes that the question does not bring, with their places in ``row``."""
    names: list[str]
    """The same of names."""
    own: frozenset[str]
    """Lexemes that the question does not bring, values and names left out."""
    subject: frozenset[str]
    """What it is about: its lexemes without what it states; the question's where nothing else is left."""
    answer: str
    """"yes" or "no" where it is nothing but that."""

    words: frozenset[str]
    """Its lexemes without numbers and codes, which may be written in another way."""
    bare: bool
    """Whether it is only a value, a name or a word or two: an answer, not a sentence."""
    belies_its_yes: bool
    """Whether it says yes and then denies: "Yes, unused days do not carry over"."""

    @property
    def stated(self) -> list[Token]:
        """All its numbers, dates, times and codes, also those that the question brings."""
        return [token for token in self.row if token.kind in _VALUES and not token.soft]


_BARE_TOKENS = 6
"""A sentence has more tokens, or one of these."""
_FINITE = frozenset(
    """is are was were be has have had do does did can may must need should shall will would could cannot
    cost come go take make get give pay apply begin start end close open last run expire lapse hold keep need
    want include require carry bring receive allow""".split()
)


def taken_apart(claim: str, question: str) -> Said:
    """A claim beside its question. ``claim`` without references and pointing words."""
    lead = LEADING_ANSWER.match(claim)
    rest = claim[lead.end() :] if lead else claim
    answer = lead[1].casefold() if lead and not regex.search(r"\w", rest) else ""
    text = folded(question if answer else rest)
    asked = tokens(question)
    row = tokens(text)
    values = [
        (place, token)
        for place, token in enumerate(row)
        if token.kind in _VALUES
        and not token.soft
        and not any(compared(token, one, ()) is not None for one in asked)
    ]
    known = set(lexemes(question))
    stated = {word for _, token in values for word in lexemes(token.text)}
    names = [] if answer else [name for name in _names(text, known) if not set(lexemes(name)) <= stated]
    said = set(lexemes(text)) - _EMPTY
    stated |= {word for name in names for word in lexemes(name)}
    own = {word for word in said - stated - known if not word.isdigit()}
    finite = any(token.text in _FINITE for token in row)
    bare = not answer and not finite and len(row) <= _BARE_TOKENS and len(said & known) < _SUBJECT
    if bare:
        # "Fog": an answer in a word or two is a thing that must be there, as a name is.
        names += sorted(own)
        stated |= own
        own = set()
    subject = frozenset(said - stated)
    about = frozenset(known - _EMPTY) if len(subject) < _SUBJECT else subject
    words = frozenset(word for word in said if not is_identifying(word))
    yes = bool(lead) and not answer and lead[1].casefold() == "yes"
    belies = yes and denies(row) and not denies(asked)
    return Said(text, question, row, values, names, frozenset(own), about, answer, words, bare, belies)


_SUBJECT = 2
"""Fewer words say too little of what a claim is about."""


def _names(text: str, known: set[str]) -> list[str]:
    """Words with a capital that the question does not have; the first of a sentence only where it is short."""
    found = []
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"'(*_")
        begins = not before or before[-1] in ".!?:\n|-•"
        if begins and len(text.split()) > _SHORT:
            continue
        words = set(lexemes(match[0]))
        if words and not words <= known and not any(map(is_identifying, words)):
            found.append(match[0])
    return found


_SHORT = 3


def lexemes_of(name: str) -> set[str]:
    """Of a name, or of a word that is a lexeme already: a stem has another stem, sometimes."""
    return {name, *lexemes(name)}


def stands(token: Token, row: Sequence[Token]) -> bool:
    """Whether a value stands in a row of tokens, in the same or another way of writing."""
    return bool(spans([token], row)) or any(same_value(token, other) for other in row)


def same_value(token: Token, other: Token) -> bool:
    """Whether two tokens are the same value; a number may lack its unit, but not have another one."""
    if (
        token.kind == other.kind == "number"
        and token.value == other.value
        and not (token.unit and other.unit)
    ):
        # In a table the head has the unit, or the file's own words have it.
        return True
    doubt = compared(token, other, ())
    return doubt is not None and "part of the date" not in doubt
