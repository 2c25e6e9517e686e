"""Asking, end to end: real database, real embedder, a chat server that speaks Ollama's wire format."""

from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import text

from ragcore import AskOptions
from ragcore.answering.prompts import LARGE, SENTINEL, SMALL, Prompt
from ragcore.errors import (
    EmbeddingError,
    InputError,
    ModelMissing,
    ModelStalled,
    ModelUnreachable,
    NotFound,
)
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama

FERRY = """# Ferry terms

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Dogs

Dogs need a muzzle on the upper deck and a ticket of 3 crowns.
"""
TICKET = "What does a day ticket for the ferry cost?"
OFF_TOPIC = "Who wrote the opera Tosca?"
CHAT = AskOptions(generator="ollama")


@pytest.fixture
def ferry(open_test_rag):
    """Opens a Rag whose library holds the ferry terms."""

    def opener(**settings) -> Rag:
        rag = open_test_rag(**settings)
        report = rag.ingest(FERRY.encode(), "ferry.md")
        assert report.status in ("indexed", "unchanged"), report.error
        return rag

    return opener


def test_quoting_is_word_for_word_and_cited(ferry) -> None:
    answer = ferry().ask(TICKET)
    assert answer.text == "A day ticket for the island ferry costs 14 crowns. [ferry.md:§ Tickets]"
    assert (answer.status, answer.generator, answer.chat_model) == ("complete", "quote", None)
    assert [citation.quote in FERRY for citation in answer.citations] == [True]
    assert answer.decision.band == "strong"


def test_refusal_at_the_gate_never_calls_the_model(ferry) -> None:
    with FakeOllama(replies=["Puccini [1]."]) as ollama:
        rag = ferry(ollama_host=ollama.host)
        answer = rag.ask(OFF_TOPIC, CHAT)
        assert ollama.requests == []
    assert (answer.status, answer.refusal_stage, answer.generator) == ("refused", "gate", "none")
    assert answer.citations == () and len(answer.hits) == 2, "no sources, but the nearest misses"
    assert answer.text == (
        "I don't know. Nothing in the documents is close enough to this question. "
        f"Best match {answer.decision.top_score:.2f}, cutoff 0.37."
    )


def test_empty_library_is_refused_with_its_reason(open_test_rag) -> None:
    answer = open_test_rag().ask("Anything?")
    assert (answer.refusal_stage, answer.decision.top_score) == ("gate", None)
    assert answer.text == "I don't know: there are no documents to look in yet."


def test_model_answer_with_citations_and_one_to_a_passage_never_sent(ferry) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [1]. Ask the purser [8]."]) as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET, CHAT)
        body = ollama.bodies("/api/chat")[0]
    assert answer.text == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert answer.warnings == (
        "1 reference to passages that were never sent removed.",
        "1 sentence left out: no passage supports it.",
    )
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["options"]["num_ctx"] == 8192 and body["options"]["temperature"] == 0.0
    assert answer.prompt_tokens and answer.prompt_tokens > 50


@pytest.mark.parametrize(
    ("size", "wanted", "prompt"),
    [("1.5B", "auto", SMALL), ("8.0B", "auto", LARGE), ("8.0B", "small", SMALL), ("", "large", LARGE)],
)
def test_model_is_given_the_rules_for_its_size_and_the_trace_says_which(
    ferry, size: str, wanted, prompt: Prompt
) -> None:
    with FakeOllama(replies=["It costs 14 crowns [1]."], parameter_size=size) as ollama:
        rag = ferry(ollama_host=ollama.host)
        answer = rag.ask(TICKET, replace(CHAT, prompt=wanted))
        sent = [body for path, body in ollama.requests if path == "/api/chat"]
    assert [body["messages"][0]["content"] for body in sent] == [prompt.system]
    traced = rag.traces.get(answer.trace_id)["prompt"]
    assert (traced["prompt_for"], traced["prompt_hash"]) == (prompt.name, prompt.hash)


def test_sentinel_is_shown_as_a_refusal_of_the_model_without_sources(ferry) -> None:
    with FakeOllama(replies=[SENTINEL]) as ollama:
        turn = ferry(ollama_host=ollama.host).start(TICKET, CHAT)
        shown = "".join(turn)
    assert shown == ""
    assert (turn.answer.status, turn.answer.refusal_stage) == ("refused", "model")
    assert turn.answer.citations == () and SENTINEL not in turn.answer.text


def test_trace_is_committed_before_the_model_is_called_and_no_transaction_is_open(ferry) -> None:
    seen = {}

    def reply(_body: dict) -> str:
        with rag.database.session() as session:
            seen["traces"] = session.execute(text("select question, outcome from traces")).all()
            seen["idle"] = session.execute(
                text(
                    "select count(*) from pg_stat_activity where datname = current_database() "
                    "and state like 'idle in transaction%'"
                )
            ).scalar_one()
        return "14 crowns [1]."

    with FakeOllama(replies=reply) as ollama:
        rag = ferry(ollama_host=ollama.host)
        answer = rag.ask(TICKET, CHAT)
    assert seen == {"traces": [(TICKET, {})], "idle": 0}
    trace = rag.traces.get(answer.trace_id)
    assert trace["outcome"]["status"] == "complete" and trace["outcome"]["raw_reply"] == "14 crowns [1]."
    assert trace["passages"][0]["text"].startswith("# Ferry terms")
    assert trace["prompt"]["messages"][1]["content"].endswith(f"Question: {TICKET}")


def test_stream_cut_midway_keeps_what_came_and_says_so(ferry) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [1]. Children travel"], cut_after=7) as ollama:
        rag = ferry(ollama_host=ollama.host)
        answer = rag.ask(TICKET, CHAT, new_conversation=True)
    assert answer.status == "interrupted"
    assert answer.text == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert "stopped midway" in answer.warnings[-1] and "is kept" in answer.warnings[-1]
    assert [(m.role, m.status) for m in rag.history.messages(answer.conversation_id)] == [
        ("user", "complete"),
        ("assistant", "interrupted"),
    ]


def test_reader_that_goes_away_midway_saves_the_part_and_stops_the_server(ferry) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [1]. " * 50], piece_delay_s=0.02) as ollama:
        rag = ferry(ollama_host=ollama.host)
        turn = rag.start(TICKET, CHAT, new_conversation=True)
        with closing(iter(turn)) as pieces:
            next(piece for piece in pieces if piece)
        assert ollama.wait_for_abandoned()
    saved = rag.history.messages(turn.answer.conversation_id)
    assert [message.status for message in saved] == ["complete", "interrupted"]
    assert "14 crowns" in saved[1].content


def test_server_down_when_it_was_insisted_on_saves_nothing(ferry) -> None:
    rag = ferry()
    with pytest.raises(ModelUnreachable, match=r"No Ollama answers at http://127\.0\.0\.1:9"):
        rag.start(TICKET, CHAT, new_conversation=True)
    assert rag.history.conversations() == []


def test_missing_model_names_those_that_are_there(ferry) -> None:
    with FakeOllama() as ollama:
        rag = ferry(ollama_host=ollama.host)
        with pytest.raises(ModelMissing, match="`ollama pull mistral`; installed: llama3"):
            rag.ask(TICKET, AskOptions(generator="ollama", chat_model="mistral"))


def test_automatic_choice_falls_back_to_quoting_and_says_why(ferry) -> None:
    with FakeOllama(chat_error=(500, "out of memory")) as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET)
    assert (answer.generator, answer.status) == ("quote", "complete")
    assert "14 crowns" in answer.text
    assert (
        "out of memory" in answer.warnings[0] and "Quoted from the documents instead." in answer.warnings[0]
    )


def test_server_that_never_begins_is_given_up_in_bounded_time(ferry) -> None:
    with FakeOllama(first_delay_s=30) as ollama:
        rag = ferry(ollama_host=ollama.host, first_token_timeout_s=0.4)
        with pytest.raises(ModelStalled, match=r"within 0\.4 s"):
            rag.ask(TICKET, CHAT)


def test_prompt_cut_by_the_server_is_noticed(ferry) -> None:
    with FakeOllama(replies=["14 crowns [1]."], context_length=60) as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET, CHAT)
    assert any("may have been cut off" in warning for warning in answer.warnings)


def test_reply_cut_at_the_length_limit_is_marked(ferry) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [fer"], done_reason="length") as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET, CHAT)
    assert "[fer" not in answer.text.replace("[ferry.md", "")
    assert "The answer was cut off at the length limit." in answer.warnings


def test_passages_that_do_not_fit_are_left_out_and_counted(ferry) -> None:
    with FakeOllama(replies=["14 crowns [1]."], parameter_size="1.5B") as ollama:
        rag = ferry(ollama_host=ollama.host, num_ctx=470, max_reply_tokens=60)
        answer = rag.ask(TICKET, CHAT)
        sent = ollama.bodies("/api/chat")[0]["messages"][1]["content"]
    assert "14 crowns" in sent and "muzzle" not in sent
    assert answer.warnings[0] == (
        "1 of the passages found did not fit into the prompt and were left out: ferry.md:§ Dogs."
    )


def test_strict_evidence_moves_the_cutoff(ferry) -> None:
    answer = ferry().ask(TICKET, AskOptions(strict=True))
    assert (answer.decision.cutoff, answer.decision.strong_from) == (0.52, 0.67)


@pytest.mark.parametrize(
    ("question", "options", "sentence"),
    [
        ("  ", AskOptions(), "The question is empty."),
        ("x" * 4001, AskOptions(), "4,001 characters; at most 4,000"),
        ("Fee?", AskOptions(top_k=0), "top-k is 0"),
        ("Fee?", AskOptions(threshold=3), "The cutoff is 3"),
    ],
)
def test_question_that_cannot_be_asked(ferry, question: str, options: AskOptions, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        ferry().ask(question, options)


def test_conversation_that_was_deleted(ferry) -> None:
    with pytest.raises(NotFound, match="may have been deleted"):
        ferry().ask(TICKET, conversation_id=77)


def test_reply_that_is_only_a_reference_quotes_what_it_refers_to(ferry) -> None:
    with FakeOllama(replies=["[2]"]) as ollama:
        answer = ferry(ollama_host=ollama.host).ask(TICKET, CHAT)
    assert answer.text == ("Dogs need a muzzle on the upper deck and a ticket of 3 crowns. [ferry.md:§ Dogs]")
    assert answer.generator == "quote" and "reference only" in answer.warnings[0]


@pytest.mark.parametrize(
    "question",
    [
        "What does a day ticket\x00 cost?",
        "What does a day ticket co\u00adst? \ud83d",
        "What does a day ti\u200bcket cost?",
        "What does a day ticket cost?\udc00",
    ],
)
def test_question_with_characters_that_no_database_takes(ferry, question: str) -> None:
    rag = ferry()
    answer = rag.ask(question, new_conversation=True)
    assert "14 crowns" in answer.text
    said = rag.history.messages(answer.conversation_id)[0].content
    assert said == answer.question == rag.traces.get(answer.trace_id)["question"]
    assert not set(said) & set("\x00\u00ad\u200b\ud83d\udc00")


def test_question_with_a_ligature_finds_the_plain_word(ferry) -> None:
    rag = ferry()
    rag.ingest("# Depot\n\nThe oﬃce of the depot keeps ﬁve keys.".encode(), "depot.md")
    scores = [
        rag.ask(f"Which {word} keeps keys?").decision.top_score for word in ("office", "oﬃce", "ｏｆｆｉｃｅ")
    ]
    assert len(set(scores)) == 1 and scores[0] > 0.5


def test_question_of_invisible_characters_is_empty(ferry) -> None:
    with pytest.raises(InputError, match="The question is empty"):
        ferry().ask("\u200b\ufeff\x00")


def test_question_longer_than_the_embedder_reads(ferry) -> None:
    with pytest.raises(
        EmbeddingError, match=r"^The question “What does .* reads at most 256. Split or shorten it"
    ):
        ferry().ask(f"{TICKET} " * 60)


@pytest.mark.parametrize("question", ["🙂🙂", "โรงอาหารขายอะไร"])
def test_question_in_words_unknown_to_the_model_is_not_compared(ferry, question: str) -> None:
    """Unknown words are all one: without this the two had a cosine of 0.54 and an answer."""
    rag = ferry()
    report = rag.ingest("ห้องสมุดเปิดเวลาเก้าโมงเช้า".encode(), "thai.txt")
    assert "does not know 100% of the words" in report.warnings[0]
    with pytest.raises(EmbeddingError, match="does not know the words of"):
        rag.ask(question)


def test_thousand_passages(ferry) -> None:
    rag = ferry()
    rules = "\n\n".join(f"Rule {n}: zone {n} pays {3 * n} crowns a day." for n in range(400))
    rag.ingest(rules.encode(), "rules.txt")
    with FakeOllama(replies=["Zone 12 pays 36 crowns [1]."]) as ollama:
        answer = ferry(ollama_host=ollama.host).ask("What does zone 12 pay?", replace(CHAT, top_k=1000))
    assert (
        len(answer.hits) > 40
        and "did not fit into the prompt and were left out: rules.txt:1" in answer.warnings[0]
    )
    assert rag.ask("What does zone 12 pay?", AskOptions(top_k=1000, generator="quote")).citations
    with pytest.raises(InputError, match="at most 1,000"):
        rag.ask("What does zone 12 pay?", AskOptions(top_k=10**30))


def test_nul_in_a_reply_is_neither_shown_nor_stored(ferry) -> None:
    with FakeOllama(replies=["A day ticket\x00 costs 14 crowns\x00 [1]."]) as ollama:
        rag = ferry(ollama_host=ollama.host)
        answer = rag.ask(TICKET, CHAT, new_conversation=True)
    assert answer.text == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert rag.history.messages(answer.conversation_id)[1].content == answer.text


@pytest.mark.parametrize("change", ["collection deleted", "document replaced", "document deleted"])
def test_library_that_changes_between_retrieval_and_citation(ferry, change: str) -> None:
    with FakeOllama(replies=["A day ticket costs 14 crowns [1]."]) as ollama:
        rag = ferry(ollama_host=ollama.host)
        turn = rag.start(TICKET, CHAT, new_conversation=True)
        if change == "collection deleted":
            rag.collections.delete("library")
        elif change == "document replaced":
            rag.ingest(b"# Ferry terms\n\nA day ticket costs 99 crowns.", "ferry.md")
        else:
            rag.library.delete_document("library", "ferry.md")
        answer = turn.run()
    assert answer.text == "A day ticket costs 14 crowns [ferry.md:§ Tickets]."
    assert len(rag.history.messages(answer.conversation_id)) == 2
    with pytest.raises(NotFound, match="replaced or deleted since it was cited"):
        rag.views.text(answer.citations[0].document_id, answer.citations[0].quote)
