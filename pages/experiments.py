"""Experiments: what was tried and what came of it, beside the stored runs it was measured by."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page, prepare
from pages.parts.experiment_entry import entry_card
from pages.parts.paging import page_of
from ragcore.evaluation.experiments import matching, read_entries

ENTRIES_A_PAGE = 20

rag = begin_page()
st.title("Experiments", anchor=False)
st.markdown(
    "What was tried before a default was set, with its verdict; what failed stays. Where a run that an "
    "entry cites is stored here, its figures stand beside it."
)
entries = read_entries()
if not entries:
    st.info(
        "There are no entries: EXPERIMENTS.md is not there or holds none. An entry begins with a line "
        "such as `## 2026-11-30 · Chunks of 120 tokens: kept`.",
        icon=":material/science:",
    )
    st.stop()
words = st.text_input(
    "Filter",
    icon=":material/search:",
    placeholder="Words of the title or the text",
    help="Only the entries that hold all of these words.",
    **prepare("experiments_filter", ""),
)
found = matching(entries, words or "")
if not found:
    st.info("No entry holds all of these words. Take one away.", icon=":material/search_off:")
    st.stop()
if len(found) < len(entries):
    st.caption(f"{len(found):,} of {len(entries):,} entries")
runs = rag.evaluations.runs()
for entry in page_of(found, ENTRIES_A_PAGE, "experiments_page"):
    entry_card(rag, entry, runs, newest=entry is entries[0])
