"""Asking with a second opinion: real search, real gate, and a chat server that says yes or no."""

from dataclasses import replace

import pytest

from ragcore import AskOptions
from ragcore.answering.prompts import said_yes, yes_or_no_messages
from ragcore.records import Passage
from tests.fake_ollama import FakeOllama
from tests.retrieved import FEES, hit

MILL = """# Mill rules

## Keys

A lost key is reported to the porter at once. The shop cuts another one within the week.

## Sauna

The sauna in the wheel house opens at 17:30. A session costs £4.
"""
PHONE = "What is the phone number of the porter?"
SAUNA_PRICE = "How much does a session in the sauna cost?"
SIGNALS = AskOptions(generator="quote", second_opinion="signals")
MODEL = AskOptions(generator="ollama", second_opinion="model")


@pytest.fixture
def mill(open_test_rag):
    def opener(**settings):
        rag = open_test_rag(**settings)
        assert rag.ingest(MILL.encode(), "mill.md").error is None
        return rag

    return opener


def test_phone_number_that_is_not_there(mill):
    rag = mill()
    without = rag.ask(PHONE, replace(SIGNALS, second_opinion="off"))
    assert without.status == "complete"
    assert (without.decision.opinion.enforced, without.decision.opinion.against) == (False, True)
    answer = rag.ask(PHONE, SIGNALS)
    assert (answer.status, answer.refusal_stage, answer.generator) == ("refused", "gate", "none")
    assert answer.decision.top_score > answer.decision.cutoff
    assert answer.text == f"I don't know. {answer.decision.reason}"
    assert "asked for a phone number, none in any passage that was found." in answer.text
    assert answer.citations == ()


def test_price_that_is_there(mill):
    answer = mill().ask(SAUNA_PRICE, SIGNALS)
    assert answer.status == "complete"
    assert "£4" in answer.text
    assert (answer.decision.opinion.enforced, answer.decision.opinion.against) == (True, False)
    assert answer.warnings == ()


def test_answer_judge_stops_what_is_not_said_and_lets_by_what_is(mill):
    rag = mill()
    refused = rag.ask(PHONE, replace(SIGNALS, second_opinion="judge"))
    assert (refused.status, refused.refusal_stage, refused.generator) == ("refused", "gate", "none")
    answer = rag.ask(SAUNA_PRICE, replace(SIGNALS, second_opinion="judge"))
    assert answer.status == "complete" and "£4" in answer.text
    opinion = answer.decision.opinion
    assert (opinion.source, opinion.enforced, opinion.against) == ("judge", True, False)


def test_below_the_cutoff_nobody_is_asked(mill):
    decision = mill().ask("Who won the World Cup in 1998?", SIGNALS).decision
    assert (decision.passed, decision.opinion) == (False, None)


def test_collection_of_another_granularity_is_answered_with_a_warning(mill):
    rag = mill()
    rag.library.create_collection("whole", chunking={"granularity": "chunk"})
    assert rag.ingest(MILL.encode(), "mill.md", collection="whole").error is None
    answer = rag.ask(PHONE, replace(SIGNALS, collection="whole", threshold=0.1))
    assert answer.status == "complete"
    assert answer.warnings == (
        "No second opinion: its signals were measured with all-MiniLM-L6-v2 and granularity 'sentence', "
        "and this collection has all-MiniLM-L6-v2 and 'chunk'.",
    )


def test_model_that_says_no_is_not_asked_for_an_answer(mill):
    with FakeOllama(replies=["No."]) as ollama:
        answer = mill(ollama_host=ollama.host).ask(PHONE, MODEL)
        bodies = [body for path, body in ollama.requests if path == "/api/chat"]
    assert (answer.status, answer.refusal_stage) == ("refused", "gate")
    assert answer.text.endswith("was asked whether the best passage answers the question, and said no.")
    assert len(bodies) == 1
    assert bodies[0]["options"]["num_predict"] <= 8
    assert bodies[0]["options"]["temperature"] == 0
    prompt = bodies[0]["messages"][-1]["content"]
    assert "A lost key is reported to the porter" in prompt
    assert "17:30" not in prompt


def test_model_that_says_yes_answers(mill):
    with FakeOllama(replies=["yes", "A session costs £4 [1]."]) as ollama:
        answer = mill(ollama_host=ollama.host).ask(SAUNA_PRICE, MODEL)
    assert answer.status == "complete"
    assert answer.text.startswith("A session costs £4")
    assert (answer.decision.opinion.source, answer.decision.opinion.probability) == ("model", 1.0)


def test_model_that_says_neither_refuses_nothing(mill):
    with FakeOllama(replies=["Perhaps so", "A session costs £4 [1]."]) as ollama:
        answer = mill(ollama_host=ollama.host).ask(SAUNA_PRICE, MODEL)
    assert answer.status == "complete"
    assert answer.warnings[0] == "No second opinion: the model said “Perhaps so”, neither yes nor no."


def test_model_wanted_and_none_called(mill):
    answer = mill().ask(SAUNA_PRICE, AskOptions(generator="quote", second_opinion="model"))
    assert answer.status == "complete"
    assert answer.warnings == ("No second opinion: no model is called, the documents are quoted.",)


@pytest.mark.parametrize(
    ("reply", "meant"),
    [("yes", True), ("**No**, it does not", False), ("\n No.", False), ("Nothing", None), ("", None), ("It does", None)],
)  # fmt: skip
def test_reading_the_one_word(reply, meant):
    assert said_yes(reply) is meant


def test_passage_is_fenced_in_the_one_word_prompt():
    messages = yes_or_no_messages(" How much? ", Passage(1, hit(1, FEES, [0.5, 0.2])), fence="==f==")
    assert messages[1].content.startswith(
        "Passages, between the two lines marked ==f==:\n==f== begin\n[1] mill.md"
    )
    assert messages[1].content.endswith(
        "Question: How much?\nDoes the passage answer the question? yes or no"
    )
