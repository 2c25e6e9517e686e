"""The gate receipt of an answer: what was searched, the score against the cutoff, who wrote it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

from pages.parts import checked_answer, follow_up, prompt_context, second_opinion
from pages.parts.evidence_badge import generator
from pages.parts.suspicion import suspicious_passages
from ragcore.records import Message

MISSES_SHOWN = 3
_WHO_SAYS = {"user": "your own", "learned": "from the documents", "built-in": "built in"}


def score_bar(decision: dict[str, Any]) -> str:
    """The best score as a bar from 0 to 1, the cutoff as a mark on it."""
    score, cutoff = decision["top_score"], decision["cutoff"]
    words = "Nothing to compare" if score is None else f"Best match {score:.2f}, cutoff {cutoff:.2f}"
    width = 0 if score is None else 100 * min(1.0, max(0.0, score))
    mark = 100 * min(1.0, max(0.0, cutoff))
    state = "over" if decision["passed"] else "under"
    return (
        f'<div class="pl-score"><span class="pl-words">{words}</span>'
        f'<div class="pl-bar" role="img" aria-label="{words}">'
        f'<div class="pl-fill pl-{state}" style="width:{width:.1f}%"></div>'
        f'<div class="pl-cutoff" style="left:{mark:.1f}%"></div></div></div>'
    )


def nearest_misses(trace: dict[str, Any]) -> None:
    """On a refusal: what came closest, with scores; these are not sources."""
    passages = trace["passages"][:MISSES_SHOWN]
    if not passages:
        return
    rows = "".join(
        f'<div class="pl-miss"><span class="pl-number">{p["score"]:.2f}</span>'
        f'<div><div>{escape(_where(p))}</div><div class="pl-start">{escape(_start(p["text"]))}</div></div></div>'
        for p in passages
    )
    st.html(f'<div class="pl-title">Nearest misses, not used as sources</div>{rows}')


def receipt(message: Message, *, as_typed: Callable[[], None] | None = None) -> None:
    """The whole receipt, folded away.

    ``as_typed`` is called when a question that was searched in other words is to be asked as typed.
    """
    trace = message.trace
    if not trace:
        return
    with st.expander("How this was answered", type="compact"):
        if follow_up.is_small_talk(trace):
            st.caption("Neither a question nor a refusal: nothing was searched and no model was called.")
            return
        st.html(score_bar(trace["decision"]))
        rows = [
            ("Searched for", trace["standalone_question"]),
            *follow_up.rows(trace),
            *expansion(trace),
            ("Gate", _gate(message, trace["decision"])),
            ("Second opinion", second_opinion.in_words(trace["decision"].get("opinion"))),
            ("Model", _model(trace)),
            *checked_answer.rows(trace),
            ("Tokens", _tokens(trace)),
            ("Time", _times(trace)),
            ("Passages", "\n".join(f"{p['score']:.2f}  {_where(p)}" for p in trace["passages"])),
            *prompt_context.rows(trace),
        ]
        listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows if value)
        st.html(f'<dl class="pl-receipt">{listed}</dl>')
        suspicious_passages(trace["passages"])
        if as_typed and follow_up.was_rewritten(trace):
            st.button(
                "Ask it as typed",
                key=f"as_typed_{message.id}",
                icon=":material/keyboard_return:",
                help="Search for your words alone, as if nothing had been said before; the new answer replaces this one.",
                on_click=as_typed,
            )


def expansion(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """What was put in place of abbreviations: ``trace["profile"]["expanded"]``, where there is any."""
    expanded = (trace.get("profile") or {}).get("expanded") or {}
    added, also = expanded.get("added") or [], expanded.get("also") or []
    rows = []
    if added:
        lines = [f"{short}: {long} ({_WHO_SAYS.get(source, source)})" for short, long, source in added]
        rows += [("Searched as", expanded["dense"]), ("Abbreviations", "\n".join(lines))]
    if also:
        rows.append(("Also searched", ", ".join(also)))
    if ambiguous := expanded.get("ambiguous"):
        rows.append(("Left as it is", f"{', '.join(ambiguous)}: the documents give several meanings"))
    return rows


def _gate(message: Message, decision: dict[str, Any]) -> str:
    if not decision["passed"]:
        return f"closed. {decision['reason']}"
    words = (
        f"open: {decision['band']} evidence. {decision['reason']} Strong from {decision['strong_from']:.2f}."
    )
    return words + (_after_the_gate(message.trace) if message.status == "refused" else "")


def _after_the_gate(trace: dict[str, Any] | None) -> str:
    stage = ((trace or {}).get("outcome") or {}).get("refusal_stage")
    if stage == "verification":
        return " The model's answer is not supported by the passages."
    return " The passages do not say the answer."


def _model(trace: dict[str, Any]) -> str:
    if not trace["decision"]["passed"]:
        asked = (trace["decision"].get("opinion") or {}).get("source") == "model"
        return "called for the second opinion only" if asked else "not called"
    called = trace["prompt"].get("model")
    if generator(trace) == "quote":
        if called and ((trace.get("outcome") or {}).get("raw_reply") or "").strip():
            return f"called: {called}; the documents are quoted instead of its answer"
        return (
            f"{called} failed, so the documents are quoted"
            if called
            else "not called: the documents are quoted"
        )
    return f"called: {called}"


def _tokens(trace: dict[str, Any]) -> str:
    outcome = trace.get("outcome") or {}
    estimated = trace["prompt"].get("estimated_tokens")
    words = []
    if outcome.get("prompt_tokens"):
        about = f" (estimated at most {estimated:,})" if estimated else ""
        words.append(f"prompt {outcome['prompt_tokens']:,}{about}")
    elif estimated:
        words.append(f"prompt at most {estimated:,} by estimate")
    if outcome.get("reply_tokens"):
        words.append(f"reply {outcome['reply_tokens']:,}")
    return ", ".join(words)


def _times(trace: dict[str, Any]) -> str:
    timings = (trace.get("outcome") or {}).get("timings") or {}
    names = {"retrieve_ms": "search", "first_token_ms": "first word", "total_ms": "in all"}
    return ", ".join(f"{name} {_duration(timings[key])}" for key, name in names.items() if key in timings)


def _duration(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _where(passage: dict[str, Any]) -> str:
    return f"{passage['file']}:{passage['location']}"


def _start(text: str) -> str:
    return textwrap.shorten(text, 120, placeholder="…")
