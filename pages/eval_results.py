"""Eval results: what the runs came to, where questions went wrong, and why, down to the single one."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page
from pages.parts.results.address import Address, read, to_list
from pages.parts.results.one_run import one_run
from pages.parts.results.question_view import question_view
from pages.parts.results.run_form import run_form
from pages.parts.results.run_list import run_list
from pages.parts.safe_markdown import sentence
from ragcore.errors import RagError
from ragcore.rag import Rag

rag = begin_page()
address = read()

st.title("Eval results", anchor=False)


def draw(rag: Rag, address: Address) -> None:
    if address.run is not None:
        run = rag.evaluations.run(address.run)
        if address.question is not None:
            question_view(rag, run, address)
        else:
            one_run(rag, run, address)
        return
    st.markdown(
        "Measure how well questions are found, refused and answered; compare two ways of doing it; and read "
        "what went wrong, question by question."
    )
    if address.new:
        run_form(rag)
    else:
        run_list(rag)


try:
    draw(rag, address)
except RagError as error:
    # An old link, or a run that was deleted in another window.
    st.error(sentence(str(error)), icon=":material/error:")
    st.button(
        "All runs",
        key="back_from_error",
        icon=":material/arrow_back:",
        help="Back to the list of runs.",
        on_click=to_list,
    )
