"""One message of a conversation, as it was stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages.parts import follow_up, receipt
from pages.parts.add_to_set import add_button
from pages.parts.citation_chips import citation_chips, miss_buttons
from pages.parts.evidence_badge import badges, generator
from pages.parts.exporting import with_citations
from pages.parts.safe_markdown import answer_markdown, plain, plain_line, sentence
from pages.parts.standing import Standing, standings
from ragcore.rag import Rag
from ragcore.records import Message

ASKER = ":material/person:"
ANSWERER = ":material/menu_book:"
AskAgain = Callable[..., None]


def draw_question(text: str) -> None:
    with st.chat_message("user", avatar=ASKER):
        st.markdown(plain(text))


def draw_messages(rag: Rag, messages: Sequence[Message], *, ask_again: AskAgain) -> None:
    """A conversation in its order."""
    asked: list[str] = []
    standing = standings(rag, messages)
    for message in messages:
        if message.role == "user":
            asked.append(message.content)
            draw_question(message.content)
        else:
            is_last = message is messages[-1]
            draw_answer(rag, message, standing, asked=asked, is_last=is_last, ask_again=ask_again)


def draw_answer(
    rag: Rag,
    message: Message,
    standing: dict[int, Standing],
    *,
    asked: Sequence[str],
    is_last: bool,
    ask_again: AskAgain,
) -> None:
    """The answer with its citations, evidence, receipt and what can be done with it.

    ``asked`` holds the questions up to it. ``ask_again(question, as_typed=...)`` is called when Ask
    again is clicked, in the answer or in its receipt; only the last answer offers it.
    """
    with st.chat_message("assistant", avatar=ANSWERER):
        trace = message.trace
        st.markdown(_shown(message), anchors=False)
        if message.citations and message.status != "refused":
            with st.container(horizontal=True, gap="xsmall", key=f"chips_{message.id}"):
                citation_chips(rag, message, standing)
        if trace and (understood := follow_up.understood_as(trace)):
            st.caption(f":material/subdirectory_arrow_right: {plain_line(understood)}")
        if not follow_up.is_small_talk(trace):
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                badges(message)
        if message.status == "refused" and trace:
            if not trace["decision"]["passed"] and trace["decision"]["top_score"] is not None:
                st.html(receipt.score_bar(trace["decision"]))
            receipt.nearest_misses(trace)
            miss_buttons(rag, message, standing)
        for warning in ((trace or {}).get("outcome") or {}).get("warnings", []):
            st.caption(f":material/info: {sentence(warning)}")
        question = asked[-1] if asked else ""
        receipt.receipt(
            message, as_typed=partial(ask_again, question, as_typed=True) if is_last and question else None
        )
        with st.container(horizontal=True, gap="small"):
            with st.popover(
                "Copy",
                icon=":material/content_copy:",
                type="tertiary",
                help="The answer as plain text, with its citations",
            ):
                st.code(with_citations(message), language=None, wrap_lines=True)
            if is_last:
                st.button(
                    "Ask again",
                    key=f"again_{message.id}",
                    icon=":material/refresh:",
                    type="tertiary",
                    help="Ask the same question with the settings as they are now; the new answer replaces this one.",
                    on_click=ask_again,
                    args=(question,),
                )
            add_button(rag, message, asked)


def _shown(message: Message) -> str:
    if not message.content.strip():
        return "*Stopped before the first word.*"
    return answer_markdown(
        message.content,
        refused=message.status == "refused",
        quote=generator(message.trace) == "quote",
    )
