"""The Threshold page: from nothing scored to a cutoff in force and back."""

import json
import time

import pytest

from ragcore.evaluation.question import KINDS
from tests.scored_runs import FOLLOW_UPS, SCORES, index_ferry, store_run


def texts(app) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.warning))


def open_page(open_app):
    app = open_app().switch_page("pages/threshold.py").run()
    assert not app.exception
    return app


@pytest.fixture
def scored_page(open_app, rag):
    index_ferry(rag)
    store_run(rag, SCORES, collection="ferry")
    store_run(rag, FOLLOW_UPS, collection="ferry", stage="followups")
    return open_page(open_app)


def counts(app) -> str:
    """The table's text without its tags, so that a count reads ``2/3``."""
    import re

    (table,) = [found.proto.body for found in app.get("html") if "pl-counts" in found.proto.body]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", table))


def button(app, words: str):
    return next(one for one in app.button if words in one.label)


def test_nothing_scored_says_what_to_do_and_scores_what_is_chosen(open_app, rag):
    index_ferry(rag)
    app = open_page(open_app)
    assert "No questions have been scored yet." in texts(app)
    button(app, "Score").click().run()
    assert "Choose at least one question set." in texts(app)
    general = next(info.path for info in rag.question_sets.all() if info.name == "general_knowledge")
    app.multiselect(key="threshold_sets").set_value([general])
    app.selectbox(key="threshold_asked").set_value("ferry")
    button(app, "Score").click().run()
    (run,) = rag.evaluations.runs()
    assert (run.stage, run.config["collection"], run.questions) == ("refusal", "ferry", 30)
    deadline = time.monotonic() + 60
    while rag.evaluations.run(run.id).status != "complete":
        assert time.monotonic() < deadline, rag.evaluations.run(run.id)
        time.sleep(0.1)
    app.run()
    app.run()
    assert not app.exception
    assert "General knowledge, leaked" in counts(app)


def test_counts_follow_the_slider_and_the_number(scored_page):
    app = scored_page
    assert "Answerable, refused 0/3 ±0" in counts(app)
    app.slider[0].set_value(0.36).run()
    assert not app.exception
    assert "Answerable, refused 1/3 1 more" in counts(app)
    assert "General knowledge, leaked 0/2 1 fewer" in counts(app)
    assert app.number_input[0].value == 0.36
    app.number_input[0].set_value(0.3001).run()
    assert app.slider[0].value == 0.3
    assert "At 0.3001, compared with 0.25 in force" in texts(app)
    assert "Answerable, refused 1/3" in counts(app)


def test_question_without_a_score_is_said_to_count_as_refused(scored_page):
    assert "1 without a score count as refused." in texts(scored_page)


def test_suggestion_moves_the_slider_and_says_why(scored_page):
    app = scored_page
    button(app, "Window").click().run()
    assert app.number_input[0].value == 0.28
    assert ".28: The middle of the window from 0.26 to 0.3." in texts(app)
    app.number_input(key="threshold_cutoff_target").set_value(40.0).run()
    button(app, "At most 40 %").click().run()
    assert app.number_input[0].value == 0.4
    assert "at most 1 of 3" in texts(app)
    app.slider[0].set_value(0.5).run()
    assert ".5: Chosen by hand." in texts(app)


def test_use_in_chat_and_undo(scored_page, rag):
    app = scored_page
    assert button(app, "Use 0.25 in chat").disabled
    assert "It counts for “ferry”." in texts(app)
    app.slider[0].set_value(0.36).run()
    button(app, "Use 0.36 in chat").click().run()
    assert rag.cutoff("ferry").cutoff == 0.36
    assert "It replaced 0.25, the default of the embedder." in texts(app)
    assert "Answerable, refused 1/3 ±0" in counts(app)
    button(app, "Undo: back to 0.25").click().run()
    assert rag.cutoff("ferry").cutoff == 0.25
    assert not [one for one in app.button if "Undo" in one.label]
    assert "Answerable, refused 1/3 1 more" in counts(app)


def test_chat_uses_it_even_where_its_own_slider_was_moved(scored_page, rag):
    app = scored_page
    app.switch_page("pages/chat.py").run()
    app.selectbox(key="collection").set_value("ferry").run()
    app.slider(key="cutoff_ferry").set_value(0.1).run()
    app.switch_page("pages/threshold.py").run()
    app.slider[0].set_value(0.36).run()
    button(app, "Use 0.36").click().run()
    app.switch_page("pages/chat.py").run()
    assert app.slider(key="cutoff_ferry").value == 0.36


def test_floor_has_a_slider_and_counts_of_its_own_and_is_used_with_the_cutoff(scored_page, rag):
    app = scored_page
    app.segmented_control(key="threshold_view").set_value("Follow-up floor").run()
    assert "Follow-ups, refused 0/2 ±0" in counts(app)
    assert "Off-topic follow-ups, leaked 1/2 ±0" in counts(app)
    button(app, "Window: 0.15").click().run()
    assert "Off-topic follow-ups, leaked 0/2 1 fewer" in counts(app)
    button(app, "Use 0.25 and floor 0.15 in chat").click().run()
    used = rag.cutoff("ferry").calibration
    assert (used.cutoff, used.follow_up_floor) == (0.25, 0.15)


def test_floor_without_follow_ups_says_how_to_get_them(open_app, rag):
    index_ferry(rag)
    store_run(rag, SCORES, collection="ferry")
    app = open_page(open_app)
    app.segmented_control(key="threshold_view").set_value("Follow-up floor").run()
    assert "No follow-ups have been scored for these documents yet." in texts(app)
    assert not app.exception


def test_nearest_questions_are_sorted_by_distance(scored_page):
    table = scored_page.dataframe[0].value
    assert table["Score"].tolist()[:4] == [0.24, 0.26, 0.28, 0.30]
    assert table["Side"].tolist()[:2] == ["refused", "passes"]
    assert set(table["Kind"]) <= {"Answerable", "General knowledge", "Missing info"}


def test_stale_scores_are_said_to_be_and_scored_again(scored_page, rag):
    rag.ingest(b"A new page about ferries.", "ferries.txt", collection="ferry")
    app = scored_page.run()
    assert "The documents of 'ferry' have changed since these questions were scored." in texts(app)
    app.button(key="threshold_rescore").click().run()
    # The run's set was made up for the test, so it cannot be found again: a sentence, no traceback.
    assert "ferry" in app.error[0].value
    assert not app.exception


def test_rescoring_asks_the_set_again_of_the_documents_as_they_are_now(open_app, rag, tmp_path):
    questions = tmp_path / "ferry.json"
    asked = {"question": "What does a day ticket cost?", "expectedSubstrings": ["14 crowns"]}
    questions.write_text(json.dumps([asked]), encoding="utf-8")
    index_ferry(rag)
    store_run(rag, collection="ferry", name=str(questions))
    rag.ingest(b"A new page about ferries.", "ferries.txt", collection="ferry")
    app = open_app()
    app.switch_page("pages/threshold.py").run()
    app.button(key="threshold_rescore").click().run()
    assert not app.exception and not app.error
    deadline = time.monotonic() + 60
    while (newest := rag.evaluations.runs()[0]).status != "complete":
        assert time.monotonic() < deadline, newest.status
        time.sleep(0.1)
    assert newest.id != 1 and newest.done == 1
    assert rag.thresholds.stale(newest) == ""


def test_tried_question_lands_on_the_chart_with_its_verdict(scored_page, rag):
    app = scored_page
    app.text_input(key="threshold_question").set_value("What does a day ticket for the *island* ferry cost?")
    button(app, "Try").click().run()
    assert not app.exception
    expected = rag.thresholds.try_question(
        "What does a day ticket for the *island* ferry cost?", "ferry"
    ).top_score
    assert f"◆ **{expected:.4f}** passes at 0.25" in texts(app)
    assert r"\*island\*" in texts(app)
    app.number_input[0].set_value(round(expected + 0.001, 4)).run()
    assert f"◆ **{expected:.4f}** is refused" in texts(app)
    button(app, "Clear").click().run()
    assert "◆" not in texts(app)


def test_empty_question_is_answered_with_a_sentence(scored_page):
    button(scored_page, "Try").click().run()
    assert "The question is empty." in texts(scored_page)
    assert not scored_page.exception


def test_run_of_another_sessions_files_is_not_shown(open_app, rag):
    rag.library.create_collection("session-of-somebody-else", chunking={}, kind="session")
    rag.ingest(b"Private words.", "private.txt", collection="session-of-somebody-else")
    store_run(rag, SCORES, collection="session-of-somebody-else", name="private-set")
    app = open_page(open_app)
    assert "No questions have been scored yet." in texts(app)


def test_every_kind_has_words_and_a_colour():
    from pages.parts.threshold_counts import WORDS
    from ragcore.charts.chart import KIND_COLOURS, KIND_WORDS

    assert set(WORDS) == set(KIND_COLOURS) == set(KIND_WORDS) == set(KINDS)
