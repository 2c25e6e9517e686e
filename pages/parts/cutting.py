"""How a collection's documents are cut: the settings in words, others to choose, and cutting anew."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts.cutting_words import COSTS, GRANULARITIES, HEADERS, STRATEGIES, in_words
from pages.parts.safe_markdown import sentence
from ragcore.chunking import ChunkingConfig
from ragcore.chunking.config import SMALLEST_MAX_TOKENS
from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.records import CollectionInfo

_WIDEST = 512


def cutting(rag: Rag, collection: CollectionInfo) -> None:
    """An expander that says how the collection is cut, and cuts it in another way if asked to."""
    present = ChunkingConfig.from_dict(collection.chunking)
    if done := st.session_state.pop(f"cut_done_{collection.id}", None):
        st.success(done)
    with st.expander("How documents are cut", icon=":material/content_cut:"):
        st.markdown(in_words(present))
        chosen = _choice(collection, present)
        if chosen == present:
            st.caption("These are the present settings. Change one to cut the documents anew.")
            return
        st.markdown(COSTS[chosen.strategy])
        if chosen.strategy == "contextual" and not _priced(rag, collection, chosen):
            return
        if st.button(
            "Cut anew",
            key=f"cut_{collection.id}",
            type="primary",
            icon=":material/content_cut:",
            help="Stay on this page until it is done; leaving it stops the work and changes nothing.",
        ):
            _cut(rag, collection, chosen)


def _choice(collection: CollectionInfo, present: ChunkingConfig) -> ChunkingConfig:
    strategy = st.selectbox(
        "Where to cut",
        list(STRATEGIES),
        index=list(STRATEGIES).index(present.strategy),
        format_func=lambda name: f"{name.capitalize()}: {STRATEGIES[name]}",
        key=f"cut_strategy_{collection.id}",
        help="Fixed is there to be compared with. Contextual needs a chat model.",
    )
    left, right = st.columns(2)
    widest = collection.embedder.max_tokens if collection.embedder else _WIDEST
    size = left.number_input(
        "Tokens a chunk",
        SMALLEST_MAX_TOKENS,
        max(widest, present.max_tokens),
        present.max_tokens,
        step=20,
        key=f"cut_size_{collection.id}",
        help=f"At most so many tokens of the embedding model, which reads {widest}.",
    )
    # Less than half of what the text has, as the chunker asks for.
    most = (ChunkingConfig(strategy, size).text_tokens - 1) // 2
    key = f"cut_overlap_{collection.id}"
    st.session_state[key] = min(st.session_state.get(key, present.overlap_tokens), most)
    overlap = right.number_input(
        "Overlap",
        0,
        most,
        step=5,
        key=key,
        help="So many tokens are repeated at the start of the next chunk of the same section.",
    )
    left, right = st.columns(2)
    header = left.selectbox(
        "Title and section",
        list(HEADERS),
        index=list(HEADERS).index(present.header),
        format_func=lambda name: f"{name.capitalize()}: {HEADERS[name]}",
        key=f"cut_header_{collection.id}",
        help="Lines that are embedded with a chunk but are not part of its text.",
    )
    granularity = right.selectbox(
        "What is searched",
        list(GRANULARITIES),
        index=list(GRANULARITIES).index(present.granularity),
        format_func=lambda name: f"{name.capitalize()}: {GRANULARITIES[name]}",
        key=f"cut_granularity_{collection.id}",
        help="What gets a vector of its own. More vectors take more time and space.",
    )
    return replace(
        present,
        strategy=strategy,
        max_tokens=size,
        overlap_tokens=overlap,
        header=header,
        granularity=granularity,
    )


def _priced(rag: Rag, collection: CollectionInfo, config: ChunkingConfig) -> bool:
    """Whether the price of these contexts has been shown; offers to measure it."""
    key = f"cut_price_{collection.id}"
    if st.button(
        "Measure what it takes",
        key=f"cut_measure_{collection.id}",
        icon=":material/timer:",
        help="Lets the chat model write the contexts of three chunks, and counts the others.",
    ):
        try:
            with st.spinner("A chat model writes the first contexts…"):
                price = rag.price_contexts(collection.name, config)
        except RagError as error:
            st.error(sentence(str(error)))
            return False
        st.session_state[key] = (config, price.sentence)
    priced, words = st.session_state.get(key, (None, ""))
    if priced == config:
        st.info(sentence(words), icon=":material/timer:")
    return priced == config


def _cut(rag: Rag, collection: CollectionInfo, config: ChunkingConfig) -> None:
    bar = st.progress(0.0, text="Cutting…")
    done_before = [0, 1]

    def documents(done: int, total: int) -> None:
        done_before[:] = done, max(1, total)
        bar.progress(done / max(1, total), text=f"Document {min(done + 1, total):,} of {total:,}")

    def stage(name: str, done: int, total: int) -> None:
        before, of = done_before
        share = (before + (done / total if total else 0)) / of
        bar.progress(min(1.0, share), text=f"Document {before + 1:,} of {of:,}: {name} {done:,} of {total:,}")

    try:
        info = rag.reembed(collection.name, chunking=config, progress=documents, stage=stage)
    except RagError as error:
        bar.empty()
        st.error(sentence(str(error)))
        return
    st.session_state[f"cut_done_{collection.id}"] = (
        f"Cut anew into {info.chunks:,} chunks. New files are cut the same way."
    )
    st.rerun()
