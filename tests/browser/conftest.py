"""A real Streamlit server on a free port, and a real Chromium that is watched."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 90_000
"""The first question loads the embedding model, on a machine that may be busy."""


@dataclass
class Watched:
    """A page, and the hosts that it sent requests to."""

    page: object
    url: str
    requests: list[str] = field(default_factory=list)

    @property
    def foreign(self) -> list[str]:
        local = {"127.0.0.1", "localhost", None}
        return [url for url in self.requests if urlsplit(url).hostname not in local]

    def settle(self) -> None:
        """Wait until the script has run to its end."""
        self.page.wait_for_timeout(300)
        self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(
            timeout=PATIENCE_MS
        )

    def ask(self, question: str) -> None:
        box = self.page.get_by_test_id("stChatInputTextArea")
        box.fill(question)
        box.press("Enter")


@pytest.fixture
def server_processes() -> list[subprocess.Popen]:
    """The servers that were started, in order."""
    return []


@pytest.fixture
def serve(tmp_path: Path, server_processes: list[subprocess.Popen]) -> Iterator[Callable[..., str]]:
    """Starts the app on the test's library, which is empty at first; returns its address."""
    logs = []

    def start(ollama: str = "127.0.0.1:9") -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("RAGCORE_")}
        environment |= {"RAGCORE_HOME": str(tmp_path / "home"), "OLLAMA_HOST": ollama}
        log = (tmp_path / "server.log").open("a", encoding="utf-8")
        logs.append(log)
        command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py"]
        options = ["--server.port", str(port), "--server.headless", "true"]
        server = subprocess.Popen([*command, *options], cwd=ROOT, env=environment, stdout=log, stderr=log)
        server_processes.append(server)
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(url, server)
        return url

    yield start
    for server in server_processes:
        server.terminate()
        server.wait(20)
    for log in logs:
        log.close()


def wait_until_healthy(url: str, server: subprocess.Popen) -> None:
    for _ in range(300):
        assert server.poll() is None, "the server ended at its start"
        try:
            with urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server did not become healthy")


@pytest.fixture
def browse(browser_path: str) -> Iterator[Callable[[str], Watched]]:
    """Opens an address in Chromium and watches every request that leaves the page."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(SWITCHES))

        def open_(url: str, *, own_context: bool = False) -> Watched:
            context = browser.new_context() if own_context or not browser.contexts else browser.contexts[0]
            page = context.new_page()
            page.set_viewport_size({"width": 1366, "height": 768})
            page.set_default_timeout(PATIENCE_MS)
            watched = Watched(page, url)
            page.on("request", lambda request: watched.requests.append(request.url))
            page.goto(url)
            return watched

        yield open_
        browser.close()
