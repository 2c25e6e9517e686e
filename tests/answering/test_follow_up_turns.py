"""Turns that lean on the turn before: real search, real database, a chat server that rewrites by script."""

from dataclasses import replace

import pytest

from ragcore import AskOptions
from ragcore.answering.rewriting import MOST_NEW_WORDS, REPLY_TOKENS, objection
from tests.fake_ollama import FakeOllama

HANDBOOK = """# Mill handbook

## Vacation

A miller has 15 days of vacation a year during the first five years. After five years it is 20 days.

## Sick leave

A miller has 8 days of paid sick leave a year. Unused sick leave carries over up to 10 days.

## Remote work

Remote work is allowed on three days a week, with the approval of the foreman.

## Sauna

The sauna in the wheel house opens at 17:30. A session costs £4. Guests pay £6 for a session.
"""
VACATION = "How many days of vacation does a miller have?"
AND_FIVE = "And after five years?"
PARIS = "What is the capital of France?"
ROME = "And what about the Roman Empire?"
QUOTE = AskOptions(generator="quote")
CHAT = AskOptions(generator="ollama")


@pytest.fixture
def mill(open_test_rag):
    def opener(**settings):
        rag = open_test_rag(**settings)
        assert rag.ingest(HANDBOOK.encode(), "mill.md").error is None
        return rag

    return opener


def talk(rag, *questions, options=QUOTE):
    """The answers to questions of one conversation."""
    answers = [rag.ask(questions[0], options, new_conversation=True)]
    for question in questions[1:]:
        answers.append(rag.ask(question, options, conversation_id=answers[0].conversation_id))
    return answers


def follow_up(rag, answer):
    return rag.traces.get(answer.trace_id)["profile"]["follow_up"]


def test_ellipsis_is_asked_with_the_topic_of_the_question_before(mill):
    rag = mill()
    _, answer = talk(rag, VACATION, AND_FIVE)
    assert answer.question == AND_FIVE
    assert answer.standalone_question == "days vacation miller: And after five years?"
    assert answer.status == "complete"
    assert answer.hits[0].section[-1] == "Vacation"
    kept = follow_up(rag, answer)
    assert (kept["how"], kept["refers_back"], kept["base"]) == (
        "rule",
        "it is a part of a question",
        VACATION,
    )
    assert kept["own_score"] == answer.own_score < answer.decision.top_score
    assert kept["floor"] == rag.floor("library") == 0.2
    assert rag.traces.get(answer.trace_id)["standalone_question"] == answer.standalone_question


def test_first_turn_refers_to_nothing(mill):
    rag = mill()
    answer = rag.ask(AND_FIVE, QUOTE, new_conversation=True)
    assert (answer.standalone_question, answer.own_score) == (AND_FIVE, None)
    assert follow_up(rag, answer) is None


def test_self_contained_question_is_asked_as_it_stands_and_refused(mill):
    with FakeOllama(replies=["15 days [1].", "What is the vacation of France?"]) as ollama:
        rag = mill(ollama_host=ollama.host)
        first, answer = talk(rag, VACATION, PARIS, options=CHAT)
        assert len(ollama.bodies("/api/chat")) == 1
    assert first.status == "complete"
    assert (answer.standalone_question, answer.refusal_stage) == (PARIS, "gate")
    assert follow_up(rag, answer)["note"] == "it stands alone"


def test_other_subject_that_leans_is_asked_as_it_stands_and_refused(mill):
    rag = mill()
    _, answer = talk(rag, VACATION, ROME)
    assert (answer.standalone_question, answer.status) == (ROME, "refused")
    assert follow_up(rag, answer)["note"].endswith("another topic")


def test_second_door_closes_on_own_words_below_the_floor(mill):
    rag = mill()
    _, answer = talk(rag, VACATION, "Can five dragons sleep on it?")
    assert answer.decision.top_score > answer.decision.cutoff
    assert (answer.status, answer.refusal_stage, answer.generator) == ("refused", "follow_up_gate", "none")
    assert answer.own_score < rag.floor("library")
    assert answer.text == f"I don't know. {answer.decision.reason}"
    assert f"alone reach {answer.own_score:.2f}, floor 0.20." in answer.text
    assert f"best match is {answer.decision.top_score:.2f}, cutoff 0.37" in answer.text
    assert answer.citations == ()


def test_capital_of_france_with_both_questions_together_meets_the_floor(mill):
    rag = mill()
    _, leaked = talk(rag, VACATION, PARIS, options=replace(QUOTE, follow_ups="combined"))
    assert leaked.status == "complete", "what the floor is there for"
    _, answer = talk(rag, VACATION, PARIS, options=replace(QUOTE, follow_ups="combined_floor"))
    assert (answer.standalone_question, answer.refusal_stage) == (f"{VACATION} {PARIS}", "follow_up_gate")


def test_applied_floor_counts(mill):
    rag = mill()
    info = rag.library.collection("library")
    from ragcore.storage import profile_of

    rag.calibrations.save(
        profile=profile_of(info.embedder, info.chunking), corpus_hash=info.content_hash, question_set="mill",
        cutoff=0.3, follow_up_floor=0.9, reason="", counts={}, apply=True,
    )  # fmt: skip
    assert rag.floor("library") == 0.9
    _, answer = talk(rag, VACATION, AND_FIVE)
    assert (answer.refusal_stage, answer.decision.cutoff) == ("follow_up_gate", 0.3)


def test_floor_is_not_asked_of_words_without_a_subject(mill):
    rag = mill()
    _, answer = talk(rag, "What does a session in the sauna cost?", "How much is it?")
    assert follow_up(rag, answer)["floor"] is None
    assert (answer.status, answer.hits[0].section[-1]) == ("complete", "Sauna")


def test_chain_leans_on_the_standalone_question(mill):
    rag = mill()
    answers = talk(
        rag, "What is the sick leave of a miller?", "How many days of it are paid?", "Can I carry them over?"
    )
    assert follow_up(rag, answers[2])["base"] == answers[1].standalone_question
    assert "sick" in answers[2].standalone_question and "paid" in answers[2].standalone_question
    assert [answer.hits[0].section[-1] for answer in answers] == ["Sick leave"] * 3


def test_refused_turns_and_small_talk_are_no_base_and_not_in_the_prompt(mill):
    with FakeOllama(
        replies=[
            "15 days [1].",
            "How many days of vacation does a miller have after five years?",
            "20 days [1].",
        ]
    ) as ollama:
        rag = mill(ollama_host=ollama.host)
        answers = talk(rag, VACATION, PARIS, "Thanks!", AND_FIVE, options=CHAT)
        bodies = ollama.bodies("/api/chat")
    assert [answer.status for answer in answers] == ["complete", "refused", "complete", "complete"]
    assert follow_up(rag, answers[3])["base"] == VACATION
    assert len(bodies) == 3
    assert not [body for body in bodies if "France" in str(body) or "Thanks" in str(body)]


def test_no_evidence_of_an_earlier_turn(mill):
    rag = mill()
    first, answer = talk(
        rag, VACATION, "What does a session in the sauna cost?", options=replace(QUOTE, top_k=1)
    )
    assert [hit.section[-1] for hit in (*first.hits, *answer.hits)] == ["Vacation", "Sauna"]
    assert {citation.section for citation in answer.citations} == {answer.hits[0].section}


def test_small_talk_is_neither_question_nor_refusal(mill):
    with FakeOllama() as ollama:
        rag = mill(ollama_host=ollama.host)
        answer = rag.ask("thanks", CHAT, new_conversation=True)
        assert ollama.requests == []
    assert (answer.status, answer.generator, answer.refusal_stage) == ("complete", "none", None)
    assert answer.text.startswith("You're welcome")
    assert (answer.hits, answer.citations, answer.decision.top_score) == ((), (), None)
    assert rag.traces.get(answer.trace_id)["profile"]["small_talk"] is True
    assert [message.content for message in rag.history.messages(answer.conversation_id)] == [
        "thanks",
        answer.text,
    ]


def test_model_rewrites_at_temperature_0_with_few_tokens(mill):
    written = "How many days of vacation does a miller have after five years?"
    with FakeOllama(replies=["15 days [1].", f'"{written}"', "20 days [1]."]) as ollama:
        rag = mill(ollama_host=ollama.host)
        _, answer = talk(rag, VACATION, AND_FIVE, options=replace(CHAT, temperature=0.9))
        bodies = ollama.bodies("/api/chat")
    assert (answer.standalone_question, follow_up(rag, answer)["how"]) == (written, "model")
    assert len(follow_up(rag, answer)["prompt_hash"]) == 12
    assert bodies[1]["options"]["temperature"] == 0
    assert bodies[1]["options"]["num_predict"] == REPLY_TOKENS
    asked = bodies[1]["messages"][1]["content"]
    assert f"Question before: {VACATION}" in asked and f"Last question: {AND_FIVE}" in asked
    assert f"Question: {written}" in bodies[2]["messages"][1]["content"]


def test_rejected_rewrite_falls_back_to_the_rule(mill):
    with FakeOllama(replies=["15 days [1].", "What is the capital of France?", "20 days [1]."]) as ollama:
        rag = mill(ollama_host=ollama.host)
        _, answer = talk(rag, VACATION, AND_FIVE, options=CHAT)
    assert answer.standalone_question == "days vacation miller: And after five years?"
    assert follow_up(rag, answer)["how"] == "rule"
    assert follow_up(rag, answer)["note"] == "the model's rewrite was not used: it has lost “after”"


def test_below_the_floor_no_model_is_asked_to_rewrite(mill):
    with FakeOllama(replies=["15 days [1]."]) as ollama:
        rag = mill(ollama_host=ollama.host)
        talk(rag, VACATION, "Can five dragons sleep on it?", options=CHAT)
        assert len(ollama.bodies("/api/chat")) == 1


@pytest.mark.parametrize(
    ("rewrite", "against"),
    [
        ("How many days of vacation after five years?", ""),
        ("How many days of paid vacation does a miller have after five years?", ""),
        ("How many days of vacation does a miller have?", "it has lost “after”"),
        ("How many days of vacation does a miller in Paris have after five years?", "it names “pari”, which nobody has said"),
        ("How many days of vacation after five years, since 1998?", "it names “1998”, which nobody has said"),
        ("How many vacation days after five years? And before?", "it is not a single question"),
        ("Vacation after five years?\nIt is 20 days.", "it is not a single question"),
        ("How many days of vacation after five years [mill.md:1]?", "it is not a single question"),
        ("What happens after five years?", "it takes nothing from the question before"),
        ("How many days of vacation after five years " + "and days of vacation " * 6, "it is too long"),
        ("vacation policy employment contract tariff after five years?", "words that nobody has said"),
        ("", "it is empty"),
    ],
)  # fmt: skip
def test_guards_of_a_rewrite(rewrite, against):
    found = objection(rewrite, AND_FIVE, VACATION)
    assert found.endswith(against) if against else found == ""
    assert MOST_NEW_WORDS == 2


def test_name_may_come_from_the_answer_but_not_much_else():
    base, answer = (
        "Which boat has the call sign Wendle 9?",
        "Wendle 9 is Dipper, the dinghy kept at Millrace. [a.md:1]",
    )
    assert (
        objection("What does half a day in Dipper cost?", "What does half a day in her cost?", base, answer)
        == ""
    )
    stuffed = "What does half a day in Dipper, the dinghy kept at Millrace cost?"
    assert (
        objection(stuffed, "What does half a day in her cost?", base, answer)
        == "it takes too much from the last answer"
    )


def test_rewrite_in_another_language():
    base = "Wie viele Tage Urlaub hat ein Müller im ersten Jahr seiner Arbeit?"
    question = "Und wie viele Tage sind es nach fünf Jahren Arbeit in der Mühle?"
    german = (
        "Wie viele Tage Urlaub hat ein Müller, und wie viele sind es nach fünf Jahren Arbeit in der Mühle?"
    )
    english = (
        "How many days of Urlaub does a Müller have after working for five years in the mill over there?"
    )
    assert objection(english, question, base) == "it is in another language"
    assert objection(german, question, base) == ""


def test_asked_again_it_does_not_lean_on_the_answer_it_replaces(mill):
    rag = mill()
    _, answer = talk(rag, VACATION, AND_FIVE)
    turn = rag.start(AND_FIVE, QUOTE, conversation_id=answer.conversation_id, replaces=answer.message_id)
    assert follow_up(rag, turn.answer)["base"] == VACATION
    as_typed = rag.start(
        AND_FIVE,
        replace(QUOTE, follow_ups="alone"),
        conversation_id=answer.conversation_id,
        replaces=answer.message_id,
    )
    assert as_typed.answer.standalone_question == AND_FIVE
    assert follow_up(rag, as_typed.answer)["note"] == "asked as typed"


def test_words_that_find_too_little_alone_are_looked_for_with_the_question_before(mill):
    rag = mill()
    sauna = "What does a session in the sauna cost?"
    first = rag.ask(sauna, QUOTE, new_conversation=True)
    alone = rag.ask("Do guests pay?", QUOTE).decision.top_score
    options = replace(QUOTE, threshold=alone + 0.01)
    answer = rag.ask("Do guests pay?", options, conversation_id=first.conversation_id)
    assert follow_up(rag, answer)["how"] == "rule"
    assert answer.hits[0].section[-1] == "Sauna"
    other = rag.ask("Do pirates pay?", replace(options, threshold=0.9), conversation_id=first.conversation_id)
    assert follow_up(rag, other)["how"] == "none"
