"""What Ollama has, getting a model, and what to do while there is none."""

from __future__ import annotations

from contextlib import closing

import streamlit as st

from pages.parts.ask_settings import forget_models
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import RagError
from ragcore.rag import Rag

SUGGESTED = "qwen2.5:7b"


def how_to_get_a_model(rag: Rag) -> None:
    """Says that answers are quoted meanwhile, and the three steps to change that."""
    with st.container(border=True, key="no_model", gap="small"):
        st.markdown(
            ":material/format_quote: **Answers are quoted word for word.** "
            f"No chat model answers at `{rag.ollama.url}`, so the best-fitting sentences of your "
            "documents are shown instead, each with its place."
        )
        with st.expander("How to get a model", type="compact"):
            st.markdown("1. Install Ollama from ollama.com and start it:")
            st.code("ollama serve", language=None)
            st.markdown("2. Pull a model, here or on the Status page:")
            st.code(f"ollama pull {SUGGESTED}", language=None)
            st.markdown("3. Choose it under “Answered by” in the sidebar.")
            st.page_link(
                "pages/status.py",
                label="Open the Status page",
                icon=":material/monitor_heart:",
                help="See what is running, and pull a model.",
            )


def model_table(rag: Rag) -> None:
    """The models that Ollama has, and a way to get another. Draws nothing when it is not there."""
    try:
        cards = rag.ollama.models()
    except RagError:
        # The check above this on the page has said so already, with the remedy.
        return
    if cards:
        st.dataframe(
            {
                "Model": [card.name for card in cards],
                "Use": ["embedding" if card.is_embedder else "answering" for card in cards],
                "Parameters": [card.parameters for card in cards],
                "Size": [f"{card.size_bytes / 1e9:.1f} GB" for card in cards],
            },
            hide_index=True,
            alt="The models that Ollama has",
        )
    _pull_form(rag)


def _pull_form(rag: Rag) -> None:
    with st.form("pull", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Model to pull",
            value=SUGGESTED,
            key="model_to_pull",
            help="A name from ollama.com/library, such as qwen2.5:7b or llama3.2.",
        )
        asked = st.form_submit_button(
            "Pull",
            icon=":material/download:",
            help="Download it now. Leaving this page stops the download; pulling again resumes it.",
        )
    if not asked or not name.strip():
        return
    failure = _pull(rag, name.strip())
    if failure:
        st.error(sentence(failure))
        return
    forget_models()
    st.success(plain_line(f"{name.strip()} is here. Choose it under “Answered by” on the Chat page."))


def _pull(rag: Rag, name: str) -> str | None:
    """Pull with a bar; the failure as a sentence, or None."""
    bar = st.progress(0.0, text=plain_line(f"Asking for {name}…"))
    try:
        with closing(rag.ollama.pull(name)) as parts:
            for status, done, total in parts:
                share = min(1.0, done / total) if total else 0.0
                size = f", {done / 1e9:.2f} of {total / 1e9:.2f} GB" if total else ""
                bar.progress(share, text=plain_line(f"{name}: {status}{size}"))
    except RagError as error:
        return str(error)
    finally:
        bar.empty()
    return None
