"""The worker as a process of its own: it says that it waits, and ends on either signal."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def worker(open_test_rag, database_url: str, tmp_path: Path):
    """A started worker that has said its first line, and a Rag on the same database."""
    rag = open_test_rag()
    process = subprocess.Popen(
        [sys.executable, "-m", "ragcore", "worker"],
        env={
            **os.environ,
            "RAGCORE_HOME": str(tmp_path),
            "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
            "PYTHONPATH": str(ROOT),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "Waiting for uploads and evaluations; stop with Ctrl+C.\n"
    yield process, rag
    if process.poll() is None:
        process.kill()
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_while_it_waits(worker, number: signal.Signals) -> None:
    process, _ = worker
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


def test_signal_in_the_middle_of_a_document_puts_it_back(worker) -> None:
    process, rag = worker
    long = "\n\n".join(f"# Berth {n}\n\nBerth {n} costs {n * 3} crowns a night." for n in range(3000))
    upload_id = rag.upload(long.encode(), "long.md")
    deadline = time.monotonic() + 60
    while not (rag.uploads.get(upload_id).stage == "embedding" and rag.uploads.get(upload_id).done):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")
    assert rag.uploads.get(upload_id).status == "queued"
    assert rag.library.documents("library") == []
