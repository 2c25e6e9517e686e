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
    for kept in range(len(passages), 0, -1):
        messages = answer_messages(question, passages[:kept])
        estimate = window.estimate_tokens(messages)
        if estimate <= budget:
            return list(passages[:kept]), messages, estimate, len(passages) - kept
    raise InputError(
        f"The question and its best passage need more than the {budget} tokens that the model's window leaves. "
        "Shorten the question or raise num_ctx."
    )
