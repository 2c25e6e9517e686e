"""What of a reply is a claim: sentence by sentence, and which of them only lead in, point or are polite.

A claim must be supported; "Sure, here is what I found:" cannot be, and need not. What is left when a
sentence has lost its references, its list mark and its "according to the passage" is what is checked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import regex

from ragcore.chunking.sentences import sentences
from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.tables import is_row, is_rule

REFERENCE = (
    r"\[\s*(?:passages?\s*)?#?[1-9]\d{0,2}(?:\s*(?:,|;|&|and)\s*(?:passages?\s*)?#?[1-9]\d{0,2})*\s*\]"
)
"""Numbers of passages in square brackets, as a reply is asked to cite."""

_NUMBERS = regex.compile(REFERENCE, regex.I)
_MARK = regex.compile(r"^\s*(?:[-*+•]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s+|>\s*)+")
_ITEM = regex.compile(r"^\s*(?:[-*+•]|\(?\d{1,2}[.)])\s")
_POINTING = regex.compile(
    r"""^(?:(?:according\ to|based\ on|as\ (?:stated|mentioned|described|noted|shown|given|per)(?:\ in|\ by)?|per|in|from)\s+
    (?:the\ |this\ |these\ |your\ )?(?:\w+\ ){0,2}?
    (?:passages?|documents?|texts?|sources?|contexts?|information|excerpts?)(?:\ (?:provided|given|above))?(?:\s+\d+)?\s*[,:]\s*
    |(?:the\ |this\ )?(?:\w+\ )?(?:passages?|documents?|texts?|sources?)\s*\d*\s*(?:states?|says?|mentions?|notes?)\s+that\s+
    |(?:the\ )?(?:correct\ )?answer(?:\ to\ (?:the|this|your)\ question)?(?:\ is)?(?:\s*:\s*|\ is\ (?:that\ )?)
    |(?:so|thus|therefore|hence|however|also|additionally|furthermore|moreover|in\ addition|in\ summary|overall|finally)\s*,\s*)+""",
    regex.VERBOSE | regex.I,
)
_NO_CLAIM = regex.compile(
    r"""^(?:(?:sure|certainly|of\ course|absolutely|okay|ok|great\ question|thank\ you|thanks|hello|hi|sorry)\b[\s,.!:;-]*)*
    (?:
        (?:here(?:\ is|\ are|'s)|below(?:\ is|\ are)|the\ following|these\ are|this\ is)\b[^.]*:?
        |(?:i\ hope|let\ me\ know|feel\ free|please\ (?:let|note|ask|check|refer|see)|if\ you\ (?:have|need)|do\ you|would\ you
            |is\ there\ anything|i(?:'d|\ would|'m|\ am)\ (?:be\ )?(?:happy|glad)|i\ can\ help|i\ (?:have\ )?(?:read|looked|checked))\b.*
        |(?:the|this|these|each)\ (?:\w+\ ){0,2}?(?:passages?|documents?|texts?|sections?)\ (?:is|are|was|were)\ (?:all\ )?(?:about|on|from|taken\ from)\b.*
        |(?:the\ )?(?:answer|question|passages?|sources?|references?|citations?|note|summary|explanation|conclusion)\s*\d*(?:\ (?:is|are))?\s*:?
        |(?:according\ to|based\ on|see|source|from)\s+(?:the\ )?(?:\w+\ ){0,2}?(?:passages?|documents?|sources?|texts?|information)[\s\d,]*
    )?[\s.!:;,]*$""",
    regex.VERBOSE | regex.I,
)
_RULE = regex.compile(r"\|?\s*:?-{2,}:?\s*\|")
"""Below the head of a table."""
_SAID = frozenset(
    """answer passage document text source question according state mention say note provide give follow
    information yes no also therefore however overall question sure here""".split()
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item or table row of a reply, and the white space behind it."""

    text: str
    """With its references, also one that stands behind its full stop."""
    gap: str
    head: str = ""
    """Of a table's row: the table's first row."""

    @property
    def bare(self) -> str:
        """Without references."""
        return _NUMBERS.sub("", self.text)

    @property
    def plain(self) -> str:
        """Without references, on one line, as it is told to a reader: no blank is left before its full stop."""
        return regex.sub(r"\s+([.,;:!?])", r"\1", " ".join(self.bare.split()))

    @property
    def said(self) -> str:
        """What it says: without references, list mark and pointing words."""
        return _POINTING.sub("", _MARK.sub("", self.bare)).strip()


def split(reply: str) -> list[Sentence]:
    """The sentences of a reply; a reference behind a full stop belongs to the sentence before it."""
    spans: list[list[int]] = []
    for start, end in sentences(reply):
        lead = regex.match(rf"(?:\s*{REFERENCE})+[.\s]*", reply[start:end], regex.I)
        if lead and spans:
            spans[-1][1] = start + len(lead.group().rstrip())
            start += len(lead.group())
        # The rule below a table's head goes with the head.
        if start < end and not (spans and is_rule(reply[start:end])):
            spans.append([start, end])
    found: list[Sentence] = []
    head = ""
    for index, (start, end) in enumerate(spans):
        following = spans[index + 1][0] if index + 1 < len(spans) else len(reply)
        text = reply[start:end]
        if not is_row(text):
            head = ""
        found.append(Sentence(text, reply[end:following], head))
        if is_row(text) and not head and _RULE.search(reply[end:following]):
            head = text
    return found


LEADING_ANSWER = regex.compile(r"^\W*(yes|no)\b[\s,.:;!-]*", regex.I)
"""What an answer to a yes-or-no question begins with."""


def without_lead(sentence: Sentence) -> Sentence:
    """The sentence without the yes or no that it begins with."""
    rest = LEADING_ANSWER.sub(item_mark(sentence.text), sentence.text)
    return replace(sentence, text=rest[:1].upper() + rest[1:])


def is_item(text: str) -> bool:
    """Whether it is an item of a list or a row of a table."""
    return is_row(text) or bool(item_mark(text))


def item_mark(text: str) -> str:
    """What an item of a list begins with: ``- `` or ``2. ``; empty for other sentences."""
    found = _ITEM.match(text)
    return found[0] if found else ""


def is_claim(sentence: Sentence, question: str) -> bool:
    """Whether it says something that has to be supported.

    Not: politeness, "According to the passage", the head of a table, and a lead-in ("The fees are:")
    that brings nothing of its own.
    """
    said = sentence.said
    if not any(map(str.isalnum, said)) or _RULE.search(sentence.gap):
        return False
    if regex.search(r"^#{1,6}\s", sentence.text.lstrip()) or _NO_CLAIM.match(said):
        return False
    if said.rstrip("*_ ").endswith(":"):
        own = set(lexemes(said)) - set(lexemes(question)) - _SAID
        return any(any(map(str.isdigit, word)) for word in own) or len(own) > _LEAD_IN
    return True


def is_structure(sentence: Sentence) -> bool:
    """Whether what is no claim belongs to those behind it: a heading, a table's head, "The fees are:"."""
    said = sentence.said
    if _RULE.search(sentence.gap) or sentence.text.lstrip().startswith("#"):
        return True
    return leads_in(sentence) and not _NUMBERS.search(sentence.text) and not _POINTS.search(said)


def leads_in(sentence: Sentence) -> bool:
    """Whether it says something of what follows: "The fees are:", not "Here is what I found:"."""
    said = sentence.said
    return said.rstrip("*_ ").endswith(":") and not _NO_CLAIM.match(said)


_POINTS = regex.compile(r"\b(?:passages?|documents?|answers?|questions?|sources?|contexts?)\b", regex.I)
_LEAD_IN = 4
"""More words of its own than a lead-in has before its colon."""
