"""Grading: read the answers of a run one by one, and say of each whether it is right."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page, prepare
from pages.parts.grading_agreement import agreement_section
from pages.parts.grading_choice import choose_run
from pages.parts.grading_files import files_section
from pages.parts.grading_one import grade_section

SECTIONS = {
    "grade": ":material/grading: Grade",
    "agreement": ":material/balance: Agreement",
    "files": ":material/import_export: Files",
}

rag = begin_page()
st.title("Grading", anchor=False)
st.markdown("Grade the answers of a run one by one, then see how far the automatic grades can be trusted.")
runs = rag.grading.runs()
if not runs:
    st.info(
        "There are no answers to grade yet. Start a run of stage answers on the page Eval results, or with "
        "`python -m ragcore eval run SET --stage answers`.",
        icon=":material/grading:",
    )
    st.stop()
with st.container(horizontal=True, vertical_alignment="bottom", key="grading_head"):
    run_id = choose_run(runs)
    section = st.segmented_control(
        "Section",
        list(SECTIONS),
        format_func=SECTIONS.get,
        required=True,
        label_visibility="collapsed",
        help="Grade answers, compare the grades, or carry them out and in.",
        **prepare("grading_section", "grade", list(SECTIONS)),
    )
with st.spinner("Reading the answers…", show_time=False):
    answers = rag.grading.answers(run_id)
if section == "agreement":
    agreement_section(answers)
elif section == "files":
    files_section(rag, run_id, answers)
else:
    grade_section(rag, run_id, answers)
