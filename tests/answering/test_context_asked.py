"""Prompts put together from whole documents, end to end: real database, real embedder, Ollama's wire format."""

import re
from dataclasses import replace

import pytest

from ragcore import AskOptions
from ragcore.chunking import ChunkingConfig
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama

FERRY = """# Ferry terms

These terms were agreed at Solholm in March.

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Dogs

Dogs need a muzzle on the upper deck and a ticket of 3 crowns.
"""
RULES = "# Harbour rules\n\n" + "\n\n".join(
    f"## Berth {n}\n\nBerth {n} on the long pier is let for {100 + n} crowns a month, power and water from the "
    f"post beside it included. Whoever rents berth {n} keeps the walkway clear of ropes, boxes and bicycles."
    for n in range(30)
)
TICKET = "What does a day ticket for the ferry cost?"
BERTH = "What does berth 17 on the long pier cost a month?"
DOCUMENTS = AskOptions(generator="ollama", context="documents")


@pytest.fixture
def harbour(open_test_rag):
    """Opens a Rag whose library holds a short document and a long one."""

    def opener(**settings) -> Rag:
        rag = open_test_rag(**settings)
        for name, text in (("ferry.md", FERRY), ("rules.md", RULES)):
            assert rag.ingest(text.encode(), name).error is None
        return rag

    return opener


def sent(ollama: FakeOllama) -> str:
    return ollama.bodies("/api/chat")[-1]["messages"][1]["content"]


def numbered(prompt: str, words: str) -> int:
    """The number of the passage that holds the words."""
    return int(re.findall(r"^\[(\d+)\]", prompt[: prompt.index(words)], re.MULTILINE)[-1])


def test_short_document_is_sent_whole_and_what_was_no_hit_can_be_cited(harbour) -> None:
    def reply(body: dict) -> str:
        price, place = (
            numbered(body["messages"][1]["content"], words) for words in ("14 crowns", "agreed at Solholm")
        )
        return (
            f"A day ticket costs 14 crowns [{price}]. These terms were agreed at Solholm in March [{place}]."
        )

    with FakeOllama(replies=reply) as ollama:
        rag = harbour(ollama_host=ollama.host)
        answer = rag.ask(TICKET, replace(DOCUMENTS, top_k=1), new_conversation=True)
        prompt = sent(ollama)
    places = [prompt.index(words) for words in ("Document ferry.md:", "Solholm", "14 crowns", "muzzle")]
    assert places == sorted(places) and prompt.count("ferry.md") == 1
    assert [hit.location for hit in answer.hits] == ["§ Tickets"]
    assert len(answer.citations) == 2
    citation = answer.citations[-1]
    assert citation.quote == "These terms were agreed at Solholm in March." and citation.quote in FERRY
    trace = rag.traces.get(answer.trace_id)
    assert trace["profile"]["context"] == "documents"
    context = trace["prompt"]["context"]
    assert (context["from"], context["whole"], context["cut"], context["left_out"]) == (
        "documents",
        ["ferry.md"],
        [],
        [],
    )
    whys = [one["why"] for one in context["passages"]]
    assert whys.count("hit") == 1 and set(whys) == {"hit", "whole"}
    assert {one["score"] for one in context["added"]} == {None}
    assert any("Solholm" in one["text"] for one in context["added"])
    assert len(trace["passages"]) == 1, "what was found is kept apart from what was added"


def test_long_document_is_sent_in_part_around_its_hits(harbour) -> None:
    with FakeOllama(replies=["117 crowns [1]."]) as ollama:
        rag = harbour(ollama_host=ollama.host)
        answer = rag.ask(BERTH, replace(DOCUMENTS, top_k=1))
        prompt = sent(ollama)
    assert "# Harbour rules" in prompt, "the opening"
    for n in (16, 17, 18):
        assert f"let for {100 + n} crowns" in prompt
    assert "let for 125 crowns" not in prompt
    context = rag.traces.get(answer.trace_id)["prompt"]["context"]
    assert {one["why"] for one in context["passages"]} == {"opening", "hit", "neighbour"}
    assert context["whole"] == []


def test_reference_to_a_passage_that_was_not_in_the_prompt_is_removed(harbour) -> None:
    with FakeOllama(
        replies=["Berth 17 costs 117 crowns a month [400]. Berth 25 is [rules.md:§ Berth 25]."]
    ) as ollama:
        answer = harbour(ollama_host=ollama.host).ask(BERTH, replace(DOCUMENTS, top_k=1))
        prompt = sent(ollama)
    assert "Berth 25" not in prompt
    assert all(citation.quote in prompt for citation in answer.citations)
    assert {citation.location for citation in answer.citations} <= {"§ Berth 17"}


def test_small_window_keeps_the_best_hit_and_names_what_is_left_out(harbour) -> None:
    with FakeOllama(replies=["117 crowns [1]."]) as ollama:
        rag = harbour(ollama_host=ollama.host, num_ctx=1024, max_reply_tokens=300)
        answer = rag.ask(BERTH, replace(DOCUMENTS, top_k=20))
        prompt = sent(ollama)
    assert "let for 117 crowns" in prompt
    trace = rag.traces.get(answer.trace_id)
    estimated = trace["prompt"]["estimated_tokens"]
    assert answer.prompt_tokens <= estimated <= 1024 - 300
    left_out = [one for one in trace["prompt"]["context"]["left_out"] if one["why"] == "hit"]
    inside = [one for one in trace["prompt"]["context"]["passages"] if one["why"] == "hit"]
    assert len(left_out) + len(inside) == len(answer.hits) == 20
    assert answer.warnings[0].startswith(
        f"{len(left_out)} of the passages found did not fit into the prompt and were left out: "
        f"{left_out[0]['file']}:{left_out[0]['location']}, "
    )


def test_question_that_counts_gets_the_whole_document(harbour) -> None:
    with FakeOllama(replies=["Thirty [1]."]) as ollama:
        rag = harbour(ollama_host=ollama.host)
        answer = rag.ask("How many berths are there on the long pier?", DOCUMENTS)
        prompt = sent(ollama)
    assert all(f"let for {100 + n} crowns" in prompt for n in range(30))
    context = rag.traces.get(answer.trace_id)["prompt"]["context"]
    assert context["counts"] and "rules.md" in context["whole"]


def test_overlapping_chunks_are_shown_once(open_test_rag) -> None:
    with FakeOllama(replies=["117 crowns [1]."]) as ollama:
        rag = open_test_rag(ollama_host=ollama.host)
        cut = ChunkingConfig(strategy="fixed", max_tokens=60, overlap_tokens=20)
        rag.library.create_collection("overlapping", chunking=cut.to_dict())
        text = " ".join(f"Berth {n} on the long pier is let for {100 + n} crowns a month." for n in range(30))
        rag.ingest(text.encode(), "rules.txt", collection="overlapping")
        rag.ask(BERTH, replace(DOCUMENTS, collection="overlapping"))
        prompt = sent(ollama)
    stored = [chunk.text for _, chunk in rag.library.chunks("overlapping")]
    assert sum(text.count("let for 117 crowns") for text in stored) > 1
    assert [prompt.count(f"let for {100 + n} crowns") for n in range(30)] == [1] * 30


def test_session_upload_is_put_together_in_the_same_way(harbour) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [2]."]) as ollama:
        rag = harbour(ollama_host=ollama.host)
        rag.library.create_collection("session-1", chunking=ChunkingConfig().to_dict(), kind="session")
        rag.ingest(FERRY.replace("14", "99").encode(), "mine.md", collection="session-1")
        rag.ask(TICKET, replace(DOCUMENTS, collection="session-1"))
        prompt = sent(ollama)
    assert "Document mine.md:" in prompt and "99 crowns" in prompt
    assert "ferry.md" not in prompt and "14 crowns" not in prompt


def test_hits_alone_are_the_default_and_the_prompt_names_each_ones_document(harbour) -> None:
    with FakeOllama(replies=["14 crowns [1]."]) as ollama:
        rag = harbour(ollama_host=ollama.host)
        answer = rag.ask(TICKET, AskOptions(generator="ollama", top_k=2))
        prompt = sent(ollama)
    assert "[1] ferry.md, § Tickets" in prompt and "Document ferry.md:" not in prompt
    context = rag.traces.get(answer.trace_id)["prompt"]["context"]
    assert (context["from"], context["added"]) == ("hits", [])
    assert [one["number"] for one in context["passages"]] == [1, 2]


def test_quoting_is_the_same_with_either(harbour) -> None:
    rag = harbour()
    asked = [
        rag.ask(TICKET, AskOptions(generator="quote", context=context)) for context in ("hits", "documents")
    ]
    assert asked[0].text == asked[1].text and asked[0].citations == asked[1].citations
    assert rag.traces.get(asked[1].trace_id)["prompt"]["context"] is None


def test_model_that_fails_is_replaced_by_quotes_from_what_was_found(harbour) -> None:
    with FakeOllama(chat_error=(500, "out of memory")) as ollama:
        rag = harbour(ollama_host=ollama.host)
        failed = rag.ask(TICKET, replace(DOCUMENTS, generator="auto"))
    assert failed.generator == "quote"
    assert failed.text == rag.ask(TICKET, AskOptions(generator="quote")).text
