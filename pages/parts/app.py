"""The opened library, and where things of a session are kept."""

from __future__ import annotations

import atexit
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.parts.session_files import keep_session_files
from pages.parts.upload_progress import sidebar_progress
from ragcore.rag import Rag, open_rag
from ragcore.settings import Settings

SAMPLE_FOLDER = Path(__file__).parents[2] / "sample" / "documents"
# Local files: a Material symbol as page icon would be fetched from the network.
ICON = Path(__file__).with_name("icon.svg")
LOGO = Path(__file__).with_name("logo.svg")
WIDE = ("threshold", "eval_results", "experiments")
"""Addresses of the wide pages."""
_STYLE = Path(__file__).with_name("style.css")


def get_rag() -> Rag:
    """The Rag of this process, opened once for all sessions. Raises SettingsError and StorageError."""
    return _opened(Settings.from_environment()).rag


class _Opened:
    """A Rag and the worker that ingests what is uploaded, for as long as the app runs."""

    def __init__(self, settings: Settings) -> None:
        self.rag = open_rag(settings)
        self._worker = self.rag.worker()
        self._worker.start()
        # Before the embedded server stops, so that an unfinished upload goes back to the queue.
        atexit.register(self.close)

    def close(self) -> None:
        atexit.unregister(self.close)
        self._worker.stop()
        self.rag.close()


@st.cache_resource(show_spinner="Opening the library…", on_release=_Opened.close, hash_funcs={Settings: repr})
def _opened(settings: Settings) -> _Opened:
    return _Opened(settings)


def load_style() -> None:
    """Our few rules of CSS; they are static and hold no text from outside."""
    st.html(_STYLE)


def pages() -> list[st.Page]:
    """The pages, in the order of the navigation."""
    return [
        st.Page("pages/chat.py", title="Chat", icon=":material/forum:", default=True),
        st.Page("pages/documents.py", title="Documents", icon=":material/description:"),
        st.Page("pages/threshold.py", title="Threshold", icon=":material/straighten:"),
        st.Page("pages/eval_results.py", title="Eval results", icon=":material/fact_check:"),
        st.Page("pages/grading.py", title="Grading", icon=":material/grading:"),
        st.Page("pages/experiments.py", title="Experiments", icon=":material/science:"),
        st.Page("pages/status.py", title="Status", icon=":material/monitor_heart:"),
    ]


def layout_of(page: st.Page) -> Literal["wide", "centered"]:
    """Pages with charts and tables side by side take the window's width; reading keeps a column."""
    return "wide" if page.url_path in WIDE else "centered"


def begin_page() -> Rag:
    """What every page begins with: the library, and in the sidebar how far uploads are."""
    through_router()
    rag = get_rag()
    keep_session_files(rag)
    with st.sidebar:
        sidebar_progress(rag)
    return rag


def through_router() -> None:
    """Make sure that a page runs inside the router.

    Streamlit takes a folder called pages/ for its older kind of app until ``st.navigation`` has
    been called once, so the first address opened after a start runs the page's file alone.
    """
    if "routed" not in st.session_state:
        # Before the list of pages, or the page's own symbol would be fetched as the tab's icon.
        st.set_page_config(page_title="Plumbline", page_icon=str(ICON))
        st.navigation(pages())
        st.rerun()


def kept(name: str, default):
    """The value of a setting of this session, whichever page it was made on."""
    return st.session_state.setdefault("settings", {}).get(name, default)


def keep(name: str, value) -> None:
    st.session_state.setdefault("settings", {})[name] = value


def prepare(key: str, default, options=None) -> dict:
    """Arguments that make a widget show a kept setting and keep what is chosen in it.

    Streamlit forgets a widget's value when its page is left, so it is copied to ``settings``.
    """
    value = kept(key, default)
    if options is not None and value not in options:
        value = default
    st.session_state[key] = value
    return {"key": key, "on_change": _keep_widget, "args": (key,)}


def _keep_widget(key: str) -> None:
    keep(key, st.session_state[key])
