"""Fitting passages into a model's window, on our side, before anything is sent.

Ollama cuts a prompt that is too long without a word, the rules and the best passages first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ragcore.answering.prompts import answer_messages
from ragcore.errors import InputError
from ragcore.records import ChatMessage, Passage


class Window(Protocol):
    num_ctx: int
    max_reply_tokens: int

    def estimate_tokens(self, messages: list[ChatMessage]) -> int: ...


def fit_passages(
    question: str, passages: Sequence[Passage], window: Window
) -> tuple[list[Passage], list[ChatMessage], int, int]:
    """Drop lowest-ranked passages until prompt and reply fit.

    Returns the passages kept, the messages, their estimated tokens (an upper bound) and how
    many passages were dropped. Raises InputError when not even the best one fits.
    """
    budget = window.num_ctx - window.max_reply_tokens
    # Bisected: of a thousand passages a few fit, and measuring a prompt takes as long as it is.
    fits, too_many = 0, len(passages) + 1
    kept = len(passages)
    best: tuple[list[ChatMessage], int] | None = None
    while fits < kept < too_many:
        messages = answer_messages(question, passages[:kept])
        estimate = window.estimate_tokens(messages)
        if estimate <= budget:
            fits, best = kept, (messages, estimate)
        else:
            too_many = kept
        kept = (fits + too_many) // 2
    if best is not None:
        return list(passages[:fits]), *best, len(passages) - fits
    raise InputError(
        f"The question and its best passage need more than the {budget} tokens that the model's window leaves. "
        "Shorten the question or raise num_ctx."
    )
