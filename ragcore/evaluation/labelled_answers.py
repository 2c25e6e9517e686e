"""Answers of chat models that a reader has labelled sentence by sentence, with the passages they were given.

What the check of an answer and the automatic grade are measured against. The format is described in
the README of eval_data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ragcore.errors import InputError
from ragcore.evaluation.question import KINDS, SPLITS
from ragcore.evaluation.question_format import checked, choice, facts, known, listed, shown, text, texts
from ragcore.records import Candidate, Evidence, Passage

FILE = Path(__file__).parents[2] / "eval_data" / "answers" / "answers.jsonl"
"""The project's own."""
ANSWER_KEYS = ("model", "set", "id", "split", "kind", "question", "facts", "passages", "reply", "sentences")
PASSAGE_KEYS = ("number", "file", "location", "section", "header", "text", "evidence")
SENTENCE_KEYS = ("text", "supported", "answers", "note")


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of a reply as a reader judges it."""

    text: str
    supported: bool | None
    """Whether the passages say it; None for what claims nothing: a refusal, a bare reference, politeness."""
    answers: bool | None
    """Whether it gives the right answer to the question; None where it does not try."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A reply as it came from the model, before any check."""

    model: str
    set: str
    id: str
    """Of its question, in its set."""
    split: str
    kind: str
    question: str
    facts: tuple[tuple[str, ...], ...]
    """Of its question; empty where the documents hold no answer."""
    passages: tuple[Passage, ...]
    """As the model was given them, with the scores of their sentences against the question."""
    reply: str
    sentences: tuple[LabelledSentence, ...]
    """In the order of the reply; of a long one perhaps only the first."""

    @property
    def labelled_whole(self) -> bool:
        """Whether every sentence of the reply has its labels."""
        rest = self.reply
        for one in self.sentences:
            rest = rest.partition(one.text)[2]
        return not any(map(str.isalnum, rest))

    @property
    def hand_grade(self) -> Literal["right", "wrong", "refused", "ungraded"]:
        """Right if some sentence gives the right answer; refused if none tries to give any. Ungraded
        where it may stand in a sentence without labels."""
        given = {one.answers for one in self.sentences}
        if True in given:
            return "right"
        if not self.labelled_whole:
            return "ungraded"
        return "wrong" if False in given else "refused"


def read_labelled_answers(path: str | Path = FILE) -> tuple[LabelledAnswer, ...]:
    """The answers of a file of JSON lines, in its order.

    Raises InputError, naming file and line, for a file that is missing, empty or not UTF-8, for a line
    that is malformed, and for a model's second answer to a question.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(f"There are no labelled answers at {path}.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    answers: dict[tuple[str, str, str], LabelledAnswer] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path.name}, line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{where}: not JSON ({error.msg}, character {error.pos + 1}).") from error
        answer = _answer(row, where)
        key = (answer.model, answer.set, answer.id)
        if key in answers:
            raise InputError(
                f"{where}: {answer.model} has answered {answer.id} of {answer.set} above already."
            )
        answers[key] = answer
    if not answers:
        raise InputError(f"{path.name} holds no answers.")
    return tuple(answers.values())


def _answer(row: Any, where: str) -> LabelledAnswer:
    row = known(row, ANSWER_KEYS, where)
    passages = listed(row, "passages", where)
    documents: dict[str, int] = {}
    found = tuple(_passage(one, f"{where}, 'passages'", documents) for one in passages)
    numbers = [one.number for one in found]
    if len(set(numbers)) < len(numbers):
        raise InputError(f"{where}: 'passages' has a number twice.")
    reply = _verbatim(row, "reply", where)
    sentences = tuple(_sentence(one, f"{where}, 'sentences'") for one in listed(row, "sentences", where))
    if not sentences:
        raise InputError(f"{where}: 'sentences' is empty; each has its labels.")
    rest = reply
    for one in sentences:
        _, found_it, rest = rest.partition(one.text)
        if not found_it:
            raise InputError(
                f"{where}: the sentence {shown(one.text)} does not stand in the reply, or not in this order."
            )
    return LabelledAnswer(
        model=text(row, "model", where),
        set=text(row, "set", where),
        id=text(row, "id", where),
        split=choice(row, "split", SPLITS, where),
        kind=choice(row, "kind", KINDS, where),
        question=text(row, "question", where),
        facts=tuple(facts(row, where)),
        passages=found,
        reply=reply,
        sentences=sentences,
    )


def _passage(row: Any, where: str, documents: dict[str, int]) -> Passage:
    """``location`` is a section's title behind "§ ", or a page or pages."""
    row = known(row, PASSAGE_KEYS, where)
    number = row.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise InputError(f"{where}: 'number' is {shown(number)}; a whole number from 1 is expected.")
    file = text(row, "file", where)
    location = text(row, "location", where)
    paged = not location.startswith("§ ")
    pages = _pages(location, where) if paged else (1, 1)
    words = _verbatim(row, "text", where)
    evidence = tuple(_evidence(one, len(words), where) for one in listed(row, "evidence", where))
    return Passage(
        number,
        Candidate(
            chunk_id=number,
            document_id=documents.setdefault(file, len(documents) + 1),
            file=file,
            paged=paged,
            page_start=pages[0],
            page_end=pages[-1],
            page_label=None,
            page_offsets=(),
            section=tuple(texts(row, "section", where)),
            header=text(row, "header", where, default=""),
            text=words,
            score=max((one.score for one in evidence), default=None),
            evidence=evidence,
        ),
    )


def _evidence(span: Any, length: int, where: str) -> Evidence:
    try:
        start, end, score = span
        found = Evidence(int(start), int(end), float(score))
    except (TypeError, ValueError):
        found = Evidence(0, 0, 0.0)
    if not 0 <= found.start < found.end <= length:
        raise InputError(
            f"{where}: 'evidence' holds {shown(span)}; beginning and end in the text, and a cosine, are expected."
        )
    return found


def _pages(location: str, where: str) -> Sequence[int]:
    try:
        return [int(page) for page in location.split("-", 1)]
    except ValueError:
        raise InputError(
            f"{where}: 'location' is {shown(location)}; use '§ ' and a section's title, a page, or pages such as 3-4."
        ) from None


def _sentence(row: Any, where: str) -> LabelledSentence:
    row = known(row, SENTENCE_KEYS, where)
    return LabelledSentence(
        text=text(row, "text", where),
        supported=_label(row, "supported", where),
        answers=_label(row, "answers", where),
        note=text(row, "note", where, default=""),
    )


def _label(row: Mapping[str, Any], key: str, where: str) -> bool | None:
    if key not in row:
        raise InputError(f"{where}: {key!r} is missing; use true, false or null.")
    if row[key] is not None and not isinstance(row[key], bool):
        raise InputError(f"{where}: {key!r} is {shown(row[key])}; use true, false or null.")
    return row[key]


def _verbatim(row: Mapping[str, Any], key: str, where: str) -> str:
    """With its white space as it is."""
    checked(row.get(key), key, where)
    return row[key]
