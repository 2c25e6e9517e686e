"""The form of a new run: which sets, asked of what, at which stage, with which settings."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.app import keep, kept, prepare
from pages.parts.results.address import go, open_run, to_list
from pages.parts.results.run_settings import ask_options, chunking
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import RagError
from ragcore.evaluation.question_sets import SetInfo
from ragcore.evaluation.run_config import RunConfig, questions_expected
from ragcore.rag import Rag
from ragcore.storage import EvalRun

STAGES = {
    "retrieval": "Is the gold found, and at which rank? No model is called.",
    "refusal": "Does the gate refuse what it should, and only that? No model is called.",
    "followups": "Do follow-ups find their gold, and are off-topic ones refused? No model is called.",
    "answers": "Is the answer right, cited and refused where it should be? Calls the model for each question.",
}
_SPLITS = ("all", "calibration", "test")
_OWN = "the sets' own documents"


def run_form(rag: Rag) -> None:
    """Draw it; Start queues the run and opens it."""
    st.button(
        "All runs",
        key="to_runs",
        icon=":material/arrow_back:",
        type="tertiary",
        help="Back to the list without starting anything.",
        on_click=to_list,
    )
    st.subheader("New run", anchor=False)
    found = {str(info.path): info for info in rag.question_sets.all() if info.questions}
    if not found:
        st.info(
            "There are no question sets yet. Add an answer of the chat to one (Add to a question set), or put one under eval_data."
        )
        return
    left, right = st.columns(2, gap="large")
    with left:
        config = _what(rag, found)
    with right:
        config = _how(rag, config)
    name = st.text_input(
        "Name",
        key="run_name",
        placeholder="Named after its sets and stage",
        max_chars=120,
        help="What the run is called in lists. Leave it empty for a name from its sets and stage.",
    )
    _start(rag, config, name)


def _what(rag: Rag, found: dict[str, SetInfo]) -> RunConfig:
    # A set that was deleted meanwhile must not stay chosen.
    keep("run_sets", [path for path in kept("run_sets", []) if path in found])
    sets = st.multiselect(
        "Question sets",
        list(found),
        format_func=lambda path: _set_words(found[path]),
        placeholder="Choose one or more",
        help="All questions of the chosen sets are asked and measured together.",
        **prepare("run_sets", []),
    )
    stage = st.segmented_control(
        "Stage",
        list(STAGES),
        format_func=lambda one: {"followups": "Follow-ups"}.get(one, one.capitalize()),
        required=True,
        help="How far each question goes: the search alone, the gate, a conversation, or a whole answer.",
        **prepare("run_stage", "retrieval", list(STAGES)),
    )
    st.caption(STAGES[stage])
    names = [_OWN, *(info.name for info in rag.library.collections() if info.kind == "library")]
    collection = st.selectbox(
        "Asked of",
        names,
        format_func=lambda name: name if name == _OWN else f"collection {name}",
        help="The documents that belong to the sets (indexed for the run if need be), or a collection of yours.",
        **prepare("run_collection", _OWN, names),
    )
    split = st.segmented_control(
        "Split",
        _SPLITS,
        format_func=str.capitalize,
        required=True,
        help="Calibration questions choose a cutoff, test questions report it; all takes both.",
        **prepare("run_split", "all", _SPLITS),
    )
    limit = st.number_input(
        "At most so many questions of each set",
        min_value=1,
        step=10,
        placeholder="All",
        help="For a quick look. Empty means all.",
        **prepare("run_limit", None),
    )
    return RunConfig(
        sets=tuple(sets),
        collection=None if collection == _OWN else collection,
        stage=stage,
        split=None if split == "all" else split,
        limit=limit,
    )


def _how(rag: Rag, config: RunConfig) -> RunConfig:
    return RunConfig(
        sets=config.sets,
        collection=config.collection,
        stage=config.stage,
        split=config.split,
        limit=config.limit,
        options=ask_options(rag, config.stage),
        chunking=chunking(disabled=config.collection is not None),
    )


def _start(rag: Rag, config: RunConfig, name: str) -> None:
    count, problem = 0, ""
    if config.sets:
        try:
            count = questions_expected(config)[1]
        except RagError as error:
            problem = str(error)
    with st.container(horizontal=True, vertical_alignment="center"):
        start = st.button(
            "Start",
            key="start_run",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not count,
            help="Begin in the background; you can leave this page.",
        )
        if problem:
            st.caption(sentence(problem))
        elif count:
            st.caption(f"{count:,} question{'' if count == 1 else 's'} will be asked.")
        else:
            st.caption("Choose a question set.")
    if start:
        try:
            run_id = rag.run_queue.start(config, name=name)
        except RagError as error:
            st.error(sentence(str(error)), icon=":material/error:")
            return
        open_run(run_id)
        st.rerun()


def repeat(rag: Rag, run: EvalRun) -> None:
    """Open the form with the settings of a run, as far as they can be had again."""
    config = RunConfig.from_dict(run.config)
    here = {Path(info.path).resolve(): str(info.path) for info in rag.question_sets.all()}
    sets = [here[path] for one in config.sets if (path := Path(one).resolve()) in here]
    if len(sets) < len(config.sets):
        st.toast(plain_line("A question set of that run is not here any more; choose another."))
    options, cut = config.options, config.chunking
    for key, value in {
        "run_sets": sets,
        "run_stage": config.stage,
        "run_collection": config.collection or _OWN,
        "run_split": config.split or "all",
        "run_limit": config.limit,
        "run_top_k": options.top_k,
        "run_own_cutoff": options.threshold is not None,
        "run_cutoff": kept("run_cutoff", 0.25) if options.threshold is None else options.threshold,
        "run_generator": options.generator,
        "run_model": options.chat_model,
        "run_strategy": cut.strategy,
        "run_granularity": cut.granularity,
        "run_mode": config.options.mode,
        "run_max_tokens": cut.max_tokens,
        "run_overlap": cut.overlap_tokens,
        "run_header": cut.header,
    }.items():
        keep(key, value)
    to_list()
    go(new=1)


def _set_words(info: SetInfo) -> str:
    return f"{info.name} ({info.questions:,}{'' if info.origin == 'bundled' else ', own'})"
