"""Chat: ask, read the answer with its evidence, come back to it later."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import begin_page
from pages.parts.ask_settings import ask_settings
from pages.parts.asking import ask, ask_again, asked, draw_failure, refill_box
from pages.parts.conversation_list import conversation_list, new_conversation_button
from pages.parts.conversations import (
    can_go_on,
    conversation_header,
    messages_of,
    open_conversation,
    show_in_address,
    switch_to,
)
from pages.parts.messages import draw_messages
from pages.parts.safe_markdown import sentence
from pages.parts.session_files import visible_collections
from pages.parts.streaming import leave_running_turn
from pages.parts.welcome import invitation, welcome
from ragcore.answering.pipeline import LONGEST_QUESTION
from ragcore.errors import NotFound

QUESTION_BOX = "question_box"

rag = begin_page()
leave_running_turn()
collections = visible_collections(rag)
with st.sidebar:
    new_conversation_button()
    options = ask_settings(rag, collections)
    conversation_list(rag)
collection = next((info for info in collections if info.name == options.collection), None)
nothing_yet = collection is None or collection.documents == 0

try:
    messages = messages_of(rag, open_conversation())
except NotFound as error:
    st.warning(sentence(str(error)))
    switch_to(None)
    messages = []
show_in_address()

refill_box(QUESTION_BOX)
typed = st.chat_input(
    "Add a document first" if nothing_yet else "Ask your documents",
    key=QUESTION_BOX,
    max_chars=LONGEST_QUESTION,
    disabled=nothing_yet,
)
question, replace = asked(typed)
conversation_id = open_conversation()
if question and conversation_id is not None and not can_go_on(rag, conversation_id, options.collection):
    switch_to(None)
    messages, replace = [], False
    st.toast("A conversation of its own: this session's files are kept apart from the others.")
replaced = messages[-1].id if messages and replace else None
failed = "failure" in st.session_state

if messages:
    conversation_header(rag, open_conversation(), messages)
    draw_messages(rag, messages[:-2] if replaced else messages, ask_again=ask_again)
elif nothing_yet:
    invitation(rag, options.collection)
elif not question and not failed:
    welcome(rag, collection)

if question:
    ask(rag, question, options, replaces=replaced)
    st.rerun()
draw_failure()
