"""Runs in the background: real database, real model, a real worker that is really killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.errors import InputError, NotFound
from ragcore.evaluation.bench import RunConfig
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama

ROOT = Path(__file__).parents[2]


def write_set(folder: Path, questions: int = 4) -> Path:
    (folder / "corpus").mkdir(parents=True)
    berths = "\n\n".join(f"## Berth {n}\n\nBerth {n} costs {n * 3} crowns a night." for n in range(questions))
    (folder / "corpus" / "berths.md").write_text(f"# Berths\n\n{berths}\n", encoding="utf-8")
    rows = [
        {
            "id": f"b-{n}",
            "kind": "answerable",
            "split": "test",
            "question": f"What does berth {n} cost a night?",
            "facts": [[f"{n * 3} crowns"]],
            "gold": [{"document": "berths.md", "quote": f"Berth {n} costs {n * 3} crowns a night."}],
        }
        for n in range(questions)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "questions.jsonl").write_text(text, encoding="utf-8")
    return folder


def wait_until(condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def asked(rag: Rag, run_id: int) -> list[str]:
    return [outcome.id for outcome in rag.bench.outcomes(run_id)]


@pytest.fixture
def rag(open_test_rag) -> Rag:
    return open_test_rag()


@pytest.fixture
def berths(tmp_path: Path) -> Path:
    return write_set(tmp_path / "berths")


def test_start_returns_before_anything_is_indexed_and_the_worker_does_the_rest(
    rag: Rag, berths: Path
) -> None:
    run_id = rag.run_queue.start(RunConfig((str(berths),)), name="first")
    queued = rag.evaluations.run(run_id)
    assert (queued.status, queued.name, queued.questions, queued.provenance) == ("queued", "first", 4, {})
    assert rag.library.collections() == []
    rag.worker().run(until_empty=True)
    run = rag.evaluations.run(run_id)
    assert (run.status, run.done, run.error) == ("complete", 4, None)
    assert run.metrics["hit_rate@1"]["n"] == 4
    assert run.provenance["embedder"]["model"] and len(run.provenance["corpora"]["berths"]) == 64


def test_same_run_in_the_foreground_measures_the_same(rag: Rag, berths: Path) -> None:
    config = RunConfig((str(berths),))
    queued = rag.run_queue.start(config)
    rag.worker().run(until_empty=True)
    foreground = rag.bench.begin(config)
    list(rag.bench.carry_out(foreground))
    one, two = rag.evaluations.run(queued), rag.evaluations.run(foreground)
    without_times = [
        {name: value for name, value in run.metrics.items() if "_ms_" not in name} for run in (one, two)
    ]
    assert without_times[0] == without_times[1]
    assert (one.name, one.provenance["corpora"]) == (two.name, two.provenance["corpora"])


def test_paths_are_found_from_another_folder(rag: Rag, berths: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(berths.parent)
    run_id = rag.run_queue.start(RunConfig(("berths",), corpora=("berths/corpus",)))
    monkeypatch.chdir(tmp_path.parent)
    rag.worker().run(until_empty=True)
    assert rag.evaluations.run(run_id).status == "complete"


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"sets": ("nowhere",)}, InputError, "no question set at .*nowhere"),
        ({"stage": "followups"}, InputError, "belongs to the stage 'followups'"),
        ({"split": "calibration"}, InputError, "split calibration"),
        ({"collection": "attic"}, NotFound, "attic"),
        ({"corpora": ("missing.pdf",)}, NotFound, "missing.pdf"),
    ],
)
def test_what_is_wrong_at_once_is_said_at_once(rag: Rag, berths: Path, config, error, message) -> None:
    with pytest.raises(error, match=message):
        rag.run_queue.start(RunConfig(**{"sets": (str(berths),), **config}))
    assert rag.evaluations.runs() == []


def test_empty_set_and_set_without_corpus(rag: Rag, tmp_path: Path, berths: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"empty\.jsonl holds no questions"):
        rag.run_queue.start(RunConfig((str(tmp_path / "empty.jsonl"),)))
    alone = (berths / "questions.jsonl").rename(tmp_path / "alone.jsonl")
    with pytest.raises(InputError, match="'alone' has no corpus of its own"):
        rag.run_queue.start(RunConfig((str(alone),)))


def test_unreadable_corpus_fails_with_one_sentence_and_goes_on_when_mended(rag: Rag, berths: Path) -> None:
    (berths / "corpus" / "broken.txt").write_bytes(b"")
    run_id = rag.run_queue.start(RunConfig((str(berths),)))
    rag.worker().run(until_empty=True)
    run = rag.evaluations.run(run_id)
    assert run.status == "failed" and "broken.txt" in (run.error or "") and run.done == 0
    (berths / "corpus" / "broken.txt").unlink()
    rag.run_queue.resume(run_id)
    rag.worker().run(until_empty=True)
    run = rag.evaluations.run(run_id)
    assert (run.status, run.done, run.error) == ("complete", 4, None)


def test_waiting_run_is_cancelled_at_once_and_resumed(rag: Rag, berths: Path) -> None:
    run_id = rag.run_queue.start(RunConfig((str(berths),)))
    rag.run_queue.cancel(run_id)
    assert rag.evaluations.run(run_id).status == "cancelled"
    rag.worker().run(until_empty=True)
    assert rag.evaluations.run(run_id).done == 0
    rag.run_queue.resume(run_id)
    with pytest.raises(InputError, match=f"Run {run_id} is queued"):
        rag.run_queue.resume(run_id)
    rag.worker().run(until_empty=True)
    assert (rag.evaluations.run(run_id).status, len(asked(rag, run_id))) == ("complete", 4)


def test_run_without_a_process_is_cancelled_by_asking_twice(rag: Rag, berths: Path) -> None:
    run_id = rag.bench.begin(RunConfig((str(berths),)))  # in the foreground, then its process is gone
    rag.run_queue.cancel(run_id)
    assert rag.evaluations.run(run_id).status == "running"
    rag.run_queue.cancel(run_id)
    assert rag.evaluations.run(run_id).status == "cancelled"
    rag.run_queue.resume(run_id)
    rag.worker().run(until_empty=True)
    assert rag.evaluations.run(run_id).status == "complete"


@pytest.fixture
def slow_answers(open_test_rag, tmp_path: Path):
    """A Rag whose chat model takes a tenth of a second a question, and a set of twenty-five."""
    folder = write_set(tmp_path / "many", 25)
    with FakeOllama(replies=lambda body: "It is 3 crowns [1].", piece_delay_s=0.03) as ollama:
        yield open_test_rag(ollama_host=ollama.host), folder, ollama


def answers(folder: Path) -> RunConfig:
    return RunConfig((str(folder),), stage="answers", options=AskOptions(generator="ollama"))


def test_running_run_is_cancelled_after_the_present_question(slow_answers) -> None:
    rag, folder, _ = slow_answers
    run_id = rag.run_queue.start(answers(folder))
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.run_queue.progress(run_id).done > 1)
    progress = rag.run_queue.progress(run_id)
    assert progress.rate and progress.seconds_left and progress.step == ""
    rag.run_queue.cancel(run_id)
    wait_until(lambda: not rag.run_queue.progress(run_id).pending)
    worker.stop()
    run = rag.evaluations.run(run_id)
    assert run.status == "cancelled" and 2 <= run.done < 25 and run.metrics["answer_right"]["n"] == run.done


def test_uploads_are_indexed_while_a_run_is_carried_out(slow_answers) -> None:
    rag, folder, _ = slow_answers
    run_id = rag.run_queue.start(answers(folder))
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.run_queue.progress(run_id).done > 0)
    upload = rag.upload(b"# Harbour\n\nThe harbour opens at six.", "harbour.md")
    wait_until(lambda: not rag.uploads.get(upload).pending)
    assert rag.uploads.get(upload).status == "indexed"
    assert rag.run_queue.progress(run_id).status == "running"
    worker.stop()
    assert rag.run_queue.progress(run_id).status == "queued", "an unfinished run goes back"


def test_run_is_carried_out_while_a_long_upload_is_indexed(rag: Rag, berths: Path) -> None:
    long = "\n\n".join(f"# Berth {n}\n\nBerth {n} costs {n * 3} crowns a night." for n in range(3000))
    upload = rag.upload(long.encode(), "long.md")
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.uploads.get(upload).stage == "embedding")
    run_id = rag.run_queue.start(RunConfig((str(berths),)))
    wait_until(lambda: not rag.run_queue.progress(run_id).pending)
    assert rag.uploads.get(upload).status == "working"
    assert rag.evaluations.run(run_id).status == "complete"
    worker.stop()


def test_killed_worker_loses_nothing_and_the_run_goes_on_where_it_stopped(
    slow_answers, database_url: str, tmp_path: Path
) -> None:
    rag, folder, ollama = slow_answers
    run_id = rag.run_queue.start(answers(folder))
    environment = {
        **os.environ,
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "RAGCORE_HOME": str(tmp_path),
        "OLLAMA_HOST": ollama.host,
        "PYTHONPATH": str(ROOT),
    }
    victim = subprocess.Popen(
        [sys.executable, "-m", "ragcore", "worker"], env=environment, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: rag.run_queue.progress(run_id).done >= 3)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    before = {result.question_id: result.id for result in rag.evaluations.results(run_id)}
    assert rag.run_queue.progress(run_id).status == "running" and len(before) < 25
    worker = rag.worker()
    worker.start()
    wait_until(lambda: not rag.run_queue.progress(run_id).pending, 120)
    worker.stop()
    after = {result.question_id: result.id for result in rag.evaluations.results(run_id)}
    assert rag.evaluations.run(run_id).status == "complete" and len(after) == 25
    assert before.items() <= after.items(), "what was measured before is kept as it was"


def test_indexing_is_told_and_can_be_cancelled(rag: Rag, tmp_path: Path) -> None:
    folder = write_set(tmp_path / "big", 1500)
    run_id = rag.run_queue.start(RunConfig((str(folder),)))
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.run_queue.progress(run_id).step == "indexing")
    assert rag.run_queue.progress(run_id).step_total == 1
    rag.run_queue.cancel(run_id)
    wait_until(lambda: not rag.run_queue.progress(run_id).pending)
    worker.stop()
    assert (rag.evaluations.run(run_id).status, rag.evaluations.run(run_id).done) == ("cancelled", 0)


def test_worker_that_stops_before_it_heard_of_a_cancel_leaves_the_run_cancelled(
    rag: Rag, berths: Path
) -> None:
    run_id = rag.run_queue.start(RunConfig((str(berths),)))
    stopping = threading.Event()
    stopping.set()
    index = rag.bench.carry_out

    def cancelled_meanwhile(*args, **more):
        rag.run_queue.cancel(run_id)
        return index(*args, **more)

    rag.bench.carry_out = cancelled_meanwhile
    rag.run_queue.kind.work(run_id, stopping)
    assert rag.evaluations.run(run_id).status == "cancelled"
