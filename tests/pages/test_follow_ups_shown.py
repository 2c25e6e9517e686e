"""Follow-ups on the chat page: what they were understood as, the receipt's scores, asking as typed."""

import pytest

HUMIDITY = "At what humidity must the dome be closed?"
WIND = "And in strong wind?"


def ask(app, question):
    return app.chat_input(key="question_box").set_value(question).run()


def captions(app):
    return "\n".join(element.value for element in app.caption)


def html(app):
    return "\n".join(element.value for element in app.html)


@pytest.fixture
def after_follow_up(app_with_sample):
    return ask(ask(app_with_sample, HUMIDITY), WIND)


def test_receipt_shows_the_rewrite_and_both_scores(after_follow_up, rag):
    app = after_follow_up
    assert not app.exception
    (info,) = rag.history.conversations()
    trace = rag.history.messages(info.id)[-1].trace
    follow_up = trace["profile"]["follow_up"]
    assert "Understood as: humidity dome closed: And in strong wind?" in captions(app)
    assert f"<dt>Typed</dt><dd>{WIND}</dd>" in html(app)
    assert f"<dt>Question before</dt><dd>{HUMIDITY}</dd>" in html(app)
    assert f"<dt>Own words alone</dt><dd>{follow_up['own_score']:.2f}, floor 0.20</dd>" in html(app)
    assert f"Best match {trace['top_score']:.2f}, cutoff" in html(app)
    assert "rewritten by rule, since it is a part of a question" in html(app)


def test_asked_as_typed_in_the_place_of_the_answer(after_follow_up, rag):
    (button,) = [one for one in after_follow_up.button if one.label == "Ask it as typed"]
    app = button.click().run()
    assert not app.exception
    (info,) = rag.history.conversations()
    messages = rag.history.messages(info.id)
    assert len(messages) == 4
    assert messages[-1].trace["standalone_question"] == WIND
    assert "Understood as" not in captions(app)
    assert "searched as typed: asked as typed" in html(app)
    assert not [one for one in app.button if one.label == "Ask it as typed"]
    # For that one turn only.
    ask(app, WIND)
    assert rag.history.messages(info.id)[-1].trace["profile"]["follow_up"]["how"] == "rule"


def test_asked_again_it_is_rewritten_from_the_same_question(after_follow_up, rag):
    (button,) = [one for one in after_follow_up.button if one.label == "Ask again"]
    button.click().run()
    (info,) = rag.history.conversations()
    messages = rag.history.messages(info.id)
    assert (len(messages), messages[-1].trace["profile"]["follow_up"]["base"]) == (4, HUMIDITY)


def test_strategy_is_chosen_in_the_sidebar(app_with_sample, rag):
    assert app_with_sample.selectbox(key="follow_ups").value == "rewrite"
    app_with_sample.selectbox(key="follow_ups").set_value("combined").run()
    app = ask(ask(app_with_sample, HUMIDITY), WIND)
    (info,) = rag.history.conversations()
    assert rag.history.messages(info.id)[-1].trace["standalone_question"] == f"{HUMIDITY} {WIND}"
    assert "no floor</dd>" in html(app)


def test_thanks_has_neither_badge_nor_sources(app_with_sample):
    app = ask(app_with_sample, "Thanks!")
    assert not app.exception
    answer = app.chat_message[1]
    assert answer.markdown[0].value.startswith("You're welcome")
    assert not [one for one in answer.markdown if "evidence" in one.value.lower() or "Refused" in one.value]
    assert "nothing was searched and no model was called" in captions(app)
