"""Whether a text says "I don't know" or answers: for other tools' answers and models' own words.

The app's own flag is always better, where there is one (``refused``). For foreign text the reply
is cut into clauses, each is told apart by what it does (``denials``), and the first one that
matters decides: a denial of what was asked is a refusal even with related facts behind it, a
statement is an answer even with an apology before or a gap admitted behind it. What cannot be
told is "unclear" and belongs to a person. English only: a refusal in another language reads as
an answer.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

import regex

from ragcore.chunking.sentences import sentences
from ragcore.evaluation.denials import Act, act_of


@dataclass(frozen=True, slots=True)
class RefusalVerdict:
    """``label`` with the clause or rule that led to it."""

    label: Literal["refusal", "answer", "unclear"]
    reason: str


def refused(flag: bool | None, text: str, question: str = "") -> RefusalVerdict:
    """The app's own flag where there is one (None: there is not), otherwise what the text says."""
    if flag is None:
        return recognise_refusal(text, question)
    return RefusalVerdict("refusal" if flag else "answer", "The app's own flag.")


def recognise_refusal(text: str, question: str = "") -> RefusalVerdict:
    """Whether ``text`` refuses to answer ``question``.

    The question helps: words echoed from it are no content of an answer, and a denial that it
    asks for ("Does the policy cover floods?") is an answer. Never raises; empty text is unclear.
    """
    clauses = _clauses(text)
    if not clauses:
        return RefusalVerdict("unclear", "There is no text.")
    asked = " ".join(_folded(question).split())
    acts = [(_in_the_light_of(asked, act_of(clause), clause), clause) for clause in clauses]
    if (
        _YES_NO.match(clauses[0])
        and acts[0][0] != "denial"
        and not any(act == "denial" for act, _ in acts[1:2])
    ):
        return RefusalVerdict("answer", f'It begins with "{clauses[0].split()[0].strip(".,:;")}".')
    doubts = [i for i, (act, _) in enumerate(acts) if act in ("denial", "qualified", "weak")]
    if not doubts:
        if all(act == "neutral" for act, _ in acts):
            return RefusalVerdict("unclear", "Nothing but polite words.")
        return RefusalVerdict("answer", "Nothing in it denies knowledge.")
    first = doubts[0]
    before = [clause for act, clause in acts[:first] if act == "statement"]
    # A pointer that says "that ..." states something after all.
    after = [(act, clause) for act, clause in acts[first + 1 :] if act in ("statement", "pointer")]
    act, denial = acts[first]
    if before and not _only_echo(before, asked):
        return _after_a_statement(before, act, denial, asked)
    if act == "weak":
        return _weak(denial, [clause for act, clause in after if act == "statement"], asked)
    if act == "qualified" and after:
        return _qualified(denial, after, asked)
    tail = after[0][1] if after and after[0][0] == "statement" else ""
    if regex.match(
        r"(?:but |however |still |yet )?(?:it|that|this|the answer|he|she|they)(?: is| was| are|'s|'re) (?!not\b|about\b)",
        tail,
    ):
        return RefusalVerdict("answer", f'It answers after all: "{tail}".')
    if tail and regex.match("(?:although|though|while) ", denial):
        answered = _covered(tail, asked) >= 0.5
        return RefusalVerdict("answer" if answered else "unclear", f'It concedes a gap, then says: "{tail}".')
    if asked and tail.startswith("but ") and _covered(tail, asked) >= 0.5:
        return RefusalVerdict("unclear", f'It denies ("{denial}"), then speaks of what was asked.')
    return RefusalVerdict("refusal", f'It denies what was asked: "{denial}".')


def _after_a_statement(before: list[str], act: Act, denial: str, asked: str) -> RefusalVerdict:
    """A gap admitted after an answer, or related facts before a refusal: what is the denial about?"""
    said = max(_covered(clause, asked) for clause in before)
    denied = _covered(denial, asked)
    if act != "denial" or not asked or said >= denied:
        return RefusalVerdict("answer", f'It states something first: "{before[0]}".')
    if denied >= said + 0.3 or said == 0:
        return RefusalVerdict("refusal", f'Related facts first, then it denies what was asked: "{denial}".')
    return RefusalVerdict("unclear", f'It states "{before[0]}" and denies "{denial}".')


def _weak(denial: str, after: list[str], asked: str) -> RefusalVerdict:
    """ "It is not listed" is a gap in the documents or a fact about the thing."""
    if not asked:
        return RefusalVerdict("unclear", f'Without the question it cannot be told: "{denial}".')
    if _only_echo([denial], asked) and not _IS_YES_NO_QUESTION.match(asked):
        return RefusalVerdict("refusal", f'Nothing but the question\'s own words is denied: "{denial}".')
    if after and after[0].startswith(("but ", "so ", "however ")):
        return RefusalVerdict("answer", f'It answers after all: "{after[0]}".')
    if _only_echo([denial], asked):
        return RefusalVerdict("unclear", f'The documents\' gap or a fact: "{denial}".')
    return RefusalVerdict("answer", f'A fact about the thing, not about the documents: "{denial}".')


def _qualified(denial: str, after: list[tuple[Act, str]], asked: str) -> RefusalVerdict:
    """ "Not stated explicitly, but ...": the rest decides."""
    for act, clause in after:
        infers = regex.search(
            r"\b(?:suggests?|impl(?:y|ies)|infer|indicates?|gives?|says? that|states? that)\b", clause
        )
        if act == "statement" or infers:
            return RefusalVerdict("answer", f'Hedged, then answered: "{clause}".')
    return RefusalVerdict("unclear", f'Hedged ("{denial}"), then other facts: "{after[0][1]}".')


_YES_NO = regex.compile(r"(?:yes|no|nope|yep)\b(?=[,.:;!]|$)")
_IS_YES_NO_QUESTION = regex.compile(
    r"(?:do|does|did|is|are|was|were|can|could|may|must|will|would|has|have|should|am)\b"
)
_NEGATION = regex.compile(
    r"\b(?:not|never|no|nobody|missing|without|lacks?|leaves? out|unknown|wrong)\b|n't\b|\bcannot\b"
)
_ASKS_FOR_A_GAP = regex.compile(
    r"\b(?:leaves? out|omits?|lacks?|missing|(?:not|n't|never) (?:be )?(?:mention|say|cover|contain|includ|state))"
)
_SPLIT = regex.compile(
    r"""\s*[;:]\s+|\s+-+\s+|,?\s+(?=(?:but|however|although|though|because|whereas|whose|which|yet)\s)
    |,\s+(?=(?:so|and|while|only|it|they|he|she|i|we|you|there|nobody|none)\s)|,\s+(?=not\s)""",
    regex.VERBOSE,
)
_LEADING = regex.compile(
    r"(?:sorry|unfortunately|regrettably|sadly|apologies|based on|according to|from|although|though|while|as|i'm|per|thanks|after"
    r"|however|yes|no|hello|in|hi|given|my apologies|i apologi[sz]e)\b[^,]{0,110}(,)\s+"
)
_CONDITION = regex.compile(
    r"(?:^|(?<=, ))(?:if|when|whenever|unless|in case|once)\b[^,.;]*,?\s*|\s(?:if|unless|in case|whenever)\b(?! there)[^,.;]*"
)
_QUOTED = regex.compile(r'"[^"]{2,300}"|(?<![\w])\'(?!s\b)[^\']{1,80}(?:\'[a-z][^\']{0,120})*\'(?!\w)')
_STOP = frozenset(
    """a an the of in on at to for from by with and or but is are was were be been do does did has have had it its this that these
    those there here i you we they he she my your our their me us what which who whom whose when where why how many much long old
    often not no nor never any anything nothing some can could may might must will would should if whether so as about also only
    than then get gets currently""".split()
)
_TALK = frozenset(
    """provided given information mention mentioned document documents passage passages context text answer question specify
    specified state stated say says listed found available included includes recorded described covered addressed known named
    contain contained detail details source sources excerpts material manual handbook file files i'm sorry unfortunately
    however although name defined noted shown figure value entry sure clear identity explained""".split()
)


def _clauses(text: str) -> list[str]:
    """The clauses of a text, folded, without citations and markup, with quotations masked."""
    plain = regex.sub(r"\[[^\[\]]{0,200}\]", " ", text)
    plain = regex.sub(r"[*_`#>]+", "", plain).strip()
    whole = regex.fullmatch(r"[\"“”]([^\"“”]+)[\"“”]\.?", plain)
    plain = whole[1] if whole else plain
    found: list[str] = []
    for start, end in sentences(plain):
        sentence = _QUOTED.sub("quotation", _folded(" ".join(plain[start:end].split())))
        pending = _CONDITION.sub(" ", sentence).strip()
        # "Although the passages discuss it, ..." and "Sorry, ..." end at their first comma.
        leading = _LEADING.match(pending)
        pieces = [pending]
        if leading:
            pieces = [pending[: leading.start(1)], pending[leading.end() :]]
        for piece in pieces:
            found += [part.strip(" ,.") for part in _SPLIT.split(piece) if part and part.strip(" ,.!?")]
    return found


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    for odd, plain in (("’‘‛ʼ´`", "'"), ("“”„«»", '"'), ("–—‒―", "-")):
        text = regex.sub(f"[{odd}]", plain, text)
    return text.casefold().strip()


def _in_the_light_of(asked: str, act: Act, clause: str) -> Act:
    """A denial that the question asks for is a statement: "Is breakfast included?" "It is not included"."""
    if act not in ("denial", "weak", "qualified") or not asked:
        return act
    if _NEGATION.search(asked) and act != "denial":
        return "statement"
    if _ASKS_FOR_A_GAP.search(asked):
        return "weak"
    verb = regex.search(r"(?:not|n't|never|cannot)(?: \w+ly)? (\w+)", clause)
    if verb and _IS_YES_NO_QUESTION.match(asked) and _stem(verb[1]) in _stems(asked):
        return "statement" if act == "weak" else "weak"
    if verb and _NEGATION.search(asked) and _stem(verb[1]) in _stems(asked):
        return "statement"
    return act


def _stem(word: str) -> str:
    return word[:5] if len(word) > 5 else word.removesuffix("s")


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in regex.findall(r"[\w']+", text) if word not in _STOP}


def _covered(clause: str, asked: str) -> float:
    """The part of the question's content words that the clause repeats, 0 to 1."""
    wanted = _stems(asked)
    return len(wanted & _stems(clause)) / len(wanted) if wanted else 0.0


def _only_echo(clauses: list[str], asked: str) -> bool:
    """Whether nothing is left beyond the question's words and words about documents."""
    talk = {_stem(word) for word in _TALK}
    return all(not _stems(clause) - _stems(asked) - talk for clause in clauses)
