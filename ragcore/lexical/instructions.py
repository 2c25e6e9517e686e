"""Whether a text talks to a model: orders to set rules aside, roles, marks of a chat, demanded words.

Such text is data like all other: it stays in the documents, is found and can be cited. But it is
marked for the reader, it is no evidence for a claim, it is never quoted as an answer, and the marks by which
a model tells turns apart are broken before it is sent. This is a second wall, not the first: an
attack that is not recognised still meets the rules of the prompt and the check of every claim. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragcore.lexical.disguises import readings, visible
from ragcore.lexical.instruction_patterns import (
    CHAT_TOKEN,
    FOREIGN,
    FRAME,
    NEEDED,
    REASONS,
    ROLE_LINE,
    SURE,
    TURN_ENDS,
)

_END = re.compile(r"[.!?](?=[\s\"'”’)]|$)[\"'”’)]*|[。！？]")
_STARTS_ANEW = re.compile(r"[ \t]*(?:$|[#|>*•\[<-]|\d+[.)]\s)")
_WRAPPED_FROM = 36
"""A line of so many characters without a full stop may go on in the next one, whatever that begins with."""
_ORDER = re.compile(
    r"\W*(?:write|say|answer|tell|reply|respond|state|print|output|repeat|start|begin|end|finish|put|add|always|never"
    r"|do not|don't|instead)\b",
    re.IGNORECASE,
)
"""How a sentence begins that goes on giving orders."""
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
_OPENS_TURN = re.compile(
    r"\W{0,4}(?:system|assistant|user|model|human|developer|begin|end)?\W{0,30}(?:\n|\Z)\s*", re.IGNORECASE
)
_VISIBLE = re.compile(r"[^\n]")
_NUMBERED_LINE = re.compile(r"^([ \t]*\[)(\d{1,3}\])", re.MULTILINE)
_WORDS = re.compile(r"[a-z']+")
_WORD_JOINER = "\u2060"


@dataclass(frozen=True, slots=True)
class Instruction:
    """``text[start:end]`` talks to a model; ``reason`` is to be read after "it"."""

    start: int
    end: int
    reason: str


@lru_cache(maxsize=2048)
def instructions(text: str) -> tuple[Instruction, ...]:
    """Every piece of ``text`` that talks to a model, in order, not overlapping."""
    found = [*_blocks(text), *_sentences(text)]
    kept: list[Instruction] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if kept and one.start < kept[-1].end:
            if one.end > kept[-1].end:
                kept[-1] = Instruction(kept[-1].start, one.end, kept[-1].reason)
        else:
            kept.append(one)
    return tuple(kept)


def reasons(text: str) -> tuple[str, ...]:
    """Why ``text`` is suspicious, each reason once; empty for ordinary text."""
    return tuple(dict.fromkeys(one.reason for one in instructions(text)))


def overlaps_instruction(text: str, start: int, end: int) -> bool:
    """Whether any of ``text[start:end]`` belongs to an instruction: then it is no evidence for anything."""
    return any(one.start < end and start < one.end for one in instructions(text))


def without_instructions(text: str) -> str:
    """``text`` with blanks in place of instructions; line breaks and offsets stay."""
    for one in instructions(text):
        text = text[: one.start] + _VISIBLE.sub(" ", text[one.start : one.end]) + text[one.end :]
    return text


def demanded_text(text: str) -> str:
    """What the instructions of ``text`` say, disguised ones as they are meant: the words that they plant."""
    said = []
    for one in instructions(text):
        piece = text[one.start : one.end]
        said += [visible(piece), *(reading for _, reading in readings(piece) if _reason(reading))]
    return "\n".join(said)


def broken_marks(text: str) -> str:
    """``text`` with the marks of chat templates broken by an invisible character.

    ``<|im_start|>`` reads the same and no longer is the one token that begins a turn.
    """
    return CHAT_TOKEN.sub(lambda mark: f"{mark[0][0]}{_WORD_JOINER}{mark[0][1:]}", text)


def as_data(text: str) -> str:
    """A passage as it may stand in a prompt: chat marks broken, and ``[2]`` at the beginning of a line too,
    which would look like the number of the next passage.
    """
    return _NUMBERED_LINE.sub(rf"\1{_WORD_JOINER}\2", broken_marks(text))


def in_one_line(name: str) -> str:
    """A file name, title or heading as one line, its chat marks broken: it cannot begin a line of its own."""
    return broken_marks(" ".join(name.split()))


def _blocks(text: str) -> list[Instruction]:
    """Chat marks, imitations of the frame, made-up turns: each with the block that it begins."""
    found = []
    for match in CHAT_TOKEN.finditer(text):
        end = match.end() if TURN_ENDS.fullmatch(match[0]) else _block_end(text, match.end())
        found.append(Instruction(match.start(), end, "holds marks of a chat template"))
    for match in FRAME.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        found.append(Instruction(start, _block_end(text, match.end()), "imitates the frame around passages"))
    roles = list(ROLE_LINE.finditer(text))
    if len({match[1].casefold() for match in roles}) >= 2:
        end = _block_end(text, roles[-1].end())
        found.append(Instruction(roles[0].start(), end, "holds made-up turns of a conversation"))
    return found


def _block_end(text: str, begin: int) -> int:
    """The end of the paragraph, or of the one after a mark that stands alone; or where the turn is ended."""
    if opening := _OPENS_TURN.match(text, begin):
        # "<|start_header_id|>system<|end_header_id|>" and a blank line: the turn is what comes next.
        begin = opening.end()
    paragraph = _PARAGRAPH_END.search(text, begin)
    assert paragraph is not None
    ended = TURN_ENDS.search(text, begin)
    return ended.end() if ended else paragraph.start()


def _sentences(text: str) -> list[Instruction]:
    found: list[Instruction] = []
    for start, end in _pieces(text):
        piece = text[start:end]
        follows = bool(found) and not text[found[-1].end : start].count("\n\n")
        if reason := _reason_of(" ".join(piece.split("\n"))):
            found.append(Instruction(start, end, reason))
        elif follows and found[-1].end + 3 >= start and _ORDER.match(piece):
            found.append(Instruction(start, end, found[-1].reason))
    return found


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, roughly: up to a full stop, a line that begins anew, a blank line, or the end of a table's cell."""
    begin = 0
    for match in re.finditer(rf"{_END.pattern}|\n|(?<=\S)[ \t]\||;(?=[ \t]+[\w ]{1, 30}:)|\Z", text):
        if match[0] == "\n":
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            following = text[match.end() : match.end() + 200].split("\n")[0]
            wrapped = following[:1].islower() or len(line) >= _WRAPPED_FROM
            if wrapped and line.strip() and not _STARTS_ANEW.match(following):
                continue
        piece = text[begin : match.end()]
        if piece.strip():
            yield begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        begin = match.end()


def _reason_of(piece: str) -> str | None:
    if reason := _reason(visible(piece)):
        return reason
    for how, reading in readings(piece):
        if not SURE.isdisjoint(_WORDS.findall(reading.casefold())) and (reason := _reason(reading)):
            return f"{reason}, hidden by {how}"
    return None


def _reason(sentence: str) -> str | None:
    words = frozenset(_WORDS.findall(sentence.casefold()))
    foreign = FOREIGN.search(sentence) is not None
    for reason, pattern in REASONS:
        if (foreign or not NEEDED[reason].isdisjoint(words)) and pattern.search(sentence):
            return reason
    return None
