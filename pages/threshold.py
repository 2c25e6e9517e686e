"""Threshold: choose by looking below which score a question is refused."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page
from pages.parts.safe_markdown import sentence
from pages.parts.threshold_live import live
from pages.parts.threshold_runs import choose_run, loaded, progress_of_runs, score_form, stale_banner
from pages.parts.threshold_use import users_sentence
from ragcore.errors import NotFound

rag = begin_page()
st.title("Threshold", anchor=False)
st.markdown(
    "Look at how well your questions match the documents, and choose the score below which a question is "
    "refused instead of answered."
)
run = choose_run(rag)
with st.container():
    progress_of_runs(rag)
if run is None:
    st.info(
        "No questions have been scored yet. Choose question sets and press Score: every question is searched "
        "for once, no model is asked, and the scores appear here.",
        icon=":material/straighten:",
    )
    score_form(rag)
else:
    try:
        in_force = rag.thresholds.in_force(run)
        # In containers, so that what comes and goes here does not move what is below to another place.
        with st.container():
            stale_banner(rag, run, in_force)
        with st.container(), st.spinner("Reading the scores…"):
            scored, follow_ups = loaded(rag, run)
        live(rag, scored, follow_ups, in_force, users_sentence(rag, run))
    except NotFound as error:
        st.warning(sentence(str(error)), icon=":material/error:")
        score_form(rag)
