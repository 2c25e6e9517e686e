"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

Item = TypeVar("Item")


def page_of(items: Sequence[Item], size: int, key: str) -> Sequence[Item]:
    """The items of the page that is turned to; draws the control that turns pages if there are more."""
    if len(items) <= size:
        return items
    pages = -(-len(items) // size)
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    number = st.pagination(pages, key=key)
    return items[(number - 1) * size : number * size]
