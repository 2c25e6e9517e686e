"""What of a reply may be shown while it is still being written.

Held back are the beginning of a possible refusal sentinel, and an opened bracket until it is
known whether it is a citation. The finished reply is parsed as a whole by citations.py; this is
only so that nobody sees ``NOT IN THE DOC`` or ``[1`` appear and vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragcore.answering.prompts import SENTINEL
from ragcore.records import Passage

_LONGEST_BRACKET = 40


class VisibleText:
    """Feeds on pieces of a reply and gives back what may be shown so far."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._marker = {p.number: f"[{p.candidate.file}:{p.candidate.location}]" for p in passages}
        self._pending = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        self._pending += piece
        if not self._begun:
            start = self._pending.lstrip().upper()
            if SENTINEL.startswith(start[: len(SENTINEL)]):
                return ""
            self._begun = True
        shown = self._numbers_to_markers(self._pending)
        cut = shown.rfind("[")
        if cut < 0 or "]" in shown[cut:] or len(shown) - cut > _LONGEST_BRACKET:
            cut = len(shown)
        self._pending = shown[cut:]
        return shown[:cut]

    def _numbers_to_markers(self, text: str) -> str:
        def markers(match: re.Match[str]) -> str:
            known = [
                self._marker[n] for n in map(int, re.findall(r"\d+", match.group())) if n in self._marker
            ]
            return " ".join(known)

        return re.sub(r"\[\s*\d{1,2}(?:\s*,\s*\d{1,2})*\s*\]", markers, text)


def visible(pieces: Iterator[str], passages: Sequence[Passage]) -> Iterator[str]:
    """The pieces of a reply as they may be shown."""
    filtered = VisibleText(passages)
    for piece in pieces:
        if shown := filtered.feed(piece):
            yield shown
