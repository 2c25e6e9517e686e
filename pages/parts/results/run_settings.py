"""The settings of a new run: how it searches and answers, and how its documents are cut."""

from __future__ import annotations

import streamlit as st

from pages.parts import prompt_context
from pages.parts.app import prepare
from pages.parts.ask_settings import SEARCH_MODES, chat_models
from pages.parts.cutting_words import GRANULARITIES, STRATEGIES
from ragcore.chunking import ChunkingConfig
from ragcore.chunking.config import SMALLEST_MAX_TOKENS
from ragcore.rag import Rag
from ragcore.records import AskOptions

_GENERATORS = {
    "auto": "a model if there is one",
    "ollama": "a model",
    "quote": "quoting, no model",
}
_DEFAULT = ChunkingConfig()
_ANY = "the one that is set up"


def ask_options(rag: Rag, stage: str) -> AskOptions:
    """How each question is asked; what answers is asked only where the stage goes so far."""
    top_k = st.slider(
        "Passages (top-k)",
        1,
        20,
        help="How many passages are searched out, looked through for gold, and given to the model.",
        **prepare("run_top_k", 5),
    )
    mode = st.segmented_control(
        "Search",
        tuple(SEARCH_MODES),
        format_func=SEARCH_MODES.get,
        required=True,
        help="By meaning alone, or by meaning and by words.",
        **prepare("run_mode", "hybrid", tuple(SEARCH_MODES)),
    )
    own = st.toggle(
        "Own cutoff",
        help="Off: the cutoff in force for the profile. On: the one given here, for this run alone.",
        **prepare("run_own_cutoff", False),
    )
    threshold = None
    if own:
        threshold = st.slider(
            "Cutoff",
            0.0,
            0.9,
            step=0.01,
            help="Cosine similarity that the best passage must reach; below it the question is refused.",
            **prepare("run_cutoff", 0.25),
        )
    generator, model = "auto", None
    context = AskOptions().context
    if stage == "answers":
        generator = st.selectbox(
            "Answers by",
            list(_GENERATORS),
            format_func=_GENERATORS.__getitem__,
            help="Quoting takes the best-fitting sentences word for word and needs no model.",
            **prepare("run_generator", "auto", list(_GENERATORS)),
        )
        if generator != "quote":
            models = [_ANY, *chat_models(rag)]
            model = st.selectbox(
                "Chat model",
                models,
                help="A model that Ollama has on this machine.",
                **prepare("run_model", _ANY, models),
            )
            context = st.selectbox(
                "Given to the model",
                list(prompt_context.CHOICES),
                format_func=prompt_context.CHOICES.get,
                help=prompt_context.HELP,
                **prepare("run_context", context, list(prompt_context.CHOICES)),
            )
    return AskOptions(
        threshold=threshold,
        top_k=top_k,
        mode=mode,
        generator=generator,
        chat_model=None if model == _ANY else model,
        context=context,
    )


def chunking(*, disabled: bool) -> ChunkingConfig:
    """How the sets' documents are cut. A collection has been cut already, so then it is ``disabled``."""
    with st.expander("How documents are cut", icon=":material/content_cut:", expanded=not disabled):
        if disabled:
            st.caption("The collection has been cut already; these settings do not touch it.")
        strategy = st.segmented_control(
            "Chunking",
            list(STRATEGIES),
            format_func=str.capitalize,
            required=True,
            disabled=disabled,
            help="; ".join(f"{name.capitalize()} cuts {words}" for name, words in STRATEGIES.items()) + ".",
            **prepare("run_strategy", _DEFAULT.strategy, list(STRATEGIES)),
        )
        left, right = st.columns(2)
        size = left.number_input(
            "Tokens a chunk",
            SMALLEST_MAX_TOKENS,
            512,
            step=20,
            disabled=disabled,
            help="At most so many tokens of the embedding model go into a chunk.",
            **prepare("run_max_tokens", _DEFAULT.max_tokens),
        )
        # Less than half of what the text has, as the chunker asks for.
        most = (ChunkingConfig(strategy, size).text_tokens - 1) // 2
        overlap = right.number_input(
            "Overlap",
            0,
            max(most, 1),
            step=5,
            disabled=disabled,
            help="So many tokens are repeated at the start of the next chunk.",
            **_overlap(most),
        )
        header = st.segmented_control(
            "Headers",
            ("auto", "on", "off"),
            format_func=str.capitalize,
            required=True,
            disabled=disabled,
            help="Whether title and section stand above each chunk when it is embedded.",
            **prepare("run_header", _DEFAULT.header, ("auto", "on", "off")),
        )
        granularity = st.segmented_control(
            "Vectors",
            tuple(GRANULARITIES),
            format_func=str.capitalize,
            required=True,
            disabled=disabled,
            help="; ".join(f"{name.capitalize()}: {words}" for name, words in GRANULARITIES.items()) + ".",
            **prepare("run_granularity", _DEFAULT.granularity, tuple(GRANULARITIES)),
        )
    return ChunkingConfig(
        strategy=strategy,
        max_tokens=size,
        overlap_tokens=overlap,
        header=header,
        granularity=granularity,
    )


def _overlap(most: int) -> dict:
    """A kept overlap that a smaller chunk leaves no room for is lowered."""
    arguments = prepare("run_overlap", _DEFAULT.overlap_tokens)
    st.session_state["run_overlap"] = min(st.session_state["run_overlap"], most)
    return arguments
