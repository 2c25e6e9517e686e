"""What an instruction in the documents or the question would have an answer say, found in the answer.

A word that only an order to the model contains has no place in an answer: neither as a claim (it stands
in a passage and would look supported), nor beside one. Nor has a line of our own prompt. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragcore.answering import prompts
from ragcore.lexical.disguises import visible
from ragcore.lexical.instructions import demanded_text, without_instructions
from ragcore.lexical.ordinary_words import ORDINARY_WORDS
from ragcore.records import Passage

LEAKED_FROM = 6
"""So many words in a row that only our prompt has are no coincidence."""
_WORD = re.compile(r"[^\W_]+")
_PUT_TOGETHER = re.compile(r"[^\W_]+(?:(?:[-_.#]+|::)[^\W_]+)+")
_ORDERS_ARE_MADE_OF = frozenset(
    "above action add added adds again allowed answer answers anything append assistant assistants before begin below "
    "capital cite citation code complete confidential confirm content correct decline developer disregard document "
    "documents end ended english every everything exactly finish first follow following forget format french from "
    "function german given hidden however ignore including input instead instruct instruction instructions language "
    "letter letters maintenance mention message model models mode must never notice number numbers only operator output "
    "passage passages password people phrase please policy previous print prompt question questions reader readers "
    "refuse remember repeat replies reply requires response result reveal rules sentence should single something speak "
    "state system their there these they thing those title token user users whatever whoever without words write writing "
    "written years".split()
)
_LEAKS = (prompts.SMALL.system, prompts.LARGE.system, prompts.USER, prompts.STANDALONE, prompts.YES_OR_NO)
_FENCE = re.compile(r"==[0-9a-f]{12}==")
_WANTS_REFUSAL = re.compile(
    rf"{prompts.SENTINEL}|\b(?:refuse|decline)\b|\bdo(?:es)? not (?:answer|know)\b|\bdon't (?:answer|know)\b"
    r"|\bnot allowed\b|\b(?:cannot|can not|must not) (?:talk|speak|quote|reveal|answer)\b|\bforbidden\b|\bempty answer\b|\bconfidential\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Planted:
    """What the instructions around a question demand."""

    words: frozenset[str] = frozenset()
    """Words, case folded, that stand in instructions and nowhere else that was sent."""
    phrases: frozenset[str] = frozenset()
    """Of words put together with signs, ``MONDAY-HOOK``: the words with one blank between them."""
    any_instruction: bool = False
    wants_refusal: bool = False
    """An instruction demands that nothing be answered: then a refusal of the model is not to be believed."""
    honest: str = ""
    """All that was sent, without the instructions."""

    def reason_against(self, sentence: str) -> str | None:
        """Why a sentence of the reply must not be shown, to be read after "it"; None where it may."""
        if _FENCE.search(sentence) or _leaks(sentence, self.honest):
            return "repeats the rules that the model was given"
        said = f" {_in_a_row(sentence)} "
        if not self.words.isdisjoint(said.split()) or any(f" {one} " in said for one in self.phrases):
            return "says what an instruction to the model demands"
        if self.any_instruction and _is_misshapen(sentence):
            return "has a form that an instruction to the model demands"
        return None


def planted(question: str, passages: Sequence[Passage]) -> Planted:
    """What is demanded by the instructions in what was sent for ``question``."""
    sent = [question, *_texts(passages)]
    demanded = "\n".join(filter(None, map(demanded_text, sent)))
    if not demanded:
        return Planted(honest="\n".join(sent))
    honest = "\n".join(map(without_instructions, sent))
    words = _words(demanded) - _words(honest) - ORDINARY_WORDS - _ORDERS_ARE_MADE_OF
    in_a_row = f" {_in_a_row(honest)} "
    phrases = map(_in_a_row, _PUT_TOGETHER.findall(visible(demanded)))
    return Planted(
        phrases=frozenset(one for one in phrases if f" {one} " not in in_a_row),
        words=frozenset(word for word in words if len(word) > 2 or word.isdigit()),
        any_instruction=True,
        wants_refusal=bool(_WANTS_REFUSAL.search(demanded)),
        honest=honest,
    )


def _texts(passages: Iterable[Passage]) -> list[str]:
    texts = []
    for passage in passages:
        hit = passage.candidate
        texts += [hit.text, hit.header, hit.file.rpartition(".")[0], *hit.section]
    return list(dict.fromkeys(texts))


def _is_misshapen(sentence: str) -> bool:
    """Whether it is shouted, or data: nobody who asks in words wants that."""
    bare = sentence.strip()
    letters = [sign for sign in bare if sign.isalpha()]
    shouted = len(letters) >= 12 and sum(map(str.isupper, letters)) > 0.8 * len(letters)
    return shouted or bare.startswith(("{", "```"))


def _leaks(sentence: str, honest: str) -> bool:
    words = _WORD.findall(sentence.casefold())
    runs = {" ".join(words[at : at + LEAKED_FROM]) for at in range(len(words) - LEAKED_FROM + 1)}
    if not runs:
        return False
    ours = " ".join(_WORD.findall(" ".join(_LEAKS).casefold()))
    theirs = " ".join(_WORD.findall(honest.casefold()))
    return any(run in ours and run not in theirs for run in runs)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(visible(text).casefold()))


def _in_a_row(text: str) -> str:
    return " ".join(_WORD.findall(visible(text).casefold()))
