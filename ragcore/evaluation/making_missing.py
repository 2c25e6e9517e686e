"""Must-refuse questions from the user's own documents: one document, or section, is left out.

What only that part says becomes a question that the rest cannot answer. Whether the rest really
cannot is checked by text: the answer stands nowhere in it, and no three sentences in a row hold
all the words that the question asks about. That misses a paraphrase, so read the questions once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

import regex

from ragcore.errors import InputError
from ragcore.evaluation.leaving_out import Part
from ragcore.evaluation.matching import folded
from ragcore.evaluation.missing_model import Chat, from_model
from ragcore.evaluation.missing_templates import MadeQuestion, absent_patterns, content_words, from_sentence
from ragcore.evaluation.question import EvalQuestion, Gold
from ragcore.evaluation.sets import assign_splits

CATEGORY = "left_out"
_WINDOW = 3
_CALLS = 3
"""Passages that are shown to the model for each question wanted."""
_PASSAGE = 900
_HARD_FROM = 2
"""Words that question and nearest passage have in common, from which on it is called hard."""


@dataclass(frozen=True, slots=True)
class MadeSet:
    """The questions, what was left out for them, and how many were made by what."""

    left_out: Part
    questions: tuple[EvalQuestion, ...]
    by_model: int
    dropped: int
    """Made, but the rest may answer them."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """The questions as lines of our own format."""
        for one in self.questions:
            near = {key: value for key, value in asdict(one.near).items() if value} if one.near else None
            yield {
                "id": one.id,
                "kind": one.kind,
                "category": one.category,
                "difficulty": one.difficulty,
                "split": one.split,
                "question": one.question,
                "gold": [],
                "facts": [],
                **({"near": near} if near else {}),
                "absent": list(one.absent),
                "note": one.note,
            }


class Sentences:
    """All sentences of all parts by the words they hold: what is asked of it again and again."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.of: dict[int, list[tuple[str, str]]] = {}
        self._folded: dict[int, str] = {}
        self._flat: list[tuple[int, str, str]] = []
        self._windows: dict[str, set[int]] = defaultdict(set)
        self._words: dict[str, set[int]] = defaultdict(set)
        for number, part in enumerate(parts):
            own = list(part.sentences())
            self.of[number] = own
            self._folded[number] = folded(part.text)
            first = len(self._flat)
            for sentence, heading in own:
                at = len(self._flat)
                self._flat.append((number, sentence, heading))
                for word in content_words(sentence):
                    self._words[word].add(at)
                    self._windows[word].update(range(max(first, at - _WINDOW + 1), at + 1))

    def elsewhere(self, number: int, words: set[str]) -> bool:
        """Whether three sentences in a row of another part hold all of the words."""
        together = set.intersection(*(self._windows.get(word, set()) for word in words)) if words else set()
        return any(self._flat[at][0] != number for at in together)

    def matches_elsewhere(self, number: int, pattern: str) -> bool:
        """Whether another part holds a match that begins at the beginning of a word, case ignored."""
        compiled = regex.compile(rf"(?<!\w)(?:{pattern})", regex.IGNORECASE)
        return any(compiled.search(text) for other, text in self._folded.items() if other != number)

    def nearest(self, number: int, words: set[str]) -> tuple[int, int, str, str] | None:
        """Common words, part, sentence and heading of the sentence elsewhere that comes closest.

        Closest is that with the rarest of the words: a word counts one over how often it occurs.
        """
        weight: dict[int, float] = defaultdict(float)
        shared: dict[int, int] = defaultdict(int)
        for word in sorted(words):
            found = self._words.get(word, set())
            for at in found:
                if self._flat[at][0] != number:
                    weight[at] += 1 / len(found)
                    shared[at] += 1
        if not shared:
            return None
        best = max(weight, key=lambda at: (weight[at], -at))
        return (shared[best], *self._flat[best])


def make_missing(
    parts: Sequence[Part],
    *,
    count: int,
    name: str,
    chat: Chat | None = None,
    left_out: str | None = None,
) -> MadeSet:
    """At most ``count`` questions that only one of the parts answers.

    ``left_out`` names the part; without it, it is the smallest that gives enough questions, or the
    one that gives most: the rest should stay what the user asks about. Raises InputError when there
    are not two parts, when none is called that, and when no question could be made; ModelError.
    """
    if len(parts) < 2:
        raise InputError(
            "Leaving one out takes at least two documents, or one document with two headed sections."
        )
    index = Sentences(parts)
    number, made, dropped = _chosen(parts, index, count, left_out)
    by_model: list[MadeQuestion] = []
    if chat is not None:
        by_model, refused = _asked_of_model(chat, parts[number], index, number, count)
        dropped += refused
    # What the model leaves open the templates fill: a set that is too small tells nothing.
    known = {folded(one.question, ignore_case=True) for one in by_model}
    others = [one for one in made if folded(one.question, ignore_case=True) not in known]
    chosen = [*by_model, *others][:count]
    if not chosen:
        raise InputError(
            f"No question could be made that only {parts[number].label} answers. Leave out another one with "
            "--leave-out, or use a chat model: the templates know plain English sentences only."
        )
    questions = [
        _question(
            one, parts, number, index, f"{name}-{place:03d}", chat.model if place <= len(by_model) else ""
        )
        for place, one in enumerate(chosen, 1)
    ]
    return MadeSet(parts[number], tuple(assign_splits(questions)), min(len(by_model), len(chosen)), dropped)


def _chosen(
    parts: Sequence[Part], index: Sentences, count: int, left_out: str | None
) -> tuple[int, list[MadeQuestion], int]:
    """The part to leave out, its questions from templates, and how many of them were dropped."""
    if left_out is not None:
        numbers = [number for number, part in enumerate(parts) if left_out in (part.document, part.section)]
        if len(numbers) != 1:
            names = ", ".join(part.section or part.document for part in parts[:10])
            raise InputError(f"'{left_out}' is not one of what can be left out: {names}.")
    else:
        numbers = sorted(range(len(parts)), key=lambda number: (len(parts[number].text), number))
    best: tuple[int, list[MadeQuestion], int] | None = None
    for number in numbers:
        made, dropped = _from_templates(parts[number], index, number)
        if best is None or len(made) > len(best[1]):
            best = (number, made, dropped)
        if len(made) >= count:
            break
    assert best is not None
    return best


def _from_templates(part: Part, index: Sentences, number: int) -> tuple[list[MadeQuestion], int]:
    """Questions in turn from each section, those of fitting templates before the general ones."""
    by_heading: dict[str, list[MadeQuestion]] = defaultdict(list)
    seen: set[str] = set()
    dropped = 0
    for sentence, heading in index.of[number]:
        one = from_sentence(sentence, heading, part.text)
        if one is None or one.question in seen:
            continue
        seen.add(one.question)
        if _answered_elsewhere(one, index, number):
            dropped += 1
        else:
            by_heading[heading].append(one)
    in_turn = [one for turn in zip_longest(*by_heading.values()) for one in turn if one is not None]
    return sorted(in_turn, key=lambda one: not one.plain), dropped


def _asked_of_model(
    chat: Chat, part: Part, index: Sentences, number: int, count: int
) -> tuple[list[MadeQuestion], int]:
    made: dict[str, MadeQuestion] = {}
    dropped = 0
    for passage in _spread(list(_passages(index.of[number])), _CALLS * count):
        one = from_model(chat, passage, part.document)
        if one is None:
            continue
        if _answered_elsewhere(one, index, number):
            dropped += 1
            continue
        made.setdefault(folded(one.question, ignore_case=True), one)
        if len(made) == count:
            break
    return list(made.values()), dropped


def _passages(sentences: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Sentences of one section in a row, together at most some 900 characters."""
    lines: list[str] = []
    under: str | None = None
    for sentence, heading in sentences:
        if lines and (heading != under or sum(map(len, lines)) + len(sentence) > _PASSAGE):
            yield "\n".join(lines)
            lines = []
        under = heading
        lines.append(sentence)
    if lines:
        yield "\n".join(lines)


def _spread(passages: list[str], most: int) -> list[str]:
    """At most so many, from all over the document; those of a heading alone left out."""
    worth = [passage for passage in passages if len(content_words(passage)) >= 5]
    if len(worth) <= most:
        return worth
    return [worth[place * len(worth) // most] for place in range(most)]


def _answered_elsewhere(one: MadeQuestion, index: Sentences, number: int) -> bool:
    patterns = absent_patterns(one.answer)
    if not patterns or index.elsewhere(number, content_words(one.subject)):
        return True
    return any(index.matches_elsewhere(number, pattern) for pattern in patterns)


def _question(
    one: MadeQuestion, parts: Sequence[Part], number: int, index: Sentences, key: str, model: str
) -> EvalQuestion:
    near = index.nearest(number, content_words(one.subject))
    gold = None
    if near is not None:
        _, at, quote, heading = near
        gold = Gold(document=parts[at].corpus_name, quote=quote, section=heading or None)
    made_by = f"the chat model {model}" if model else "a template"
    return EvalQuestion(
        id=key,
        kind="missing_info",
        question=one.question,
        turns=(one.question,),
        expected_behavior="refuse",
        category=CATEGORY,
        difficulty="hard" if near is not None and near[0] >= _HARD_FROM else "easy",
        split="",  # type: ignore[arg-type]  # assign_splits decides
        near=gold,
        absent=absent_patterns(one.answer),
        note=f"Generated by {made_by}; answerable only from {parts[number].label}, which is left out: "
        f"“{one.quote}”",
    )
