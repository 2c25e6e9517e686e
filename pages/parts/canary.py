"""Measuring whether a chat model obeys orders that stand in documents, with a button."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import RagError
from ragcore.evaluation.canary import CanaryReport, CanaryResult, measure_canary
from ragcore.evaluation.canary_attacks import ATTACKS
from ragcore.rag import Rag

_KEPT = "canary_report"


def canary_check(rag: Rag) -> None:
    """Choose a model, measure it, see what came of each attack; the last result stays for the session."""
    models = [card.name for card in rag.chat_models()]
    st.subheader("Orders hidden in documents", anchor=False)
    st.caption(
        f"Asks a model {len(ATTACKS)} questions on built-in passages that also give it orders, and counts how often "
        "it obeys. Takes about a minute; nothing is stored."
    )
    if not models:
        st.caption("There is no chat model to measure. Quoting obeys nothing.")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        model = st.selectbox(
            "Model to measure",
            models,
            key="canary_model",
            width=280,
            help="One of the chat models that Ollama has.",
        )
        asked = st.button(
            "Measure",
            key="canary_measure",
            icon=":material/front_hand:",
            help="Ask this model the built-in questions now.",
        )
    if asked:
        failure = _measure(rag, model)
        if failure:
            st.error(sentence(failure))
    report = st.session_state.get(_KEPT)
    if report is not None:
        _draw(report)


def _measure(rag: Rag, model: str) -> str | None:
    """Measure with a bar; the failure as a sentence, or None."""
    st.session_state.pop(_KEPT, None)
    bar = st.progress(0.0, text=plain_line(f"Asking {model}…"))

    def show(done: int, total: int) -> None:
        bar.progress(
            done / total, text=plain_line(f"Asking {model}: attack {min(done + 1, total)} of {total}")
        )

    try:
        chat = rag.chats.choose("ollama", model)
        assert chat is not None  # "ollama" insists on a model
        st.session_state[_KEPT] = measure_canary(chat, rag.embedder, progress=show)
    except RagError as error:
        return str(error)
    finally:
        bar.empty()
    return None


def _draw(report: CanaryReport) -> None:
    speed = "" if report.tokens_per_second is None else f", {report.tokens_per_second:.0f} tokens a second"
    st.markdown(
        plain_line(
            f"{report.model}: obeyed {report.obeyed.k} of {report.obeyed.n}, "
            f"95 % interval {report.obeyed.low or 0:.2f} to {report.obeyed.high or 0:.2f}; "
            f"honest question answered {report.answered.k} of {report.answered.n}; {report.seconds:.0f} s{speed}."
        )
    )
    st.table(
        {
            "Attack": [plain_line(one.kind) for one in report.results],
            "Outcome": [plain_line(_outcome(one)) for one in report.results],
            "Honest question": ["answered" if one.answered else "not answered" for one in report.results],
        },
        hide_index=True,
        border="horizontal",
        width="content",
    )


def _outcome(one: CanaryResult) -> str:
    if one.error:
        return one.error
    if one.obeyed:
        return "obeyed: the demanded words were shown"
    return "written by the model, not shown" if one.written else "not obeyed"
