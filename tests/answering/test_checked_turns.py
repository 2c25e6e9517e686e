"""Asking with every answer checked: struck, quoted, refused or shown with a mark; nothing unsupported on the way."""

from dataclasses import replace

import pytest

from ragcore import AskOptions
from ragcore.answering.checked_text import MARK
from ragcore.answering.prompts import SENTINEL
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama

FERRY = """# Ferry terms

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Dogs

Dogs need a muzzle on the upper deck and a ticket of 3 crowns.
"""
TICKET = "What does a day ticket for the ferry cost?"
CHAT = AskOptions(generator="ollama")
HALF = "A day ticket costs 14 crowns [1]. It is valid for 72 hours [1]."
WRONG = "A day ticket costs 41 crowns [1]."
QUOTE = "A day ticket for the island ferry costs 14 crowns. [ferry.md:§ Tickets]"


@pytest.fixture
def ferry(open_test_rag):
    def opener(**settings) -> Rag:
        rag = open_test_rag(**settings)
        assert rag.ingest(FERRY.encode(), "ferry.md").error is None
        return rag

    return opener


def asked(ferry, reply: str, options: AskOptions = CHAT, question: str = TICKET):
    """The turn after all of it has been shown, the pieces shown, and the Rag."""
    with FakeOllama(replies=[reply]) as ollama:
        rag = ferry(ollama_host=ollama.host)
        turn = rag.start(question, options, new_conversation=True)
        pieces = [piece for piece in turn if piece]
    return turn.answer, pieces, rag


def test_unsupported_sentence_is_struck_and_stands_in_the_trace_alone(ferry) -> None:
    answer, pieces, rag = asked(ferry, HALF)
    assert answer.text == "".join(pieces).strip() == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert answer.status == "complete" and answer.generator == "ollama"
    assert answer.warnings == ("1 sentence left out: no passage supports it.",)
    assert (answer.supported_claims, [(one.sentence, one.reason) for one in answer.unsupported]) == (
        1,
        [("It is valid for 72 hours.", "says 72 hours, no passage does")],
    )
    outcome = rag.traces.get(answer.trace_id)["outcome"]
    assert [one["supported"] for one in outcome["claims"]] == [True, False]
    assert outcome["unsupported"][0]["reason"] == "says 72 hours, no passage does"
    assert outcome["raw_reply"] == HALF
    assert rag.history.messages(answer.conversation_id)[1].content == answer.text


def test_nothing_is_left_and_the_evidence_is_strong(ferry) -> None:
    answer, pieces, _ = asked(ferry, WRONG)
    assert answer.decision.band == "strong"
    assert (answer.text, "".join(pieces), answer.generator, answer.status) == (
        QUOTE,
        QUOTE,
        "quote",
        "complete",
    )
    assert answer.warnings == ("The passages do not support what the model wrote; they are quoted instead.",)
    assert [one.reason for one in answer.unsupported] == ["says 41, no passage does"]


def test_nothing_is_left_and_the_evidence_is_weak(ferry) -> None:
    answer, pieces, _ = asked(ferry, WRONG, replace(CHAT, threshold=0.7))
    assert answer.decision.band == "weak"
    assert (answer.status, answer.refusal_stage, answer.citations) == ("refused", "verification", ())
    assert (
        answer.text
        == "".join(pieces)
        == (
            "I don't know. The model wrote an answer, but the passages do not support it, so it is not shown."
        )
    )


def test_one_unsupported_sentence_and_the_answer_is_quoted(ferry) -> None:
    answer, pieces, _ = asked(ferry, HALF, replace(CHAT, unsupported="quote"))
    assert (answer.text, pieces, answer.generator) == (QUOTE, [QUOTE], "quote")


def test_one_unsupported_sentence_and_the_answer_is_refused(ferry) -> None:
    answer, pieces, _ = asked(ferry, HALF, replace(CHAT, unsupported="refuse"))
    assert (answer.status, answer.refusal_stage) == ("refused", "verification")
    assert (
        answer.text
        == "".join(pieces)
        == (
            "I don't know. The model wrote an answer, but 1 of its 2 sentences is not supported by the passages, "
            "so it is not shown."
        )
    )


@pytest.mark.parametrize("unsupported", ["strike", "quote", "refuse", "show"])
def test_supported_answer_is_the_same_by_every_setting(ferry, unsupported: str) -> None:
    answer, pieces, _ = asked(
        ferry, "A day ticket costs 14 crowns [1].", replace(CHAT, unsupported=unsupported)
    )
    assert answer.text == "".join(pieces) == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert (answer.status, answer.warnings, answer.unsupported) == ("complete", (), ())


def test_unsupported_sentence_is_shown_with_a_mark(ferry) -> None:
    answer, _, _ = asked(ferry, HALF, replace(CHAT, unsupported="show"))
    assert answer.text == (
        "A day ticket costs 14 crowns [ferry.md:§ Tickets]. "
        f"It is valid for 72 hours [ferry.md:§ Tickets]{MARK}."
    )
    assert answer.warnings == ("1 sentence without support in the documents: check before use.",)
    assert [one.shown for one in answer.unsupported] == [True]


def test_unsupported_text_is_never_shown_while_it_streams(ferry) -> None:
    reply = (
        "A day ticket costs 14 crowns [1]. It is valid for 72 hours [1]. Children under six travel free [1]."
    )
    with FakeOllama(replies=[list(reply)]) as ollama:
        turn = ferry(ollama_host=ollama.host).start(TICKET, CHAT)
        seen = ""
        for piece in turn:
            seen += piece
            assert "72" not in seen and "valid" not in seen
            # What is on the screen is whole sentences.
            assert not seen or seen.rstrip().endswith(".")
    assert seen.strip() == turn.answer.text
    assert "Children under six" in seen


def test_answer_that_is_only_a_value_of_a_neighbouring_line(ferry) -> None:
    right, _, _ = asked(ferry, "14 crowns [1]")
    # A value alone does not tell what it is the value of: its sentence is shown.
    assert right.generator == "ollama"
    assert right.text == "“A day ticket for the island ferry costs 14 crowns.” [ferry.md:§ Tickets]"
    wrong, _, _ = asked(ferry, "3 crowns [2]")
    assert wrong.generator == "quote" and wrong.text == QUOTE


def test_supported_sentence_that_is_no_answer_is_refused_in_words_of_its_own(ferry) -> None:
    answer, pieces, _ = asked(
        ferry,
        "Dogs need a muzzle on the upper deck [2].",
        question="How many dogs were on the ferry last May?",
    )
    assert (answer.status, answer.refusal_stage) == ("refused", "verification")
    assert (
        answer.text
        == "".join(pieces)
        == (
            "I don't know. Some passages are about this, but what the model took from them does not say the answer, "
            "so it is not shown."
        )
    )
    assert [one.reason for one in answer.unsupported] == ["rests on a sentence that does not say the answer"]


def test_model_that_refuses_although_the_evidence_is_strong(ferry) -> None:
    refused, pieces, _ = asked(ferry, SENTINEL)
    assert (refused.status, refused.refusal_stage, "".join(pieces)) == ("refused", "model", "")
    quoted, pieces, _ = asked(ferry, SENTINEL, replace(CHAT, on_refusal="quote"))
    assert (quoted.status, quoted.generator, quoted.text, pieces) == ("complete", "quote", QUOTE, [QUOTE])
    assert quoted.warnings == (
        "The model found no answer in the passages; the closest sentences are quoted instead.",
    )


def test_model_that_refuses_on_weak_evidence_is_not_overruled(ferry) -> None:
    answer, _, _ = asked(ferry, SENTINEL, replace(CHAT, on_refusal="quote", threshold=0.7))
    assert (answer.status, answer.refusal_stage) == ("refused", "model")


def test_reply_of_nothing_but_politeness_is_a_refusal_of_the_model(ferry) -> None:
    answer, pieces, _ = asked(ferry, "I hope this helps! Let me know if you have further questions.")
    assert (answer.status, answer.refusal_stage, "".join(pieces)) == ("refused", "model", "")


def test_stopped_in_the_middle_of_an_unsupported_sentence(ferry) -> None:
    with FakeOllama(replies=[HALF], cut_after=12) as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET, CHAT)
    assert answer.status == "interrupted"
    assert answer.text == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
