"""Conversations as Markdown, JSON and plain text.

JSON and plain text hold what is stored, letter by letter. Markdown is going to be drawn by some
program or other: what was said keeps its harmless formatting, and fetches no picture there either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict

from pages.parts.safe_markdown import portable, safe_markdown
from ragcore.records import ConversationInfo, Message

_SAID = {"user": "Question", "assistant": "Answer"}


def as_markdown(conversation: ConversationInfo, messages: Sequence[Message]) -> str:
    """Title, then question and answer in turn, each answer with its sources."""
    parts = [f"# {portable(' '.join(conversation.title.split()))}"]
    for message in messages:
        state = "" if message.status == "complete" else f" ({message.status})"
        is_answer = message.role == "assistant"
        said = safe_markdown(message.content) if is_answer else portable(message.content)
        parts += [f"## {_SAID[message.role]}{state}", said]
        if message.citations:
            parts.append(
                "\n".join(f"- {portable(f'{c.marker} “{_folded(c.quote)}”')}" for c in message.citations)
            )
    return "\n\n".join(parts) + "\n"


def as_json(conversation: ConversationInfo, messages: Sequence[Message]) -> str:
    """Everything that is stored of the conversation, receipts included."""
    return json.dumps(
        {**asdict(conversation), "messages": [asdict(message) for message in messages]},
        ensure_ascii=False,
        allow_nan=False,
        indent=2,
        default=str,
    )


def with_citations(message: Message) -> str:
    """The answer as plain text, its citations as ``[file.pdf:page]`` and their quotes below."""
    quotes = [f"{c.marker} “{_folded(c.quote)}”" for c in message.citations]
    return "\n".join([message.content, "", *quotes]) if quotes else message.content


def file_stem(title: str) -> str:
    """A name for the exported file that every file system takes."""
    return re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "conversation"


def _folded(text: str) -> str:
    return " ".join(text.split())
