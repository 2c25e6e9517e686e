"""From what was typed in a conversation to the question that is searched: the first of the two doors.

A follow-up passes when its standalone question clears the cutoff, and its own words alone the floor:
"And the Roman Empire?" must not ride in on the evidence of the question before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from ragcore.answering.prompts import STANDALONE_HASH
from ragcore.answering.rewriting import rewritten
from ragcore.answering.turn import Chat
from ragcore.errors import ModelError
from ragcore.lexical.lexemes import lexemes
from ragcore.records import AnsweredTurn, AskOptions, FollowUps, GateDecision
from ragcore.retrieval import Retrieval, Retriever
from ragcore.retrieval.followups import (
    Reference,
    carried_over,
    combined,
    is_another_topic,
    own_topic,
    refers_back,
)
from ragcore.storage import History

ChooseChat = Callable[[AskOptions], Chat | None]
"""The chat model for these options; None means quoting. Raises ModelError when one was insisted on."""


@dataclass(frozen=True, slots=True)
class Standalone:
    """The question that is searched and answered, how it came about, and what its own words score."""

    question: str
    found: Retrieval
    strategy: FollowUps
    how: Literal["rule", "model", "none"] = "none"
    refers_back: str = ""
    """By what it refers back, in words; empty where it stands alone."""
    base: str = ""
    own_score: float | None = None
    """Raw cosine of the best evidence for the user's own words; None outside of a conversation."""
    floor: float | None = None
    """What they have to reach; None where they need not, since they are searched as they are."""
    note: str = ""
    """Why it was left as it is, or why the model's rewrite was not used."""

    @property
    def below_floor(self) -> bool:
        return self.floor is not None and (self.own_score is None or self.own_score < self.floor)

    def decided(self, decision: GateDecision) -> GateDecision:
        """The decision of the cutoff with the floor on it: an open gate is closed below it."""
        if not (decision.passed and self.below_floor):
            return decision
        own = "nothing" if self.own_score is None else f"{self.own_score:.2f}"
        return replace(
            decision,
            passed=False,
            band="refused",
            reason=f"With the question before, the best match is {decision.top_score:.2f}, cutoff "
            f"{decision.cutoff:.2f}; but the words of this question alone reach {own}, floor {self.floor:.2f}.",
        )

    def traced(self) -> dict[str, Any] | None:
        """What the trace keeps; None for a question that had nothing before it."""
        if not self.base:
            return None
        names = ("strategy", "how", "refers_back", "base", "own_score", "floor", "note")
        kept = {name: getattr(self, name) for name in names}
        return {**kept, "prompt_hash": STANDALONE_HASH if self.how == "model" else None}


class StandaloneQuestions:
    """Finds out what a question in a conversation asks for. Searches, decides nothing."""

    def __init__(
        self,
        *,
        retriever: Retriever,
        history: History,
        choose_chat: ChooseChat,
        floor_of: Callable[[str], float],
    ) -> None:
        self._retriever = retriever
        self._history = history
        self._choose_chat = choose_chat
        self._floor_of = floor_of

    def of(
        self,
        question: str,
        options: AskOptions,
        conversation_id: int | None,
        *,
        cutoff: float,
        replaces: int | None = None,
    ) -> Standalone:
        """The standalone question with what was found for it. Raises what a search raises.

        ``replaces``: the answer that the new one takes the place of, and that it must not lean on.
        """
        base = None
        if conversation_id is not None:
            base = self._history.last_answered(conversation_id, before=replaces)
        found = self._search(question, options)
        as_typed = Standalone(question, found, options.follow_ups)
        if base is None:
            return as_typed
        as_typed = replace(as_typed, base=base.standalone_question, own_score=found.top_score)
        if options.follow_ups == "alone":
            return replace(as_typed, note="asked as typed")
        if options.follow_ups == "rewrite":
            return self._rewritten(as_typed, base, options, cutoff)
        text = combined(base.standalone_question, question)
        floor = self._floor_of(options.collection) if options.follow_ups == "combined_floor" else None
        return replace(as_typed, question=text, found=self._search(text, options), how="rule", floor=floor)

    def _rewritten(
        self, as_typed: Standalone, base: AnsweredTurn, options: AskOptions, cutoff: float
    ) -> Standalone:
        question, before = as_typed.question, base.standalone_question
        reference = refers_back(question)
        if reference.kind == "none":
            return replace(as_typed, note="it stands alone")
        floor = self._floor_of(options.collection)
        if reference.kind == "perhaps":
            return self._perhaps(as_typed, reference, options, cutoff, floor)
        spelled_out = as_typed.found.question.lexical
        too_far = reference.kind == "ellipsis" or as_typed.own_score is None or as_typed.own_score < cutoff
        # "Are the youngsters treated the same way?" may mean the cadets; unknown words have to come close.
        if too_far and is_another_topic(spelled_out, before, self._known(as_typed, options)):
            return replace(
                as_typed,
                refers_back=reference.why,
                note="its words are neither in the question before nor in the documents: another topic",
            )
        if reference.kind == "pronoun" and not own_topic(question):
            # "How much is it?" has no words of its own that could be off topic.
            floor = None
        asked = replace(as_typed, refers_back=reference.why, floor=floor)
        text, note = (None, "") if asked.below_floor else self._by_model(question, base, options)
        how: Literal["rule", "model"] = "model" if text else "rule"
        text = text or carried_over(before, question)
        return replace(asked, question=text, found=self._search(text, options), how=how, note=note)

    def _perhaps(
        self, as_typed: Standalone, reference: Reference, options: AskOptions, cutoff: float, floor: float
    ) -> Standalone:
        """ "Who empties the box?": rewritten only if it finds too little as it is, and its own words are in
        what is found together with the question before."""
        alone = replace(as_typed, note="it stands alone")
        score = as_typed.own_score
        if score is None or score >= cutoff or score < floor:
            return alone
        text = carried_over(as_typed.base, as_typed.question)
        found = self._search(text, options)
        topic = set(own_topic(as_typed.question))
        if not found.candidates or not topic:
            return alone
        best = max(found.candidates, key=lambda hit: hit.score)
        if not topic <= set(lexemes(f"{best.header} {best.text}")):
            return alone
        why = f"{reference.why}, and its words are in what is found with the question before"
        return replace(alone, question=text, found=found, how="rule", refers_back=why, floor=floor, note="")

    def _by_model(self, question: str, base: AnsweredTurn, options: AskOptions) -> tuple[str | None, str]:
        try:
            chat = self._choose_chat(options)
        except ModelError as error:
            # Whoever insists on a model hears of it after the gate.
            return None, f"no model to rewrite it: {error}"
        if chat is None:
            return None, ""
        text, against = rewritten(question, base, chat)
        return text, f"the model's rewrite was not used: {against}" if against else ""

    def _known(self, as_typed: Standalone, options: AskOptions) -> dict[str, int]:
        if options.mode == "hybrid":
            return dict(as_typed.found.frequencies)
        return dict(self._search(as_typed.question, replace(options, mode="hybrid")).frequencies)

    def _search(self, text: str, options: AskOptions) -> Retrieval:
        return self._retriever.retrieve(
            text,
            collection=options.collection,
            top_k=options.top_k,
            mode=options.mode,
            fusion=options.fusion,
        )
