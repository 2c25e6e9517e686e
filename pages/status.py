"""Status: what works, what does not, and how to mend it."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page
from pages.parts.canary import canary_check
from pages.parts.checks import draw_check, reembed_buttons, versions_table
from pages.parts.ollama_models import model_table
from ragcore.doctor import examine

rag = begin_page()
st.title("Status", anchor=False)
loading = "" if rag.embedder_loaded else " (loading the embedding model first)"
with st.spinner(f"Looking at the database, the embedder and Ollama{loading}…"):
    checks = examine(rag)
wrong = sum(check.state != "ok" for check in checks)
st.markdown(
    "Everything works."
    if not wrong
    else f"{wrong} of {len(checks)} {'needs' if wrong == 1 else 'need'} a look."
)
for check in checks:
    draw_check(check)
reembed_buttons(rag)

st.subheader("Models for answering", anchor=False)
model_table(rag)
canary_check(rag)

st.subheader("Versions", anchor=False)
versions_table()
st.button("Look again", key="look_again", icon=":material/refresh:", help="Examine everything once more.")
