"""Grading by keyboard in a real browser; and nothing is lost when the app is killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ragcore import Settings, open_rag
from ragcore.evaluation.exporting import read_rows, write_rows
from ragcore.evaluation.grading_queue import GradingQueue
from tests.browser.conftest import wait_until_healthy
from tests.graded_run import library_with_run
from tests.pages.conftest import create_database

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run_library(server_url: str, server_home: Path, embedder, tmp_path_factory) -> str:
    return library_with_run(server_url, server_home, embedder, tmp_path_factory.mktemp("set"))


@pytest.fixture
def library_url(server_url: str, run_library: str) -> str:
    return create_database(server_url, run_library)


@pytest.fixture
def rag(library_url: str, server_home: Path):
    with open_rag(Settings(home=server_home, database_url=library_url)) as opened:
        yield opened


@pytest.fixture
def serve_run(library_url: str, server_home: Path, tmp_path: Path):
    """Starts the app on the library that has a run; returns the process and its address."""
    servers = []

    def start() -> tuple[subprocess.Popen, str]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("RAGCORE_")}
        environment |= {
            "RAGCORE_HOME": str(server_home),
            "RAGCORE_DATABASE_URL": library_url.replace("postgresql+psycopg", "postgresql"),
            "OLLAMA_HOST": "127.0.0.1:9",
        }
        command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py"]
        with (tmp_path / "server.log").open("a") as log:
            server = subprocess.Popen(
                [*command, "--server.port", str(port), "--server.headless", "true"],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )
        servers.append(server)
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, server)
        return server, url

    yield start
    for server in servers:
        server.terminate()
        server.wait(20)


def begin(page) -> None:
    name = page.get_by_role("textbox", name="name")
    name.fill("Ada")
    name.press("Enter")


def at(page, number: int, graded: int) -> None:
    """Wait until the page is there."""
    expect(page.get_by_test_id("stProgress")).to_contain_text(
        f"Answer {number} of 12 · {graded} of 12 graded by Ada"
    )
    page.wait_for_timeout(100)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def graded(rag) -> list[str | None]:
    """Ada's grades in the order of the queue."""
    return [one.grade_by("Ada") for one in GradingQueue(rag.grading.answers(1), "Ada").answers]


def test_ten_by_keyboard_reload_undo_export_import(serve_run, browse, rag, tmp_path):
    _, url = serve_run()
    app = browse(f"{url}/grading?run=1")
    page = app.page
    begin(page)
    at(page, 1, 0)
    expect(page.get_by_text("the name of the run")).to_have_count(0)
    for number, key in enumerate("1234511223", 1):
        at(page, number, number - 1)
        if number == 3:
            page.keyboard.press("/")
            expect(page.locator(".st-key-grading_note input")).to_be_focused()
            page.keyboard.type("5 of 12 / so")
            page.keyboard.press("Enter")
            expect(page.locator(".st-key-grading_note input")).not_to_be_focused()
            app.settle()
        page.keyboard.press(key)
    at(page, 11, 10)
    words = ["right", "partly", "wrong", "should_have_refused", "should_have_answered"]
    given = [words[int(key) - 1] for key in "1234511223"]
    assert graded(rag) == [*given, None, None]
    third = GradingQueue(rag.grading.answers(1), "Ada").answers[2]
    assert third.note_by("Ada") == "5 of 12 / so"

    app.settle()
    page.reload()
    page.get_by_role("button", name="Ada (10 of 12)").click()
    at(page, 11, 10)

    page.keyboard.press("u")
    at(page, 10, 9)
    assert graded(rag) == [*given[:9], None, None, None]
    page.keyboard.press("p")
    at(page, 9, 9)
    page.keyboard.press("n")
    at(page, 10, 9)
    page.get_by_role("button", name="Should have answered").click()
    at(page, 11, 10)

    page.get_by_text("Files", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    file = tmp_path / "grades.csv"
    download.value.save_as(file)
    before = rag.grading.rows(1)
    assert file.read_bytes() == write_rows(before, "csv")
    assert read_rows(file.read_bytes(), "csv") == before
    for _ in range(10):
        rag.grading.take_back(1, "Ada")
    assert rag.grading.rows(1) == []
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported 10 grades by Ada.").wait_for()
    assert rag.grading.rows(1) == before

    page.get_by_text("Agreement", exact=True).click()
    expect(page.get_by_test_id("stMetric").filter(has_text="The same")).to_be_visible()
    page.locator(".js-plotly-plot").first.wait_for()
    assert app.foreign == []


def test_killed_between_two_keys_loses_nothing(serve_run, browse, rag):
    server, url = serve_run()
    page = browse(f"{url}/grading?run=1").page
    begin(page)
    at(page, 1, 0)
    page.keyboard.press("2")
    at(page, 2, 1)
    page.keyboard.press("3")
    deadline = time.monotonic() + 30
    while graded(rag)[1] is None:
        assert time.monotonic() < deadline, "the second grade was not stored"
        time.sleep(0.02)
    os.kill(server.pid, signal.SIGKILL)
    server.wait(20)
    assert graded(rag)[:3] == ["partly", "wrong", None]

    _, url = serve_run()
    page.goto(f"{url}/grading?run=1")
    page.get_by_role("button", name="Ada (2 of 12)").click()
    at(page, 3, 2)
    page.keyboard.press("1")
    at(page, 4, 3)
    assert graded(rag)[:4] == ["partly", "wrong", "right", None]


def test_key_pressed_twice_grades_one_answer(serve_run, browse, rag):
    page = browse(f"{serve_run()[1]}/grading?run=1").page
    begin(page)
    at(page, 1, 0)
    page.evaluate(
        """() => { for (let i = 0; i < 2; i++) for (const type of ["keydown", "keyup"])
            document.body.dispatchEvent(new KeyboardEvent(type,
                {key: "3", code: "Digit3", keyCode: 51, which: 51, bubbles: true})) }"""
    )
    at(page, 2, 1)
    page.wait_for_timeout(1500)
    assert graded(rag)[:2] == ["wrong", None]
