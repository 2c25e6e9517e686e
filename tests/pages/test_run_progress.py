"""How far a run is, as a page shows it: its bar, its buttons, its error."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragcore.evaluation.bench import RunConfig
from ragcore.storage import QueuedRuns, RunProgress
from tests.evaluation.test_run_queue import write_set


def progress_alone(run_id):
    from pages.parts.app import get_rag
    from pages.parts.run_progress import run_progress

    run_progress(get_rag(), run_id)


@pytest.fixture
def begun(rag, tmp_path: Path) -> int:
    """A run of four questions that was begun in another process, which has gone."""
    return rag.bench.begin(RunConfig((str(write_set(tmp_path / "berths")),)))


@pytest.fixture
def shown(begun):
    return lambda: AppTest.from_function(progress_alone, args=(begun,), default_timeout=60).run()


def bar(app) -> str:
    return app.get("progress")[0].proto.text


def test_running_run_is_cancelled_in_two_steps_and_can_be_resumed(shown, begun, rag):
    app = shown()
    assert bar(app) == "0 of 4 questions"
    app.button(key=f"cancel_run_{begun}").click().run()
    assert bar(app) == "Stopping after the present question"
    assert app.button(key=f"cancel_run_{begun}").label == "Cancel now"
    app.button(key=f"cancel_run_{begun}").click().run()
    app = shown()
    assert bar(app) == "Cancelled · 0 of 4 questions"
    assert app.button(key=f"resume_run_{begun}").label == "Resume"
    assert rag.evaluations.run(begun).status == "cancelled"


def test_indexing_and_failure_are_told(shown, begun, rag):
    runs = QueuedRuns(rag.database)
    runs.note(begun, "indexing", 2, 5)
    assert bar(shown()) == "Indexing the corpus · 2 of 5 files"
    runs.end(begun, "failed", error="'a_b.pdf' has $no$ text layer.")
    app = shown()
    assert bar(app) == "Failed · 0 of 4 questions"
    assert app.error[0].value == "'a\\_b.pdf' has \\$no\\$ text layer."


def test_complete_run_shows_nothing(shown, begun, rag):
    list(rag.bench.carry_out(begun))
    assert shown().get("progress") == []


@pytest.mark.parametrize(
    ("done_now", "asking_s", "words"),
    [
        (0, 0.0, "10 of 60 questions"),
        (10, 5.0, "10 of 60 questions · 2.0 a second · about 25 s left"),
        (10, 300.0, "10 of 60 questions · 2.0 a minute · about 25 min left"),
    ],
)
def test_rate_and_time_left(done_now, asking_s, words):
    from pages.parts.run_progress import _words

    progress = RunProgress("running", "", 0, 0, 10, 60, done_now, asking_s, False, None)
    assert _words(progress) == words
