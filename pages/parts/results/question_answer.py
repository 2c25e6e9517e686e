"""What was sent for a question, what came back, and how it was graded."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from pages.parts.results.words import plain_words
from pages.parts.safe_markdown import answer_markdown, plain_line
from ragcore.evaluation.opened_result import OpenedResult
from ragcore.storage import HandGrade


def answer(opened: OpenedResult) -> None:
    """The answer with its citations on the left, the grades on the right."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Answer**")
        outcome = opened.row.outcome
        with st.container(border=True, gap="small"):
            if outcome.answer:
                is_quote = outcome.generator == "quote"
                st.markdown(
                    answer_markdown(outcome.answer, refused=outcome.refused, quote=is_quote), anchors=False
                )
            else:
                st.caption("Refused at the gate, so nothing was written." if outcome.refused else "Empty.")
            for warning in outcome.warnings:
                st.caption(plain_line(warning))
        _citations(opened)
    with right:
        _grades(opened)


def _citations(opened: OpenedResult) -> None:
    outcome = opened.row.outcome
    if not outcome.citations:
        return
    right = {True: "at least one names the gold's place", False: "none names the gold's place"}
    judged = right.get(outcome.citation_right, "not judged")
    st.caption(f"Citations ({judged})")
    st.html(
        "".join(
            f'<div class="pl-miss"><span class="pl-number">{escape(_marker(one))}</span>'
            f'<div class="pl-start">{escape(one.get("quote") or "")}</div></div>'
            for one in outcome.citations
        )
    )


def _marker(citation: dict[str, Any]) -> str:
    return f"[{citation['file']}:{citation['location']}]"


def _grades(opened: OpenedResult) -> None:
    outcome = opened.row.outcome
    st.markdown("**Grades**")
    with st.container(border=True, gap="small"):
        if outcome.verdict:
            st.markdown(f"Automatic: **{plain_line(plain_words(outcome.verdict))}**")
            st.caption(plain_line(outcome.verdict_reason))
        else:
            st.caption("Not graded automatically: the question has no facts to look for in the answer.")
        for given in opened.grades:
            _hand_grade(given)
        if not opened.grades:
            st.caption("No hand grade yet. Give one on the Grading page.")


def _hand_grade(given: HandGrade) -> None:
    when = given.created_at.astimezone().strftime("%d %b %Y, %H:%M")
    st.markdown(f"{plain_line(given.grader)}: **{plain_line(plain_words(given.grade or ''))}**")
    st.caption(plain_line(" · ".join(filter(None, (given.note, when)))))


def prompt(opened: OpenedResult) -> None:
    """The messages as they were sent, word for word."""
    if not opened.prompt:
        return
    tokens = opened.row.outcome.prompt_tokens
    counted = f" ({tokens:,} tokens)" if tokens else ""
    with st.expander(f"Prompt sent{counted}", icon=":material/send:"):
        for role, content in opened.prompt:
            st.caption(plain_line(role.capitalize()))
            st.code(content, language=None, wrap_lines=True)


def trace(opened: OpenedResult) -> None:
    """What was decided before anything was generated, and what came of it."""
    stored = opened.trace
    if stored is None:
        if opened.row.outcome.error is None:
            st.caption("The trace of this question is no longer stored.")
        return
    with st.expander("Trace", icon=":material/account_tree:"):
        decision, sent = stored["decision"], stored["prompt"]
        outcome = stored["outcome"] or {}
        timings = outcome.get("timings") or opened.row.outcome.timings
        rows = [
            ("Trace", str(stored["trace_id"])),
            ("Searched for", stored["standalone_question"]),
            ("Gate", f"{'open' if decision['passed'] else 'closed'}. {decision['reason']}"),
            ("Answered by", _answered_by(sent, opened)),
            ("Embedder", stored["profile"]["embedder"]["model"]),
            ("Collection", stored["profile"]["collection"]),
            ("Times", ", ".join(f"{plain_words(name)} {value:.0f}" for name, value in timings.items())),
        ]
        listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
        st.html(f'<dl class="pl-receipt">{listed}</dl>')
        st.json(stored, expanded=False)


def _answered_by(sent: dict[str, Any], opened: OpenedResult) -> str:
    if sent.get("model"):
        return f"{sent['model']}, temperature {sent.get('temperature', 0):g}"
    if opened.row.outcome.answer is None:
        return "nothing was generated at this stage"
    return {"quote": "quoting, no model", "none": "nothing: refused at the gate"}.get(
        sent.get("generator"), ""
    )
