"""One question of one's own, dropped onto the chart: its score and what the cutoff would do with it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from ragcore.charts.scores import Mark
from ragcore.errors import RagError
from ragcore.evaluation.thresholds import ScoredRun
from ragcore.rag import Rag

_TRIED = "threshold_tried"
_MOST = 5


@dataclass(frozen=True, slots=True)
class Tried:
    question: str
    asked: str
    score: float
    file: str
    place: str
    text: str


def tried_marks() -> tuple[Mark, ...]:
    """The questions tried in this session, for the chart."""
    return tuple(Mark(one.score, one.question) for one in st.session_state.get(_TRIED, []))


def try_it(rag: Rag, scored: ScoredRun, cutoff: float) -> None:
    """A box that searches for one question and shows where it lands."""
    st.subheader("Try a question", anchor=False)
    names = rag_names(rag, scored)
    form = st.form("threshold_try", clear_on_submit=True, border=False)
    with form, st.container(horizontal=True, vertical_alignment="bottom"):
        question = st.text_input(
            "Question",
            key="threshold_question",
            max_chars=4000,
            placeholder="Type a question and see where it lands",
            help="It is searched for once. No model is asked and nothing is saved.",
        )
        asked = st.selectbox(
            "Asked of",
            list(names),
            format_func=lambda name: names[name],
            key="threshold_try_collection",
            width=220,
            help="The documents that the scored questions were asked of.",
        )
        pressed = st.form_submit_button(
            "Try", icon=":material/my_location:", help="Score this question and mark it on the chart."
        )
    if pressed:
        _try(rag, question, asked, names[asked])
    tried = st.session_state.get(_TRIED, [])
    for one in tried:
        verdict = "passes" if one.score >= cutoff else "is refused"
        st.markdown(
            f"◆ **{one.score:.4f}** {verdict} at {cutoff:.4g}: “{plain_line(one.question)}”, best match "
            + plain_line(f"{one.file}, {one.place} ({one.asked})")
        )
    if tried:
        st.button(
            "Clear",
            key="threshold_clear",
            type="tertiary",
            icon=":material/close:",
            help="Take the tried questions off the chart.",
            on_click=st.session_state.pop,
            args=(_TRIED,),
        )


def rag_names(rag: Rag, scored: ScoredRun) -> dict[str, str]:
    """Names of the collections that were asked, looked up once for a run."""
    slot = st.session_state.get("threshold_names")
    if slot is None or slot[0] != id(scored):
        slot = st.session_state["threshold_names"] = (id(scored), rag.thresholds.corpus_names(scored))
    return slot[1]


def _try(rag: Rag, question: str, collection: str, asked: str) -> None:
    loading = "" if rag.embedder_loaded else " (loading the embedding model first)"
    try:
        with st.spinner(f"Searching{loading}…"):
            found = rag.thresholds.try_question(question, collection)
    except RagError as error:
        st.warning(sentence(str(error)), icon=":material/error:")
        return
    if found.top_score is None:
        st.warning("Nothing was found: these documents hold no text.", icon=":material/error:")
        return
    best = found.candidates[0]
    one = Tried(question.strip(), asked, found.top_score, best.file, best.location, best.text)
    st.session_state[_TRIED] = [one, *st.session_state.get(_TRIED, [])][:_MOST]
