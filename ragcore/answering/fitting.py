"""Fitting passages into a model's window, on our side, before anything is sent.

Ollama cuts a prompt that is too long without a word, the rules and the best passages first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ragcore.answering.prompts import SMALL, Prompt, answer_messages
from ragcore.errors import InputError
from ragcore.records import Candidate, ChatDelta, ChatMessage, ContextFrom, Passage, WhyInPrompt

NAMED = 3
"""So many places are named in a sentence, the others counted."""


class Window(Protocol):
    """How long a prompt and its reply may be. ``estimate_tokens`` is an upper bound."""

    num_ctx: int
    max_reply_tokens: int

    def estimate_tokens(self, messages: list[ChatMessage]) -> int: ...


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A chunk that was wanted in the prompt and is not in it."""

    chunk_id: int
    file: str
    location: str
    why: WhyInPrompt
    limit: Literal["window", "document"]
    """What it did not fit into: the model's window, or what one document may take of it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What goes into a prompt, in its order, and what did not."""

    passages: list[Passage]
    messages: list[ChatMessage]
    estimated_tokens: int
    """Of the messages; an upper bound."""
    left_out: tuple[LeftOut, ...] = ()
    taken_from: ContextFrom = "hits"
    counts: bool = False
    """The question asks for a number of things or a list of them, and so for whole documents."""
    whole: tuple[str, ...] = ()
    """Names of the documents that are in it whole."""
    cut: tuple[str, ...] = ()
    """Names of the documents that were wanted whole and did not fit."""

    @property
    def warning(self) -> str:
        """What of the search's hits the model does not see, in one sentence; empty when it sees them all."""
        hits = [one for one in self.left_out if one.why == "hit"]
        if not hits:
            return ""
        named = ", ".join(f"{one.file}:{one.location}" for one in hits[:NAMED])
        more = f" and {len(hits) - NAMED} more" if len(hits) > NAMED else ""
        return (
            f"{len(hits)} of the passages found did not fit into the prompt and were left out: {named}{more}."
        )


def fit_hits(question: str, hits: Sequence[Candidate], window: Window, prompt: Prompt = SMALL) -> Context:
    """The hits, best first, as many as fit with prompt and reply.

    Raises InputError when not even the best one does.
    """
    passages = [Passage(number, hit) for number, hit in enumerate(hits, start=1)]
    budget = window.num_ctx - window.max_reply_tokens
    # Bisected: of a thousand passages a few fit, and measuring a prompt takes as long as it is.
    fits, too_many = 0, len(passages) + 1
    kept = len(passages)
    best: tuple[list[ChatMessage], int] | None = None
    while fits < kept < too_many:
        messages = answer_messages(question, passages[:kept], prompt=prompt)
        estimate = window.estimate_tokens(messages)
        if estimate <= budget:
            fits, best = kept, (messages, estimate)
        else:
            too_many = kept
        kept = (fits + too_many) // 2
    if best is None:
        raise too_small(budget)
    left_out = tuple(without(hit, "hit", "window") for hit in hits[fits:])
    return Context(passages[:fits], *best, left_out)


def without(hit: Candidate, why: WhyInPrompt, limit: Literal["window", "document"]) -> LeftOut:
    return LeftOut(hit.chunk_id, hit.file, hit.location, why, limit)


def too_small(budget: int) -> InputError:
    """Not even the best passage fits."""
    return InputError(
        f"The question and its best passage need more than the {budget} tokens that the model's window leaves. "
        "Shorten the question or raise num_ctx."
    )


def cut_by_server(last: ChatDelta | None, estimate: int | None, window: Window | None) -> str:
    """What to say where the server's own count gives away that it has cut the prompt; empty where it has not.

    The estimate is an upper bound: prose has about half of it, so a quarter is suspicious.
    """
    read = last.prompt_tokens if last else None
    if not read or not estimate or not window or estimate / 4 <= read < window.num_ctx - 1:
        return ""
    return (
        f"The server read only {read} tokens of a prompt of about {estimate}: part of the passages "
        "may have been cut off. Raise the model's context length."
    )
