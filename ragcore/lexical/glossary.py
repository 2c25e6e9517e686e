"""What the short forms of a collection mean: a person's word counts before the documents', theirs before ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ragcore.lexical.abbreviations import plural, singular
from ragcore.lexical.alignment import folded
from ragcore.lexical.ordinary_words import is_ordinary_word
from ragcore.records import GlossaryEntry

_ORDER = ("user", "learned", "built-in")


def key(short: str) -> str:
    """What equal short forms have in common: ``E.A.P.`` and ``eap``."""
    return folded(short.replace(".", "").replace("’", "'"))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a phrase as they are compared: folded, hyphens apart, ``&`` as and."""
    return tuple(folded(text.replace("&", " and ").replace("-", " ").replace("’", "'")).split())


def same_meaning(one: str, other: str) -> bool:
    """Whether two long forms differ in spelling only: plural, hyphen, capitals, program and programme."""
    left, right = words_of(singular(one)), words_of(singular(other))
    return len(left) == len(right) and all(
        a == b or (min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a)))
        for a, b in zip(left, right, strict=True)
    )


def recognised(entry: GlossaryEntry) -> GlossaryEntry:
    """The entry with the way in which its short form is recognised; the built-in list says it itself."""
    if entry.source == "built-in":
        return entry
    return replace(entry, matching="exact" if is_ordinary_word(entry.short) else "any")


@dataclass(frozen=True, slots=True)
class Glossary:
    """The entries that count, ready to be looked up."""

    by_short: dict[str, tuple[GlossaryEntry, ...]] = field(default_factory=dict)
    """By key; several where one is a unit and another is not, or where capitals tell them apart."""
    by_long: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    """Short forms by the words of what they stand for; a person's and the documents' only."""
    ambiguous: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Long forms by key of those short forms for which the documents give several."""


def glossary_of(entries: Iterable[GlossaryEntry]) -> Glossary:
    """Settle which entry counts for each short form: user, then learned, then built-in.

    A short form with several learned meanings counts for none of them until a person decides.
    """
    grouped: dict[str, dict[str, list[GlossaryEntry]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        if entry.enabled:
            grouped[key(entry.short)][entry.source].append(recognised(entry))
    by_short: dict[str, tuple[GlossaryEntry, ...]] = {}
    by_long: dict[tuple[str, ...], list[str]] = defaultdict(list)
    ambiguous: dict[str, tuple[str, ...]] = {}
    for name, sources in grouped.items():
        first = next(source for source in _ORDER if source in sources)
        chosen = sources[first]
        if first == "learned":
            meanings = [chosen[0]]
            for entry in chosen[1:]:
                if not any(same_meaning(entry.long, known.long) for known in meanings):
                    meanings.append(entry)
            if len(meanings) > 1:
                ambiguous[name] = tuple(entry.long for entry in meanings)
                continue
            chosen = meanings
        if first != "built-in":
            # A unit keeps its meaning after a number, whatever the letters are elsewhere.
            units = [entry for entry in sources.get("built-in", ()) if entry.matching == "number"]
            for entry in chosen:
                for long in {entry.long, singular(entry.long), plural(entry.long)}:
                    by_long[words_of(long)].append(entry.short)
            chosen = [*chosen, *units]
        by_short[name] = tuple(chosen)
    return Glossary(
        by_short, {words: tuple(dict.fromkeys(shorts)) for words, shorts in by_long.items()}, ambiguous
    )
