"""The words on an answer: how strong its evidence is, who wrote it, whether it was cut short."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.safe_markdown import sentence
from ragcore.records import Message

_BANDS = {
    "strong": ("Strong evidence", "blue", ":material/check_circle:"),
    "weak": ("Weak evidence", "orange", ":material/error:"),
    "refused": ("Refused", "gray", ":material/block:"),
}


def badges(message: Message) -> None:
    """One word for the evidence, one for who wrote the answer, one if it was cut short."""
    trace = message.trace or {}
    decision = trace.get("decision") or {}
    band = "refused" if message.status == "refused" else decision.get("band", "weak")
    word, color, icon = _BANDS[band]
    st.badge(word, icon=icon, color=color, help=_band_help(message, decision))
    written_by = "" if message.status == "refused" else generator(trace)
    if written_by == "quote":
        st.badge(
            "Quoted word for word",
            color="gray",
            help="No model wrote this: the sentences are the documents' own.",
        )
    elif written_by == "ollama":
        st.badge(
            "Written by a model",
            color="gray",
            help="A local model wrote this from the passages. Check its citations.",
        )
    if message.status == "interrupted":
        st.badge(
            "Interrupted",
            icon=":material/stop_circle:",
            color="orange",
            help="Stopped before its end; this is what had been written. Ask again for a whole answer.",
        )


def _band_help(message: Message, decision: dict[str, Any]) -> str:
    if not decision:
        return "How well the best passage fits the question."
    if message.status == "refused" and decision["passed"]:
        return "Passages were close enough, but none of them says the answer."
    return (
        f"{sentence(decision['reason'])} Strong from {decision['strong_from']:.2f}, weak from {decision['cutoff']:.2f}, "
        "refused below."
    )


def generator(trace: dict[str, Any] | None) -> str:
    """``ollama``, ``quote`` or ``none``: who wrote the answer in the end."""
    trace = trace or {}
    return (trace.get("outcome") or {}).get("generator") or (trace.get("prompt") or {}).get(
        "generator", "none"
    )
