"""Picking gold by a click: the passages that were retrieved for an answer, each with its quote."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.passages import passage_html
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import InputError, NotFound, RagError
from ragcore.evaluation.from_chat import Retrieved, gold_in_document, gold_of_passage, suggested_quote
from ragcore.evaluation.question import Gold
from ragcore.rag import Rag
from ragcore.records import Message, SourceDocument


def pick_gold(
    rag: Rag, message: Message, question: str, hits: Sequence[Retrieved], collection: str, key: str
) -> tuple[list[Gold], list[str]]:
    """Draw the passages; the gold that is picked, and what is wrong with any of it."""
    gold: list[Gold] = []
    problems: list[str] = []
    st.markdown("**Which passages hold the answer?** Any one of them counts as found.")
    with st.container(key="gold_passages", gap="small"):
        for number, hit in enumerate(hits):
            try:
                picked = _passage(rag, message, question, hit, f"{key}_{number}")
            except InputError as error:
                problems.append(str(error))
            else:
                gold += [picked] if picked else []
        try:
            gold += _not_retrieved(rag, collection, key)
        except RagError as error:
            problems.append(str(error))
    return gold, problems


def _passage(rag: Rag, message: Message, question: str, hit: Retrieved, key: str) -> Gold | None:
    """One passage; None while it is not picked. Raises InputError for a quote that is not in it."""
    with st.container(border=True, gap="xsmall"):
        picked = st.checkbox(
            f"**{plain_line(f'{hit.file}:{hit.location}')}**",
            key=f"{key}_gold",
            help="Tick it if this passage holds the answer.",
        )
        facts = [f"score {hit.score:.2f}", " › ".join(hit.section)]
        st.caption(plain_line(" · ".join(fact for fact in facts if fact)))
        quote_key = f"{key}_quote"
        if picked and quote_key not in st.session_state:
            with st.spinner("Looking for its best sentence…"):
                st.session_state[quote_key] = suggested_quote(hit, question, message, rag.embedder)
        quote = st.session_state.get(quote_key, "") if picked else ""
        st.html(passage_html(hit.text, [quote] if quote else []))
        if not picked:
            return None
        st.text_area(
            "Quote",
            key=quote_key,
            height=96,
            help="The sentence that says it, word for word as in the passage. The question's gold is the "
            "file, the place and this quote.",
        )
        try:
            return gold_of_passage(hit, quote, _source(rag, hit))
        except InputError as error:
            st.caption(f":material/error: {sentence(str(error))}")
            raise


def _source(rag: Rag, hit: Retrieved) -> SourceDocument | None:
    """Only asked for where the page of a quote is not plain; None for a document that is gone."""
    if not hit.paged or hit.page_end == hit.page_start:
        return None
    try:
        return rag.library.source(hit.document_id)
    except NotFound:
        return None


def _not_retrieved(rag: Rag, collection: str, key: str) -> list[Gold]:
    """A passage that the search missed, given by its document and its words."""
    missed = st.checkbox(
        "The right passage is not among these",
        key=f"{key}_missed",
        help="Name its document and copy a sentence of it: a search that missed it is worth measuring most.",
    )
    if not missed:
        return []
    documents = {info.file_name: info.id for info in rag.library.documents(collection)}
    with st.container(border=True, gap="small"):
        name = st.selectbox(
            "Document", list(documents), key=f"{key}_document", help="The document that holds the answer."
        )
        quote = st.text_area(
            "Quote",
            key=f"{key}_missed_quote",
            height=96,
            placeholder="A sentence of the document, word for word",
            help="It is looked for in the document, which also gives its page.",
        )
        if name is None or not (quote or "").strip():
            st.caption("Copy the sentence that holds the answer.")
            raise InputError("Copy a sentence of the passage that is not among those shown, or untick that.")
        try:
            gold = gold_in_document(rag.library.source(documents[name]), quote)
        except InputError as error:
            st.caption(f":material/error: {sentence(str(error))}")
            raise
        st.caption(
            ":material/check: Found" + (f" on page {gold.page}." if gold.page else " in the document.")
        )
        return [gold]
