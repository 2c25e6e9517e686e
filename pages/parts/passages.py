"""A passage as HTML: its words escaped, the quoted sentence marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.safe_markdown import plain_line
from ragcore.records import Citation


def passage_html(text: str, quotes: Iterable[str] = ()) -> str:
    """``text`` with each quote in a ``<mark>``; nothing in any of them is read as HTML."""
    spans = sorted((text.find(quote), text.find(quote) + len(quote)) for quote in quotes if quote in text)
    body, end = "", 0
    for start, stop in spans:
        if stop > end:
            start = max(start, end)
            body += f"{escape(text[end:start])}<mark>{escape(text[start:stop])}</mark>"
            end = stop
    return f'<div class="pl-passage">{body}{escape(text[end:])}</div>'


def place(citation: Citation, passage: dict[str, Any] | None) -> str:
    """``page 4 (printed 3)``, ``pages 2-3`` or nothing for a file without pages."""
    if citation.location.startswith("§"):
        return ""
    words = f"page{'s' if '-' in citation.location else ''} {citation.location}"
    if citation.page_label:
        words += f" (printed “{citation.page_label}”)"
    if passage and passage["page_end"] != passage["page_start"]:
        words += f", from a passage on pages {passage['page_start']}-{passage['page_end']}"
    return words


def citation_chips(citations: Sequence[Citation], passages: list[dict[str, Any]]) -> None:
    """A chip for each cited place, which opens the passage with the quoted sentences marked."""
    places: dict[tuple[int, str], list[Citation]] = {}
    for citation in citations:
        places.setdefault((citation.chunk_id, citation.marker), []).append(citation)
    for cited in places.values():
        _chip(cited, next((p for p in passages if p["chunk_id"] == cited[0].chunk_id), None))


def _chip(cited: list[Citation], passage: dict[str, Any] | None) -> None:
    citation = cited[0]
    label = plain_line(f"{citation.file}:{citation.location}")
    with st.popover(label, icon=":material/format_quote:", help="Show the cited passage"):
        st.markdown(f"**{plain_line(citation.file)}**")
        facts = [place(citation, passage), " › ".join(citation.section)]
        if passage:
            facts.append(f"score {passage['score']:.2f}")
        st.caption(plain_line(" · ".join(fact for fact in facts if fact)))
        quotes = [one.quote for one in cited]
        st.html(passage_html(passage["text"] if passage else "\n\n".join(quotes), quotes))
