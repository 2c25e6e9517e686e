"""Taking a model's reasoning out of its reply while it streams.

Reasoning stands between ``<think>`` and ``</think>``; tags come cut across pieces, and some chat
templates open the block themselves, so that only the closing tag arrives. A tag that the answer
merely mentions, in `backticks` or a fenced block, is text.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "</think>", "<thinking>", "</thinking>")


class ReasoningFilter:
    """Feeds on pieces of a reply; gives back the visible text so far.

    ``feed`` and ``finish`` return ``(text, replaces)``. ``replaces`` means that everything given
    back before was reasoning, which only the closing tag has shown, and is to be forgotten.
    """

    def __init__(self) -> None:
        self._pending = ""
        self._previous = ""
        """The last character that was taken from ``_pending``."""
        self._reasoning = False
        self._forget()

    def feed(self, piece: str) -> tuple[str, bool]:
        self._pending += piece
        return self._drain(final=False)

    def finish(self) -> tuple[str, bool]:
        """What was held back. An unclosed block of reasoning stays hidden."""
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> tuple[str, bool]:
        shown, replaces = "", False
        while match := _TAG.search(self._pending):
            before, after = self._pending[: match.start()], self._pending[match.end() :]
            wrapped = (self._previous + before).endswith("`")
            if self._reasoning and wrapped and not after and not final:
                return shown, replaces  # wait: a backtick may follow, and make it a mention
            shown += self._take(before)
            self._pending = after
            closes = bool(match.group(1))
            if self._is_mention(wrapped and after.startswith("`")):
                shown += self._take(match.group())
            elif closes and not self._reasoning:
                shown, replaces = "", True
                self._forget()
            else:
                self._reasoning = not closes
            self._previous = ">"
        cut = len(self._pending) if final else _possible_tag(self._pending)
        shown += self._take(self._pending[:cut])
        self._pending = self._pending[cut:]
        return shown, replaces

    def _is_mention(self, in_backticks: bool) -> bool:
        """Whether a tag here is text. In the answer, also anywhere inside a code span or fence.

        Reasoning is judged more strictly: a stray backtick in it must not keep it open.
        """
        return in_backticks or (not self._reasoning and (self._fenced or self._line.count("`") % 2 == 1))

    def _take(self, text: str) -> str:
        """What of ``text`` is visible; keeps track of where in the Markdown we are."""
        self._previous = text[-1:] or self._previous
        if self._reasoning:
            return ""
        if not self._begun:
            text = text.lstrip()
            self._begun = bool(text)
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._fenced ^= line.lstrip().startswith("```")
        return text

    def _forget(self) -> None:
        """The visible answer begins anew."""
        self._begun, self._line, self._fenced = False, "", False


def _possible_tag(text: str) -> int:
    """Where in ``text`` a tag may begin that is not complete yet; its length if nowhere."""
    start = text.rfind("<")
    begun = start >= 0 and any(tag.startswith(text[start:].lower()) for tag in _TAGS)
    return start if begun else len(text)
