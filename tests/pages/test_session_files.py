"""Files just for a session: seen by nobody else, and gone with it."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from streamlit.runtime.caching import clear_session_resource_cache

SECRET = "The vault code of the Kestrel project is 7741."
QUESTION = "What is the vault code of the Kestrel project?"


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.subheader))


@pytest.fixture
def app(open_app, when_indexed):
    """A session that has uploaded a file of its own."""
    app = open_app().switch_page("pages/documents.py").run()
    app.segmented_control(key="where_to").set_value("Just for this session").run()
    app.file_uploader[0].set_value([("secret.txt", SECRET.encode(), "")]).run()
    return when_indexed(app)


def asked(app):
    """The chat page with the session's files chosen and a question about them answered."""
    app.switch_page("pages/documents.py").run()
    app.button(key="ask_these").click().run()
    # AppTest follows a page's own switch for one run only.
    app.switch_page("pages/chat.py").run()
    return app.chat_input(key="question_box").set_value(QUESTION).run()


def expires_in(rag, name) -> timedelta:
    with rag.database.session() as session:
        at = session.execute(text("select expires_at from collections where name = :name"), {"name": name})
        return at.scalar_one() - datetime.now(UTC)


def test_they_go_into_a_collection_of_its_own(app, rag):
    (info,) = rag.library.collections()
    assert (info.kind, info.documents) == ("session", 1)
    assert info.name == app.session_state["session_collection"]
    assert "1 in this session's files" in texts(app)
    assert timedelta(minutes=119) < expires_in(rag, info.name) <= timedelta(hours=2)


def test_they_are_asked_on_the_chat_page(app, rag):
    asked(app)
    assert app.selectbox(key="collection").options == ["This session's files"]
    assert "7741" in app.chat_message[1].markdown[0].value
    assert rag.history.conversations() == []


def test_another_session_sees_neither_files_nor_conversation(app, open_app, rag):
    asked(app)
    number = app.query_params["conversation"][0]
    other = open_app(conversation=number)
    assert f"no conversation {number}" in other.warning[0].value
    assert len(other.chat_message) == 0
    for page in ("pages/chat.py", "pages/documents.py", "pages/status.py"):
        other.switch_page(page).run()
        drawn = texts(other) + "".join(str(box.options) for box in other.selectbox)
        assert "secret.txt" not in drawn and "session-" not in drawn and "7741" not in drawn
        assert QUESTION not in [button.label for button in other.button]


def test_question_about_them_never_lands_in_a_conversation_that_others_see(app, rag):
    rag.ingest(b"The pump runs at 40 bar.", "pump.txt")
    app.switch_page("pages/chat.py").run()
    app.selectbox(key="collection").set_value("library").run()
    app.chat_input(key="question_box").set_value("At what pressure does the pump run?").run()
    shared = app.query_params["conversation"]
    app.selectbox(key="collection").set_value(app.session_state["session_collection"]).run()
    app.chat_input(key="question_box").set_value(QUESTION).run()
    assert app.query_params["conversation"] != shared
    assert "7741" in app.chat_message[1].markdown[0].value
    assert [info.messages for info in rag.history.conversations()] == [2]
    app.selectbox(key="collection").set_value("library").run()
    app.chat_input(key="question_box").set_value("And what does it run at?").run()
    assert len(rag.history.conversations()) == 2


def test_end_of_the_session_ends_them(app, rag):
    asked(app)
    (info,) = (info for info in rag.library.collections() if info.kind == "session")
    # What Streamlit does when the browser goes away; AppTest gives all sessions this name.
    clear_session_resource_cache("test session id")
    assert expires_in(rag, info.name) <= timedelta(seconds=20)
    rag.collections.keep_until(info.name, datetime.now(UTC))
    assert rag.collections.delete_expired() == 1
    app.switch_page("pages/chat.py").run()
    assert not app.exception
    assert "may have been deleted" in app.warning[0].value
    with rag.database.session() as session:
        left = {
            table: session.execute(text(f"select count(*) from {table}")).scalar_one()
            for table in ("documents", "chunks", "uploads", "conversations", "messages", "traces")
        }
    assert set(left.values()) == {0}, left


def test_connection_that_comes_back_keeps_them(app, rag):
    (info,) = rag.library.collections()
    rag.collections.keep_until(info.name, datetime.now(UTC) + timedelta(seconds=20))
    app.run()
    assert expires_in(rag, info.name) > timedelta(minutes=119)
