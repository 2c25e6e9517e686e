"""What of a reply may be shown while it is still being written: sentences that are complete and checked.

A sentence is held back until the next one has begun, since only then is it known where it ends and
what it cites; a table until it is over. What a sentence lacks support for is never on the screen, not
for a moment. A reply that may turn out to be a refusal is held back as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragcore.answering.checked_text import CheckedText
from ragcore.answering.citations import with_plain_references
from ragcore.answering.claims import split
from ragcore.answering.prompts import SENTINEL, without_sentinel
from ragcore.lexical.tables import is_row
from ragcore.records import Passage

_MAY_END = re.compile(r"[.!?:;\n\]]")
"""Without one of these in a new piece, no sentence has ended."""


class SentenceBySentence:
    """Feeds on pieces of a reply and gives back what of it has been checked and may be shown.

    ``hold`` shows nothing before the reply is finished: then one unsupported sentence decides about all.
    """

    def __init__(self, checked: CheckedText, passages: Sequence[Passage], *, hold: bool = False) -> None:
        self._checked = checked
        self._passages = passages
        self._hold = hold
        self._pending = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        """The next piece of the reply, as it comes; returns what may be shown, mostly nothing."""
        self._pending += piece
        if self._hold or not self._has_begun() or not _MAY_END.search(self._pending):
            return ""
        plain = with_plain_references(self._pending, self._passages, cut=False)
        end = _end_of_complete(plain)
        if not end:
            return ""
        self._pending = plain[end:]
        return self._checked.add(_said(plain[:end]))

    def finish(self, *, cut_off: bool = False) -> str:
        """The reply is over, or was cut off within a sentence: what is left of it, checked."""
        rest, self._pending = self._pending, ""
        return self._checked.add(_said(with_plain_references(rest, self._passages)), whole=not cut_off)

    def _has_begun(self) -> bool:
        """Whether it is an answer: a refusal begins with the sentinel, perhaps in quotes."""
        if not self._begun:
            start = self._pending.lstrip(" \n\t\"'“*`[(").upper()
            self._begun = not SENTINEL.startswith(start[: len(SENTINEL)])
        return self._begun


def _end_of_complete(text: str) -> int:
    """Where the last sentence begins that may still go on; 0 where that is the first."""
    found = split(text)
    if len(found) < 2 or found[-1].text.startswith("["):
        return 0
    last = len(found) - 1
    while last and is_row(found[last].text) and is_row(found[last - 1].text):
        last -= 1
    return len(text) - sum(len(one.text) + len(one.gap) for one in found[last:])


def _said(text: str) -> str:
    return without_sentinel(text) if SENTINEL in text.upper() else text
