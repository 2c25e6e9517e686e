"""Pairs of a question and a text that says its answer or does not, made from SQuAD 1.1.

What is hard about refusing is a text on the very subject that lacks the answer. So most texts without an
answer are made from those with one: the answer is taken out, or something of another kind is put in its
place, or the question asks about another year, number or name. Words that are no answer are taken out of
texts with one as well, so that a scar alone tells nothing.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

_BOUNDARY = re.compile(r'(?<=[.!?])\s+(?=[A-Z"“(0-9])')
_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_NAME = re.compile(r"(?<=[a-z,] )((?:[A-Z][\w'’-]+)(?: (?:of |the |de )?[A-Z][\w'’-]+)*)")
_STATEMENT = re.compile(
    r"^((?:The|A|An|Its|His|Their|[A-Z][\w'’-]+)(?: [\w'’,-]+){0,5}?)"
    r" (is|are|was|were|can|could|may|must|has|have|had|will|would) (.{8,90}?)[.;,]",
    re.S,
)
_LEADS_UP = re.compile(
    r"(?:\b(?:in|on|at|by|of|for|to|from|the|a|an|about|around|with|as|is|was|are|were|called|named|than|over"
    r"|until|since|during|and)\s+){0,2}$",
    re.I,
)
_STOP_WORDS = frozenset(
    "a an the of in on at to for by with from as is are was were be been being do does did has have had what which "
    "who whom whose when where why how many much that this these those it its their his her and or not".split()
)
_ASKING = frozenset("when who where how many much".split())
_OPENINGS = ("hi, ", "Can you tell me ", "please: ", "I would like to know: ", "Do you know ")


@dataclass(frozen=True, slots=True)
class Pair:
    question: str
    text: str
    answers: bool
    kind: str
    """What was done to get it: "answer", "answer taken out", "same paragraph", ..."""


@dataclass(slots=True)
class _Article:
    title: str
    paragraphs: list[list[tuple[int, int, str]]]
    """Sentences with their places in the paragraph."""
    names: list[str]
    answers: list[str]
    sentences: list[tuple[int, int, str, frozenset[str]]] = field(default_factory=list)
    """Paragraph, place, text and words of every sentence."""
    frequencies: Counter[str] = field(default_factory=Counter)


def pairs(squad: Path, *, questions: int, seed: int) -> Iterator[Pair]:
    """About three pairs for each of so many questions, drawn by the seed from a file of SQuAD 1.1."""
    rng = random.Random(seed)
    articles, asked = [], []
    for entry in json.loads(squad.read_text("utf-8"))["data"]:
        article = _article(entry)
        articles.append(article)
        for place, paragraph in enumerate(entry["paragraphs"]):
            asked += [(article, place, one) for one in paragraph["qas"]]
    rng.shuffle(asked)
    for article, place, one in asked[:questions]:
        yield from _of_question(article, place, one, articles, rng)


def _of_question(
    article: _Article, place: int, asked: dict, articles: list[_Article], rng: random.Random
) -> Iterator[Pair]:
    question, answer = asked["question"].strip(), asked["answers"][0]
    sentences = article.paragraphs[place]
    at = next((i for i, one in enumerate(sentences) if one[0] <= answer["answer_start"] < one[1]), None)
    if at is None or len(question) < 10:
        return
    golds = {one["text"] for one in asked["answers"]}
    low = {gold.lower() for gold in golds}

    def lacks(text: str) -> bool:
        return not any(gold in text.lower() for gold in low)

    def made(text: str, kind: str, said: str = "") -> Pair:
        return Pair(said or typed, _headed(article, text, rng), kind == "answer", kind)

    typed, words = as_typed(question, rng), _words(question)
    whole = _window(sentences, at, rng)
    yield made(_scarred(whole, golds, words, article, rng) if rng.random() < 0.4 else whole, "answer")
    chance = rng.random()
    if chance < 0.45:
        text = _without(whole, golds, rng)
        if lacks(text) and len(text.split()) > 3:
            yield made(text, "answer taken out")
    elif chance < 0.7:
        text = _swapped(whole, golds, answer["text"], article, rng)
        if text and lacks(text):
            yield made(text, "answer swapped")
    others = [i for i in range(len(sentences)) if i != at and lacks(sentences[i][2])]
    if others and rng.random() < 0.6:
        nearest = max(others, key=lambda i: len(_words(sentences[i][2]) & words))
        text = _window(sentences, nearest if rng.random() < 0.7 else rng.choice(others), rng, clear_of=at)
        if text and lacks(text):
            yield made(text, "same paragraph")
    if rng.random() < 0.35 and (text := _elsewhere(article, place, words, lacks, rng)):
        yield made(text, "same article")
    if rng.random() < 0.4 and (other := _about_another(question, whole, article, rng)):
        yield made(whole, "another value", as_typed(other, rng))
    if rng.random() < 0.04:
        far = rng.choice(articles)
        paragraph, sentence, *_ = rng.choice(far.sentences)
        text = _window(far.paragraphs[paragraph], sentence, rng)
        if lacks(text):
            yield made(text, "another article")
    if rng.random() < 0.15:
        yield from _yes_or_no(article, sentences, rng)


def _yes_or_no(article: _Article, sentences: list, rng: random.Random) -> Iterator[Pair]:
    """A sentence turned into a question that yes or no answers, with it and with its nearest neighbour."""
    at = rng.randrange(len(sentences))
    stated = _STATEMENT.match(sentences[at][2])
    others = [i for i in range(len(sentences)) if i != at]
    if stated is None or not others:
        return
    subject = stated[1]
    if subject.split()[0] in ("The", "A", "An", "Its", "His", "Their"):
        subject = subject[0].lower() + subject[1:]
    question = f"{stated[2].capitalize()} {subject} {stated[3]}?"
    typed = as_typed(question, rng)
    nearest = max(others, key=lambda i: len(_words(sentences[i][2]) & _words(question)))
    for text, answers in (
        (_window(sentences, at, rng), True),
        (_window(sentences, nearest, rng, clear_of=at), False),
    ):
        kind = "yes or no" if answers else "yes or no, unsaid"
        yield Pair(typed, _headed(article, text, rng), answers, kind)


def _headed(article: _Article, text: str, rng: random.Random) -> str:
    """The text, mostly below the title of its article, as the product's are below their headings."""
    return f"{article.title}\n{text}" if rng.random() < 0.65 else text


def _article(entry: dict) -> _Article:
    texts = [paragraph["context"] for paragraph in entry["paragraphs"]]
    article = _Article(
        entry["title"].replace("_", " "),
        [_sentences(text) for text in texts],
        sorted({one[1] for text in texts for one in _NAME.finditer(text) if len(one[1]) > 3}),
        sorted({one["answers"][0]["text"] for paragraph in entry["paragraphs"] for one in paragraph["qas"]}),
    )
    for number, paragraph in enumerate(article.paragraphs):
        for place, (_, _, text) in enumerate(paragraph):
            article.sentences.append((number, place, text, _words(text)))
    article.frequencies.update(word for *_, words in article.sentences for word in words)
    return article


def _sentences(text: str) -> list[tuple[int, int, str]]:
    found, start = [], 0
    for part in _BOUNDARY.split(text):
        start = text.find(part, start)
        found.append((start, start + len(part), part))
        start += len(part)
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in re.findall(r"[A-Za-z0-9]+", text)) - _STOP_WORDS


def _window(sentences: list, at: int, rng: random.Random, clear_of: int | None = None) -> str:
    """One to four sentences round one of them, without the one that is to be kept clear of."""
    length = rng.choices([1, 2, 3, 4], [0.55, 0.25, 0.14, 0.06])[0]
    start = max(0, at - rng.randrange(length))
    end = min(len(sentences), start + length)
    if clear_of is not None and clear_of < at:
        start = max(start, clear_of + 1)
    elif clear_of is not None:
        end = min(end, clear_of)
    return " ".join(one[2] for one in sentences[start:end])


def as_typed(question: str, rng: random.Random) -> str:
    """The question as people type: in small letters, in key words, with a greeting, with a slip."""
    chance = rng.random()
    if chance < 0.12:
        question = question.lower().rstrip("?. ")
    elif chance < 0.20:
        kept = [word for word in question.rstrip("?").split() if word.lower() not in _STOP_WORDS - _ASKING]
        question = " ".join(kept).lower()
    elif chance < 0.25:
        question = rng.choice(_OPENINGS) + question[0].lower() + question[1:]
    words = question.split()
    if rng.random() < 0.10 and words:
        place = rng.randrange(len(words))
        word = words[place]
        if len(word) > 4:
            i = rng.randrange(1, len(word) - 2)
            slips = (
                word[:i] + word[i + 1 :],
                word[:i] + word[i + 1] + word[i] + word[i + 2 :],
                word[:i] + word[i] + word[i:],
            )
            words[place] = rng.choices(slips, [0.4, 0.4, 0.2])[0]
            question = " ".join(words)
    return question


def _without(text: str, golds: Set[str], rng: random.Random) -> str:
    """The text without the answer and, mostly, without what leads up to it: "in 1889"."""
    for gold in sorted(golds, key=len, reverse=True):
        while found := re.search(re.escape(gold), text, re.I):
            start = found.start()
            if rng.random() < 0.7:
                start = _LEADS_UP.search(text[:start]).start()
            text = text[:start] + text[found.end() :]
    return _tidy(text)


def _swapped(text: str, golds: Set[str], answer: str, article: _Article, rng: random.Random) -> str | None:
    """The text with an answer of another kind in the answer's place: a name for a number."""
    fitting = [
        one
        for one in article.answers
        if _kind(one) != _kind(answer) and one.lower() not in text.lower() and len(one) < 60
    ]
    if not fitting:
        return None
    new = rng.choice(fitting)
    for gold in sorted(golds, key=len, reverse=True):
        text = re.sub(re.escape(gold), lambda _: new, text, flags=re.I)
    return text


def _scarred(text: str, golds: Set[str], asked: Set[str], article: _Article, rng: random.Random) -> str:
    """The text without some words, or with others for them, that are neither the answer nor asked about."""
    barred = [found.span() for gold in golds for found in re.finditer(re.escape(gold), text, re.I)]
    places = [found.span() for found in re.finditer(r"\S+", text)]
    free = [
        not any(start < last and first < end for first, last in barred)
        and not _words(text[start:end]) & asked
        for start, end in places
    ]
    if not any(free):
        return text
    first = last = rng.choice([i for i, one in enumerate(free) if one])
    while last + 1 < len(places) and free[last + 1] and last - first < rng.randrange(1, 5):
        last += 1
    new = rng.choice(article.answers) if rng.random() < 0.35 else ""
    return _tidy(text[: places[first][0]] + new + text[places[last][1] :])


def _elsewhere(article: _Article, place: int, asked: Set[str], lacks, rng: random.Random) -> str:
    """A window of another paragraph with many of the question's rare words; empty where there is none."""
    scored = sorted(
        (
            sum(
                math.log(len(article.sentences) / article.frequencies[word]) for word in sorted(words & asked)
            ),
            number,
        )
        for number, (paragraph, _, text, words) in enumerate(article.sentences)
        if paragraph != place and lacks(text)
    )
    if not scored:
        return ""
    _, number = scored[-1] if rng.random() < 0.6 else rng.choice(scored[-6:])
    paragraph, sentence, *_ = article.sentences[number]
    text = _window(article.paragraphs[paragraph], sentence, rng)
    return text if lacks(text) else ""


def _about_another(question: str, text: str, article: _Article, rng: random.Random) -> str | None:
    """The question about another year, number or name than the text speaks of."""
    numbers = [one for one in _NUMBER.finditer(question) if one.group() in text]
    if numbers and rng.random() < 0.7:
        found = rng.choice(numbers)
        old = found.group().rstrip(".,")
        if re.fullmatch(r"(?:1\d|20)\d\d", old):
            new = str(int(old) + rng.choice([-11, -7, -4, -3, -2, -1, 1, 2, 3, 5, 8]))
        elif re.fullmatch(r"\d[\d,]*(?:\.\d+)?", old):
            new = str(int(float(old.replace(",", "")) * rng.choice([2, 3, 0.5]) + rng.randrange(1, 9)))
        else:
            return None
        return None if new in text else question[: found.start()] + new + question[found.start() + len(old) :]
    names = [one for one in _NAME.finditer(question) if one[1] in text and one[1] not in article.title]
    others = [name for name in article.names if name not in text and name not in question]
    if not names or not others:
        return None
    found = rng.choice(names)
    return question[: found.start(1)] + rng.choice(others) + question[found.end(1) :]


def _kind(answer: str) -> str:
    return "number" if re.search(r"\d", answer) else "name" if answer[:1].isupper() else "words"


def _tidy(text: str) -> str:
    text = re.sub(r"\s{2,}", " ", re.sub(r"\(\s*\)", "", text))
    return re.sub(r"\s+([,.;:)])", r"\1", text).strip()
