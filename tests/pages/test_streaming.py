"""Leaving a turn early: what was written is kept, and nobody waits for a model that still loads."""

import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from pages.parts.asking import take_place
from pages.parts.streaming import LEAVING_S, TurnInThread
from ragcore.errors import ModelError
from ragcore.rag import open_rag
from ragcore.records import AskOptions
from ragcore.settings import Settings
from tests.fake_ollama import FakeOllama

QUESTION = "At what pressure does the pump run?"


@pytest.fixture
def rag_with(open_app, monkeypatch):
    """A library with one document, wired to a fake server."""
    opened = []

    def open_(ollama):
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        rag = open_rag(Settings.from_environment())
        opened.append(rag)
        rag.ingest(b"The pump runs at a pressure of 40 bar.", "pump.txt")
        return rag

    yield open_
    for rag in opened:
        rag.close()


def start(rag):
    return rag.start(QUESTION, AskOptions(generator="ollama"), new_conversation=True)


def test_stopped_midway(rag_with):
    pieces = ["The pump ", "runs at 40 bar. ", "It runs ", "at a pressure ", "of 40 ", "bar."]
    with FakeOllama(replies=[pieces], piece_delay_s=0.3) as ollama:
        rag = rag_with(ollama)
        turn = start(rag)
        with closing(TurnInThread(turn).pieces()) as stream:
            seen = next(piece for piece in stream if piece)
        question, answer = rag.history.messages(turn.answer.conversation_id)
    assert (question.content, answer.status) == (QUESTION, "interrupted")
    assert seen.startswith("The pump runs at 40 bar [pump.txt:1].")
    assert answer.content.startswith(seen.strip())
    assert "of 40 bar" not in answer.content


def test_stopped_turn_is_reported_once_it_is_saved(rag_with):
    saved = []
    with FakeOllama(replies=[["It ", "runs ", "at ", "40 ", "bar."]], piece_delay_s=0.3) as ollama:
        rag = rag_with(ollama)
        turn = start(rag)
        with closing(TurnInThread(turn, saved.append).pieces()) as stream:
            next(piece for piece in stream if piece)
    (answer,) = saved
    assert answer.message_id == rag.history.messages(answer.conversation_id)[1].id


@pytest.mark.parametrize(("text", "kept"), [("It runs.", "new"), ("  ", "old")])
def test_answer_asked_again_gives_way_only_to_one_with_words(rag_with, text, kept):
    with FakeOllama(replies=["The first [1]."]) as ollama:
        rag = rag_with(ollama)
        old = rag.ask(QUESTION, AskOptions(generator="ollama"), new_conversation=True)
        message_id = rag.history.add_turn(
            old.conversation_id,
            question=QUESTION,
            answer=text,
            status="interrupted",
            citations=(),
            trace_id=None,
        )
        new = replace(old, text=text, message_id=message_id)
        take_place(rag, new, old.message_id)
    (_, answer) = rag.history.messages(old.conversation_id)
    assert answer.id == (new if kept == "new" else old).message_id


def test_stopped_while_the_model_is_loading(rag_with):
    with FakeOllama(replies=["It runs at 40 bar."], first_delay_s=60) as ollama:
        rag = rag_with(ollama)
        turn = start(rag)
        started = time.monotonic()
        with closing(TurnInThread(turn).pieces()) as stream:
            assert next(stream) == ""
        assert time.monotonic() - started < LEAVING_S + 3
    # The server is gone now; the turn that was left behind saves itself.
    for thread in threading.enumerate():
        if thread.name == "answering":
            thread.join(20)
    assert [message.status for message in rag.history.messages(turn.answer.conversation_id)][1:] in (
        [],
        ["interrupted"],
    )


def test_read_to_the_end(rag_with):
    with FakeOllama(replies=["It runs at 40 bar [1]."]) as ollama:
        rag = rag_with(ollama)
        turn = start(rag)
        assert "40 bar" in "".join(TurnInThread(turn).pieces())
    assert turn.answer.status == "complete"


def test_failure_of_the_model_is_raised_here(rag_with):
    with FakeOllama(chat_error=(500, "out of memory")) as ollama:
        rag = rag_with(ollama)
        with pytest.raises(ModelError, match="out of memory"):
            list(TurnInThread(start(rag)).pieces())
