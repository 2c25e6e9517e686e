"""The citations of an answer as chips, each of which opens the passage and leads to the page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import prompt_context
from pages.parts.cited_page import ICON, CitedPlace, is_asked_for, show, show_button
from pages.parts.passages import passage_html
from pages.parts.receipt import MISSES_SHOWN
from pages.parts.safe_markdown import plain_line
from pages.parts.standing import Standing
from ragcore.rag import Rag
from ragcore.records import Citation, Message


def citation_chips(rag: Rag, message: Message, standing: dict[int, Standing]) -> None:
    """A chip for each cited place, which opens the passage with the quoted sentences marked."""
    passages = [*message.trace["passages"], *prompt_context.added(message.trace)] if message.trace else []
    places: dict[tuple[int, str], list[Citation]] = {}
    for citation in message.citations:
        places.setdefault((citation.chunk_id, citation.marker), []).append(citation)
    for number, cited in enumerate(places.values()):
        passage = next((p for p in passages if p["chunk_id"] == cited[0].chunk_id), None)
        _chip(
            rag, cited, passage, standing.get(cited[0].document_id, Standing()), f"show_{message.id}_{number}"
        )


def _chip(
    rag: Rag, cited: list[Citation], passage: dict[str, Any] | None, standing: Standing, key: str
) -> None:
    citation = cited[0]
    label = plain_line(
        f"{citation.file}:{citation.location}" + (f" ({standing.mark})" if standing.mark else "")
    )
    icon = ":material/history:" if standing.mark else ":material/format_quote:"
    quotes = [one.quote for one in cited]
    text = passage["text"] if passage else "\n\n".join(quotes)
    section = " › ".join(citation.section)
    shown = CitedPlace(
        document_id=citation.document_id,
        file=citation.file,
        page=citation.page,
        quotes=tuple((one.page, one.quote) for one in cited),
        section=section,
        passage=text,
        media_type=standing.media_type or "",
    )
    if is_asked_for(key) and standing.media_type is not None:
        # An open popover would stay in front of the dialog; as a button in its place it is gone.
        st.button(label, key=f"{key}_behind", icon=icon, help="Show the cited passage", disabled=True)
        show(rag, shown)
        return
    with st.popover(label, icon=icon, help="Show the cited passage"):
        st.markdown(f"**{plain_line(citation.file)}**")
        facts = [place(citation, passage, standing), section]
        if passage and passage["score"] is not None:
            facts.append(f"score {passage['score']:.2f}")
        st.caption(plain_line(" · ".join(fact for fact in facts if fact)))
        if standing.mark:
            st.caption(f":material/history: {plain_line(standing.explanation)}")
        st.html(passage_html(text, quotes))
        if standing.media_type is not None:
            show_button(shown, key=key)


def miss_buttons(rag: Rag, message: Message, standing: dict[int, Standing]) -> None:
    """For each place among the nearest misses a button that opens it."""
    missed = message.trace["passages"][:MISSES_SHOWN] if message.trace else []
    places = {(passage["document_id"], passage["location"]): passage for passage in reversed(missed)}
    with st.container(horizontal=True, gap="small", key=f"misses_{message.id}"):
        for number, passage in enumerate(reversed(places.values())):
            document = standing.get(passage["document_id"], Standing())
            if document.media_type is None:
                continue
            if st.button(
                plain_line(f"{passage['file']}:{passage['location']}"),
                key=f"miss_{message.id}_{number}",
                icon=ICON,
                type="tertiary",
                help="Open the place in the document. It was not used as a source.",
            ):
                section = " › ".join(passage["section"])
                text, page = passage["text"], passage["page_start"]
                show(
                    rag,
                    CitedPlace(
                        passage["document_id"], passage["file"], page, (), section, text, document.media_type
                    ),
                )


def place(citation: Citation, passage: dict[str, Any] | None, standing: Standing) -> str:
    """``page 4 (printed “3”)``, ``pages 2-3`` or nothing for a file without pages."""
    if citation.location.startswith("§") or standing.media_type not in (None, "application/pdf"):
        return ""
    words = f"page{'s' if '-' in citation.location else ''} {citation.location}"
    if citation.page_label:
        words += f" (printed “{citation.page_label}”)"
    if passage and passage["page_end"] != passage["page_start"]:
        words += f", from a passage on pages {passage['page_start']}-{passage['page_end']}"
    return words
