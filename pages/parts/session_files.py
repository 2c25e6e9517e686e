"""Files that only one browser session sees: a collection of its own that ends with the session.

Its name is a secret of the session: whoever does not know it is neither shown the collection nor
the conversations about it.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import streamlit as st

from ragcore.errors import StorageError
from ragcore.rag import Rag
from ragcore.records import CollectionInfo

UNUSED_FOR = timedelta(hours=2)
"""A session that does nothing for so long loses its files, though its tab may still be open."""
GRACE = timedelta(seconds=20)
"""Between a closed tab and the deletion: a connection that only broke for a moment comes back."""
SESSION_FILES = "This session's files"

log = logging.getLogger(__name__)


def session_collection() -> str:
    """Name of this session's own collection, whether it exists yet or not."""
    if "session_collection" not in st.session_state:
        st.session_state["session_collection"] = f"session-{secrets.token_hex(16)}"
    return st.session_state["session_collection"]


def is_session_collection(name: str) -> bool:
    return name == session_collection()


def collection_label(name: str) -> str:
    """What a collection is called on a page; it is not yet made safe for Markdown."""
    return SESSION_FILES if is_session_collection(name) else name


def in_collection(name: str) -> str:
    """The collection within a sentence: “manuals”, or this session's files."""
    return "this session's files" if is_session_collection(name) else f"“{name}”"


def visible_collections(rag: Rag) -> list[CollectionInfo]:
    """The collections that this session may see: not those of other sessions."""
    return [
        info
        for info in rag.library.collections()
        if info.kind != "session" or is_session_collection(info.name)
    ]


def begin_session_files(rag: Rag) -> None:
    """Call it when this session has uploaded a file of its own."""
    st.session_state["has_session_files"] = True
    keep_session_files(rag)


def keep_session_files(rag: Rag) -> None:
    """On every run: put the end of this session's files off, and let them end with the session."""
    if "has_session_files" not in st.session_state:
        return
    name = session_collection()
    rag.collections.keep_until(name, datetime.now(UTC) + UNUSED_FOR)
    _end_with_session(rag, name)


@dataclass(frozen=True, slots=True)
class _SessionEnd:
    rag: Rag
    name: str

    def come(self) -> None:
        """Streamlit calls this when the connection to the browser is gone, for good or for a moment."""
        try:
            self.rag.collections.keep_until(self.name, datetime.now(UTC) + GRACE)
        except StorageError as error:
            # The time that was set before still stands.
            log.warning("A session's files are deleted later than they should be: %s", error)


@st.cache_resource(scope="session", show_spinner=False, on_release=_SessionEnd.come)
def _end_with_session(_rag: Rag, name: str) -> _SessionEnd:
    return _SessionEnd(_rag, name)
