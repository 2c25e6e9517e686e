"""A chat model's second opinion: does the best passage answer the question, yes or no?"""

from __future__ import annotations

from contextlib import closing

from ragcore.answering.prompts import said_yes, yes_or_no_messages
from ragcore.answering.turn import Chat
from ragcore.errors import ModelError
from ragcore.records import Candidate, Opinion, Passage

REPLY_TOKENS = 4
"""One word, and what some models put around it."""


def model_opinion(question: str, best: Candidate, chat: Chat | None) -> Opinion:
    """What the model says of the best passage. No opinion (and so no refusal) without a model, when it
    fails, and when its reply is neither yes nor no; the reason says so.
    """
    if chat is None:
        return _none("no second opinion: no model is called, the documents are quoted.")
    reply = ""
    try:
        stream = chat.stream(
            yes_or_no_messages(question, Passage(1, best)), temperature=0.0, max_reply_tokens=REPLY_TOKENS
        )
        with closing(stream):
            for delta in stream:
                reply = delta.text if delta.replaces else reply + delta.text
    except ModelError as error:
        return _none(f"no second opinion: {error}")
    answer = said_yes(reply)
    if answer is None:
        return _none(
            f"no second opinion: the model said “{' '.join(reply.split())[:40]}”, neither yes nor no."
        )
    return Opinion(
        source="model",
        enforced=True,
        probability=float(answer),
        reason=f"{chat.model} was asked whether the best passage answers the question, and said no.",
    )


def _none(reason: str) -> Opinion:
    return Opinion(source="model", enforced=True, probability=None, reason=reason)
