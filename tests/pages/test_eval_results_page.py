"""The Eval results page: the list of runs, one run, its filters, one question, two runs, a new run."""

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragcore import AskOptions
from ragcore.evaluation.run_config import RunConfig
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama
from tests.mill_set import write_mill_set


@pytest.fixture
def mill(tmp_path: Path) -> str:
    return write_mill_set(tmp_path)


@pytest.fixture
def measure(rag: Rag, embedder, mill: str):
    """Carries out a run of the small set and returns its id."""
    rag._embedder = embedder

    def run(**config) -> int:
        run_id = rag.bench.begin(RunConfig((mill,), **config))
        list(rag.bench.carry_out(run_id))
        return run_id

    return run


@pytest.fixture
def open_results(open_app):
    """The page at an address."""

    def open_(**query) -> AppTest:
        app = open_app().switch_page("pages/eval_results.py").run()
        for name, value in query.items():
            app.query_params[name] = str(value)
        app.run()
        assert not app.exception
        return app

    return open_


QUOTE = {"stage": "answers", "options": AskOptions(generator="quote")}


def texts(app: AppTest) -> str:
    shown = (*app.markdown, *app.caption, *app.subheader, *app.html, *app.info)
    return "\n".join(getattr(element, "value", None) or element.proto.body for element in shown)


def questions(app: AppTest) -> list[str]:
    return app.dataframe[0].value["Question"].tolist()


def address(app: AppTest) -> dict:
    return {name: value if len(value) > 1 else value[0] for name, value in app.query_params.items()}


def test_without_runs_it_says_what_a_run_is_and_offers_one(open_results):
    app = open_results()
    assert "No runs yet." in texts(app)
    app.button(key="new_run").click().run()
    assert not app.exception
    assert address(app) == {"new": "1"}
    assert app.button(key="start_run").disabled
    assert "Choose a question set." in texts(app)


def test_list_shows_figures_and_only_the_settings_that_differ(open_results, measure):
    first = measure(stage="refusal", options=AskOptions(threshold=0.3))
    second = measure(stage="refusal", options=AskOptions(threshold=0.9))
    app = open_results()
    shown = texts(app)
    assert "2 runs" in shown
    assert "Cutoff: 0.3" in shown
    assert "Cutoff: 0.9" in shown
    assert "top k" not in shown
    assert "2/2" in shown, "both answerable questions are refused at 0.9"
    assert shown.index(f"Run {second} ·") < shown.index(f"Run {first} ·")
    app.button(key=f"open_run_{first}").click().run()
    assert address(app) == {"run": str(first)}
    assert len(questions(app)) == 4


def test_filters_stand_in_the_address_and_come_from_it(open_results, measure):
    run = measure(**QUOTE)
    app = open_results(run=run, state="wrong")
    assert len(questions(app)) == 2
    app.multiselect(key="results_kind").set_value(["missing_info"]).run()
    assert questions(app) == ["What does it cost to grind a sack of wheat at the tide mill?"]
    assert address(app) == {"run": str(run), "state": "wrong", "kind": "missing_info"}
    app.text_input(key="results_text").set_value("opera").run()
    assert "No question meets all of these filters." in texts(app)
    app.button(key="clear_filters").click().run()
    assert address(app) == {"run": str(run)}
    assert len(questions(app)) == 4


def test_question_opened_with_gold_answer_and_grades(open_results, measure, rag):
    run = measure(**QUOTE)
    result = next(one for one in rag.evaluations.results(run) if one.question_id == "m-2")
    rag.evaluations.grade(result.id, "partly", grader="Ada *L*", note="<b>odd</b>")
    app = open_results(run=run, question="m-2")
    shown = texts(app)
    assert "What does it cost to grind a sack of rye?" in shown
    assert "found at rank 1" in shown
    assert "<mark>a sack of rye costs 4 crowns</mark>" in shown
    assert "Not in the answer: 5 crowns." in shown
    assert "Ada \\*L\\*: **partly**" in shown
    assert "\\<b\\>odd\\</b\\>" in shown
    assert "2 of 4" in shown


def test_next_and_previous_stay_within_the_filter(open_results, measure):
    run = measure(**QUOTE)
    app = open_results(run=run, state="wrong")
    app.button(key="read_first").click().run()
    assert address(app)["question"] == "m-2"
    assert app.button(key="previous_question").disabled
    app.button(key="next_question").click().run()
    assert address(app)["question"] == "m-3"
    assert app.button(key="next_question").disabled
    app.button(key="previous_question").click().run()
    app.button(key="to_questions").click().run()
    assert address(app) == {"run": str(run), "state": "wrong"}


def test_link_to_a_question_outside_the_filter_still_opens_it(open_results, measure):
    app = open_results(run=measure(**QUOTE), question="m-1", state="wrong")
    assert "not among the filtered questions" in texts(app)
    assert app.button(key="next_question").disabled


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"run": "77"}, "There is no evaluation run 77. The newest are: none yet."),
        ({"run": "77", "question": "m-1"}, "There is no evaluation run 77."),
    ],
)
def test_link_to_a_run_that_is_gone(open_results, query, said):
    app = open_results(**query)
    assert said in app.error[0].value
    app.button(key="back_from_error").click().run()
    assert "No runs yet." in texts(app)


def test_link_to_a_question_that_the_run_does_not_have(open_results, measure):
    app = open_results(run=measure(), question="*m*-9")
    assert "has no question '\\*m\\*-9'" in app.error[0].value


@pytest.mark.parametrize("run", ["abc", "-1", "9" * 30, "1; drop table"])
def test_address_that_names_no_run_shows_the_list(open_results, run):
    assert "No runs yet." in texts(open_results(run=run))


def test_unknown_filters_and_view_in_a_link(open_results, measure):
    app = open_results(run=measure(), view="x", state="y", changed="z", kind="nonsense", compare="4")
    assert "No question meets all of these filters." in texts(app)


def test_prompt_that_was_sent_to_a_model(open_results, measure, rag):
    with FakeOllama() as ollama:
        host = rag.ollama
        rag.ollama = rag.chats._server = type(host)(ollama.host)
        run = measure(stage="answers", options=AskOptions(generator="ollama"))
    app = open_results(run=run, question="m-1")
    assert any(one.label.startswith("Prompt sent") for one in app.expander)
    assert any("When does the tide mill grind?" in one.value for one in app.code)
    assert any("The tide mill grinds from six to nine in the morning." in one.value for one in app.code)


def test_compared_says_the_sentence_and_lists_what_changed(open_results, measure):
    first = measure(stage="refusal", options=AskOptions(threshold=0.3))
    second = measure(stage="refusal", options=AskOptions(threshold=0.9))
    app = open_results(run=second, compare=first, view="compared")
    shown = texts(app)
    assert f"Run {second} gets right" in shown
    assert "may be noise at n = 4." in shown
    assert app.dataframe[0].value.to_dict("records") == [
        {"Setting": "Cutoff", f"Run {first}": "0.3", f"Run {second}": "0.9"}
    ]
    changed = app.dataframe[1].value
    assert set(changed["Change"]) <= {"better", "worse"}
    app.toggle(key="only_changed").set_value(False).run()
    assert len(app.dataframe[1].value) == 4
    app.segmented_control(key="results_view").set_value("questions").run()
    app.segmented_control(key="results_changed").set_value("worse").run()
    assert sorted(questions(app)) == [
        "What does it cost to grind a sack of rye?",
        "When does the tide mill grind?",
    ]
    app.button(key="read_first").click().run()
    assert f"Run {first}: right (worse here)." in texts(app)


def test_comparison_needs_another_run_of_the_stage(open_results, measure):
    measure(stage="refusal")
    app = open_results(run=measure(), view="compared")
    assert "It takes two runs of the stage retrieval" in app.info[0].value


def test_metrics_by_kind_and_category(open_results, measure):
    run = measure(stage="refusal", options=AskOptions(threshold=0.9))
    app = open_results(run=run, view="metrics")
    metrics = app.dataframe[0].value.set_index("Metric")
    assert metrics.loc["False refusals ↓", ["Value", "Of"]].tolist() == ["1.00", "2/2"]
    app.segmented_control(key="metrics_by").set_value("category").run()
    assert app.dataframe[1].value["Category"].tolist() == ["hours", "prices"]


def test_settings_name_what_makes_the_run_again(open_results, measure):
    app = open_results(run=measure(), view="settings")
    settings = dict(app.dataframe[0].value[["Setting", "Value"]].itertuples(index=False))
    assert (settings["Question sets"], settings["Chunk size (tokens)"]) == ("mill", "120")
    assert settings["Embedder"].startswith("all-MiniLM-L6-v2")


def test_rename_and_delete(open_results, measure, rag):
    run = measure()
    app = open_results(run=run)
    app.menu_button(key=f"run_menu_{run}").click("Rename").run()
    app.text_input(key="run_new_name").set_value("With *stars*")
    app.button(key="confirm_rename_run").click().run()
    assert rag.evaluations.run(run).name == "With *stars*"
    assert "With \\*stars\\*" in texts(app.run())
    app.menu_button(key=f"run_menu_{run}").click("Delete").run()
    assert rag.evaluations.run(run), "it is not deleted before the question is answered"
    app.button(key="confirm_delete_run").click().run()
    assert rag.evaluations.runs() == []
    assert "No runs yet." in texts(app.run())


def test_new_run_is_carried_out_in_the_background(open_results, rag):
    app = open_results(new=1)
    path = str(rag.question_sets.get("cv").path)
    app.multiselect(key="run_sets").set_value([path]).run()
    app.number_input(key="run_limit").set_value(3).run()
    assert "3 questions will be asked." in texts(app)
    app.button(key="start_run").click().run()
    run = int(address(app)["run"])
    deadline = time.monotonic() + 120
    while rag.evaluations.run(run).pending:
        assert time.monotonic() < deadline, "the run does not end"
        time.sleep(0.1)
    stored = rag.evaluations.run(run)
    assert (stored.status, stored.done, stored.stage) == ("complete", 3, "retrieval")
    assert len(questions(app.run())) == 3


def test_run_again_with_changes_fills_the_form(open_results, measure, rag):
    from ragcore.chunking import ChunkingConfig

    path = str(rag.question_sets.get("cv").path)
    config = RunConfig(
        (path,), stage="refusal", split="test", limit=7, chunking=ChunkingConfig(max_tokens=60)
    )
    run = rag.bench.begin(config)
    app = open_results(run=run)
    assert "This run has no results." in texts(app) or app.get("progress")
    app.menu_button(key=f"run_menu_{run}").click("Run again with changes").run()
    app.run()
    assert address(app) == {"new": "1"}
    assert app.multiselect(key="run_sets").value == [path]
    assert app.segmented_control(key="run_stage").value == "refusal"
    assert app.segmented_control(key="run_split").value == "test"
    assert (app.number_input(key="run_limit").value, app.number_input(key="run_max_tokens").value) == (7, 60)
