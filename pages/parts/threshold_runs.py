"""What was scored: the choice of a stored run, scoring others, and whether the scores still hold."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import keep, kept, prepare
from pages.parts.run_progress import run_progress
from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import visible_collections
from ragcore.errors import RagError
from ragcore.evaluation.run_config import RunConfig
from ragcore.evaluation.thresholds import InForce, ScoredRun
from ragcore.rag import Rag
from ragcore.storage import EvalRun

SCORING = "threshold_scoring"
OWN_CORPUS = "Each set's own documents"


def choose_run(rag: Rag) -> EvalRun | None:
    """The run whose scores are shown; None while there is none."""
    visible = {info.name for info in visible_collections(rag)}
    runs = {run.id: run for run in rag.thresholds.runs() if run.config["collection"] in {None, *visible}}
    if not runs:
        return None
    newest = next(iter(runs))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Scored questions",
            runs,
            format_func=lambda run_id: run_label(runs[run_id]),
            help="A run whose questions were searched for. Nothing is searched again while you look at it.",
            **prepare("threshold_run", newest, list(runs)),
        )
        with st.popover("Score others", icon=":material/playlist_add:", help="Score other question sets"):
            score_form(rag)
    return runs[chosen]


def run_label(run: EvalRun) -> str:
    state = "" if run.status == "complete" else f", {run.status} at {run.done:,} of {run.questions:,}"
    asked = f" of {run.config['collection']}" if run.config["collection"] else ""
    return f"{run.question_set}{asked} · {run.done:,} questions · {run.created_at:%d %b %Y %H:%M} · run {run.id}{state}"


def score_form(rag: Rag) -> None:
    """Question sets, what to ask them of, and the button that starts the runs."""
    with st.form("threshold_score", border=False):
        sets = {info.path: info for info in rag.question_sets.all() if info.questions}
        chosen = st.multiselect(
            "Question sets",
            sets,
            format_func=lambda path: f"{sets[path].name} ({sets[path].questions})",
            help="Take answerable questions and some that your documents do not answer.",
            key="threshold_sets",
            placeholder="Choose one or more",
        )
        names = [info.name for info in visible_collections(rag) if info.kind == "library" and info.documents]
        asked = st.selectbox(
            "Asked of",
            [OWN_CORPUS, *names],
            key="threshold_asked",
            help="A cutoff suits the documents it was measured on: ask your own collection if the questions are about it.",
        )
        if st.form_submit_button(
            "Score",
            type="primary",
            icon=":material/straighten:",
            help="Search for every question once; it runs in the background.",
        ):
            _start(rag, tuple(str(path) for path in chosen), None if asked == OWN_CORPUS else asked)


def _start(rag: Rag, sets: tuple[str, ...], collection: str | None) -> None:
    """A run for the cutoff, and one for the floor if a set has follow-ups."""
    if not sets:
        st.warning("Choose at least one question set.", icon=":material/error:")
        return
    started, refused = [], ""
    for stage in ("refusal", "followups"):
        try:
            started.append(
                rag.run_queue.start(RunConfig(sets=sets, collection=collection, stage=stage))  # type: ignore[arg-type]
            )
        except RagError as error:
            refused = refused or str(error)
    if not started:
        st.error(sentence(refused), icon=":material/error:")
        return
    _follow(started)


def _follow(started: list[int]) -> None:
    keep(SCORING, [*kept(SCORING, []), *started])
    st.rerun()


def progress_of_runs(rag: Rag) -> None:
    """The runs that this session started and that are not complete; a complete one is chosen."""
    going_on = []
    for run_id in kept(SCORING, []):
        try:
            pending = run_progress(rag, run_id)
        except RagError:
            continue
        run = rag.evaluations.run(run_id)
        if pending or run.status != "complete":
            going_on.append(run_id)
        else:
            keep("threshold_floor_run" if run.stage == "followups" else "threshold_run", run_id)
    if going_on != kept(SCORING, []):
        keep(SCORING, going_on)
        st.rerun()


def stale_banner(rag: Rag, run: EvalRun, in_force: InForce) -> None:
    """What is wrong with the scores or with the cutoff in force, and the way out."""
    stale = rag.thresholds.stale(run)
    if stale:
        with st.container(horizontal=True, vertical_alignment="center", key="threshold_stale"):
            st.warning(sentence(f"{stale} Score them again."), icon=":material/history:", width="stretch")
            if st.button(
                "Re-score",
                key="threshold_rescore",
                icon=":material/refresh:",
                help="Run the same questions again, in the background.",
            ):
                _again(rag, run)
        return
    if in_force.calibration is None:
        return
    visible = {info.name for info in visible_collections(rag)}
    hashes = set(in_force.calibration.corpus_hash.split())
    others = [
        info.name
        for info in rag.thresholds.users_of(run)
        if info.name in visible and info.content_hash not in hashes
    ]
    if others:
        st.caption(
            ":material/info: "
            + plain_line(
                f"The cutoff in force was measured on {in_force.calibration.question_set}. {_listed(others)} "
                f"{'holds' if len(others) == 1 else 'hold'} other documents, or they have changed since: score "
                "questions about them to be sure."
            )
        )


def _again(rag: Rag, run: EvalRun) -> None:
    try:
        _follow([rag.run_queue.start(RunConfig.from_dict(run.config), name=run.name)])
    except RagError as error:
        st.error(sentence(str(error)), icon=":material/error:")


def _listed(names: list[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def loaded(rag: Rag, run: EvalRun) -> tuple[ScoredRun, ScoredRun | None]:
    """The run's scores, and those of the newest run of follow-ups with the same profile; read once."""
    return _load(rag, run), _follow_ups(rag, run)


def _follow_ups(rag: Rag, run: EvalRun) -> ScoredRun | None:
    profile = rag.thresholds.profile(run)
    fitting = []
    for one in rag.thresholds.runs(follow_ups=True):
        try:
            if rag.thresholds.profile(one) == profile:
                fitting.append(one)
        except RagError:
            continue
    wanted = kept("threshold_floor_run", None)
    found = next((one for one in fitting if one.id == wanted), fitting[0] if fitting else None)
    return _load(rag, found) if found else None


def _load(rag: Rag, run: EvalRun) -> ScoredRun:
    """Kept in the session until the run has other results, or others are looked at."""
    slot = f"scored_{run.stage == 'followups'}"
    state = (run.id, run.done, run.status, run.seconds)
    found = st.session_state.get(slot)
    if found is None or found[0] != state:
        found = st.session_state[slot] = (state, rag.thresholds.load(run.id))
    return found[1]
