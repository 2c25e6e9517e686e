"""The badge of passages that talk to a model: said, not hidden, since they stay in the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from pages.parts.safe_markdown import plain_line
from ragcore.lexical.instructions import reasons

WORDS = "Instructions to a model"
_SAID = "This passage contains instructions to a model; it is shown as data."


def suspicion_badge(*texts: str) -> None:
    """A badge with the reasons, where any of the texts talks to a model; else nothing."""
    found = list(dict.fromkeys(reason for text in texts for reason in reasons(text)))
    if found:
        st.badge(
            WORDS,
            icon=":material/front_hand:",
            color="orange",
            help=f"{_SAID} It {plain_line(', and '.join(found))}. It is never quoted as an answer.",
        )


def suspicious_passages(passages: Iterable[Mapping[str, Any]]) -> None:
    """The passages of a trace that talk to a model, each with its place and the badge."""
    for passage in passages:
        # The name without its ending, and headings, are text of the document, too.
        texts = [passage["text"], *passage.get("section", ()), passage["file"].rpartition(".")[0]]
        if any(map(reasons, texts)):
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                suspicion_badge(*texts)
                st.caption(plain_line(f"{passage['file']}:{passage['location']}"), width="content")
