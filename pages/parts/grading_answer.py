"""One answer as its reader saw it, with what the set expects and the evidence behind it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import cited_page
from pages.parts.app import prepare
from pages.parts.citation_chips import citation_chips
from pages.parts.passages import passage_html
from pages.parts.safe_markdown import answer_markdown, plain_line, quoted, sentence
from pages.parts.standing import Standing, standings
from ragcore.errors import NotFound
from ragcore.evaluation.grading_queue import AnswerToGrade
from ragcore.rag import Rag
from ragcore.records import Citation, Message


def draw_text(answer: AnswerToGrade) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Question and answer, at once; where the rest of the answer goes, and what stands beside it."""
    turns = answer.question.get("turns") or [answer.outcome.question]
    said, beside = st.columns([3, 2])
    card = said.container(border=True, gap="small", key="grading_card")
    with card:
        for earlier in turns[:-1]:
            st.caption(f"Asked before: {plain_line(earlier)}")
        st.markdown(f"#### {plain_line(answer.outcome.question)}", anchors=False)
        st.markdown(_shown(answer), anchors=False)
    return card, beside


def draw_rest(rag: Rag, answer: AnswerToGrade, card: DeltaGenerator, beside: DeltaGenerator) -> None:
    """The citations of the answer, what is expected, the evidence."""
    outcome = answer.outcome
    message = _as_message(rag, answer)
    standing = standings(rag, [message])
    with card:
        if message.citations and not outcome.refused:
            with st.container(horizontal=True, gap="xsmall", key=f"chips_{message.id}"):
                citation_chips(rag, message, standing)
        for warning in outcome.warnings:
            st.caption(f":material/info: {sentence(warning)}")
    with beside, st.container(border=True, gap="small", key="grading_gold"):
        _expected(rag, answer)
    _evidence(rag, answer, message, standing)


def _shown(answer: AnswerToGrade) -> str:
    text, outcome = answer.outcome.answer or "", answer.outcome
    if not text.strip():
        return "*The answer is empty.*"
    return answer_markdown(text, refused=outcome.refused, quote=outcome.generator == "quote")


def _as_message(rag: Rag, answer: AnswerToGrade) -> Message:
    """The answer in the form in which the chat draws it."""
    outcome = answer.outcome
    try:
        trace = rag.traces.get(outcome.trace_id) if outcome.trace_id is not None else None
    except NotFound:
        trace = None
    return Message(
        id=answer.id,
        role="assistant",
        content=outcome.answer or "",
        status="refused" if outcome.refused else "complete",
        created_at=datetime.now(UTC),
        citations=tuple(
            Citation(**{**one, "section": tuple(one.get("section") or ())}) for one in outcome.citations
        ),
        trace=trace,
    )


def _expected(rag: Rag, answer: AnswerToGrade) -> None:
    """What a right answer holds, by the people who wrote the question: a grader cannot know it otherwise."""
    shown = st.toggle(
        "What the set expects",
        help="The facts that a right answer holds and the passage they stand in, written by whoever made "
        "the question. It says nothing of how this answer was graded.",
        **prepare("grading_expected", True),
    )
    if not shown:
        return
    facts, golds = answer.question.get("facts") or [], answer.question.get("gold") or []
    if answer.outcome.expected == "refuse":
        st.markdown(":material/block: **A refusal.** The documents do not hold the answer.")
    elif facts:
        st.markdown(f":material/fact_check: **{' + '.join(_fact(group) for group in facts)}**")
    elif not golds:
        st.markdown("An answer; the set does not say which.")
    if answer.question.get("note"):
        st.caption(plain_line(answer.question["note"]))
    documents = _documents(rag, answer) if golds else {}
    for number, gold in enumerate(golds):
        _gold(rag, answer, number, gold, documents)


def _fact(group: list[str]) -> str:
    others = f" (or {', '.join(group[1:])})" if len(group) > 1 else ""
    return plain_line(f"{group[0]}{others}")


def _gold(rag: Rag, answer: AnswerToGrade, number: int, gold: dict[str, Any], documents: dict) -> None:
    st.markdown(quoted(gold["quote"]) if gold["quote"] else "Anywhere on the page.")
    where = ":".join(str(part) for part in (gold["document"], gold["page"]) if part)
    document = documents.get(gold["document"])
    if document is None:
        st.caption(plain_line(where))
        return
    _open_button(
        rag,
        cited_page.CitedPlace(
            document_id=document.id,
            file=gold["document"],
            page=gold["page"] or 1,
            quotes=((gold["page"] or 1, gold["quote"]),) if gold["quote"] else (),
            section=gold["section"] or "",
            passage=gold["quote"],
            media_type=document.media_type,
        ),
        label=where,
        key=f"gold_{answer.id}_{number}",
    )


def _documents(rag: Rag, answer: AnswerToGrade) -> dict:
    try:
        return {info.file_name: info for info in rag.library.documents(answer.question["collection"])}
    except (NotFound, KeyError):
        return {}


def _evidence(rag: Rag, answer: AnswerToGrade, message: Message, standing: dict[int, Standing]) -> None:
    passages = message.trace["passages"] if message.trace else answer.outcome.hits
    if not passages:
        return
    with st.expander(
        f"Evidence: {len(passages)} passage{'' if len(passages) == 1 else 's'} found",
        icon=":material/library_books:",
        key="grading_evidence",
    ):
        for number, passage in enumerate(passages):
            document = standing.get(passage.get("document_id", -1), Standing())
            where = f"{passage['file']}:{passage.get('location') or passage['page_start']}"
            section = passage["section"]
            section = section if isinstance(section, str) else " › ".join(section)
            if document.media_type is None:
                st.markdown(f"**{plain_line(where)}**")
            else:
                place = cited_page.CitedPlace(
                    document_id=passage["document_id"],
                    file=passage["file"],
                    page=passage["page_start"],
                    quotes=tuple(
                        (one.page, one.quote)
                        for one in message.citations
                        if one.chunk_id == passage["chunk_id"]
                    ),
                    section=section,
                    passage=passage["text"],
                    media_type=document.media_type,
                )
                _open_button(rag, place, label=where, key=f"evidence_{answer.id}_{number}")
            if section:
                st.caption(plain_line(section))
            cited = [one.quote for one in message.citations if one.chunk_id == passage["chunk_id"]]
            st.html(passage_html(passage["text"], cited))


def _open_button(rag: Rag, place: cited_page.CitedPlace, *, label: str, key: str) -> None:
    if st.button(
        plain_line(label),
        key=key,
        icon=cited_page.ICON,
        type="tertiary",
        help="Open the page with the passage highlighted." if place.is_pdf else "Open the text around it.",
    ):
        cited_page.show(rag, place)
