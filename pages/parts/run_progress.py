"""How far an evaluation run is, with the buttons that stop it and set it going again."""

from __future__ import annotations

import streamlit as st

from pages.parts.safe_markdown import sentence
from ragcore.errors import RagError
from ragcore.rag import Rag
from ragcore.storage import RunProgress

LOOK_EVERY_S = 1.0


def run_progress(rag: Rag, run_id: int) -> bool:
    """A bar that follows the run by itself; when the run ends, the whole page runs again.

    Nothing for a run that is complete. Returns whether the run is pending.
    """
    progress = rag.run_queue.progress(run_id)
    if progress.status != "complete":
        st.fragment(run_every=LOOK_EVERY_S if progress.pending else None)(_progress)(
            rag, run_id, progress.pending
        )
    return progress.pending


def _progress(rag: Rag, run_id: int, was_pending: bool) -> None:
    try:
        progress = rag.run_queue.progress(run_id)
    except RagError as error:
        st.caption(sentence(str(error)))
        return
    if progress.pending != was_pending:
        # There are figures to show now, or the run goes on.
        st.rerun()
    if progress.status == "complete":
        return
    with st.container(border=True, key=f"run_progress_{run_id}", gap="small"):
        st.progress(_share(progress), text=_words(progress))
        if progress.error:
            st.error(sentence(progress.error), icon=":material/error:")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if progress.pending:
                _cancel_button(rag, run_id, progress)
            else:
                st.button(
                    "Resume",
                    key=f"resume_run_{run_id}",
                    icon=":material/play_arrow:",
                    help="Ask what has no result yet. Nothing that was measured is asked again.",
                    on_click=_resume,
                    args=(rag, run_id),
                )


def _cancel_button(rag: Rag, run_id: int, progress: RunProgress) -> None:
    again = progress.cancel_requested
    st.button(
        "Cancel now" if again else "Cancel",
        key=f"cancel_run_{run_id}",
        icon=":material/close:",
        help="Mark the run as cancelled without waiting for whoever carries it out."
        if again
        else "Stop after the present question. What has been measured is kept, and the run can go on later.",
        on_click=rag.run_queue.cancel,
        args=(run_id,),
    )


def _resume(rag: Rag, run_id: int) -> None:
    """Between the drawing of the button and the click another session may have resumed it."""
    try:
        rag.run_queue.resume(run_id)
    except RagError as error:
        st.toast(sentence(str(error)))


def _share(progress: RunProgress) -> float:
    if progress.step:
        return progress.step_done / progress.step_total if progress.step_total else 0.0
    return min(1.0, progress.done / progress.questions) if progress.questions else 0.0


def _words(progress: RunProgress) -> str:
    """Such as "12 of 60 questions · 3.1 a second · about 15 s left"."""
    if progress.status == "queued":
        return "Waiting for its turn" + (f" · {progress.done:,} asked before" if progress.done else "")
    if progress.pending and progress.cancel_requested:
        return "Stopping after the present question"
    if progress.step:
        return f"Indexing the corpus · {progress.step_done:,} of {progress.step_total:,} files"
    words = [f"{progress.done:,} of {progress.questions:,} questions"]
    if progress.status in ("cancelled", "failed"):
        return " · ".join([progress.status.capitalize(), *words])
    if progress.rate is not None:
        words.append(_pace(progress.rate))
    if progress.seconds_left is not None and progress.done < progress.questions:
        words.append(f"about {_duration(progress.seconds_left)} left")
    return " · ".join(words)


def _pace(rate: float) -> str:
    return f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
