"""A passage as HTML: its words escaped, the quoted sentence marked."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


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


def marked_html(before: str, marked: str, after: str) -> str:
    """A text in three parts, the middle one in a ``<mark>``."""
    return f'<div class="pl-passage pl-around">{escape(before)}<mark>{escape(marked)}</mark>{escape(after)}</div>'
