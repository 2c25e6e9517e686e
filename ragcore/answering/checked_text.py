"""An answer put together from its checked sentences: what is shown of it, and what is struck out.

A claim that no passage supports is struck out (or marked, if so asked), and with the first claim the
whole answer. Headings and lead-ins wait for the next claim and are shown with it; politeness is not
shown at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragcore.answering.citations import WrittenText
from ragcore.answering.claims import Sentence, is_item, is_structure, item_mark, leads_in, split
from ragcore.answering.verification import Checked, Checker
from ragcore.records import Passage

MARK = " (not found in the documents)"
"""Behind an unsupported sentence that is shown all the same."""


class CheckedText:
    """Puts an answer together from checked sentences, and says what of it may be shown by now.

    ``mark`` shows unsupported sentences too, with a mark behind them.
    """

    def __init__(self, checker: Checker, passages: Sequence[Passage], *, mark: bool = False) -> None:
        self._checker = checker
        self._passages = {passage.number: passage for passage in passages}
        self._mark = mark
        self._waiting: list[Checked] = []
        self._lead = ""
        """What leads in to the list that is being read: "The fees are"."""
        self._written = WrittenText()
        self._quoted: set[str] = set()
        self.checked: list[Checked] = []

    @property
    def text(self) -> str:
        return self._written.text.strip()

    @property
    def citations(self) -> tuple:
        return tuple(self._written.citations)

    @property
    def struck(self) -> list[Checked]:
        """The unsupported sentences."""
        return [one for one in self.checked if not one.supported]

    @property
    def fallen(self) -> bool:
        """Whether the first claim is unsupported: it is the answer, and what follows only adds to it.

        Not the first item of a list: that is a part of the answer like the others.
        """
        first = next((one for one in self.checked if one.claim), None)
        return first is not None and not first.supported and not is_item(first.sentence.text)

    @property
    def beside(self) -> bool:
        """Whether the passages are on another thing than what was asked, as far as the first claim tells."""
        return next((one.beside for one in self.checked if one.claim), False)

    @property
    def kept(self) -> list[Checked]:
        """The claims that are supported."""
        return [one for one in self.checked if one.claim and one.supported]

    def add(self, part: str, *, whole: bool = True) -> str:
        """Check sentences of the reply; returns what may be shown of them.

        ``whole`` is False for the half of a sentence: it is shown in its own words or not at all, for what it was
        going to say is not known.
        """
        return "".join(self._add(sentence, whole) for sentence in split(part))

    def _add(self, sentence: Sentence, whole: bool) -> str:
        if not is_item(sentence.text):
            self._lead = ""
        first = not any(one.claim for one in self.checked)
        checked = self._checker.check(sentence, self._lead, first=first)
        if checked.quote and not whole:
            return ""
        self.checked.append(checked)
        if not checked.claim:
            # Politeness and pointing are left out: what they point at may be left out too.
            self._waiting += [checked] if is_structure(sentence) else []
            if leads_in(sentence):
                self._lead = sentence.said.rstrip("*_: ")
            return ""
        if not self._mark and (self.fallen or not checked.supported):
            return ""
        return self._release() + self._write(checked)

    def _release(self) -> str:
        waiting, self._waiting = self._waiting, []
        return "".join(map(self._write, waiting))

    def _write(self, checked: Checked) -> str:
        sources = [self._passages[number] for number in checked.sources]
        note = MARK if not checked.supported else ""
        sentence = checked.sentence
        if checked.quote:
            if checked.quote in self._quoted:
                return ""
            self._quoted.add(checked.quote)
            sentence = replace(sentence, text=f"{item_mark(sentence.text)}“{checked.quote}”")
        return self._written.add(sentence, sources, note)
