"""One question of a run with everything that led to its outcome, as a person would want to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import regex

from ragcore.evaluation.result_rows import ResultRow
from ragcore.storage import HandGrade


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """A passage that answers the question. ``found_at`` is the rank of the first hit that holds it."""

    document: str
    place: str
    quote: str
    found_at: int | None


@dataclass(frozen=True, slots=True)
class RetrievedPassage:
    """A hit: 1-based rank, raw cosine, whether it holds gold, and the quotes of it that stand in ``text``."""

    rank: int
    score: float
    gold: bool
    file: str
    place: str
    text: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenedResult:
    """``trace`` is the stored trace, None where it is gone; ``grades`` are the hand grades in force."""

    row: ResultRow
    turns: tuple[str, ...]
    gold: tuple[GoldPassage, ...]
    facts: tuple[tuple[str, ...], ...]
    note: str
    retrieved: tuple[RetrievedPassage, ...]
    prompt: tuple[tuple[str, str], ...]
    """Role and content of every message that was sent; empty where no model was called."""
    grades: tuple[HandGrade, ...]
    trace: dict[str, Any] | None


def opened(row: ResultRow, trace: dict[str, Any] | None, grades: Sequence[HandGrade]) -> OpenedResult:
    """Put together what is stored in three places."""
    gold = row.asked.get("gold") or []
    located = {passage["chunk_id"]: passage["location"] for passage in (trace or {}).get("passages") or ()}
    retrieved = tuple(
        RetrievedPassage(
            rank=rank,
            score=hit["score"],
            gold=hit["gold"],
            file=hit["file"],
            place=_place(hit, located.get(hit["chunk_id"])),
            text=hit["text"],
            quotes=tuple(
                written
                for one in gold
                if hit["gold"] and (written := as_written(hit["text"], one.get("quote") or ""))
            ),
        )
        for rank, hit in enumerate(row.outcome.hits, 1)
    )
    messages = ((trace or {}).get("prompt") or {}).get("messages") or ()
    return OpenedResult(
        row=row,
        turns=tuple(row.asked.get("turns") or [row.outcome.question]),
        gold=tuple(_gold(one, retrieved) for one in gold),
        facts=tuple(tuple(group) for group in row.asked.get("facts") or ()),
        note=row.asked.get("note") or "",
        retrieved=retrieved,
        prompt=tuple((message["role"], message["content"]) for message in messages),
        grades=tuple(grades),
        trace=trace,
    )


def as_written(text: str, quote: str) -> str:
    """The piece of ``text`` that is the quote but for white space and case; empty if there is none."""
    words = quote.split()
    if not words:
        return ""
    pattern = r"\s+".join(regex.escape(word) for word in words)
    found = regex.search(pattern, text, regex.IGNORECASE | regex.FULLCASE)
    return found.group() if found else ""


def _gold(stored: Mapping[str, Any], retrieved: Sequence[RetrievedPassage]) -> GoldPassage:
    quote = stored.get("quote") or ""
    place = f"page {stored['page']}" if stored.get("page") else stored.get("section") or ""
    # The run says which hits hold any gold; of several gold passages the quote tells which it is.
    held = [hit for hit in retrieved if hit.gold]
    exact = [hit.rank for hit in held if as_written(hit.text, quote)]
    alone = len(held) == 1 and not held[0].quotes
    found_at = exact[0] if exact else held[0].rank if alone else None
    return GoldPassage(stored.get("document") or "any document", place, quote, found_at)


def _place(hit: Mapping[str, Any], located: str | None) -> str:
    """As a citation would have it where the trace says so; else section or pages."""
    if located:
        return located if located.startswith("§") else f"page {located}"
    if hit["section"]:
        return f"§ {hit['section']}"
    first, last = hit["page_start"], hit["page_end"]
    return f"page {first}" if first == last else f"pages {first}-{last}"
