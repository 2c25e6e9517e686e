"""Contexts for the chunks of a document, written by a chat model, one request a chunk.

Each is stored as soon as it is there, under a hash of the whole request and the model's digest: work
that was stopped goes on where it was, and a changed section costs its own neighbourhood. What it will
cost is measured on the first chunks before the rest is begun.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from ragcore.chunking import ChunkingConfig, document_text, tidy_context, with_contexts
from ragcore.chunking.atoms import CountTokens
from ragcore.errors import ModelError
from ragcore.indexing.context_prompt import MOST_REPLY_TOKENS, context_messages
from ragcore.models import OllamaChat
from ragcore.records import ChatMessage, Chunk, Progress, SourceDocument
from ragcore.storage import ChunkContexts

AddContexts = Callable[[SourceDocument, Sequence[Chunk]], list[Chunk]]
"""Gives the chunks of a document back with their contexts."""

NEIGHBOURHOOD_CHARACTERS = 6000
"""How much of the document a request shows: a small document whole, of a large one the part around."""
SAMPLE = 3
"""So many chunks are timed to tell the price; their contexts are kept."""
_LONGEST_STORED = 1000


@dataclass(frozen=True, slots=True)
class ContextPrice:
    """What the contexts of a collection cost. The first sample is left out of the time: it may load the model."""

    model: str
    chunks: int
    missing: int
    """Chunks whose context is still to be written, after those that were timed."""
    seconds_a_chunk: float | None
    """None when all contexts are there already."""

    @property
    def seconds(self) -> float:
        return self.missing * (self.seconds_a_chunk or 0.0)

    @property
    def sentence(self) -> str:
        if not self.missing:
            return f"Every chunk has its context already ({self.chunks:,} in all); nothing more is asked of a model."
        return (
            f"{self.model} takes {self.seconds_a_chunk:.2g} s a chunk: {self.missing:,} of {self.chunks:,} chunks "
            f"still need a context, {duration(self.seconds)} in all. It can be stopped and goes on where it was."
        )


def duration(seconds: float) -> str:
    """``about 40 s``, ``about 12 min``, ``about 3.5 h``."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {seconds / 60:.0f} min" if seconds < 90 * 60 else f"about {seconds / 3600:.1f} h"


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document that has been cut, and where it is kept."""

    collection: str
    sha256: str
    source: SourceDocument
    chunks: Sequence[Chunk]


class ContextWriter:
    """Writes what is missing and puts it above the chunks."""

    def __init__(self, stored: ChunkContexts, choose: Callable[[], OllamaChat | None]) -> None:
        """``choose`` gives the chat model, or raises ModelUnreachable or ModelMissing."""
        self._stored = stored
        self._choose = choose

    def model_digest(self) -> str:
        """Of the model that would write. Raises ModelError."""
        return self._chat().digest

    def add(
        self,
        document: CutDocument,
        config: ChunkingConfig,
        count_tokens: CountTokens,
        progress: Progress | None = None,
    ) -> list[Chunk]:
        """The document's chunks with their contexts; ``progress`` counts chunks.

        Raises ModelError when there is no chat model or it fails midway; what it has written is kept.
        """
        work = _Work(document, self._chat(), self._stored)
        for done, _ in enumerate(work.missing):
            if progress:
                progress(len(work.requests) - len(work.missing) + done, len(work.requests))
            work.write(done)
        tidy = [tidy_context(reply, count_tokens, config.context_tokens) for reply in work.replies()]
        return with_contexts(document.chunks, tidy, count_tokens, config.max_tokens)

    def adder(
        self,
        collection: str,
        sha256: str,
        config: ChunkingConfig,
        count_tokens: CountTokens,
        progress: Progress | None = None,
    ) -> AddContexts:
        """``add`` for the one document with this hash."""
        return lambda source, chunks: self.add(
            CutDocument(collection, sha256, source, chunks), config, count_tokens, progress
        )

    def price(self, documents: Iterable[CutDocument]) -> ContextPrice:
        """Time the first contexts that are missing (and keep them), count the rest. Raises ModelError."""
        chat = self._chat()
        chunks = missing = 0
        timed: list[float] = []
        for document in documents:
            work = _Work(document, chat, self._stored)
            chunks += len(work.requests)
            missing += len(work.missing)
            for place in range(min(len(work.missing), SAMPLE - len(timed))):
                begun = time.perf_counter()
                work.write(place)
                timed.append(time.perf_counter() - begun)
        warm = timed[1:] or timed
        return ContextPrice(chat.model, chunks, missing - len(timed), sum(warm) / len(warm) if warm else None)

    def _chat(self) -> OllamaChat:
        try:
            chat = self._choose()
        except ModelError as error:
            raise type(error)(
                f"The contextual strategy needs a chat model to write contexts: {error}"
            ) from error
        if chat is None:
            raise ModelError(
                "The contextual strategy needs a chat model to write contexts. Start Ollama and pull one."
            )
        return chat


class _Work:
    """The requests for one document's chunks, and which of them have no reply yet."""

    def __init__(self, document: CutDocument, chat: OllamaChat, stored: ChunkContexts) -> None:
        self.document = document
        self.chat = chat
        self.stored = stored
        digest = chat.digest
        self.requests = list(_requests(document, chat))
        self.keys = [_key(digest, messages) for messages in self.requests]
        self.known = stored.known(document.collection, document.sha256, list(set(self.keys)))
        first = {key: place for place, key in reversed(list(enumerate(self.keys)))}
        self.missing = sorted(place for key, place in first.items() if key not in self.known)

    def write(self, n: int) -> None:
        """Ask for the n-th missing one and keep it."""
        place = self.missing[n]
        try:
            reply = _reply(self.chat, self.requests[place])
        except ModelError as error:
            raise ModelError(
                f"The context of chunk {place + 1} of '{self.document.source.file_name}' could not be written: {error} "
                "The contexts that were written are kept; run it again to go on."
            ) from error
        key = self.keys[place]
        self.stored.add(self.document.collection, self.document.sha256, key, reply, self.chat.model)
        self.known[key] = reply

    def replies(self) -> list[str]:
        return [self.known[key] for key in self.keys]


def _key(digest: str, messages: Sequence[ChatMessage]) -> bytes:
    """The request holds the chunk, its neighbourhood and the prompt."""
    return hashlib.sha256(json.dumps([digest, *(message.content for message in messages)]).encode()).digest()


def _requests(document: CutDocument, chat: OllamaChat) -> Iterator[list[ChatMessage]]:
    text = document_text(document.source.pages)
    room = chat.num_ctx - MOST_REPLY_TOKENS
    for chunk, (start, end) in zip(document.chunks, _neighbourhoods(document.chunks), strict=True):
        while True:
            title = document.source.title or document.source.file_name
            messages = context_messages(title, chunk.section, chunk.text, text[start:end])
            if chat.estimate_tokens(messages) <= room or (start, end) == (chunk.char_start, chunk.char_end):
                break
            # Scripts with many tokens a letter: less around, still with the chunk in it.
            start = (start + chunk.char_start + 1) // 2
            end = (end + chunk.char_end) // 2
        yield messages


def _neighbourhoods(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """For each chunk the span of the run of chunks that it belongs to: the same for all of a run."""
    runs: list[list[Chunk]] = []
    for chunk in chunks:
        if runs and chunk.char_end - runs[-1][0].char_start <= NEIGHBOURHOOD_CHARACTERS:
            runs[-1].append(chunk)
        else:
            runs.append([chunk])
    return [(run[0].char_start, run[-1].char_end) for run in runs for _ in run]


def _reply(chat: OllamaChat, messages: Sequence[ChatMessage]) -> str:
    text = ""
    with closing(chat.stream(messages, max_reply_tokens=MOST_REPLY_TOKENS)) as deltas:
        for delta in deltas:
            text = delta.text if delta.replaces else text + delta.text
    return " ".join(text.replace("\0", "").split())[:_LONGEST_STORED]
