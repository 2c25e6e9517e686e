"""Conversations: turns alternate, and everything comes back."""

import pytest

from ragcore.errors import InputError, NotFound
from ragcore.records import Citation
from ragcore.storage import Collections, Database, History, Library, Traces

CITATION = Citation(
    "terms.pdf", 3, "The fee is 20.", "3", 1, 2, section=("Fees", "Due"), page_label="iii", passage=1
)


@pytest.fixture
def history(database: Database) -> History:
    return History(database)


def add(history: History, conversation: int, question: str, trace_id: int | None = None) -> int:
    return history.add_turn(
        conversation,
        question=question,
        answer="20.",
        status="complete",
        citations=[CITATION],
        trace_id=trace_id,
    )


def test_turn_comes_back_with_citations_and_trace(database: Database, history: History) -> None:
    trace_id = Traces(database).begin(
        question="fee?",
        standalone_question="fee?",
        profile={},
        cutoff=0.25,
        top_score=0.5,
        decision={"band": "strong"},
        passages=[],
        prompt={},
    )
    conversation = history.create("fee?", collection="library")
    add(history, conversation, "fee?", trace_id)
    asked, answered = history.messages(conversation)
    assert (asked.role, asked.content, answered.role, answered.content) == (
        "user",
        "fee?",
        "assistant",
        "20.",
    )
    assert answered.citations == (CITATION,)
    assert answered.trace is not None and answered.trace["top_score"] == 0.5


def test_list_is_newest_first_and_searched_without_wildcards(history: History) -> None:
    first, second = (history.create(title, collection="library") for title in ("Fees 100%", "Parking"))
    add(history, first, "What are the fees?")
    add(history, second, "Where do I park?")
    assert [info.title for info in history.conversations()] == ["Parking", "Fees 100%"]
    add(history, first, "And next year?")
    assert [info.title for info in history.conversations()] == ["Fees 100%", "Parking"]
    assert [info.title for info in history.conversations(search="PARK")] == ["Parking"]
    assert [info.title for info in history.conversations(search="%")] == ["Fees 100%"]


def test_conversation_in_which_nothing_was_said_is_not_listed(history: History) -> None:
    history.create("never answered", collection="library")
    assert history.conversations() == []


def test_rename_and_delete(history: History) -> None:
    conversation = history.create("a" * 200, collection="library")
    assert len(history.conversation(conversation).title) == 80
    history.rename(conversation, "  Fees \n and  dates ")
    assert history.conversation(conversation).title == "Fees and dates"
    with pytest.raises(InputError, match="at least one letter"):
        history.rename(conversation, "  ")
    history.delete(conversation)
    with pytest.raises(NotFound, match="may have been deleted"):
        history.messages(conversation)


def test_taking_a_turn_back_leaves_those_around_it(history: History) -> None:
    conversation = history.create("fees", collection="library")
    ids = [add(history, conversation, question) for question in ("first", "second", "third")]
    history.remove_turn(ids[1])
    asked = [message.content for message in history.messages(conversation) if message.role == "user"]
    assert asked == ["first", "third"]
    history.remove_turn(ids[1])
    assert len(history.messages(conversation)) == 4


def test_what_is_shared_and_what_is_a_sessions_stay_apart(database: Database, history: History) -> None:
    library = Library(database)
    for name, kind in (("manuals", "library"), ("session-mine", "session"), ("session-other", "session")):
        library.create_collection(name, chunking={}, kind=kind)
    shared, mine = history.create("a", collection="manuals"), history.create("b", collection="session-mine")
    history.check_can_go_on(shared, "manuals")
    history.check_can_go_on(shared, "library")
    history.check_can_go_on(mine, "session-mine")
    with pytest.raises(InputError, match="Begin a new one"):
        history.check_can_go_on(shared, "session-mine")
    for other in ("manuals", "session-other"):
        with pytest.raises(NotFound):
            history.check_can_go_on(mine, other)


def test_conversation_about_a_sessions_uploads_is_that_sessions_alone(
    database: Database, history: History
) -> None:
    Library(database).create_collection("session-mine", chunking={}, kind="session")
    trace_id = Traces(database).begin(
        question="secret?",
        standalone_question="secret?",
        profile={},
        cutoff=0.25,
        top_score=0.5,
        decision={},
        passages=[],
        prompt={},
    )
    conversation = history.create("secret?", collection="session-mine")
    add(history, conversation, "secret?", trace_id)
    assert [c.title for c in history.conversations(session="session-mine")] == ["secret?"]
    assert history.conversations() == history.conversations(session="session-other") == []
    assert history.conversation(conversation, session="session-mine").messages == 2
    with pytest.raises(NotFound):
        history.conversation(conversation, session="session-other")
    Collections(database).delete("session-mine")
    with pytest.raises(NotFound):
        history.conversation(conversation, session="session-mine")
    with pytest.raises(NotFound):
        Traces(database).get(trace_id)


def test_characters_that_postgres_refuses_are_replaced(history: History, database: Database) -> None:
    conversation = history.create("What\x00 now \ud800?", collection="library")
    trace = Traces(database).begin(
        question="q\x00",
        standalone_question="q\udfff",
        profile={"embedder\x00": "a\ud83d\ude00"},
        cutoff=0.25,
        top_score=None,
        decision={},
        passages=[{"text": "NUL \x00, and the words \\\\u0000"}],
        prompt={},
    )
    add(history, conversation, "a\x00\x00b", trace)
    assert history.conversation(conversation).title == "What\ufffd now \ufffd?"
    question, answer = history.messages(conversation)
    assert question.content == "a\ufffd\ufffdb"
    assert answer.trace["question"] == "q\ufffd" and answer.trace["profile"] == {"embedder\ufffd": "a😀"}
    assert answer.trace["passages"][0]["text"] == "NUL \ufffd, and the words \\\\u0000"
    assert [found.id for found in history.conversations(search="\x00b")] == [conversation]
    history.rename(conversation, "\ud800x")
    assert history.conversation(conversation).title == "\ufffdx"
