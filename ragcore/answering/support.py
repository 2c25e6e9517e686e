"""One claim against one passage: supported, or the reason in words why not.

Hard first: every number, amount, date, time, code and name that the claim brings must stand in the
passage, in a sentence that is about what is claimed and that does not deny it. Then soft: words of
the passage, or a meaning close to one of its sentences. What the question itself says is no
invention; but an answer that is only a value is a claim about the question, so the value's sentence
must be about that. Limits: EXPERIMENTS.md, checked answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ragcore.answering.closeness import FURTHEST, distance
from ragcore.answering.grounds import Ground, Grounds, plain_words
from ragcore.answering.taking_apart import Said, lexemes_of, same_value, stands
from ragcore.lexical.dimensions import wrong_dimension
from ragcore.lexical.facts import Token, tokens
from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.polarity import NEGATIONS, Side, denies, side_of

COVERED_FROM = 0.6
"""Share of a claim's own words that stand in the passage, from which it needs no further proof."""
ALIKE_FROM = 0.6
"""Cosine of a claim and a sentence of the passage, from which the words may be others."""
RELATED_FROM = 0.5
"""Share of the question's words in a claim that the sentence with its own words must have: else it says its
words, but of something else."""
ALIKE_UNRELATED = 0.7
"""Cosine that is asked for below that share."""
QUOTED_FROM = 6
"""So many words of a passage in a row are a quotation; fewer may be a value of something else."""
COPIED_FROM = 6
"""So many words of its own, all of them in one sentence: the sentence is what it says, whatever the question calls it."""
ADDED_FROM = 2
ADDED_UP_TO = 0.8
"""So many words that the passage has not, among so large a share that it has: a copy with something added."""
ALIKE_MIXED = 0.85
"""Cosine that is asked for there: what is copied makes it high."""
LEAST_COVERED = 0.25
"""Below this share of its own words in the passage, no cosine helps."""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a passage supports a claim; ``reason`` says why not, after "it": "says 2,000, no passage does"."""

    supported: bool
    reason: str = ""
    missing: str = ""
    """What the claim brings and the passage does not have, as written."""
    ground: Ground | None = field(default=None, compare=False)
    """The sentence that it rests on; None where the claim is the passage's own words."""
    beside: bool = False
    """The passage is on another thing than what was asked: its sentences would answer something else."""


def support_of(said: Said, numbers: Sequence[int], grounds: Grounds) -> Support:
    """Whether the passages of these numbers, one or more together, support the claim."""
    if thing := grounds.has_own_section(numbers):
        return Support(False, f"is not about {thing}, which another passage is on")
    there = [token for number in numbers for token in grounds.tokens[number]]
    if other := _another_year(said, numbers, grounds, there):
        return Support(False, f"is about {other}, which was not asked", beside=True)
    if any(_verbatim(said, number, grounds) for number in numbers):
        return Support(True)
    for _, token in said.values:
        if not stands(token, there):
            return Support(
                False, f"says {token.text.strip('. ')}, which the passage does not", missing=token.text
            )
    for token in said.stated:
        if token.kind == "number" and not _is_year(token) and not stands(token, there):
            # The question brings it, and the passage is on another: "error 12" where there is only "error 31".
            return Support(False, f"is about {token.text.strip('. ')}, which the passage is not", beside=True)
    words = frozenset[str]().union(*(grounds.words[number] for number in numbers))
    for name in said.names:
        if not lexemes_of(name) & words:
            return Support(False, f"says {name}, which the passage does not", missing=name)
    if said.values and (reason := wrong_dimension(said.question, [token for _, token in said.values])):
        return Support(False, reason)
    if said.values or said.names:
        return _stated(said, numbers, words, grounds)
    return _described(said, numbers, words, grounds)


def _another_year(said: Said, numbers: Sequence[int], grounds: Grounds, there: Sequence[Token]) -> str:
    """The year in a heading of the passages where the question asks of others, none of which they have; else empty."""
    asked = [token for token in tokens(said.question) if _is_year(token)]
    if not asked or any(stands(token, there) for token in asked):
        return ""
    return next((token.text for token in grounds.headings(numbers) if _is_year(token)), "")


def _is_year(token: Token) -> bool:
    """Whether it may be a year: a passage need not say of which one it speaks."""
    return not token.unit and bool(re.fullmatch(r"(?:19|20)\d\d", token.text.strip(". ")))


def _verbatim(said: Said, number: int, grounds: Grounds) -> bool:
    """Whether the claim is a sentence of the passage, or a longer piece of it, word for word."""
    words = " ".join(plain_words(said.text))
    if said.answer or not words:
        return False
    if any(words == " ".join(plain_words(ground.text)) for ground in grounds.of(number)):
        return True
    if words.count(" ") + 1 < QUOTED_FROM:
        return False
    before, found, _ = f" {' '.join(grounds.plain(number))} ".partition(f" {words} ")
    left_out = before.split()[-_REACH:]
    if not found or NEGATIONS & set(left_out):
        return False
    # "5 % of the base salary of an employee" is not what "up to 5 % of ..." says.
    first = next((place for place, token in said.values if place < _REACH), None)
    if first is None or side_of(said.row, first):
        return True
    in_front = tokens(" ".join(left_out))
    return not side_of(in_front + said.row, len(in_front) + first)


_REACH = 3
"""A negation that so few words before the piece may have been left out."""


def loses_bound(said: Said, place: int, ground: Ground) -> bool:
    """Whether a sentence says "up to 5" and the claim, of its value at ``place``, just "5"."""
    sides = _sides(said.row[place], ground)
    return bool(sides) and None not in sides and side_of(said.row, place) is None


def _sides(token: Token, ground: Ground) -> set[Side | None]:
    """On which sides of a value a sentence says that something lies; empty where it has no such value."""
    return {side_of(ground.tokens, i) for i, other in enumerate(ground.tokens) if same_value(token, other)}


def _stated(said: Said, numbers: Sequence[int], words: frozenset[str], grounds: Grounds) -> Support:
    """A claim that brings values or names: each in a sentence that is about it."""
    left = list(said.values)
    names = [lexemes_of(name) for name in said.names]
    reason = ""
    first: Ground | None = None
    for ground, asked in _holding(said, numbers, grounds):
        here = [(place, token) for place, token in left if stands(token, ground.tokens)]
        called = [name for name in names if name & ground.lexemes]
        if not here and not called:
            continue
        reason = _against(said, ground, here)
        if not reason and distance(said, ground, asked, grounds) > FURTHEST:
            what = here[0][1].text.strip(". ") if here else said.names[0]
            reason = f"says {what}, which the passage says of something else"
        if reason:
            continue
        first = first or ground
        left = [pair for pair in left if pair not in here]
        names = [name for name in names if name not in called]
        if not left and not names:
            if said.own:
                # The sentence of the value, whatever else the claim's words come from.
                return replace(_described(said, numbers, words, grounds), ground=first)
            denial = _denied(said, said.subject, [ground])
            return Support(not denial, denial, ground=first)
    return Support(False, reason or "puts together what the passage says in different places")


def _holding(said: Said, numbers: Sequence[int], grounds: Grounds) -> list[tuple[Ground, float]]:
    """The grounds that hold some of what the claim brings, with their cosines against the question.

    The likeliest first: those that hold most of it, then those that share most words with the claim.
    """
    names = [lexemes_of(name) for name in said.names]

    def held(ground: Ground) -> int:
        values = sum(stands(token, ground.tokens) for _, token in said.values)
        return values + sum(bool(name & ground.lexemes) for name in names)

    found = []
    for number in numbers:
        for place, ground in enumerate(grounds.of(number)):
            if count := held(ground):
                asked = grounds.asked(number)[place]
                shared = len((said.subject | said.own) & ground.lexemes)
                found.append(((count, shared + 2 * asked, -ground.sentences), ground, asked))
    return [(ground, asked) for _, ground, asked in sorted(found, key=lambda one: one[0], reverse=True)]


def _against(said: Said, ground: Ground, here: Sequence[tuple[int, Token]]) -> str:
    """What in a sentence speaks against the claim: another side of a value, or another number of the same thing."""
    for place, token in here:
        if reason := _counted_otherwise(said.row, place, ground.tokens):
            return reason
        mine = side_of(said.row, place)
        sides = _sides(token, ground)
        if mine and sides and mine not in sides and None not in sides:
            words = {"lower": "at least", "upper": "at most"}
            return f"says {words[mine]} {token.text.strip('. ')}, the passage says {words[next(iter(sides)) or mine]}"
    return ""


def _counted_otherwise(row: Sequence[Token], place: int, there: Sequence[Token]) -> str:
    """Why "34 vets" does not rest on "34 people, nine of them vets"; empty where the thing is not counted there."""
    token, after = row[place], row[place + 1 : place + 2]
    noun = set(lexemes(after[0].text)) if after and after[0].text.isalpha() else set()
    if token.kind != "number" or token.unit or not noun:
        return ""
    counts = [
        [one for one in there[max(0, i - _REACH) : i] if one.kind == "number"][-1:]
        for i, other in enumerate(there)
        if noun & set(lexemes(other.text))
    ]
    numbers = [one[0] for one in counts if one]
    if not numbers or any(same_value(token, one) for one in numbers):
        return ""
    return f"says {token.text} {after[0].text}, the passage says {numbers[0].text.strip('. ')}"


def _described(said: Said, numbers: Sequence[int], words: frozenset[str], grounds: Grounds) -> Support:
    """A claim in words: they, or what they mean, must stand in the passage, and not be denied there."""
    about = (said.subject | said.own) or frozenset(lexemes(said.text))
    ranked = sorted(
        (one for number in numbers for one in grounds.of(number)),
        key=lambda ground: -len(about & ground.lexemes),
    )[:_LOOKED_AT]
    if not ranked:
        return Support(False, "is not in the passage")
    own_covered = len(said.own & words) / len(said.own) if said.own else 1.0
    covered = max(len(about & ground.lexemes) for ground in ranked) / max(1, len(about))
    if denial := _denied(said, about, ranked):
        return Support(False, denial)
    if not said.own:
        # "Yes, parking is reimbursed" brings no word of its own: then what was asked has to stand there, all of it.
        asked = said.question if said.answer else said.text
        holds = covered == 1.0 or grounds.similarity(asked, ranked) >= ALIKE_UNRELATED
        reason = "" if holds else "affirms what the passage does not say"
        return Support(holds, reason, ground=ranked[0], beside=not holds)
    related = _related(said, ranked)
    added = len(said.own - words)
    mixed = COVERED_FROM <= own_covered < ADDED_UP_TO and added >= ADDED_FROM
    if own_covered >= COVERED_FROM and covered >= COVERED_FROM and related >= RELATED_FROM and not mixed:
        return Support(True, ground=ranked[0])
    copied = next((one for one in ranked if one.sentences == 1 and said.own <= one.lexemes), None)
    if copied and len(said.own) >= COPIED_FROM:
        # A sentence of the passage about what is called otherwise in the question; it is shown in its own words.
        return Support(True, ground=copied)
    alike = grounds.similarity(said.question if said.answer else said.text, ranked)
    wanted = ALIKE_MIXED if mixed else ALIKE_FROM if related >= RELATED_FROM else ALIKE_UNRELATED
    if alike >= wanted and own_covered >= LEAST_COVERED:
        return Support(True, ground=grounds.closest(said.text, ranked))
    return Support(False, "says what the passage does not")


_LOOKED_AT = 8


def _related(said: Said, ranked: Sequence[Ground]) -> float:
    """Share of the question's words in the claim that a sentence with most of the claim's own words has too."""
    asked = said.subject - said.own
    if not asked:
        return 1.0
    most = max(len(said.own & ground.lexemes) for ground in ranked)
    near = [ground for ground in ranked if len(said.own & ground.lexemes) >= most * 0.8]
    return max(len(asked & ground.lexemes) for ground in near) / len(asked)


def _denied(said: Said, about: frozenset[str], ranked: Sequence[Ground]) -> str:
    """Why the sentence that says most of it says the opposite; empty where it does not."""
    mine = denies(said.row) != (said.answer == "no")
    counts = [(len(about & ground.lexemes), ground) for ground in ranked]
    most = max(count for count, _ in counts)
    if most < max(2, len(about) * _ENOUGH_TO_DENY):
        return ""
    near = [ground for count, ground in counts if count >= most * 0.8]
    if any(_clause_denies(about, ground) == mine or denies(ground.tokens) == mine for ground in near):
        return ""
    return "denies what the passage says" if mine else "affirms what the passage denies"


_ENOUGH_TO_DENY = 0.5


def _clause_denies(about: frozenset[str], ground: Ground) -> bool:
    """Whether the clause that shares most with the claim denies."""
    clauses: dict[int, list[Token]] = {}
    for token in ground.tokens:
        clauses.setdefault(token.clause, []).append(token)
    best = max(
        clauses.values(),
        key=lambda row: len(about & frozenset(lexemes(" ".join(token.text for token in row)))),
        default=[],
    )
    return denies(best)
