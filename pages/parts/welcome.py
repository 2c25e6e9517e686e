"""What the chat page shows before anything has been asked."""

from __future__ import annotations

import streamlit as st

from pages.parts.app import SAMPLE_FOLDER
from pages.parts.ask_settings import chat_models
from pages.parts.asking import ask_next
from pages.parts.ollama_models import how_to_get_a_model
from pages.parts.safe_markdown import plain_line
from pages.parts.session_files import in_collection
from pages.parts.upload_line import count
from pages.parts.upload_queue import upload_queue
from pages.parts.uploading import drop_zone, sample_button
from ragcore.rag import Rag
from ragcore.records import CollectionInfo

SAMPLE_QUESTIONS = (
    "At what humidity must the dome be closed?",
    "How long can I keep a loan telescope?",
    "Who won the football World Cup in 1998?",
)


def invitation(rag: Rag, collection: str) -> None:
    """For an empty collection: drop files, or load the sample."""
    st.title("Ask your own documents", anchor=False)
    st.markdown(
        "Every answer names the page it stands on. A question that nothing in the documents comes close to "
        "is refused, not guessed. Everything stays on this machine."
    )
    drop_zone(rag, collection, label="Drop files here: PDF, Word, Markdown, text, HTML or CSV")
    sample_button(rag, collection)
    upload_queue(rag, collection)


def welcome(rag: Rag, info: CollectionInfo) -> None:
    """For a new conversation: what is searched, by whom it is answered, and something to try."""
    st.title("Ask your own documents", anchor=False)
    documents = count(info.documents, "document")
    st.caption(plain_line(f"{documents} in {in_collection(info.name)}, {count(info.chunks, 'chunk')}"))
    if not chat_models(rag):
        how_to_get_a_model(rag)
    sample = {path.name for path in SAMPLE_FOLDER.iterdir()} if SAMPLE_FOLDER.is_dir() else set()
    if sample & {document.file_name for document in rag.library.documents(info.name)}:
        st.caption("Questions to try. The last one is not in the sample, so it should be refused.")
        with st.container(gap=None):
            for number, question in enumerate(SAMPLE_QUESTIONS):
                st.button(
                    question,
                    key=f"try_{number}",
                    type="tertiary",
                    icon=":material/arrow_forward:",
                    help="Ask this question.",
                    on_click=ask_next,
                    args=(question,),
                )
