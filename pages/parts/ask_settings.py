"""The part of the sidebar that decides how a question is answered."""

from __future__ import annotations

import time

import streamlit as st

from pages.parts import checked_answer, follow_up, prompt_context, second_opinion
from pages.parts.app import prepare
from pages.parts.safe_markdown import plain_line
from pages.parts.session_files import collection_label
from ragcore.rag import DEFAULT_COLLECTION, Rag
from ragcore.records import AskOptions, CollectionInfo

QUOTE = "Quote from the documents"
SEARCH_MODES = {"hybrid": "Meaning and words", "dense": "Meaning"}
_MODELS_FRESH_S = 15


def ask_settings(rag: Rag, collections: list[CollectionInfo]) -> AskOptions:
    """Draw the settings and return what they say."""
    names = [info.name for info in collections] or [DEFAULT_COLLECTION]
    first = DEFAULT_COLLECTION if DEFAULT_COLLECTION in names else names[0]
    collection = st.selectbox(
        "Collection",
        names,
        format_func={name: collection_label(name) for name in names}.get,
        help="The documents that are searched. Add some, or a new collection, on the Documents page.",
        **prepare("collection", first, names),
    )
    models = chat_models(rag)
    model = st.selectbox(
        "Answered by",
        [*models, QUOTE],
        help="A model that Ollama has on this machine, or no model at all: then the best-fitting "
        "sentences are quoted word for word.",
        **prepare("answered_by", _default_model(rag, models), [*models, QUOTE]),
    )
    if not models:
        st.caption("No model here yet, so answers are quoted word for word.")
    elif rag.settings.chat_model and not _installed(rag.settings.chat_model, models):
        st.caption(
            plain_line(f"RAGCORE_CHAT_MODEL is {rag.settings.chat_model}, which Ollama does not have. ")
            + "Pull it on the Status page."
        )
    with st.expander("Evidence and sampling", icon=":material/tune:"):
        return _evidence(rag, collection, model)


def _evidence(rag: Rag, collection: str, model: str) -> AskOptions:
    in_force = rag.cutoff(collection)
    start = round(in_force.cutoff, 2)
    cutoff = st.slider(
        "Cutoff",
        0.0,
        0.9,
        step=0.01,
        help="Cosine similarity that the best passage must reach. Below it the question is refused "
        f"and no model is called. {start:.2f} is in force for this collection.",
        **prepare(f"cutoff_{collection}", start),
    )
    if in_force.stale and in_force.calibration is not None:
        st.warning(plain_line(f"Measure again: {in_force.stale}"), icon=":material/straighten:")
    elif in_force.stale:
        st.caption(plain_line(in_force.stale))
    strict = st.toggle(
        "Strict evidence",
        help="Raises the cutoff by 0.15: what is weak evidence otherwise is refused.",
        **prepare("strict", False),
    )
    # Nobody but a model can be asked yes or no.
    opinions = [one for one in second_opinion.CHOICES if one != "model" or model != QUOTE]
    asked_too = st.selectbox(
        "Second opinion",
        opinions,
        format_func=second_opinion.CHOICES.get,
        help=second_opinion.HELP,
        **prepare("second_opinion", AskOptions().second_opinion, opinions),
    )
    follow_ups = st.selectbox(
        "Follow-ups",
        list(follow_up.CHOICES),
        format_func=follow_up.CHOICES.get,
        help=follow_up.HELP,
        **prepare("follow_ups", AskOptions().follow_ups, list(follow_up.CHOICES)),
    )
    top_k = st.slider(
        "Passages (top-k)",
        1,
        20,
        help="How many passages are searched out and, if the gate opens, given to the model.",
        **prepare("top_k", 5),
    )
    context = st.selectbox(
        "Given to the model",
        list(prompt_context.CHOICES),
        format_func=prompt_context.CHOICES.get,
        disabled=model == QUOTE,
        help=prompt_context.HELP,
        **prepare("context", AskOptions().context, list(prompt_context.CHOICES)),
    )
    rules = st.segmented_control(
        "Rules for the model",
        list(prompt_context.RULES),
        format_func=prompt_context.RULES.get,
        disabled=model == QUOTE,
        required=True,
        help=prompt_context.RULES_HELP,
        **prepare("prompt", AskOptions().prompt, list(prompt_context.RULES)),
    )
    mode = st.selectbox(
        "Search",
        list(SEARCH_MODES),
        format_func=SEARCH_MODES.get,
        help="By meaning alone, or by meaning and by words: numbers, codes and names are found by their words. "
        "The cutoff compares the meaning either way.",
        **prepare("mode", AskOptions().mode, list(SEARCH_MODES)),
    )
    unsupported = st.selectbox(
        "Unsupported sentences",
        list(checked_answer.CHOICES),
        format_func=checked_answer.CHOICES.get,
        disabled=model == QUOTE,
        help=checked_answer.HELP,
        **prepare("unsupported", AskOptions().unsupported, list(checked_answer.CHOICES)),
    )
    quote_if_refused = st.toggle(
        "Quote where the model refuses",
        disabled=model == QUOTE,
        help=checked_answer.REFUSAL_HELP,
        **prepare("quote_if_refused", AskOptions().on_refusal == "quote"),
    )
    temperature = st.slider(
        "Temperature",
        0.0,
        1.5,
        step=0.1,
        disabled=model == QUOTE,
        help="0 gives the same answer every time; more makes the model freer, and less exact. "
        "Quoting has no temperature.",
        **prepare("temperature", 0.0),
    )
    return AskOptions(
        collection=collection,
        # Left where it stands, the exact cutoff in force counts, not the slider's two digits.
        threshold=None if cutoff == start else cutoff,
        top_k=top_k,
        mode=mode,
        generator="quote" if model == QUOTE else "ollama",
        chat_model=None if model == QUOTE else model,
        temperature=temperature,
        strict=strict,
        second_opinion=asked_too,
        follow_ups=follow_ups,
        context=context,
        unsupported=unsupported,
        on_refusal="quote" if quote_if_refused else "refuse",
        prompt=rules,
    )


def chat_models(rag: Rag) -> list[str]:
    """Names of the chat models that Ollama has, asked for again after a few seconds."""
    asked_at, names = st.session_state.get("chat_models", (0.0, []))
    if time.monotonic() - asked_at > _MODELS_FRESH_S:
        names = [card.name for card in rag.chat_models()]
        st.session_state["chat_models"] = (time.monotonic(), names)
    return names


def forget_models() -> None:
    """Ask Ollama again at the next chance: something was pulled, or failed."""
    st.session_state.pop("chat_models", None)


def _default_model(rag: Rag, models: list[str]) -> str:
    if rag.settings.chat_model and (found := _installed(rag.settings.chat_model, models)):
        return found
    return models[0] if models else QUOTE


def _installed(name: str, models: list[str]) -> str | None:
    return next((model for model in models if model in (name, f"{name}:latest")), None)
