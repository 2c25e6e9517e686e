"""The grading page: one answer at a time, blind, stored at once; agreement; out and in again."""

from pathlib import Path

import pytest

from ragcore.evaluation.exporting import read_rows, write_rows
from ragcore.evaluation.grading_queue import GradingQueue
from ragcore.evaluation.hand_agreement import against_automatic
from tests.graded_run import library_with_run
from tests.pages.conftest import create_database


@pytest.fixture(scope="session")
def run_library(server_url: str, server_home: Path, embedder, sample_library: str, tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("set")
    return library_with_run(server_url, server_home, embedder, folder, sample=sample_library)


@pytest.fixture
def library_url(request, server_url: str) -> str:
    if "empty" in request.node.name:
        return request.getfixturevalue("database_url")
    return create_database(server_url, request.getfixturevalue("run_library"))


@pytest.fixture
def open_page(open_app):
    def open_(**query):
        app = open_app(**query).switch_page("pages/grading.py").run()
        assert not app.exception
        return app

    return open_


@pytest.fixture
def app(open_page):
    """The page, with Ada grading."""
    return begin(open_page())


def begin(app, name: str = "Ada"):
    app.text_input(key="grader_name").set_value(name)
    app.button("FormSubmitter:grader_form-Start grading").click().run()
    assert not app.exception
    return app


def shown(app) -> str:
    """The question on the screen."""
    return next(one.value.removeprefix("#### ") for one in app.markdown if one.value.startswith("#### "))


def texts(app) -> str:
    elements = (
        *app.markdown,
        *app.caption,
        *app.info,
        *app.success,
        *app.error,
        *app.subheader,
        *app.warning,
    )
    return "\n".join(element.value for element in elements)


def progress(app) -> str:
    return app.get("progress")[0].proto.text


def press(app, start: str):
    """Click the button of the answer on the screen, as its key does."""
    (button,) = (one for one in app.button if one.key and one.key.startswith(start))
    button.click().run()
    assert not app.exception
    return app


def history(rag):
    return [(one.grade, one.grader, one.note) for one in rag.evaluations.grade_history(1)]


def test_empty_bench_says_what_to_do(open_page):
    assert "There are no answers to grade yet." in texts(open_page())


def test_name_is_asked_once_and_offered_again(open_page, rag):
    page = open_page()
    page.button("FormSubmitter:grader_form-Start grading").click().run()
    assert "Type a name first." in texts(page)
    press(begin(page, "  Ada   Lovelace "), "grade_right")
    assert history(rag) == [("right", "Ada Lovelace", "")]
    page.switch_page("pages/status.py").run().switch_page("pages/grading.py").run()
    assert progress(page).startswith("Answer 2 of 12 · 1 of 12 graded by Ada Lovelace")

    again = open_page()
    again.button(key="grader_0").click().run()
    assert "1 of 12 graded by Ada Lovelace" in progress(again)


def test_grade_is_stored_at_once_and_the_next_one_shown(app, rag):
    first, second, third = (one.outcome.question for one in queue(rag)[:3])
    assert shown(app) == first
    press(app, "grade_wrong")
    assert history(rag) == [("wrong", "Ada", "")]
    assert shown(app) == second and "Stored: Wrong" in progress(app)
    press(app, "next")
    assert shown(app) == third and progress(app).startswith("Answer 3 of 12 · 1 of 12")
    press(app, "grade_partly")
    press(app, "previous")
    press(app, "previous")
    assert shown(app) == second
    assert app.button(key=f"grade_right_{queue(rag)[1].id}").label == "Right"


def queue(rag):
    return GradingQueue(rag.grading.answers(1), "Ada").answers


def test_going_on_begins_at_the_first_ungraded(open_page, rag):
    for answer in queue(rag)[:4]:
        rag.grading.grade(answer, "right", grader="Ada")
    page = begin(open_page())
    assert (
        progress(page).startswith("Answer 5 of 12 · 4 of 12")
        and shown(page) == queue(rag)[4].outcome.question
    )
    press(page, "undo")
    assert shown(page) == queue(rag)[3].outcome.question and "Taken back: Right" in progress(page)
    assert "3 of 12" in progress(page)
    for _ in range(3):
        press(page, "undo")
    press(page, "undo")
    assert "Nothing to take back" in progress(page)


def test_undo_restores_the_grade_before(app, rag):
    press(app, "grade_wrong")
    press(app, "previous")
    press(app, "grade_right")
    press(app, "undo")
    assert "Taken back; Wrong counts again" in progress(app)
    assert rag.grading.answers(1)[index_of(rag, queue(rag)[0])].grade_by("Ada") == "wrong"


def index_of(rag, answer) -> int:
    return [one.id for one in rag.grading.answers(1)].index(answer.id)


def test_note_waits_for_its_grade_and_is_stored_when_changed_later(app, rag):
    first = queue(rag)[0]
    note = "*see* `page 2` <b>"
    app.text_input(key=f"note_{first.id}").set_value(note).run()
    assert history(rag) == []
    press(app, "next")
    press(app, "previous")
    assert app.text_input(key=f"note_{first.id}").value == note
    press(app, "grade_partly")
    assert history(rag) == [("partly", "Ada", note)] and "with its note" in progress(app)
    press(app, "previous")
    app.text_input(key=f"note_{first.id}").set_value("better").run()
    assert history(rag)[1:] == [("partly", "Ada", "better")]
    app.text_input(key=f"note_{first.id}").set_value("").run()
    assert rag.grading.answers(1)[index_of(rag, first)].note_by("Ada") == ""
    press(app, "undo")
    assert app.text_input(key=f"note_{first.id}").value == "better"


def test_blind_shows_nothing_that_could_sway(app, rag):
    wrong = next(one for one in queue(rag) if one.automatic == "wrong")
    rag.grading.grade(wrong, "should_have_refused", grader="Ben", note="Ben's note")
    while shown(app) != wrong.outcome.question:
        press(app, "next")
    seen = texts(app) + app.selectbox(key="grading_run").options[0]
    for word in ("Automatic grade", "the name of the run", "Ben", "cutoff", wrong.outcome.verdict_reason):
        assert word not in seen
    assert not [one for one in app.selectbox if one.key == "grading_automatic"]
    app.toggle(key="grading_blind").set_value(False).run()
    seen = texts(app) + app.selectbox(key="grading_run").options[0]
    for word in (
        "Automatic grade: **Wrong**",
        "the name of the run",
        "Ben: **Should have refused**",
        "cutoff",
    ):
        assert word in seen
    assert [one for one in app.selectbox if one.key == "grading_automatic"]


def test_what_is_expected_can_be_hidden(app):
    assert "A refusal." in texts(app) or "fact_check" in texts(app)
    app.toggle(key="grading_expected").set_value(False).run()
    assert "A refusal." not in texts(app) and "fact_check" not in texts(app)
    press(app, "next")
    assert "A refusal." not in texts(app) and "fact_check" not in texts(app)


def test_filter_and_random_order(app, rag):
    app.selectbox(key="grading_kind").set_value("general_knowledge").run()
    assert progress(app).startswith("Answer 1 of 2")
    press(app, "grade_right")
    press(app, "grade_right")
    assert "All 2 are graded." in texts(app)
    app.selectbox(key="grading_state").set_value("ungraded").run()
    assert "No answer fits the filter." in texts(app)
    app.button(key="grading_all").click().run()
    assert "2 of 12 graded" in progress(app)
    app.radio(key="grading_order").set_value("random").run()
    app.number_input(key="grading_seed").set_value(7).run()
    random = GradingQueue(rag.grading.answers(1), "Ada", order="random", seed=7)
    assert shown(app) == random.next_ungraded().outcome.question


def test_address_names_the_run(open_page, rag):
    answer = queue(rag)[0]
    other = rag.evaluations.begin(
        name="n", question_set="s", stage="answers", config={}, provenance={}, questions=1
    )
    result = next(one for one in rag.evaluations.results(1) if one.id == answer.id)
    columns = ("question_id", "kind", "category", "split", "question", "outcome", "score", "verdict")
    rag.evaluations.save_result(
        other, {name: getattr(result, name) for name in columns} | {"failure_stage": None, "trace_id": None}
    )
    page = open_page()
    assert page.selectbox(key="grading_run").value == other
    page = open_page()
    page.query_params["run"] = "1"
    page.run()
    assert page.selectbox(key="grading_run").value == 1 and page.query_params["run"] == "1"
    page.query_params["run"] = "99"
    page.run()
    assert page.selectbox(key="grading_run").value == 1
    assert "There is no run 99 with answers to grade." in texts(page)


def test_agreement_names_where_the_grader_was_wrong(app, rag):
    app.segmented_control(key="grading_section").set_value("agreement").run()
    assert "No answer of this run has been graded by hand yet." in texts(app)
    for answer in queue(rag):
        same = answer.automatic if answer.automatic not in (None, "ungraded") else "right"
        rag.grading.grade(answer, same, grader="Ada")
    turned = next(one for one in queue(rag) if one.automatic == "wrong")
    rag.grading.grade(turned, "right", grader="Ada", note="It is there.")
    rag.grading.grade(turned, "partly", grader="Ben")
    app.run()
    assert not app.exception
    seen = texts(app)
    assert "The grader was wrong here:** automatic **Wrong**, by hand **Right** · “It is there.”" in seen
    assert "Ada **Right** · Ben **Partly**" in seen
    found = against_automatic(rag.grading.answers(1), "Ada").right
    metrics = {one.label: one.value for one in app.metric}
    assert (
        metrics["Cohen’s kappa"] == f"{found.kappa:.2f}"
        and metrics["The same"] == f"{found.agreed} of {found.n}"
    )
    app.button(key=f"difference_{turned.id}").click().run()
    assert shown(app) == turned.outcome.question


def test_export_and_import_from_the_page(app, rag):
    app.segmented_control(key="grading_section").set_value("files").run()
    assert "nothing to export" in texts(app)
    first, second = queue(rag)[:2]
    rag.grading.grade(first, "right", grader="Ada", note="=1")
    rag.grading.grade(second, "wrong", grader="Ben")
    app.run()
    assert "2 grades" in texts(app)
    app.selectbox(key="export_grader").set_value("Ben").run()
    assert "1 grade" in texts(app) and "2 grades" not in texts(app)
    data = write_rows(rag.grading.rows(1), "csv")
    rag.grading.take_back(1, "Ada")

    app.file_uploader[0].set_value([("grades.csv", data, "text/csv")]).run()
    app.button(key="import_grades").click().run()
    assert not app.exception
    assert "Imported 1 grade by Ada; skipped: 1 there already." in texts(app)
    assert write_rows(rag.grading.rows(1), "csv") == data
    assert {row["note"] for row in read_rows(data, "csv")} == {"=1", ""}

    app.file_uploader[0].set_value([("grades.csv", b'"a"\r\n1', "text/csv")]).run()
    app.button(key="import_grades").click().run()
    assert "Row 1 has no column" in texts(app) and len(app.error) == 1


def test_every_widget_has_help(app):
    for section in ("grade", "agreement", "files"):
        app.segmented_control(key="grading_section").set_value(section).run()
        for widget in (
            *app.button,
            *app.selectbox,
            *app.text_input,
            *app.toggle,
            *app.radio,
            *app.segmented_control,
        ):
            assert widget.proto.help, widget.key
