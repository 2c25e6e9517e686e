"""What of a chunk gets a vector: the whole of it, or each of its sentences.

- ``chunk``: one vector a chunk.
- ``sentence``: two vectors a sentence, encoded alone and under its headings. About three times
  the model's time of ``chunk``.
- ``late``: one vector a sentence, pooled from a single pass over the chunk (late chunking, Günther
  et al. 2024, arXiv:2409.04701), at the model's time of ``chunk``.

A chunk without a sentence that says something keeps a vector of the whole, so that it can be found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from ragcore.chunking import Granularity, evidence_spans, under_headings
from ragcore.records import Chunk, EmbedderIdentity, Progress, SpanVectors, text_key, without_context

KnownVectors = Callable[[EmbedderIdentity, Sequence[bytes]], dict[bytes, np.ndarray]]
"""Looks up which texts, by their keys, an embedder has embedded before."""
Span = tuple[int, int]


class SpanEmbedder(Protocol):
    identity: EmbedderIdentity

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...

    def embed_documents(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray: ...

    def embed_spans(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[tuple[Span, ...]]],
        progress: Progress | None = None,
    ) -> list[np.ndarray]: ...


def embed_chunks(
    chunks: Sequence[Chunk],
    title: str,
    granularity: Granularity,
    embedder: SpanEmbedder,
    progress: Progress | None = None,
    *,
    known: KnownVectors | None = None,
) -> SpanVectors:
    """The vectors of a document's chunks; what ``known`` finds is not embedded again.

    ``progress`` counts chunks. Raises EmbeddingError.
    """
    if granularity == "late":
        return _pooled(chunks, embedder, progress)
    rows = [row for chunk in chunks for row in _rows(chunk, title, granularity)]
    counts = iter(embedder.count_tokens([text for _, _, texts in rows for text in texts]))
    limit = embedder.identity.max_tokens
    chosen: list[str] = []
    for _, _, texts in rows:
        fits = [next(counts) <= limit for _ in texts]
        # The last one is the sentence alone; too long even so, the embedder says it in a sentence.
        chosen.append(next((text for text, fit in zip(texts, fits, strict=True) if fit), texts[-1]))
    keys = [text_key(text) for text in chosen]
    vectors = known(embedder.identity, keys) if known else {}
    new = {key: text for key, text in zip(keys, chosen, strict=True) if key not in vectors}
    at_hand = len(keys) - len(new)

    def report(done: int, _total: int) -> None:
        if progress:
            progress((at_hand + done) * len(chunks) // max(1, len(keys)), len(chunks))

    report(0, len(keys))
    vectors |= dict(zip(new, embedder.embed_documents(list(new.values()), report), strict=True))
    return SpanVectors(
        vectors=np.stack([vectors[key] for key in keys]),
        chunks=tuple(ordinal for ordinal, _, _ in rows),
        spans=tuple(span for _, span, _ in rows),
        keys=tuple(keys),
    )


def _rows(chunk: Chunk, title: str, granularity: Granularity) -> list[tuple[int, Span | None, list[str]]]:
    """Chunk, span, and the texts of which the first that fits is embedded."""
    spans = [] if granularity == "chunk" else evidence_spans(chunk.text, chunk.section)
    if not spans:
        return [(chunk.ordinal, None, [chunk.embedded_text])]
    rows: list[tuple[int, Span | None, list[str]]] = []
    for start, end in spans:
        alone = chunk.text[start:end]
        below = under_headings(alone, title, chunk.section)
        rows.append((chunk.ordinal, (start, end), [alone]))
        if below != [alone]:
            rows.append((chunk.ordinal, (start, end), below))
    if without_context(chunk.header) != chunk.header:
        # A context is about the whole chunk: without this it would be in no vector.
        rows.append((chunk.ordinal, None, [chunk.embedded_text]))
    return rows


def _pooled(chunks: Sequence[Chunk], embedder: SpanEmbedder, progress: Progress | None) -> SpanVectors:
    texts = [chunk.embedded_text for chunk in chunks]
    spans = [evidence_spans(chunk.text, chunk.section) for chunk in chunks]
    pools = []
    for chunk, own in zip(chunks, spans, strict=True):
        shift = len(chunk.embedded_text) - len(chunk.text)
        heading = _heading_span(chunk, shift)
        pools.append(
            [((start + shift, end + shift), *heading) for start, end in own]
            or [((0, len(chunk.embedded_text)),)]
        )
    vectors = embedder.embed_spans(texts, pools, progress)
    placed: list[tuple[int, Span | None]] = [
        (chunk.ordinal, span) for chunk, own in zip(chunks, spans, strict=True) for span in (own or [None])
    ]
    return SpanVectors(
        vectors=np.concatenate(vectors),
        chunks=tuple(ordinal for ordinal, _ in placed),
        spans=tuple(span for _, span in placed),
        # Such a vector depends on the whole chunk, so it is never looked up by its sentence.
        keys=tuple(text_key(f"late {span} of {texts[ordinal]}") for ordinal, span in placed),
    )


def _heading_span(chunk: Chunk, shift: int) -> tuple[Span, ...]:
    """Where in the embedded text the heading above the sentences stands."""
    spans: list[Span] = [(0, shift)] if shift else []
    first = chunk.text.split("\n", 1)[0]
    if chunk.section and first.strip("#*= ") == chunk.section[-1]:
        spans.append((shift, shift + len(first)))
    return tuple(spans)
