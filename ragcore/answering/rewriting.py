"""A follow-up rewritten by the chat model, and the guards that a rewrite has to pass.

A rewriter makes "What is the capital of France?" a question about employment if it is let: it is asked
only for what refers back, and what it adds has to come from the conversation.
"""

from __future__ import annotations

from contextlib import closing

import regex

from ragcore.answering.prompts import standalone_messages
from ragcore.answering.turn import Chat
from ragcore.errors import ModelError
from ragcore.lexical.lexemes import is_identifying, lexemes
from ragcore.reading.language import detect_language
from ragcore.records import AnsweredTurn, Page
from ragcore.retrieval.follow_up_words import THIN
from ragcore.retrieval.followups import own_topic

REPLY_TOKENS = 60
ANSWER_SHOWN = 300
"""Characters of the last answer: enough for what "that one" means, little room for orders in it."""
MOST_NEW_WORDS = 2
"""Ordinary words that nobody has said; a name or a number is never one of them."""
MOST_FROM_ANSWER = 3
_LEAD = regex.compile(r"^\W*(rewritten|standalone|last)?\s*question\s*:\s*", regex.IGNORECASE)
_REFERENCES = regex.compile(r"\[[^\]]*\]|<[^>]*>|https?://")


def rewritten(question: str, base: AnsweredTurn, chat: Chat) -> tuple[str | None, str]:
    """The question as the model rewrote it, or None and in words why that is not used."""
    answer = base.answer[:ANSWER_SHOWN]
    messages = standalone_messages(question, base.standalone_question, answer)
    reply = ""
    try:
        if chat.estimate_tokens(messages) > chat.num_ctx - REPLY_TOKENS:
            return None, "the questions do not fit into the model's window"
        stream = chat.stream(messages, temperature=0.0, max_reply_tokens=REPLY_TOKENS)
        with closing(stream):
            for delta in stream:
                reply = delta.text if delta.replaces else reply + delta.text
    except ModelError as error:
        return None, f"the model failed: {error}"
    text = _LEAD.sub("", reply.strip()).strip(" \t\n\"'“”*`")
    against = objection(text, question, base.standalone_question, answer, asked=base.question)
    return (None, against) if against else (text, "")


def objection(text: str, question: str, base: str, answer: str = "", *, asked: str = "") -> str:
    """What speaks against a rewrite, in words; empty for one that may be searched for.

    ``base``: the standalone question before, ``asked``: the same as it was typed.
    """
    if not text:
        return "it is empty"
    if "\n" in text or text.count("?") > 1 or _REFERENCES.search(text):
        return "it is not a single question"
    if len(text) > 1.5 * len(question) + len(base):
        return "it is too long"
    said = set(lexemes(text))
    typed, written = _language(question), _language(text)
    if typed and written and typed != written:
        return "it is in another language"
    own, before = set(lexemes(question)), set(lexemes(f"{base} {asked}"))
    if lost := [one for one in own_topic(question) if one not in said]:
        return f"it has lost “{lost[0]}”"
    told = set(lexemes(answer)) - own - before
    if not (said - own) & (before | told):
        return "it takes nothing from the question before"
    new = said - own - before - told - THIN
    named = {one for name in regex.findall(r"(?<=\S )\p{Lu}[\p{L}\p{N}'’-]*", text) for one in lexemes(name)}
    invented = [one for one in sorted(new) if is_identifying(one) or one in named]
    if invented:
        return f"it names “{invented[0]}”, which nobody has said"
    if len(new) > MOST_NEW_WORDS:
        return f"it adds {len(new)} words that nobody has said"
    if len(said & told) > MOST_FROM_ANSWER:
        return "it takes too much from the last answer"
    return ""


def _language(text: str) -> str:
    return detect_language([Page(1, text)])
