"""The chat page, from an empty library to a conversation that is reopened."""

import json
import math

import pytest

from tests.fake_ollama import FakeOllama

HUMIDITY = "At what humidity must the dome be closed?"
WORLD_CUP = "Who won the football World Cup in 1998?"


def ask(app, question):
    return app.chat_input(key="question_box").set_value(question).run()


def said(app):
    """Who spoke in turn, as the avatars tell: u for the user, a for the assistant."""
    return "".join(message.name[0] for message in app.chat_message)


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption))


def pages_html(app):
    return "\n".join(element.value for element in app.html)


def test_empty_library_invites(open_app):
    app = open_app()
    assert not app.exception
    assert len(app.file_uploader) == 1
    assert app.button(key="load_sample").label == "Load the sample documents"
    assert app.chat_input(key="question_box").disabled


def test_sample_is_loaded_by_one_click(open_app, when_indexed):
    app = open_app()
    app.button(key="load_sample").click().run()
    assert not app.exception
    assert "**observatory-guide.pdf**" in texts(app)
    when_indexed(app)
    assert "3 documents in “library”" in texts(app)
    assert not app.chat_input(key="question_box").disabled


def test_without_ollama_the_page_says_that_it_quotes(app_with_sample):
    assert "Answers are quoted word for word." in texts(app_with_sample)
    assert "ollama serve" in [code.value for code in app_with_sample.code]


def test_question_is_answered_with_its_page(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    assert said(app) == "ua"
    answer = app.chat_message[1]
    assert "88 %" in answer.markdown[0].value
    assert "[observatory-guide.pdf:4]" in answer.markdown[0].value
    assert any("Strong evidence" in m.value for m in answer.markdown)
    assert any("Quoted word for word" in m.value for m in answer.markdown)


def test_citation_opens_the_passage_with_the_sentence_marked(app_with_sample):
    app = ask(app_with_sample, HUMIDITY)
    passage = next(e.value for e in app.html if "pl-passage" in e.value)
    assert "Relative humidity 88 %" in passage.split("<mark>")[1].split("</mark>")[0]
    assert "page 4 (printed “3”)" in texts(app)


def test_receipt_tells_score_cutoff_and_that_no_model_was_called(app_with_sample):
    app = ask(app_with_sample, HUMIDITY)
    html = pages_html(app)
    assert "cutoff 0.37" in html
    assert "<dd>not called: the documents are quoted</dd>" in html
    assert f"<dt>Searched for</dt><dd>{HUMIDITY}</dd>" in html


def test_refusal_shows_scores_and_misses_but_no_source(app_with_sample, rag):
    app = ask(app_with_sample, WORLD_CUP)
    answer = app.chat_message[1]
    assert answer.markdown[0].value.startswith("I don't know.")
    assert "cutoff 0.37" in answer.markdown[0].value
    assert any("Refused" in m.value for m in answer.markdown)
    html = pages_html(app)
    assert "Nearest misses, not used as sources" in html
    assert "<mark>" not in html
    assert "<dd>not called</dd>" in html


def test_conversation_is_in_the_address_and_comes_back(app_with_sample, open_app):
    app = ask(app_with_sample, HUMIDITY)
    number = app.query_params["conversation"]
    reopened = open_app(conversation=number)
    assert said(reopened) == "ua"
    assert "88 %" in reopened.chat_message[1].markdown[0].value


@pytest.mark.parametrize("named", ["999999", "abc", "-1", ""])
def test_address_of_no_conversation(open_app, named):
    app = open_app(conversation=named)
    assert not app.exception
    assert said(app) == ""


def test_address_of_a_deleted_conversation_says_so(open_app):
    assert "no conversation 999999" in open_app(conversation="999999").warning[0].value


def test_follow_up_lands_in_the_same_conversation(app_with_sample, rag):
    ask(ask(app_with_sample, HUMIDITY), WORLD_CUP)
    assert [info.messages for info in rag.history.conversations()] == [4]


def test_new_conversation(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    app.button(key="new_conversation").click().run()
    assert said(app) == ""
    ask(app, WORLD_CUP)
    assert [info.title for info in rag.history.conversations()] == [WORLD_CUP, HUMIDITY]


def test_ask_again_replaces_the_last_turn(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    again = next(button for button in app.button if button.label == "Ask again")
    again.click().run()
    assert said(app) == "ua"
    assert [info.messages for info in rag.history.conversations()] == [2]


def test_rename(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    (info,) = rag.history.conversations()
    app.menu_button(key=f"menu_{info.id}").click("Rename").run()
    app.text_input(key=f"title_{info.id}").set_value("Dome limits")
    app.button(key=f"rename_{info.id}").click().run()
    assert rag.history.conversation(info.id).title == "Dome limits"


def test_delete_asks_first(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    (info,) = rag.history.conversations()
    app.menu_button(key=f"menu_{info.id}").click("Delete").run()
    assert len(rag.history.conversations()) == 1
    app.button(key=f"delete_{info.id}").click().run()
    assert rag.history.conversations() == []
    assert said(app) == ""


def test_search_in_what_was_said(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    app.button(key="new_conversation").click().run()
    ask(app, WORLD_CUP)
    app.text_input(key="conversation_search").set_value("88 %").run()
    shown = [button.label for button in app.sidebar.button if (button.key or "").startswith("open_")]
    assert shown == [HUMIDITY]


def test_settings_survive_a_page_change_and_are_logged(app_with_sample, rag):
    app = app_with_sample
    app.slider(key="cutoff_library").set_value(0.5).run()
    app.switch_page("pages/documents.py").run()
    app.switch_page("pages/chat.py").run()
    assert app.slider(key="cutoff_library").value == 0.5
    ask(app, HUMIDITY)
    (info,) = rag.history.conversations()
    assert rag.history.messages(info.id)[1].trace["cutoff"] == 0.5


def test_strict_evidence_raises_the_cutoff(app_with_sample, rag):
    app = app_with_sample
    app.toggle(key="strict").set_value(True).run()
    ask(app, WORLD_CUP)
    assert "cutoff 0.52" in app.chat_message[1].markdown[0].value


def test_dollars_images_and_html_stay_text(open_app, rag):
    nasty = "The fee is $5 and $6, see ![x](http://127.0.0.1:1/leak) or <script>alert(1)</script>"
    rag.ingest(nasty.encode(), "fees.txt")
    app = ask(open_app(), "What is the fee?")
    drawn = app.chat_message[1].markdown[0].value
    assert r"\$5 and \$6" in drawn
    assert r"\![x\](" in drawn
    assert r"\<script\>" in drawn
    assert "&lt;script&gt;" in pages_html(app)
    assert "<script>" not in pages_html(app)
    (info,) = rag.history.conversations()
    assert nasty in rag.history.messages(info.id)[1].content


def test_every_control_explains_itself(app_with_sample):
    app = ask(app_with_sample, HUMIDITY)
    # AppTest knows the help of these; the chat input and menus have none or hide it.
    for page in ("pages/chat.py", "pages/documents.py", "pages/status.py"):
        app.switch_page(page).run()
        controls = [
            *app.button,
            *app.slider,
            *app.selectbox,
            *app.toggle,
            *app.text_input,
            *app.file_uploader,
        ]
        assert [control.label for control in controls if not control.help] == []


def test_answer_that_is_asked_again_stays_until_there_is_another(app_with_sample, open_app, rag):
    with FakeOllama(replies=["The dome closes at 88 % [1]."]) as ollama:
        app = ask(open_app(ollama=ollama.host), HUMIDITY)
        ollama.chat_error = (500, "out of memory")
        next(button for button in app.button if button.label == "Ask again").click().run()
        (info,) = rag.history.conversations()
        assert "out of memory" in app.error[0].value
        assert "88 %" in app.chat_message[1].markdown[0].value
        assert info.messages == 2
        ollama.chat_error = None
        ollama.replies = ["It is closed at 88 % [1]."]
        next(button for button in app.button if button.label == "Ask again").click().run()
    assert said(app) == "ua"
    # A paraphrase is shown in the words of the document.
    assert rag.history.messages(info.id)[1].content.startswith("“Relative humidity 88 %")


# --- with a model -------------------------------------------------------------


def test_model_writes_and_is_named_in_the_receipt(app_with_sample, open_app, rag):
    with FakeOllama(replies=["The dome closes at 88 % [1]. It costs $5 and $6."]) as ollama:
        app = ask(open_app(ollama=ollama.host), HUMIDITY)
        assert app.selectbox(key="answered_by").value == "llama3:latest"
    # A paraphrase is shown in the words of the document.
    shown = app.chat_message[1].markdown[0].value
    assert shown == "“Relative humidity 88 % 15 minutes below 85 %” [observatory-guide.pdf:4]"
    assert "<dd>called: llama3:latest</dd>" in pages_html(app)


def test_refused_question_never_reaches_the_model(app_with_sample, open_app):
    with FakeOllama() as ollama:
        ask(open_app(ollama=ollama.host), WORLD_CUP)
        assert "/api/chat" not in [path for path, _ in ollama.requests]


def test_model_that_is_gone_leaves_the_question_in_the_box(app_with_sample, open_app, rag):
    with FakeOllama(models={"llama3": "chat", "other": "chat"}) as ollama:
        app = open_app(ollama=ollama.host)
        del ollama.models["llama3"]
        ask(app, HUMIDITY)
        assert "ollama pull llama3" in app.error[0].value
        assert not app.exception
        assert app.chat_input(key="question_box").proto.value == HUMIDITY
        app.button(key="quote_failed").click().run()
    assert "88 %" in app.chat_message[1].markdown[0].value
    assert [info.messages for info in rag.history.conversations()] == [2]


def test_server_that_goes_down_says_where_it_looked(app_with_sample, open_app):
    with FakeOllama() as ollama:
        app = open_app(ollama=ollama.host)
        address = ollama.host.removeprefix("http://")
    ask(app, HUMIDITY)
    # As Markdown, a colon is written with a backslash before it.
    assert address in app.error[0].value.replace("\\", "")
    assert app.button(key="retry_failed").label == "Try again"


def test_stream_that_breaks_off_keeps_what_came(app_with_sample, open_app, rag):
    with FakeOllama(replies=[["The dome ", "closes at ", "88 % [1]."]], cut_after=2) as ollama:
        app = ask(open_app(ollama=ollama.host), HUMIDITY)
    assert "The dome closes at" in app.chat_message[1].markdown[0].value
    assert any("Interrupted" in m.value for m in app.chat_message[1].markdown)
    (info,) = rag.history.conversations()
    assert [message.role for message in rag.history.messages(info.id)] == ["user", "assistant"]


def test_export_holds_the_stored_text(app_with_sample, rag):
    from pages.parts.exporting import as_json, as_markdown, with_citations

    ask(app_with_sample, HUMIDITY)
    (info,) = rag.history.conversations()
    messages = rag.history.messages(info.id)
    markdown = as_markdown(info, messages)
    assert markdown.startswith(f"# {HUMIDITY}\n")
    assert "[observatory-guide.pdf:4]" in markdown
    stored = json.loads(as_json(info, messages))
    assert [message["content"] for message in stored["messages"]] == [m.content for m in messages]
    assert with_citations(messages[1]).startswith(messages[1].content)


def test_calibrated_cutoff_is_in_force_to_its_last_digit_and_says_when_it_is_stale(app_with_sample, rag):
    from ragcore.storage import profile_of

    library = rag.library.collection("library")
    rag.calibrations.save(
        profile=profile_of(rag.embedder.identity, library.chunking),
        corpus_hash="another corpus",
        question_set="my questions",
        cutoff=0.6123,
        follow_up_floor=None,
        reason="",
        counts={},
        apply=True,
    )
    app = app_with_sample.run()
    assert app.slider(key="cutoff_library").value == 0.61
    assert "measured on 'my questions'" in app.warning[0].value
    app.chat_input[0].set_value("What does a school group pay for an evening?").run()
    conversation = rag.history.conversations()[0]
    assert rag.history.messages(conversation.id)[1].trace["cutoff"] == 0.6123


ADDRESS = "What is the web address of the porter of the mill?"


def ask_the_mill(app, rag):
    report = rag.ingest(
        b"# Mill rules\n\nA lost key is reported to the porter of the mill at once.\n", "mill.md"
    )
    assert report.error is None
    return ask(app, ADDRESS)


def test_second_opinion_refuses_and_the_receipt_shows_what_it_is_made_of(app_with_sample, rag):
    app_with_sample.selectbox(key="second_opinion").set_value("signals").run()
    app = ask_the_mill(app_with_sample, rag)
    said = app.chat_message[1].markdown[0].value
    assert said.startswith("I don't know. Best match 0.")
    assert said.endswith(
        "but the passages do not seem to hold an answer: "
        "asked for a web address, none in any passage that was found."
    )
    html = pages_html(app)
    opinion = html.split("<dt>Second opinion</dt><dd>")[1].split("</dd>")[0]
    assert opinion.startswith("signals of an answer 0.0")
    parts = [float(line.split()[0].replace("−", "-")) for line in opinion.splitlines()[1:]]
    chance = rag.history.messages(int(app.query_params["conversation"][0]))[1].trace["decision"]["opinion"]
    assert sum(parts) == pytest.approx(
        math.log(chance["probability"] / (1 - chance["probability"])), abs=0.04
    )
    assert "  no web address in any passage that was found" in opinion
    assert "Nearest misses, not used as sources" in html


def test_answer_judge_is_asked_and_the_receipt_says_what_it_found(app_with_sample, rag):
    app_with_sample.selectbox(key="second_opinion").set_value("judge").run()
    app = ask_the_mill(app_with_sample, rag)
    assert "I don't know" in app.chat_message[1].markdown[0].value
    opinion = pages_html(app).split("<dt>Second opinion</dt><dd>")[1].split("</dd>")[0]
    assert opinion.startswith("the answer judge gives 0.")
    assert "by the answer judge and its distance from the best match: log-odds " in opinion


def test_second_opinion_is_off_by_default_and_shown_all_the_same(app_with_sample, rag):
    assert app_with_sample.selectbox(key="second_opinion").value == "off"
    app = ask_the_mill(app_with_sample, rag)
    assert "I don't know" not in app.chat_message[1].markdown[0].value
    assert "<dd>switched off, so without effect: signals of an answer 0.0" in pages_html(app)


def test_model_is_offered_for_a_second_opinion_only_where_one_answers(app_with_sample, open_app):
    assert app_with_sample.selectbox(key="second_opinion").options == ["None", "Signals", "Answer judge"]
    with FakeOllama() as ollama:
        app = open_app(ollama=ollama.host)
        assert app.selectbox(key="second_opinion").options == [
            "None",
            "Signals",
            "Answer judge",
            "Answering model",
        ]
