"""Uploads that outlive the page, the tab and the server; and those that do not outlive their session."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ragcore.rag import Rag, open_rag
from ragcore.settings import Settings

pytestmark = pytest.mark.browser
SECRET = "The vault code of the {name} project is {code}."
QUESTION = "What is the vault code?"


def harbour_guide(berths: int) -> dict:
    """A file for the drop zone, of as many chunks as there are berths."""
    parts = [
        f"# Berth {n}\n\nBerth {n} is {n % 40} metres long and costs {n * 3} crowns." for n in range(berths)
    ]
    return {"name": "harbour.md", "mimeType": "text/markdown", "buffer": "\n\n".join(parts).encode()}


def wait_until(condition: Callable[[], bool], timeout_s: float = 90.0) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.1)


@pytest.fixture
def library(tmp_path: Path):
    """Opens the served app's library from behind."""
    opened: list[Rag] = []

    def open_() -> Rag:
        opened.append(open_rag(Settings(home=tmp_path / "home", ollama_host="127.0.0.1:9")))
        return opened[-1]

    yield open_
    for rag in opened:
        rag.close()


def drop(app, *files) -> None:
    app.settle()
    app.page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(list(files))


def test_upload_goes_on_through_page_change_closed_tab_and_killed_server(
    serve, browse, library, server_processes
):
    app = browse(serve() + "/documents")
    app.page.get_by_text("Nothing in “library” yet.").wait_for()
    rag = library()
    drop(app, harbour_guide(600))
    app.page.locator(".st-key-upload_queue").get_by_text("harbour.md").wait_for()
    app.page.get_by_test_id("stSidebarNavLink").filter(has_text="Chat").click()
    app.page.get_by_test_id("stChatInputTextArea").wait_for()
    app.page.locator(".st-key-upload_progress").get_by_text("harbour.md").wait_for()
    (upload,) = rag.uploads.list("library")
    app.page.close()

    wait_until(
        lambda: rag.uploads.get(upload.id).stage == "embedding" and rag.uploads.get(upload.id).done > 0
    )
    server_processes[-1].send_signal(signal.SIGKILL)
    server_processes[-1].wait(20)
    assert rag.library.documents("library") == []

    app = browse(serve() + "/documents")
    app.page.locator(".st-key-upload_queue").get_by_text("harbour.md").wait_for()
    wait_until(lambda: not rag.uploads.get(upload.id).pending, 240)
    app.page.get_by_text("1 in “library”").wait_for()
    assert [(d.file_name, d.chunks) for d in rag.library.documents("library")] == [("harbour.md", 600)]
    assert rag.uploads.get(upload.id).attempts == 2
    app.page.locator(".st-key-upload_progress").wait_for(state="detached")


def test_two_sessions_do_not_see_each_other(serve, browse, library):
    url = serve()
    rag = library()
    apps = {name: browse(url + "/documents", own_context=True) for name in ("Kestrel", "Merlin")}
    codes = {"Kestrel": "7741", "Merlin": "2093"}
    for name, app in apps.items():
        app.page.get_by_test_id("stButtonGroup").get_by_text("Just for this session").click()
        app.page.get_by_text("Only this browser tab sees these files").wait_for()
        text = SECRET.format(name=name, code=codes[name])
        drop(app, {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": text.encode()})
        app.page.get_by_text("1 in this session's files").wait_for()
        app.page.get_by_role("button", name="Ask these").click()
        app.page.get_by_text("1 document in this session's files").wait_for()
        app.settle()
        app.ask(QUESTION)
        app.page.locator(".stMarkdownBadge", has_text="evidence").first.wait_for()
        app.settle()
    for name, app in apps.items():
        other = next(o for o in apps if o != name)
        shown = app.page.locator("body").inner_text()
        assert codes[name] in shown and codes[other] not in shown
        assert app.page.locator(".st-key-conversations [class*=st-key-open_]").count() == 1
        app.page.get_by_test_id("stSidebarNavLink").filter(has_text="Documents").click()
        app.page.get_by_text(f"{name}.txt").first.wait_for()
        app.settle()
        assert f"{other}.txt" not in app.page.locator("body").inner_text()
        app.page.go_back()
        app.page.get_by_test_id("stChatMessage").first.wait_for()
    address = apps["Kestrel"].page.url
    assert "conversation=" in address
    apps["Merlin"].page.goto(address)
    apps["Merlin"].page.get_by_text("There is no conversation").wait_for()
    assert "7741" not in apps["Merlin"].page.locator("body").inner_text()
    assert rag.history.conversations() == []

    # Opening an address began a new session for Merlin, so both sets of files are over soon.
    apps["Kestrel"].page.context.close()
    wait_until(lambda: rag.library.collections() == [])
    assert rag.uploads.list() == []
