"""What is written down of a question before anything is generated: the parts of its trace."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from ragcore.answering.fitting import Context
from ragcore.answering.prompts import Prompt
from ragcore.answering.standalone import Standalone
from ragcore.answering.turn import Chat
from ragcore.records import AskOptions, Candidate, EmbedderIdentity


def traced_profile(options: AskOptions, embedder: EmbedderIdentity, asked: Standalone) -> dict[str, Any]:
    """How it was searched, and what was searched for."""
    question = asked.found.question
    return {
        "follow_up": asked.traced(),
        "embedder": asdict(embedder),
        "collection": options.collection,
        "mode": options.mode,
        "fusion": options.fusion if options.mode == "hybrid" else None,
        "context": options.context,
        "expanded": {
            "dense": question.dense,
            "added": [[one.short, one.long, one.source] for one in question.added],
            "also": list(question.also),
            "ambiguous": list(question.ambiguous),
        },
    }


def traced_prompt(
    options: AskOptions,
    generator: Literal["ollama", "quote", "none"],
    chat: Chat | None,
    prompt: Prompt | None,
    context: Context | None,
    retrieve_ms: float,
) -> dict[str, Any]:
    """What the model is about to be sent, word for word; ``context`` is None where none is asked."""
    return {
        "generator": generator,
        "model": chat.model if chat else None,
        "prompt_for": prompt.name if prompt else None,
        "prompt_hash": prompt.hash if prompt else None,
        "messages": [asdict(message) for message in context.messages] if context else [],
        "estimated_tokens": context.estimated_tokens if context else None,
        "context": _context(context) if context else None,
        "temperature": options.temperature,
        "retrieve_ms": retrieve_ms,
    }


def traced_chunk(number: int, hit: Candidate) -> dict[str, Any]:
    """A chunk, under its rank or its number in the prompt."""
    return {
        "number": number,
        "chunk_id": hit.chunk_id,
        "document_id": hit.document_id,
        "file": hit.file,
        "location": hit.location,
        "page_start": hit.page_start,
        "page_end": hit.page_end,
        "section": list(hit.section),
        "score": hit.score,
        "coverage": hit.coverage,
        "best_sentence": hit.best_sentence,
        "text": hit.text,
    }


def _context(context: Context) -> dict[str, Any]:
    """What is in the prompt and why, and what is not. Hits stand among the trace's passages with their
    text; chunks that were not searched out have it here."""
    return {
        "from": context.taken_from,
        "counts": context.counts,
        "passages": [
            {"number": one.number, "chunk_id": one.candidate.chunk_id, "why": one.why}
            for one in context.passages
        ],
        "added": [traced_chunk(one.number, one.candidate) for one in context.passages if one.why != "hit"],
        "left_out": [asdict(one) for one in context.left_out],
        "whole": list(context.whole),
        "cut": list(context.cut),
    }
