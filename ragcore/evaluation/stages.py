"""Asking the questions of a set: the very code that the chat uses, watched.

Retrieval and refusal stop at the gate; follow-ups hold a conversation; answers go all the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from ragcore.answering import Pipeline
from ragcore.chunking.sentences import sentences
from ragcore.errors import RagError
from ragcore.evaluation.grading import grade_answer
from ragcore.evaluation.matching import citation_right, gold_rank, matches, relevant_hits
from ragcore.evaluation.obedience import obeyed, shown
from ragcore.evaluation.outcome import Outcome, Stage, failure_of, of_question
from ragcore.evaluation.question import FOLLOW_UP_KINDS, EvalQuestion, Gold
from ragcore.records import Answer, AskOptions, Candidate, Chunk, without_context
from ragcore.storage import History, Library


def questions_of(stage: Stage, questions: Sequence[EvalQuestion]) -> list[EvalQuestion]:
    """The questions that a stage asks."""
    wants_follow_ups = stage == "followups"
    return [one for one in questions if (one.kind in FOLLOW_UP_KINDS) == wants_follow_ups]


class Asker:
    """Asks questions of one collection at one stage."""

    def __init__(
        self,
        pipeline: Pipeline,
        library: Library,
        history: History,
        *,
        stage: Stage,
        options: AskOptions,
    ) -> None:
        self._pipeline = pipeline
        self._library = library
        self._history = history
        self._stage = stage
        # Only the last stage generates; a chat model is not even looked for in the others.
        self._options = options if stage == "answers" else replace(options, generator="quote")
        self._chunks: list[Candidate] | None = None

    def ask(self, question: EvalQuestion, key: str) -> Outcome:
        """The outcome under ``key``. An error of ours is an outcome too: a failure that counts."""
        try:
            outcome = (
                self._follow_up(question, key) if self._stage == "followups" else self._single(question, key)
            )
        except RagError as error:
            return Outcome(**of_question(question, key), error=str(error), failure_stage="error")
        in_chunks = bool(question.gold) and (outcome.rank is not None or self._in_any_chunk(question.gold))
        in_prompt = outcome.rank is not None if outcome.generator in ("ollama", "quote") else None
        failure = failure_of(outcome, self._stage, gold_in_chunks=in_chunks, gold_in_prompt=in_prompt)
        return replace(outcome, failure_stage=failure)

    def _single(self, question: EvalQuestion, key: str) -> Outcome:
        if self._stage != "answers":
            return self._outcome(
                question, key, self._pipeline.start(question.question, self._options).answer, {}
            )
        if len(question.turns) == 1:
            return self._answered(
                question, key, [self._pipeline.start(question.question, self._options).run()]
            )
        conversation = self._history.create(question.turns[0], collection=self._options.collection)
        try:
            answers = [
                self._pipeline.start(asked, self._options, conversation_id=conversation).run()
                for asked in question.turns
            ]
        finally:
            self._history.delete(conversation)
        return self._answered(question, key, answers)

    def _answered(self, question: EvalQuestion, key: str, answers: Sequence[Answer]) -> Outcome:
        """The outcome of the last answer; whether an attack was obeyed is looked for in all of them."""
        answer = answers[-1]
        claims, cited = count_claims(answer)
        graded: dict[str, Any] = {}
        if question.facts or question.kind == "answerable":
            # Without facts nothing is known of an answer, nor of how a refusal compares with it.
            refused = answer.refused and bool(question.facts)
            grade = grade_answer(answer.text, question.facts, refused=refused, question=question.question)
            graded = {"verdict": grade.verdict, "verdict_reason": grade.reason}
        if question.gold and answer.citations and not answer.refused:
            graded["citation_right"] = any(citation_right(one, question) for one in answer.citations)
        graded["canary_shown"] = obeyed(question, shown(answers))
        return self._outcome(
            question, key, answer, {"claims": claims, "cited_claims": cited, "answer": answer.text, **graded}
        )

    def _follow_up(self, question: EvalQuestion, key: str) -> Outcome:
        conversation = self._history.create(question.turns[0], collection=self._options.collection)
        try:
            ranks: list[int | None] = []
            for number, asked in enumerate(question.turns[:-1]):
                answer = self._pipeline.start(asked, self._options, conversation_id=conversation).run()
                if number < len(question.turn_gold) and question.turn_gold[number]:
                    ranks.append(gold_rank(answer.hits, replace(question, gold=question.turn_gold[number])))
            last = self._pipeline.start(question.turns[-1], self._options, conversation_id=conversation)
            # Before the first turn of a pair nothing is asked of its rank: only chains are scored whole.
            extra = {"turn_ranks": tuple(ranks) if question.category == "chain" else ()}
            return self._outcome(question, key, last.answer, extra)
        finally:
            self._history.delete(conversation)

    def _outcome(self, question: EvalQuestion, key: str, answer: Answer, extra: dict[str, Any]) -> Outcome:
        gold_at = relevant_hits(answer.hits, question)
        refused = answer.refused if self._stage == "answers" else not answer.decision.passed
        return Outcome(
            **of_question(question, key),
            rank=gold_rank(answer.hits, question),
            top_score=answer.decision.top_score,
            own_score=answer.own_score,
            cutoff=answer.decision.cutoff,
            refused=refused,
            refusal_stage=answer.refusal_stage,
            hits=tuple(_hit(hit, gold) for hit, gold in zip(answer.hits, gold_at, strict=True)),
            generator=answer.generator,
            citations=tuple(asdict(citation) for citation in answer.citations),
            warnings=answer.warnings,
            prompt_tokens=answer.prompt_tokens,
            timings=answer.timings,
            trace_id=answer.trace_id,
            supported_claims=answer.supported_claims,
            unsupported_shown=sum(one.shown for one in answer.unsupported),
            struck_claims=sum(not one.shown for one in answer.unsupported),
            **extra,
        )

    def _in_any_chunk(self, golds: Sequence[Gold]) -> bool:
        if self._chunks is None:
            stored = self._library.chunks(self._options.collection)
            paged = {d.file_name: d.paged for d in self._library.documents(self._options.collection)}
            self._chunks = [_as_candidate(file, chunk, paged.get(file, True)) for file, chunk in stored]
        return any(matches(chunk, gold) for chunk in self._chunks for gold in golds)


def count_claims(answer: Answer) -> tuple[int, int]:
    """Sentences of an answer, and how many of them carry a citation. A refusal claims nothing."""
    if answer.refused or not answer.text.strip():
        return 0, 0
    markers = {citation.marker for citation in answer.citations}
    claims = [answer.text[start:end] for start, end in sentences(answer.text)]
    # "... crowns. [a.pdf:1]": a citation behind the full stop belongs to the sentence before.
    claims = [claim for claim in claims if claim.strip() not in markers]
    cited = sum(any(marker in claim for marker in markers) for claim in claims)
    trailing = sum(answer.text.count(f". {marker}") for marker in markers)
    return len(claims), min(len(claims), cited + trailing)


def _hit(hit: Candidate, gold: bool) -> dict[str, Any]:
    return {
        "file": hit.file,
        "page_start": hit.page_start,
        "page_end": hit.page_end,
        "section": " › ".join(hit.section),
        "score": hit.score,
        "text": hit.text,
        "chunk_id": hit.chunk_id,
        "gold": gold,
    }


def _as_candidate(file: str, chunk: Chunk, paged: bool) -> Candidate:
    return Candidate(
        chunk_id=0,
        document_id=0,
        file=file,
        paged=paged,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        page_label=None,
        page_offsets=chunk.page_offsets,
        section=chunk.section,
        header=without_context(chunk.header),
        text=chunk.text,
        score=0.0,
    )
