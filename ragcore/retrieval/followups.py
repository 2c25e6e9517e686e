"""Follow-ups by rule: what refers back, what is no question, and what the question before has to lend.

Pure: words in, words out. What the documents hold comes in as counts; no model is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import regex

from ragcore.lexical.lexemes import is_identifying, lexemes
from ragcore.retrieval import follow_up_words as words

Kind = Literal["none", "pronoun", "ellipsis", "thin", "perhaps"]

LONGEST_FRAGMENT = 6
LONGEST_PERHAPS = 8
MOST_CARRIED = 12
_LEADING = regex.compile(r"^((and|but|so|or)\b[\s,]*)?((what|how)\s+about\b[\s,]*)?", regex.IGNORECASE)
_NAME = regex.compile(r"(?<=[\p{L}\p{N},;] )[\p{Lu}][\p{L}\p{N}]*|\b[\p{L}]*\p{N}[\p{L}\p{N}]*\b")
_PIECES = {
    "thanks": (words.THANKS, "You're welcome. Ask the next question whenever you like."),
    "farewell": (words.FAREWELLS, "Goodbye. This conversation is kept; come back to it whenever you like."),
    "greeting": (words.GREETINGS, "Hello. Ask a question, and I will look for the answer in your documents."),
    "nod": (words.NODS, "All right. Ask the next question whenever you like."),
}
_ALL_TALK = "|".join(f"(?P<{name}>{pattern})" for name, (pattern, _) in _PIECES.items())
_TALK = regex.compile(rf"(?:(?:{_ALL_TALK})(?:\s*[,.!;:)\-]+\s*|\s+|$))+", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """Whether a question leans on the one before, and by what."""

    kind: Kind
    why: str = ""
    """In words, for the receipt; empty where nothing refers back."""

    def __bool__(self) -> bool:
        return self.kind not in ("none", "perhaps")


STANDS_ALONE = Reference("none")


def small_talk(text: str) -> str | None:
    """A short reply to "thanks", "ok" or "hello"; None for anything that may be a question."""
    said = text.strip().replace("’", "'")
    if not regex.search(r"[\p{L}\p{N}]", said):
        # A thumb up says what "great" says; marks alone say nothing.
        return _PIECES["nod"][1] if regex.search("[👍👌🙏👏🎉❤]", said) else None
    said = regex.sub(r"[^\p{L}\p{N}\s,.!;:?'\-]", "", said).strip()
    if "?" in said or not (found := _TALK.fullmatch(said)):
        return None
    return next(reply for name, (_, reply) in _PIECES.items() if found[name])


def refers_back(question: str) -> Reference:
    """What in the question cannot be understood without the one before.

    ``pronoun``: a word that stands for something not said here; ``ellipsis``: a part of a question;
    ``thin``: whole, but nothing in it says what it is about; ``perhaps``: short and definite, so it
    may stand alone or not ("Who empties the box?").
    """
    said, after_connector = _plain(question)
    if not said:
        return STANDS_ALONE
    tokens = said.split()
    if words.ABOUT.search(_folded(question)):
        return Reference("ellipsis", "it asks the same of something else")
    if words.HEADLESS.search(said):
        return Reference("ellipsis", "it does not say of what")
    if word := _dangling_pronoun(said):
        return Reference("pronoun", f"“{word}” stands for something said before")
    if (pointer := words.POINTERS.search(said)) and not words.NO_POINTER.search(said):
        return Reference("pronoun", f"“{pointer[0].strip()}” points to something said before")
    if words.COMPARED.search(said) and " than " not in said:
        return Reference("ellipsis", "it compares without saying with what")
    whole = bool(set(tokens) & words.VERBS) or tokens[0] in words.ORDERS
    if not whole and len(tokens) <= LONGEST_FRAGMENT:
        if after_connector or tokens[0] in words.PREPOSITIONS | words.ARTICLES:
            return Reference("ellipsis", "it is a part of a question")
        if own_topic(question):
            return Reference("perhaps", "it is a few words only")
    if not own_topic(question) and not {"you", "your"} & set(tokens):
        return Reference("thin", "nothing in it says what it is about")
    short = len(tokens) <= LONGEST_PERHAPS
    return Reference("perhaps", "it is short") if short and not _names(question) else STANDS_ALONE


def own_topic(question: str) -> tuple[str, ...]:
    """The lexemes of the question that name a subject."""
    return tuple(dict.fromkeys(one for one in lexemes(_contracted(question)) if one not in words.THIN))


def is_another_topic(question: str, base: str, known: Mapping[str, int]) -> bool:
    """Whether the question names a subject, and neither the base nor the documents know a word of it.

    ``question`` with its abbreviations spelled out. ``known``: in how many passages each of its lexemes
    occurs; empty when that is not known. "And what about the Roman Empire?", "Who composed it?"
    """
    topic = own_topic(question)
    if not topic or not known:
        return False
    said = set(lexemes(base))
    return not any(one in said or known.get(one, 0) for one in topic)


def combined(base: str, question: str) -> str:
    """Both questions, one after the other."""
    return f"{base.strip()} {question.strip()}"


def carried_over(base: str, question: str) -> str:
    """One text for the search: the question, with what it lacks of the standalone question before.

    "Where does it hang at Millrace?" + "And at Longstaithe?" asks the first of the second's place;
    otherwise the words of the base that name its subject are put in front.
    """
    return _in_its_place(base, question) or _topic_first(base, question)


def _in_its_place(base: str, question: str) -> str | None:
    """A fragment put where the base has one of its kind: the last phrase with the same preposition."""
    fragment = _LEADING.sub("", question.strip().rstrip("?!. "))
    tokens = fragment.split()
    if not 1 < len(tokens) <= LONGEST_FRAGMENT or tokens[0].lower() not in words.PREPOSITIONS:
        return None
    if {token.lower() for token in tokens} & words.VERBS or _dangling_pronoun(_folded(fragment)):
        return None
    said = base.strip().rstrip("?!. ").split()
    places = [at for at, token in enumerate(said[:-1]) if token.lower() == tokens[0].lower()]
    if not places:
        return None
    start = end = places[-1] + 1
    if _is_name(said[start]):
        while end < len(said) and _is_name(said[end]):
            end += 1
    else:
        while end < len(said) and said[end].lower() not in words.PREPOSITIONS | words.VERBS:
            end += 1
            if said[end - 1].endswith((",", ";", "?", ":")):
                break
    return " ".join([*said[: start - 1], *tokens, *said[end:]]) + "?"


def _topic_first(base: str, question: str) -> str:
    own = set(lexemes(question))
    kept = []
    for token in base.split():
        bare = regex.sub(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$", "", token)
        found = set(lexemes(bare))
        if found and not found <= own and not found <= words.THIN:
            kept.append(bare)
            own |= found
    if not kept:
        return combined(base, question)
    if len(kept) > MOST_CARRIED:
        # What a long conversation began with, and what was said last.
        kept = [*kept[: MOST_CARRIED // 3], *kept[-(MOST_CARRIED - MOST_CARRIED // 3) :]]
    return f"{' '.join(kept)}: {question.strip()}"


def _plain(question: str) -> tuple[str, bool]:
    """Folded, without marks at the end, small talk and connectors in front; whether one was there."""
    said = _folded(question)
    talk = _TALK.match(said)
    if talk and talk.end() < len(said) and "," in talk[0]:
        said = said[talk.end() :].strip()
    rest = words.CONNECTORS.sub("", said, 1)
    return rest.strip(), rest != said


def _folded(question: str) -> str:
    said = question.casefold().replace("’", "'")
    return " ".join(regex.sub(r"[?!.…:;]+(\s|$)", " ", said).split())


def _contracted(question: str) -> str:
    return regex.sub(r"(?i)\b(\w+)(n't|'s|'re|'ll|'ve|'d|'m)\b", r"\1", question.replace("’", "'"))


def _dangling_pronoun(said: str) -> str:
    """The first pronoun that nothing in the question can be meant by; empty where there is none."""
    said = words.EMPTY_IT.sub(lambda found: " " * len(found[0]), said)
    for pronoun in words.PRONOUNS.finditer(said):
        before = said[: pronoun.start()]
        if pronoun[0] == "mine" or not own_topic(before):
            return pronoun[0]
        clause = list(words.CLAUSE.finditer(before))
        if any(own_topic(before[: found.start()]) for found in clause):
            continue
        named = regex.search(r"\b(an?|the|each|every|any|all|some|no)\ \w+.*$", before)
        if pronoun[0] in words.POSSESSIVES and named and not said.endswith(pronoun[0]):
            continue
        return pronoun[0]
    return ""


def _names(question: str) -> list[str]:
    """Capitalised words within the question, numbers and codes."""
    return [
        found[0]
        for found in _NAME.finditer(question)
        if found[0] not in ("I", "A") or is_identifying(found[0])
    ]


def _is_name(token: str) -> bool:
    return bool(regex.match(r"\p{Lu}|\p{N}", token))
