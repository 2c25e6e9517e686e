"""Questions from single sentences by a few templates: "A loan lasts 21 days." -> "How long does a loan last?"

English only, and only where the sentence has a plain subject before its verb and a figure, date or
name behind it; anything else is passed over, for a crooked question measures nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_TIME = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_COUNT = rf"(?:\d[\d.,]*(?<![.,])|(?:{'|'.join(_NUMBER_WORDS)})\b)"
_NO_UNIT = "(?:a|an|and|are|as|at|but|by|each|every|for|from|if|in|is|of|on|or|others?|that|the|then|to|was|were|when|with)"
_ANSWER = regex.compile(
    rf"""(?P<date>\d{{1,2}}\ {_MONTH}(?:\ \d{{4}})?|{_MONTH}\ \d{{4}}|\d{{4}}-\d\d-\d\d|\d{{1,2}}:\d\d(?:\s?[ap]m)?)
    |(?P<money>[£€$]\s?\d[\d.,]*(?<![.,])|\d[\d.,]*(?<![.,])\s(?:euros?|pounds|dollars|crowns|francs)\b)
    |(?P<figure>{_COUNT}(?:\s?%|\s?°\p{{L}}?|\s(?!{_NO_UNIT}\b)\p{{Ll}}+)|\d[\d.,]*(?<![.,]))
    |(?P<name>\p{{Lu}}\p{{Ll}}+(?:\s\p{{Lu}}\p{{Ll}}+)+)""",
    regex.VERBOSE,
)
_SENTENCE = regex.compile(
    r"""(?P<subject>\p{L}[^,;:.()|\d]*?)\s
    (?P<verb>costs?|lasts?|takes?|weighs?|opens?|closes?|begins?|starts?|ends?|has|have|holds?|needs?|is|are|was|were
    |pays?|gets?|earns?|measures?|carries|carry|stands|lies|must|may|can|shall|will)
    \s(?P<rest>.+?)[.!]?""",
    regex.VERBOSE,
)
_NEAR = 50
_NO_SUBJECT = frozenset(
    "it they this these that those he she we you i there here who what which when where if while as since until "
    "after before during in on at by for from with without under over of to and but or because so then also only "
    "not never nobody its our your their his her my".split()
)
_SUBORDINATE = frozenset("that who whom which whose if when until while where because unless".split())
_DETERMINERS = frozenset("the a an each every all no some any both most many".split())
_STOP_WORDS = frozenset(
    "a an and are as at be been by can could did do does for from given had has have how if in into is it its many "
    "may much must name date figure no not of often on one or our regarding should so such than that the their them "
    "then there these they this those time to was we were what when where which who whom whose will with would you "
    "your".split()
)
_WORD = regex.compile(r"[\p{L}\p{N}]+")


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """A question, what it asks about, the answer as the sentence has it, and the sentence."""

    question: str
    subject: str
    answer: str
    quote: str
    plain: bool
    """Asked by a template that fits its verb, not by the general one."""


def from_sentence(sentence: str, heading: str, document: str) -> MadeQuestion | None:
    """The question that a sentence (white space folded) answers; None where no template fits.

    ``heading`` stands above it; ``document`` is the whole text, which tells names from first words.
    """
    found = _SENTENCE.fullmatch(sentence)
    if found is None or len(sentence) > 250:
        return None
    subject, verb, rest = found["subject"], found["verb"], found["rest"]
    words = subject.split()
    if len(words) > 8 or words[0].casefold() in _NO_SUBJECT or not content_words(subject):
        return None
    if _SUBORDINATE & {word.casefold() for word in words}:
        return None
    # "Sit through the introduction" and other orders have no subject: without a determiner the
    # subject has to be a name or a plural.
    determined = words[0].casefold() in _DETERMINERS
    named = not determined and _is_name(words, document)
    if not (determined or named or words[-1].endswith("s")):
        return None
    asked = subject if named else subject[0].lower() + subject[1:]
    for made, answer in _asked(asked, verb, rest):
        return MadeQuestion(made, subject, answer, sentence, plain=True)
    # A figure far behind the verb, or in another clause, is hardly one "for" the subject.
    answer = _ANSWER.search(rest[:_NEAR])
    if answer is None or ";" in rest[: answer.start()]:
        return None
    answer = _ANSWER.match(rest, answer.start())
    assert answer is not None
    kind = {"date": "date or time", "name": "name"}.get(answer.lastgroup or "", "figure")
    about = heading if heading and not content_words(heading) & content_words(subject) else ""
    opening = f"Regarding “{about}”, what" if about else "What"
    return MadeQuestion(f"{opening} {kind} is given for {asked}?", subject, answer[0], sentence, plain=False)


def _asked(subject: str, verb: str, rest: str) -> Iterator[tuple[str, str]]:
    """The questions of the templates that fit, best first, each with its answer."""
    # "costs" is of one thing, "cost" of several (or past, which reads the same in a question).
    singular = verb.endswith("s")
    do, base = ("does" if singular else "do"), {"has": "have"}.get(verb, verb.removesuffix("s"))
    first = _ANSWER.match(rest)
    if verb in ("costs", "cost") and first and first["money"]:
        yield f"How much {do} {subject} cost?", first[0]
    if verb in ("weighs", "weigh") and first:
        yield f"How much {do} {subject} weigh?", first[0]
    if verb in ("lasts", "last", "takes", "take") and (
        long := _match(rf"(?:about )?({_COUNT} {_TIME})\b", rest)
    ):
        yield f"How long {do} {subject} {base}?", long
    if base in ("open", "close", "begin", "start", "end") and (at := _match(r"(?:at|on) (.+)", rest)):
        when = _ANSWER.match(at)
        if when and when["date"]:
            yield f"When {do} {subject} {base}?", when[0]
    if base in ("have", "hold", "need"):
        many = regex.match(rf"(?P<count>{_COUNT}) (?P<noun>\p{{Ll}}+s)\b(?! of\b)", rest)
        if many:
            yield f"How many {many['noun']} {do} {subject} {base}?", many[0]
    if verb in ("is", "are", "was", "were"):
        participle = regex.match(r"(?P<done>\p{Ll}+(?:ed|en|pt|ld|nt|id)) (?P<how>.+)", rest)
        if participle:
            done, how = participle["done"], participle["how"]
            if long := _match(rf"for (?:about )?({_COUNT} {_TIME})\b", how):
                yield f"How long {verb} {subject} {done}?", long
            if often := _match(rf"every ({_COUNT} {_TIME})\b", how):
                yield f"How often {verb} {subject} {done}?", often
            when = _ANSWER.match(_match(r"(?:on|in|at) (.+)", how) or "")
            if when and when["date"]:
                yield f"When {verb} {subject} {done}?", when[0]


def _is_name(words: Sequence[str], document: str) -> bool:
    """Whether the first word of a sentence has its capital for its own sake, as it has amid others too."""
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return True
    first = regex.sub(r"['’]s?$", "", words[0])
    return bool(regex.search(rf"(?<=[\p{{Ll}},]\s){regex.escape(first)}(?!\w)", document))


def _match(pattern: str, text: str) -> str | None:
    found = regex.match(pattern, text)
    return found[1] if found else None


def content_words(text: str) -> set[str]:
    """Words that carry what is said, without plural endings; numbers are words too."""
    words = {word.casefold() for word in _WORD.findall(text)} - _STOP_WORDS
    return {
        word[:-1] if len(word) > 3 and word.endswith("s") and word[0].isalpha() else word for word in words
    }


def absent_patterns(answer: str) -> tuple[str, ...]:
    """Regular expressions, each from the beginning of a word, for an answer in digits and in words."""
    tokens = answer.lstrip("£€$ “\"'").rstrip(".,;:!?”\"' ").split()
    if not tokens:
        return ()
    forms = [tokens]
    if tokens[0].casefold() in _NUMBER_WORDS:
        forms.append([str(_NUMBER_WORDS.index(tokens[0].casefold()) + 2), *tokens[1:]])
    elif tokens[0].isdigit() and 2 <= int(tokens[0]) <= 12:
        forms.append([_NUMBER_WORDS[int(tokens[0]) - 2], *tokens[1:]])
    return tuple(r"\s+".join(map(regex.escape, form)) + r"(?!\w)" for form in forms)
