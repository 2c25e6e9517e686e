"""A question with its abbreviations spelled out, for the embedding model and for a search by words.

Put in place of the short form, not after it: "how many work from home days" is a sentence such as
models were trained on, and was measured to find more than "how many WFH days work from home".
"""

from __future__ import annotations

import re

from ragcore.lexical.abbreviations import plural
from ragcore.lexical.glossary import Glossary, key, words_of
from ragcore.records import ExpandedQuestion, Expansion, GlossaryEntry

_CHUNK = re.compile(r"\S+")
_EDGES = "\"'“”„‘’«»()[]{}<>,;:!?…*_`"
_NUMBER = re.compile(r"[\d.,]*\d[.,]?")
_NUMBER_WITH_UNIT = re.compile(r"(\d[\d.,]*)([^\W\d][^\W\d]*(?:/\w)?|°[CF])")
_SAID_EDGES = re.compile(rf"[{re.escape(_EDGES)}.]+(?=\s|$)|(?<=\s)[{re.escape(_EDGES)}]+")
_CODE_OR_NAME = re.compile(r"[\d@_\\]|\.\w|//")
"""HL-204b and IT-7 are codes, mail@hr.org and hr.pdf names: nothing within them is an abbreviation."""


def expand(question: str, glossary: Glossary) -> ExpandedQuestion:
    """The question with each known abbreviation replaced by what it stands for.

    Only whole tokens are replaced, and none whose long form the question spells out already.
    """
    return _Expanding(question, glossary).done()


class _Expanding:
    """One question, token by token."""

    def __init__(self, question: str, glossary: Glossary) -> None:
        self._question = question
        self._glossary = glossary
        self._said = f" {' '.join(words_of(_SAID_EDGES.sub(' ', question)))} "
        # WHAT IS IT FOR: where all is in capitals, capitals tell nothing apart.
        self._shouted = question.isupper() and len(question.split()) > 2
        self._added: dict[Expansion, None] = {}
        self._ambiguous: dict[str, None] = {}

    def done(self) -> ExpandedQuestion:
        pieces: list[str] = []
        end, before = 0, ""
        for chunk in _CHUNK.finditer(self._question):
            lead, core, tail = _core(chunk[0])
            replaced = self._replaced(core, before) if core else core
            if replaced != core and tail.startswith("."):
                # "dept. rules": a stop that only marked the abbreviation goes with it.
                goes_on = self._question[chunk.end() :].lstrip()[:1]
                tail = tail[1:] if tail[1:] or goes_on.islower() or goes_on.isdigit() else tail
            pieces += [self._question[end : chunk.start()], lead, replaced, tail]
            end, before = chunk.end(), core
        return ExpandedQuestion(
            original=self._question,
            dense="".join([*pieces, self._question[end:]]),
            added=tuple(self._added),
            also=self._spelled_out(),
            ambiguous=tuple(self._ambiguous),
        )

    def _spelled_out(self) -> tuple[str, ...]:
        """Short forms of what the question says at length."""
        added = {key(expansion.short) for expansion in self._added}
        return tuple(
            dict.fromkeys(
                short
                for words, shorts in self._glossary.by_long.items()
                if f" {' '.join(words)} " in self._said
                for short in shorts
                if key(short) not in added
            )
        )

    def _replaced(self, core: str, before: str) -> str:
        """What stands for a token; the token itself where nothing does."""
        if long := self._looked_up(core, before):
            return long
        if unit := _NUMBER_WITH_UNIT.fullmatch(core):
            long = self._looked_up(unit[2], unit[1])
            return f"{unit[1]} {long}" if long else core
        parts = re.split(r"([/–—-])", core)
        if len(parts) == 1 or _CODE_OR_NAME.search(core):
            return core
        return "".join(self._looked_up(part, "") or part for part in parts)

    def _looked_up(self, token: str, before: str) -> str:
        """The long form in the number and case of the token; empty where there is none."""
        for short, ending in _readings(token):
            if key(short) in self._glossary.ambiguous:
                self._ambiguous[short] = None
                return ""
            entry = self._entry(short, before)
            if entry is None:
                continue
            if any(
                f" {' '.join(words_of(long))} " in self._said for long in (entry.long, plural(entry.long))
            ):
                return ""
            self._added[Expansion(entry.short, entry.long, entry.source)] = None
            return _inflected(entry, ending)
        return ""

    def _entry(self, short: str, before: str) -> GlossaryEntry | None:
        bare = _bare(short)
        found = self._glossary.by_short.get(key(short), ())
        # A unit first, then the entry that is written the same way.
        for entry in sorted(found, key=lambda one: (one.matching != "number", _bare(one.short) != bare)):
            same = _bare(entry.short) == bare
            if entry.matching == "number":
                if same and _NUMBER.fullmatch(before):
                    return entry
            elif entry.matching == "any" or (same and not self._shouted):
                return entry
        return None


def _readings(token: str) -> list[tuple[str, str]]:
    """The token as it is, then without a full stop, a possessive ending, a plural ending."""
    plain = token.replace("’", "'")
    readings = [(plain, "")]
    if plain.endswith("."):
        plain = plain.rstrip(".")
        readings.append((plain, ""))
    if plain.endswith("'s"):
        readings.append((plain[:-2], "'s"))
    elif plain.endswith("s'"):
        readings += [(plain[:-1], "'s"), (plain[:-2], "s'")]
    elif plain.endswith("s") and len(plain) > 2:
        readings.append((plain[:-1], "s"))
    return readings


def _inflected(entry: GlossaryEntry, ending: str) -> str:
    if entry.matching == "number" or not ending:
        return entry.long
    if ending == "s":
        return plural(entry.long)
    owner = plural(entry.long) if ending == "s'" else entry.long
    return owner + ("'" if owner.endswith("s") else "'s")


def _bare(short: str) -> str:
    return short.replace(".", "").replace("’", "'")


def _core(chunk: str) -> tuple[str, str, str]:
    """A token without the punctuation around it: ``(lead, core, tail)``.

    ``E.A.P.`` keeps its last stop, the genitive ``SWTs'`` its apostrophe.
    """
    core = chunk.lstrip(_EDGES)
    lead = chunk[: len(chunk) - len(core)]
    inner = core.rstrip(_EDGES + ".")
    after = core[len(inner) :]
    if (after.startswith(".") and "." in inner) or (after[:1] in ("'", "’") and inner.endswith("s")):
        inner += after[0]
    return lead, inner, core[len(inner) :]
