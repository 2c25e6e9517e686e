"""The queue and its workers: real database, real model, real processes that are really killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ragcore.errors import NotFound
from ragcore.rag import Rag
from ragcore.records import Upload

ROOT = Path(__file__).parents[2]
PARAGRAPH = "Berth {n} is {m} metres long and costs {c} crowns a night in the high season. "


def guide(berths: int) -> bytes:
    lines = [
        f"# Harbour guide\n\n## Berth {n}\n\n" + PARAGRAPH.format(n=n, m=n % 40, c=n * 3)
        for n in range(berths)
    ]
    return "\n\n".join(lines).encode()


def wait_until(condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def statuses(rag: Rag) -> list[str]:
    return [upload.status for upload in rag.uploads.list("library")]


@pytest.fixture
def rag(open_test_rag) -> Rag:
    return open_test_rag()


def test_uploads_are_indexed_in_order_and_each_reports(rag: Rag) -> None:
    for data, name in ((guide(2), "a.md"), (b"  ", "empty.md"), (guide(2), "copy.md"), (guide(3), "a.md")):
        rag.upload(data, name)
    rag.worker().run(until_empty=True)
    assert statuses(rag) == ["indexed", "rejected", "unchanged", "replaced"]
    done = rag.uploads.list("library")
    assert done[0].report is not None and done[0].report.chunks == 2
    assert "empty.md" in (done[1].error or "")


def test_same_bytes_waiting_already_are_not_queued_twice(rag: Rag) -> None:
    assert rag.upload(guide(2), "a.md") == rag.upload(guide(2), "a.md")
    assert len(rag.uploads.list("library")) == 1


def test_waiting_upload_is_cancelled_at_once(rag: Rag) -> None:
    upload = rag.upload(guide(2), "a.md")
    rag.uploads.cancel(upload)
    rag.worker().run(until_empty=True)
    assert (statuses(rag), rag.library.documents("library")) == (["cancelled"], [])


def test_upload_that_is_being_worked_on_is_cancelled_and_leaves_nothing(rag: Rag) -> None:
    upload_id = rag.upload(guide(1500), "big.md")
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.uploads.get(upload_id).stage == "embedding")
    rag.uploads.cancel(upload_id)
    wait_until(lambda: not rag.uploads.get(upload_id).pending)
    worker.stop()
    assert (statuses(rag), rag.library.documents("library")) == (["cancelled"], [])


def test_rejected_upload_is_tried_again(rag: Rag) -> None:
    upload_id = rag.upload(b"   ", "empty.md")
    rag.worker().run(until_empty=True)
    rag.queue.retry(upload_id)
    rag.worker().run(until_empty=True)
    again = rag.uploads.get(upload_id)
    assert (again.status, again.attempts) == ("rejected", 2)
    rag.uploads.clear_finished("library")
    with pytest.raises(NotFound, match="upload the file again"):
        rag.queue.retry(upload_id)


def test_stopping_midway_puts_the_upload_back(rag: Rag) -> None:
    upload_id = rag.upload(guide(1500), "big.md")
    worker = rag.worker()
    worker.start()
    wait_until(lambda: rag.uploads.get(upload_id).stage == "embedding")
    worker.stop()
    assert rag.uploads.get(upload_id).status == "queued"
    assert rag.library.documents("library") == []


def test_killed_worker_loses_nothing_and_leaves_nothing_half_indexed(
    rag: Rag, database_url: str, tmp_path
) -> None:
    rag.upload(guide(3), "small.md")
    big = rag.upload(guide(1200), "big.md")
    environment = {
        **os.environ,
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "RAGCORE_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }
    victim = subprocess.Popen(
        [sys.executable, "-m", "ragcore", "worker"], env=environment, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: rag.uploads.get(big).stage == "embedding" and rag.uploads.get(big).done > 0)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    # The finished file is there whole; of the other there is nothing but the upload itself.
    assert [d.file_name for d in rag.library.documents("library")] == ["small.md"]
    assert rag.uploads.get(big).status == "working"
    worker = rag.worker()
    worker.start()
    wait_until(lambda: not rag.uploads.get(big).pending, 120)
    worker.stop()
    finished = rag.uploads.get(big)
    assert (finished.status, finished.attempts) == ("indexed", 2)
    assert [(d.file_name, d.chunks) for d in rag.library.documents("library")] == [
        ("big.md", 1200),
        ("small.md", 3),
    ]


def test_rate_and_time_left() -> None:
    upload = Upload(
        1, "library", "a.pdf", 10, "working", "embedding", 50, 200, 1, False, 25.0, datetime.now(UTC)
    )
    assert (upload.rate, upload.seconds_left) == (2.0, 75.0)


def test_session_collection_is_deleted_when_its_time_has_come(rag: Rag) -> None:
    rag.library.create_collection("session-abc", chunking={"max_tokens": 120}, kind="session")
    rag.collections.keep_until("session-abc", datetime.now(UTC) + timedelta(hours=1))
    assert rag.collections.delete_expired() == 0
    rag.collections.keep_until("session-abc", datetime.now(UTC) - timedelta(seconds=1))
    assert rag.collections.delete_expired() == 1
    assert rag.library.collections() == []
