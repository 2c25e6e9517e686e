"""The questions whose scores are nearest to the cutoff, each with the evidence it was scored on."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts.passages import passage_html
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.charts.chart import KIND_WORDS
from ragcore.errors import RagError
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.thresholds import NearQuestion, ScoredRun
from ragcore.rag import Rag

SHOWN = 20
_OPENED = "threshold_opened"


def nearest(rag: Rag, scored: ScoredRun, value: float, word: str) -> None:
    """A table sorted by distance; a click on Evidence shows what the question was scored on."""
    near = scored.nearest(value, SHOWN)
    if not near:
        return
    st.subheader(f"Nearest to the {word}", anchor=False)
    table = pd.DataFrame(
        {
            "open": ":material/find_in_page: Evidence",
            "Question": [one.row.question for one in near],
            "Kind": [KIND_WORDS[one.row.kind] for one in near],
            "Score": [one.row.score for one in near],
            "Distance": [one.distance for one in near],
            "Side": ["passes" if one.passes else "refused" for one in near],
            "Split": [one.row.split for one in near],
        }
    )
    key = f"threshold_near_{word}"
    st.dataframe(
        table,
        hide_index=True,
        height=290,
        key=f"{key}_table",
        column_config={
            "open": st.column_config.ButtonColumn(
                "", key=key, type="tertiary", width="small", on_click=_open, args=(key, near)
            ),
            "Question": st.column_config.TextColumn(width="large"),
            "Score": st.column_config.NumberColumn(format="%.4f", width="small"),
            "Distance": st.column_config.NumberColumn(
                format="%+.4f", width="small", help=f"Score less the {word}; from 0 on it passes."
            ),
        },
    )
    if _OPENED in st.session_state:
        _show(rag, *st.session_state.pop(_OPENED))


def _open(key: str, near: list[NearQuestion]) -> None:
    st.session_state[_OPENED] = (near[st.session_state[key]["row"]].row.result_id,)


def _show(rag: Rag, result_id: int) -> None:
    st.dialog("Scored on", width="medium", icon=":material/find_in_page:")(_evidence)(rag, result_id)


def _evidence(rag: Rag, result_id: int) -> None:
    try:
        outcome = rag.thresholds.evidence(result_id)
    except RagError as error:
        st.warning(sentence(str(error)))
        return
    st.markdown(f"**{plain_line(outcome.question)}**")
    st.caption(plain_line(_facts(outcome)))
    if outcome.error:
        st.warning(sentence(outcome.error), icon=":material/error:")
    elif not outcome.hits:
        st.markdown("Nothing was found: the collection was empty.")
    hits_list(outcome.hits)


def _facts(outcome: Outcome) -> str:
    score = "no score" if outcome.top_score is None else f"score {outcome.top_score:.4f}"
    expected = "should be answered" if outcome.expected == "answer" else "should be refused"
    return " · ".join((KIND_WORDS[outcome.kind], outcome.split + " split", expected, score, outcome.id))


def hits_list(hits: tuple[dict, ...]) -> None:
    """Passages best first, each with file, page or section, score, and whether gold stands in it."""
    for rank, hit in enumerate(hits, start=1):
        st.markdown(
            f"{rank}. **{plain_line(hit['file'])}** · {plain_line(_place(hit))} · {hit['score']:.4f}"
            + (" · **holds the gold passage**" if hit.get("gold") else "")
        )
        st.html(passage_html(hit["text"]))


def _place(hit: dict) -> str:
    """Page and section; only PDF files have pages of their own."""
    places = [hit["section"]] if hit["section"] else []
    if hit["file"].lower().endswith(".pdf"):
        several = hit["page_end"] != hit["page_start"]
        places.insert(
            0, f"pages {hit['page_start']}-{hit['page_end']}" if several else f"page {hit['page_start']}"
        )
    return " · ".join(places) or "no section"
