"""A turn of the chat becomes a question of a set: what the dialog asks, and what it writes."""

import pytest

from pages.parts.turn_fields import ChatTurn
from ragcore.evaluation.sets import load_set
from ragcore.records import AskOptions

HUMIDITY = "At what humidity must the dome be closed?"
GUIDE = "observatory-guide.pdf"


def texts(app) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.error, *app.success))


@pytest.fixture
def dialog(open_app, app_with_sample, rag, tmp_path, monkeypatch):
    """Asks in one conversation and opens the dialog of the last answer; question sets are the test's own."""
    monkeypatch.setenv("RAGCORE_HOME", str(tmp_path))

    def open_(*questions: str):
        conversation = None
        for question in questions:
            answer = rag.ask(
                question,
                AskOptions(generator="quote"),
                conversation_id=conversation,
                new_conversation=conversation is None,
            )
            conversation = answer.conversation_id
        turn = ChatTurn(rag.history.messages(conversation)[-1], questions)
        app = open_app(conversation=str(conversation))
        app.button(key=turn.key).click().run()
        assert not app.exception
        return app, turn

    return open_


def stored(rag_home, name):
    return load_set(rag_home / "question_sets" / name).questions


def test_every_answer_offers_it_with_its_own_key(app_with_sample):
    app = app_with_sample
    for question in (HUMIDITY, "Who won the football World Cup in 1998?"):
        app.chat_input(key="question_box").set_value(question).run()
    offered = [button for button in app.button if button.label == "Add to a question set"]
    assert len(offered) == 2 and all(button.help for button in offered)


def test_gold_is_picked_by_a_click_and_its_quote_is_the_cited_sentence(dialog, tmp_path):
    app, turn = dialog(HUMIDITY)
    first = next(n for n, p in enumerate(turn.message.trace["passages"]) if "88 %" in p["text"])
    app.checkbox(key=f"{turn.key}_{first}_gold").check().run()
    assert "Relative humidity 88 %" in app.text_area(key=f"{turn.key}_{first}_quote").value
    app.text_area(key=f"{turn.key}_facts").input("88 % | 88 percent")
    app.text_input(key=f"{turn.key}_note").input("from the first tour")
    app.button_group(key=f"{turn.key}_split").set_value("calibration")
    app.button(key=f"{turn.key}_save").click().run()
    assert not app.error and "Saved to **my-questions**" in texts(app)
    (question,) = stored(tmp_path, "my-questions")
    (gold,) = question.gold
    assert (gold.document, gold.page, gold.section) == (GUIDE, 4, None) and "88 %" in gold.quote
    assert (question.kind, question.split, question.note) == (
        "answerable",
        "calibration",
        "from the first tour",
    )
    assert question.facts == (("88 %", "88 percent"),) and question.turns == (HUMIDITY,)


def test_question_from_the_chat_is_measured_by_the_bench(dialog, rag, tmp_path):
    from ragcore.evaluation.bench import RunConfig

    app, turn = dialog(HUMIDITY)
    app.checkbox(key=f"{turn.key}_0_gold").check().run()
    app.button(key=f"{turn.key}_save").click().run()
    assert not app.error
    path = str(tmp_path / "question_sets" / "my-questions")
    run = rag.bench.begin(RunConfig((path,), collection="library"))
    assert [outcome.rank for outcome in rag.bench.carry_out(run)] == [1]


def test_quote_that_is_not_in_the_passage_is_refused_with_its_words(dialog, tmp_path):
    app, turn = dialog(HUMIDITY)
    app.checkbox(key=f"{turn.key}_0_gold").check().run()
    app.text_area(key=f"{turn.key}_0_quote").input("The dome is $made$ of cheese.").run()
    assert any("is not in the passage" in caption.value for caption in app.caption)
    app.button(key=f"{turn.key}_save").click().run()
    assert "cheese" in app.error[0].value and "\\$made\\$" in app.error[0].value
    assert not (tmp_path / "question_sets").exists()


def test_answer_without_gold_is_not_saved(dialog, tmp_path):
    app, turn = dialog(HUMIDITY)
    app.button(key=f"{turn.key}_save").click().run()
    assert "Pick at least one passage" in app.error[0].value
    assert not (tmp_path / "question_sets").exists()


def test_passage_that_was_not_retrieved_is_found_in_its_document(dialog, tmp_path):
    app, turn = dialog("Who won the football World Cup in 1998?")
    assert app.button_group(key=f"{turn.key}_expected").value == "Refuse"
    app.button_group(key=f"{turn.key}_expected").set_value("Answer it").run()
    app.checkbox(key=f"{turn.key}_missed").check().run()
    app.selectbox(key=f"{turn.key}_document").set_value(GUIDE).run()
    quote = app.text_area(key=f"{turn.key}_missed_quote")
    quote.input("Nobody stands on the moon.").run()
    assert any("is not in observatory-guide.pdf" in caption.value for caption in app.caption)
    app.text_area(key=f"{turn.key}_missed_quote").input(
        "Nobody stands within the yellow ring on the floor while the dome turns."
    ).run()
    assert any("Found on page 4" in caption.value for caption in app.caption)
    app.button(key=f"{turn.key}_save").click().run()
    (question,) = stored(tmp_path, "my-questions")
    assert (question.gold[0].document, question.gold[0].page) == (GUIDE, 4)


def test_refusal_that_should_be_keeps_no_gold(dialog, tmp_path):
    app, turn = dialog(HUMIDITY)
    app.checkbox(key=f"{turn.key}_0_gold").check().run()
    app.button_group(key=f"{turn.key}_expected").set_value("Refuse").run()
    app.radio(key=f"{turn.key}_kind").set_value("missing_info").run()
    app.text_input(key=f"{turn.key}_new_set").input("Dome tours").run()
    app.button(key=f"{turn.key}_save").click().run()
    (question,) = stored(tmp_path, "Dome tours")
    assert (question.kind, question.gold, question.facts) == ("missing_info", (), ())


def test_follow_up_keeps_the_earlier_questions(dialog, tmp_path):
    app, turn = dialog(HUMIDITY, "What does a school group pay?", "And who may close it?")
    assert app.toggle(key=f"{turn.key}_follows").value is True
    app.multiselect(key=f"{turn.key}_earlier").set_value([0]).run()
    app.button_group(key=f"{turn.key}_expected").set_value("Answer it").run()
    app.checkbox(key=f"{turn.key}_0_gold").check().run()
    app.button(key=f"{turn.key}_save").click().run()
    (question,) = stored(tmp_path, "my-questions")
    assert (question.kind, question.turns) == ("follow_up", (HUMIDITY, "And who may close it?"))


def test_question_that_stands_alone_is_no_follow_up_unless_one_says_so(dialog, tmp_path):
    app, turn = dialog(HUMIDITY, "What does a school group pay?")
    assert app.toggle(key=f"{turn.key}_follows").value is False
    app.button_group(key=f"{turn.key}_expected").set_value("Refuse").run()
    app.toggle(key=f"{turn.key}_follows").set_value(True).run()
    app.button(key=f"{turn.key}_save").click().run()
    (question,) = stored(tmp_path, "my-questions")
    assert (question.kind, question.turns[0]) == ("follow_up_off_topic", HUMIDITY)


def test_bundled_sets_are_not_offered_and_own_ones_are(dialog, tmp_path):
    from ragcore.evaluation.question_sets import QuestionSets

    QuestionSets(tmp_path).create("Mine")
    app, turn = dialog(HUMIDITY)
    assert app.selectbox(key=f"{turn.key}_set").options == ["Mine", "A new set…"]
    app.selectbox(key=f"{turn.key}_set").set_value("A new set…").run()
    app.text_input(key=f"{turn.key}_new_set").input("../escape").run()
    app.checkbox(key=f"{turn.key}_0_gold").check().run()
    app.button(key=f"{turn.key}_save").click().run()
    assert "cannot be the name of a set" in app.error[0].value
