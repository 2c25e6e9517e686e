"""Putting the cutoff in force, with what it replaces, and taking it back."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import plain_line, sentence
from pages.parts.session_files import in_collection, visible_collections
from pages.parts.threshold_value import reason_for
from ragcore.errors import RagError
from ragcore.evaluation.thresholds import InForce, ScoredRun
from ragcore.rag import Rag
from ragcore.storage import EvalRun

_DONE = "threshold_done"


def use_in_chat(
    rag: Rag, scored: ScoredRun, cutoff: float, floor: float | None, in_force: InForce, users: str
) -> None:
    """What is in force, the button that replaces it, and the one that brings the earlier back.

    ``users`` says which collections it counts for.
    """
    same = cutoff == in_force.cutoff and floor == in_force.floor
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="threshold_use"):
        st.markdown(f"{_standing(in_force)} {users}", width="stretch")
        st.button(
            f"Use {_both(cutoff, floor)} in chat",
            key="threshold_use_button",
            type="primary",
            icon=":material/check:",
            disabled=same,
            help="It is in force already: move the slider first."
            if same
            else f"Replaces {_both(in_force.cutoff, in_force.floor)}, and can be undone.",
            on_click=_use,
            args=(rag, scored, cutoff, floor),
        )
        if in_force.calibration is not None:
            st.button(
                f"Undo: back to {_both(in_force.earlier_cutoff, in_force.earlier_floor)}",
                key="threshold_undo",
                icon=":material/undo:",
                help=f"Puts {_earlier(in_force)} back in force.",
                on_click=_undo,
                args=(rag, scored, in_force),
            )
    if _DONE in st.session_state:
        st.toast(st.session_state.pop(_DONE), icon=":material/check:")
        # What is in force was given to the fragment by the page.
        st.rerun()


def _standing(in_force: InForce) -> str:
    found = in_force.calibration
    if found is None:
        return (
            f"In force: **{in_force.cutoff:.4g}**, the default of the embedder. It was never measured here."
        )
    since = f"{found.applied_at:%d %b %Y %H:%M}" if found.applied_at else ""
    return (
        f"In force: **{_both(found.cutoff, found.follow_up_floor)}** since {since}, measured on "
        f"{plain_line(found.question_set)}. It replaced {_earlier(in_force)}."
    )


def _earlier(in_force: InForce) -> str:
    words = _both(in_force.earlier_cutoff, in_force.earlier_floor)
    measured = (
        f"measured on {in_force.earlier_set}" if in_force.earlier_set else "the default of the embedder"
    )
    return f"{words}, {plain_line(measured)}"


def _both(cutoff: float, floor: float | None) -> str:
    return f"{cutoff:.4g}" if floor is None else f"{cutoff:.4g} and floor {floor:.4g}"


def _use(rag: Rag, scored: ScoredRun, cutoff: float, floor: float | None) -> None:
    try:
        rag.thresholds.use(scored, cutoff, floor=floor, reason=reason_for("threshold_cutoff", cutoff))
        _forget_moved_sliders(rag, scored)
        st.session_state[_DONE] = f"The chat uses {_both(cutoff, floor)} now."
    except RagError as error:
        st.session_state[_DONE] = sentence(str(error))


def _undo(rag: Rag, scored: ScoredRun, in_force: InForce) -> None:
    try:
        rag.thresholds.undo(in_force.calibration)  # type: ignore[arg-type]
        _forget_moved_sliders(rag, scored)
        st.session_state[_DONE] = f"Back to {_both(in_force.earlier_cutoff, in_force.earlier_floor)}."
    except RagError as error:
        st.session_state[_DONE] = sentence(str(error))


def _forget_moved_sliders(rag: Rag, scored: ScoredRun) -> None:
    """The chat's own slider, once moved in this session, would hide what is in force."""
    settings = st.session_state.get("settings", {})
    for info in rag.thresholds.users_of(scored.run):
        settings.pop(f"cutoff_{info.name}", None)


def users_sentence(rag: Rag, run: EvalRun) -> str:
    """Which collections the run's cutoff counts for, as Markdown. Raises NotFound as ``profile`` does."""
    visible = {info.name for info in visible_collections(rag)}
    names = [info.name for info in rag.thresholds.users_of(run) if info.name in visible]
    if not names:
        return "No collection of yours is embedded and cut like these documents, so the chat does not use it yet."
    return f"It counts for {plain_line(', '.join(in_collection(name) for name in names))}."
