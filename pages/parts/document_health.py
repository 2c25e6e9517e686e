"""How well a document was read: one line, a small chart of its pages, and the pages to look at."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages.parts.safe_markdown import plain_line
from ragcore.records import DocumentHealth, DocumentInfo

BARS = 60
"""More pages than this share a bar."""
_NAMED = 20
_LANGUAGES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "la": "Latin",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


def coverage(info: DocumentInfo) -> str:
    """``Text on 7 of 8 pages · 1,240 characters a page · English``: the health in a line."""
    health = info.health
    if info.paged:
        words = [
            f"Text on {health.pages_with_text:,} of {_count(health.pages, 'page')}",
            f"{health.characters_a_page:,} characters a page",
        ]
    else:
        words = [f"{health.characters:,} characters"]
    words.append(language(health))
    if health.suspect_pages:
        words.append(f"{_count(len(health.suspect_pages), 'page')} misread")
    if health.oversize_chunks:
        words.append(f"{_count(health.oversize_chunks, 'chunk')} cut within a sentence")
    if health.duplicate_chunks:
        words.append(f"{_count(health.duplicate_chunks, 'chunk')} twice in the collection")
    return " · ".join(words)


def language(health: DocumentHealth) -> str:
    if not health.language:
        return "language unknown"
    return _LANGUAGES.get(health.language, f"language “{health.language}”")


def page_chart(info: DocumentInfo) -> str:
    """Characters a page as bars; pages without text and those that look misread stand out."""
    health = info.health
    counts = health.page_characters
    if not info.paged or len(counts) < 2:
        return ""
    most = max(counts) or 1
    step = -(-len(counts) // BARS)
    empty, suspect = set(health.empty_pages), set(health.suspect_pages)
    bars = []
    for start in range(0, len(counts), step):
        pages = range(start + 1, min(start + step, len(counts)) + 1)
        characters = round(sum(counts[page - 1] for page in pages) / len(pages))
        state, said = "", f"{characters:,} characters"
        if empty.intersection(pages):
            state, said = " pl-no-text", "no text" if step == 1 else f"{said} a page, some without text"
        elif suspect.intersection(pages):
            state, said = " pl-misread", f"{said}, looks misread"
        elif step > 1:
            said += " a page"
        name = f"Page {pages[0]}" if len(pages) == 1 else f"Pages {pages[0]}-{pages[-1]}"
        height = round(100 * characters / most)
        bars.append(
            f'<span class="pl-page{state}" title="{escape(f"{name}: {said}")}">'
            f'<span class="pl-page-bar" style="height:{height}%"></span></span>'
        )
    summary = f"Characters on each of {len(counts)} pages, at most {most:,}; {_problem_words(health)}"
    return f'<div class="pl-pages" role="img" aria-label="{escape(summary)}">{"".join(bars)}</div>'


def details(info: DocumentInfo) -> None:
    """What the coverage is made of, folded away: warnings, and the pages by number."""
    notes = [*info.warnings, *_findings(info)]
    if not notes:
        return
    with st.expander(f"What was noticed ({len(notes)})", type="compact"):
        for note in notes:
            st.caption(plain_line(note))


def _findings(info: DocumentInfo) -> list[str]:
    health = info.health
    warned = " ".join(info.warnings).casefold()
    findings = []
    if health.empty_pages and "no text" not in warned:
        findings.append(f"No text on {_named(health.empty_pages)}: nothing there can be found.")
    if info.paged and health.thin_pages:
        findings.append(f"Hardly any text on {_named(health.thin_pages)}: a title, a picture, or badly read.")
    if health.oversize_chunks:
        findings.append(
            f"{_count(health.oversize_chunks, 'chunk')} of {info.chunks:,} cut within a sentence, list item "
            "or table row that is too long for one chunk; a larger chunk size keeps them whole."
        )
    if health.duplicate_chunks:
        findings.append(
            f"{_count(health.duplicate_chunks, 'chunk')} of {info.chunks:,} with the very text of another "
            "chunk of this collection; several copies of a passage crowd others out of an answer."
        )
    return findings


def _problem_words(health: DocumentHealth) -> str:
    words = []
    if health.empty_pages:
        words.append(f"no text on {_named(health.empty_pages)}")
    if health.suspect_pages:
        words.append(f"{_named(health.suspect_pages)} misread")
    return "; ".join(words) or "text on all"


def _named(pages: tuple[int, ...]) -> str:
    """``page 3`` or ``pages 3, 7, 8``; long lists are cut."""
    listed = ", ".join(map(str, pages[:_NAMED])) + (", …" if len(pages) > _NAMED else "")
    return f"page {listed}" if len(pages) == 1 else f"pages {listed}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
