"""The contextual strategy: a line above each chunk that says what it is about and where it belongs.

Chunks are cut as by the recursive strategy, with room left for the line; some model writes it
(Anthropic, "Introducing Contextual Retrieval", 2024). This module only puts it in its place: it
knows no model. The line is not the document's: ``records.without_context`` takes it away again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ragcore.chunking.atoms import CountTokens
from ragcore.records import CONTEXT_MARK, Chunk

_SENTENCES = 2
_AROUND = " \t\"'“”‘’«»*_`"
_LABEL = re.compile(r"(?i)(?:here is (?:the|a) [^:]{0,40}|(?:short |succinct )?context)\s*:\s*")
_END = re.compile(r"(?<=[.!?。！？])\s+")


def tidy_context(reply: str, count_tokens: CountTokens, most_tokens: int) -> str:
    """A model's reply as one line of at most two sentences and ``most_tokens`` tokens, label and quotes off.

    Empty when nothing with a letter is left.
    """
    line = " ".join(reply.split()).strip(_AROUND)
    line = _LABEL.sub("", line, count=1).strip(_AROUND) if _LABEL.match(line) else line
    line = " ".join(_END.split(line)[:_SENTENCES])
    words = line.split()
    special = count_tokens([""])[0]
    while words and count_tokens([context_line(" ".join(words))])[0] - special > most_tokens:
        words.pop()
    line = " ".join(words)
    return line if any(character.isalpha() for character in line) else ""


def context_line(context: str) -> str:
    return f"{CONTEXT_MARK}{context}"


def with_contexts(
    chunks: Sequence[Chunk], contexts: Sequence[str], count_tokens: CountTokens, max_tokens: int
) -> list[Chunk]:
    """Each chunk with its context as the first line of its header, its tokens counted again.

    An empty context leaves a chunk as it is, and so does one with which the chunk would have more
    than ``max_tokens``, whatever is cut off it.
    """
    found = [
        replace(chunk, header="\n".join(filter(None, (context and context_line(context), chunk.header))))
        for chunk, context in zip(chunks, contexts, strict=True)
    ]
    counts = count_tokens([chunk.embedded_text for chunk in found])
    return [
        replace(with_one, token_count=count) if count <= max_tokens else without
        for with_one, without, count in zip(found, chunks, counts, strict=True)
    ]
