"""One value between 0 and 1 that a slider, a number and suggestions move together.

The value itself is a setting of the session. The slider knows steps only, so a suggestion of four
digits stays exact until somebody takes the slider.
"""

from __future__ import annotations

import streamlit as st

from pages.parts.app import keep, kept

STEP = 0.005
_SLIDER, _NUMBER = "slider", "number"


def value_slider(name: str, label: str, start: float, *, help_text: str) -> float:
    """Draw slider and number; the value they stand at. ``start`` counts until it is moved."""
    value = float(kept(name, start))
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{name}_controls"):
        st.slider(
            label,
            0.0,
            1.0,
            min(1.0, max(0.0, round(round(value / STEP) * STEP, 3))),
            step=STEP,
            format="%.3f",
            key=_key(name, _SLIDER),
            help=help_text,
            on_change=_take,
            args=(name, _SLIDER, _key(name, _SLIDER)),
        )
        st.number_input(
            "Exactly",
            -1.0,
            1.0,
            value,
            step=STEP,
            format="%.4f",
            key=_key(name, _NUMBER),
            width=150,
            help=f"{label}: the same value, to four digits.",
            on_change=_take,
            args=(name, _NUMBER, _key(name, _NUMBER)),
        )
    return value


def move(name: str, value: float, reason: str) -> None:
    """Move the value and remember why."""
    keep(name, value)
    st.session_state[f"{name}_reason"] = (value, reason)
    _renew(name, _SLIDER)
    _renew(name, _NUMBER)


def reason_for(name: str, value: float) -> str:
    """Why the value is what it is: the suggestion's words, or that it was chosen by hand."""
    moved_to, reason = st.session_state.get(f"{name}_reason", (None, ""))
    return reason if moved_to == value else "Chosen by hand."


def _take(name: str, widget: str, key: str) -> None:
    if key != _key(name, widget) or key not in st.session_state:
        # What a widget said that has been replaced in the same moment.
        return
    # The browser counts the slider's steps in floats: 0.27499999999999997.
    keep(name, round(st.session_state[key], 6))
    _renew(name, _NUMBER if widget == _SLIDER else _SLIDER)


def _key(name: str, widget: str) -> str:
    return f"{name}_{widget}_{st.session_state.get(f'{name}_{widget}_turn', 0)}"


def _renew(name: str, widget: str) -> None:
    """Make the other widget a new one at its next drawing, since its value comes from elsewhere now.

    Were it set instead, the browser would still send its old value with a key pressed in the
    meantime, and that old value would be taken for a change and undo the key.
    """
    turn = f"{name}_{widget}_turn"
    st.session_state[turn] = st.session_state.get(turn, 0) + 1
