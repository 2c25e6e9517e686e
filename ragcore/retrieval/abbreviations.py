"""The glossary of a collection as questions meet it: kept in memory for as long as it is true."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from ragcore.errors import InputError, NotFound
from ragcore.lexical.built_in import built_in_entries
from ragcore.lexical.expansion import expand
from ragcore.lexical.glossary import Glossary, glossary_of, key, recognised
from ragcore.records import ExpandedQuestion, GlossaryEntry
from ragcore.storage import Glossaries
from ragcore.storage.glossaries import Version

LONGEST_SHORT = 40
LONGEST_LONG = 200
_KEPT_GLOSSARIES = 32


@dataclass(frozen=True, slots=True)
class AmbiguousAbbreviation:
    """A short form for which the documents of a collection give several meanings; it is not expanded."""

    short: str
    meanings: tuple[str, ...]


class Abbreviations:
    """Expands questions, and shows and changes what they are expanded by. Safe to share between threads."""

    def __init__(self, glossaries: Glossaries) -> None:
        self._glossaries = glossaries
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[Version | None, Glossary]] = {}

    def expand(self, question: str, collection: str) -> ExpandedQuestion:
        """The question with abbreviations spelled out; one small query a question. Raises StorageError.

        A collection that does not exist has the built-in ones.
        """
        return expand(question, self._glossary(collection))

    def entries(self, collection: str) -> list[GlossaryEntry]:
        """Everything, in use or not: a person's own first, then the documents', then the built-in."""
        stored = self._glossaries.of(collection)
        off = {(one.short, one.long) for one in stored if one.source == "built-in"}
        return [
            *(recognised(one) for one in stored if one.source == "user"),
            *(recognised(one) for one in stored if one.source == "learned"),
            *(replace(one, enabled=(one.short, one.long) not in off) for one in built_in_entries()),
        ]

    def ambiguous(self, collection: str) -> list[AmbiguousAbbreviation]:
        """Short forms that are left alone until a person says what they mean, or switches one off."""
        written = {key(one.short): one.short for one in self._glossaries.of(collection)}
        return [
            AmbiguousAbbreviation(written.get(short, short), meanings)
            for short, meanings in sorted(self._glossary(collection).ambiguous.items())
        ]

    def add(self, collection: str, short: str, long: str) -> GlossaryEntry:
        """Add a person's own entry, or replace it. Raises InputError and NotFound."""
        short, long = short.strip(), " ".join(long.split())
        if not short or not long:
            raise InputError("An abbreviation needs both: the short form and what it stands for.")
        if len(short.split()) > 1:
            raise InputError(f"The short form '{short}' has a space in it; only single words are looked up.")
        if not any(character.isalnum() for character in short):
            raise InputError(f"The short form '{short}' has neither letters nor digits.")
        if len(short) > LONGEST_SHORT or len(long) > LONGEST_LONG:
            raise InputError(
                f"At most {LONGEST_SHORT} characters for the short form and {LONGEST_LONG} for the long one; "
                f"these have {len(short)} and {len(long)}."
            )
        if short.casefold() == long.casefold():
            raise InputError(f"'{short}' stands for itself; say what it means.")
        self._glossaries.put(collection, short, long)
        return recognised(GlossaryEntry(short, long, "user"))

    def remove(self, collection: str, short: str) -> None:
        """Delete a person's own entry. Raises NotFound, also when it is learned or built in."""
        if not self._glossaries.remove(collection, short.strip()):
            raise NotFound(
                f"You have no abbreviation '{short}' of your own in '{collection}'. Learned and built-in ones "
                "are switched off instead (`glossary disable`)."
            )

    def switch(self, collection: str, entry: GlossaryEntry, *, on: bool) -> None:
        """Use one entry in this collection, or not. Raises NotFound."""
        self._glossaries.switch(collection, entry, on=on)

    def switch_all(self, collection: str, short: str, *, on: bool) -> list[GlossaryEntry]:
        """The same for every entry of a short form; returns them. Raises NotFound when there is none."""
        found = [one for one in self.entries(collection) if key(one.short) == key(short)]
        if not found:
            raise NotFound(f"The glossary of '{collection}' has no '{short}'.")
        for entry in found:
            self.switch(collection, entry, on=on)
        return [replace(entry, enabled=on) for entry in found]

    def _glossary(self, collection: str) -> Glossary:
        version = self._glossaries.version(collection)
        with self._lock:
            kept = self._kept.get(collection)
        if kept is not None and kept[0] == version:
            return kept[1]
        # Read after the version: what is kept may be newer than it says, never older.
        glossary = glossary_of(self.entries(collection))
        with self._lock:
            if len(self._kept) >= _KEPT_GLOSSARIES:
                self._kept.clear()
            self._kept[collection] = (version, glossary)
        return glossary
