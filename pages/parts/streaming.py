"""Drawing a turn while it is being generated, so that any click can stop it.

Streamlit can stop a script only when the script draws something. A model that is still loading
yields nothing for a minute, so the turn runs in a thread of its own and this side looks in on it
several times a second. Leaving early closes the turn, which then saves what it has.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import streamlit as st

from pages.parts.messages import ANSWERER
from pages.parts.safe_markdown import plain, safe_markdown
from ragcore.answering import Turn
from ragcore.errors import ModelStalled, RagError
from ragcore.records import Answer

LOOK_EVERY_S = 0.15
LEAVING_S = 3.0
"""How long to wait for a stopped turn to save itself before the page goes on without it."""
_END = object()


def draw_turn(turn: Turn, *, saved: Callable[[Answer], None], on_text: Callable[[], None]) -> None:
    """Draw the answer as it is written. Raises RagError when nothing could be generated.

    ``saved`` is called with the answer when it has been saved, also when it was stopped midway,
    ``on_text`` once there is something to read.
    """
    with st.chat_message("assistant", avatar=ANSWERER):
        answer, waiting = st.empty(), st.empty()
        with st.container(key="while_running"):
            st.button(
                "Stop",
                key="stop",
                icon=":material/stop_circle:",
                help="Stop here and keep what has been written so far.",
            )
        # Shown by style.css only when Streamlit's own Stop has ended the script right here.
        st.html(
            '<div class="pl-if-stopped">Interrupted. What had been written is kept with the question.</div>'
        )
        model = turn.answer.chat_model
        started = time.monotonic()
        text = ""
        st.session_state["running_turn"] = running = TurnInThread(turn, saved)
        with closing(running.pieces()) as stream:
            for piece in stream:
                text += piece
                if text.strip():
                    on_text()
                    waiting.empty()
                    answer.markdown(safe_markdown(text) if model else plain(text), anchors=False)
                elif model:
                    waiting.caption(
                        f"{plain(model)} is reading the passages… {time.monotonic() - started:.0f} s"
                    )


def leave_running_turn() -> None:
    """Let a turn that an earlier run of this session was drawing save itself.

    Call it before the history is read: after a click Streamlit begins the new run at once, while
    the old one is still on its way out.
    """
    running = st.session_state.pop("running_turn", None)
    if running is not None:
        running.leave()


class TurnInThread:
    """A turn that generates in a thread of its own, from the first look at ``pieces`` on."""

    def __init__(self, turn: Turn, saved: Callable[[Answer], None] | None = None) -> None:
        self._turn = turn
        self._saved = saved
        self._arrived: queue.Queue[str | RagError | object] = queue.Queue()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._run, name="answering", daemon=True)

    def pieces(self) -> Iterator[str]:
        """The turn's pieces, and an empty string whenever none has come for a moment.

        Closing the iterator stops the turn. Raises what the turn raises.
        """
        self._thread.start()
        try:
            while (item := self._next()) is not _END:
                if isinstance(item, RagError):
                    raise item
                yield item
        finally:
            self.leave()
        if "total_ms" not in self._turn.answer.timings:
            raise ModelStalled("The answer could not be finished. Ask again.")

    def leave(self) -> None:
        """Stop the turn and wait a little while it saves itself."""
        self._left.set()
        if self._thread.ident is not None:
            self._thread.join(LEAVING_S)

    def _next(self) -> str | RagError | object:
        try:
            return self._arrived.get(timeout=LOOK_EVERY_S)
        except queue.Empty:
            return ""

    def _run(self) -> None:
        try:
            with closing(iter(self._turn)) as source:
                for piece in source:
                    self._arrived.put(piece)
                    if self._left.is_set():
                        break
            if self._saved:
                self._saved(self._turn.answer)
        except RagError as error:
            self._arrived.put(error)
        finally:
            self._arrived.put(_END)
