"""The experiments page: entries newest first, filtered, beside the runs they cite and no others."""

import pytest

from ragcore import AskOptions
from ragcore.evaluation.bench import RunConfig
from ragcore.evaluation.experiments import read_entries
from ragcore.evaluation.question_sets import BUNDLED

ANSWERS = "Answers of a 1.5-billion model"


@pytest.fixture
def page(open_app):
    app = open_app()
    app.switch_page("pages/experiments.py").run()
    assert not app.exception
    return app


def labels(app) -> list[str]:
    return [box.label for box in app.expander if box.label.startswith("**")]


def texts(app) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info))


def test_entries_stand_newest_first_and_only_the_newest_is_open(page):
    assert page.title[0].value == "Experiments"
    entries = read_entries()
    assert len(labels(page)) == min(20, len(entries))
    for label, entry in zip(labels(page), entries, strict=False):
        assert entry.title.split(":")[0].replace("_", "\\_")[:20] in label
    assert entries[0].body.split("\n")[0][:30] in texts(page)
    assert entries[-1].body.split("\n")[0][:30] not in texts(page)


def test_filter_leaves_what_holds_all_words(page):
    page.text_input(key="experiments_filter").input("quoting headings maximum").run()
    assert len(labels(page)) == 1 and "Quoting" in labels(page)[0]
    page.text_input(key="experiments_filter").input("zebra crossing").run()
    assert labels(page) == [] and "No entry holds all of these words" in texts(page)


def opened(app, title: str):
    """The page with the entry of this title alone, unfolded."""
    entry = next(entry for entry in read_entries() if entry.title.startswith(title))
    app.text_input(key="experiments_filter").input(entry.title).run()
    app.session_state[f"entry_{entry.date}_{entry.slug}"] = True
    app.run()
    assert not app.exception and len(labels(app)) == 1
    return app


def test_entry_without_a_stored_run_says_what_it_was_made_with(page):
    app = opened(page, "Cutoff 0.25")
    assert "Made with `python -m benchmarks.gate`. No run of this is stored here." in texts(app)
    app = opened(page, ANSWERS)
    assert "No run of this is stored here" in texts(app)
    assert [button.label for button in app.button if button.key.startswith("again_")] == [
        "Measure manuals again"
    ]


def test_stored_run_of_the_same_command_stands_beside_its_entry(open_app, rag):
    config = RunConfig(
        (str(BUNDLED / "manuals"),),
        stage="answers",
        options=AskOptions(generator="ollama", chat_model="qwen2.5:1.5b"),
    )
    metric = {"value": 0.575, "k": 23, "n": 40, "low": 0.42, "high": 0.71}
    run_id = rag.evaluations.begin(
        name="manuals, answers",
        question_set="manuals",
        stage="answers",
        config=config.as_dict(),
        provenance={},
        questions=60,
    )
    rag.evaluations.finish(run_id, "complete", metrics={"answer_right": metric}, seconds=1.0)
    app = open_app()
    app.switch_page("pages/experiments.py").run()
    app = opened(app, ANSWERS)
    assert f"Run {run_id} · manuals, answers" in texts(app)
    assert "the same command as in the entry" in texts(app)
    assert len(app.get("plotly_chart")) == 1
