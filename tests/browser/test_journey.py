"""What a new user does in the first ten minutes, in a real browser."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.fake_ollama import FakeOllama

pytestmark = pytest.mark.browser
SAMPLE = Path(__file__).parents[2] / "sample" / "documents"


@pytest.fixture
def leak_server() -> Iterator[tuple[str, list[str]]]:
    """Somewhere that an image would be fetched from, and what was asked of it."""
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return None

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/leak", hits
    server.shutdown()
    server.server_close()


def upload(app, *files) -> None:
    app.page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(list(files))
    app.page.get_by_test_id("stChatInputTextArea").and_(app.page.locator(":enabled")).wait_for()
    app.settle()


def test_from_an_upload_to_a_refusal_and_back(serve, browse):
    app = browse(serve())
    page = app.page
    page.get_by_role("button", name="Load the sample documents").wait_for()
    upload(app, SAMPLE / "observatory-guide.pdf")

    app.ask("What does a school group pay for an evening?")
    page.locator(".stMarkdownBadge", has_text="Strong evidence").first.wait_for()
    assert page.get_by_text("£55.00").first.is_visible()

    page.get_by_test_id("stPopover").filter(has_text="observatory-guide.pdf:2").get_by_role("button").click()
    mark = page.locator(".pl-passage mark")
    mark.wait_for()
    assert "£55.00" in mark.inner_text()
    assert page.get_by_text("page 2 (printed “1”)").is_visible()
    page.keyboard.press("Escape")

    app.ask("Who won the football World Cup in 1998?")
    page.get_by_text("Nearest misses, not used as sources").wait_for()
    refusal = page.get_by_test_id("stChatMessage").last
    assert "I don't know." in refusal.inner_text()
    assert "cutoff 0.37" in refusal.inner_text()

    app.settle()
    page.reload()
    page.get_by_text("Nearest misses, not used as sources").wait_for()
    assert page.get_by_test_id("stChatMessage").count() == 4
    assert page.get_by_text("£55.00").first.is_visible()
    assert app.foreign == []


def test_markup_in_a_document_stays_text(serve, browse, leak_server, tmp_path):
    leak, hits = leak_server
    document = tmp_path / "fees.txt"
    written = (
        f"The fee is $5 and $6, see ![x]({leak}) or <script>document.title='taken'</script><img src={leak}>"
    )
    document.write_text(written, encoding="utf-8")
    app = browse(serve())
    page = app.page
    page.get_by_role("button", name="Load the sample documents").wait_for()
    upload(app, document)
    app.ask("What is the fee?")
    page.locator(".stMarkdownBadge", has_text="evidence").first.wait_for()
    app.settle()
    answer = page.get_by_test_id("stChatMessage").last
    assert written in answer.get_by_test_id("stMarkdownContainer").first.inner_text().replace("\u2060", "")
    answer.get_by_test_id("stPopover").first.get_by_role("button").click()
    page.locator(".pl-passage").wait_for()
    assert page.locator(".pl-passage").inner_text() == written
    assert page.locator(".katex").count() == 0
    assert page.title() == "Plumbline"
    assert hits == []
    assert app.foreign == []


def test_stop_keeps_what_was_written(serve, browse):
    # What appears is whole sentences that a passage supports; the same one is as good as any.
    sentence = "An adult pays £7.50 at the gate, cards only [1]. "
    words = [f"{word} " for word in (sentence * 60).split()]
    with FakeOllama(replies=[words], piece_delay_s=0.05) as ollama:
        app = browse(serve(ollama.host))
        page = app.page
        page.get_by_role("button", name="Load the sample documents").click()
        page.get_by_text("Questions to try").first.wait_for()
        app.settle()
        app.ask("What does an adult pay at the gate?")
        page.get_by_test_id("stChatMessage").last.get_by_text("£7.50").first.wait_for()
        page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop").click()
        page.locator(".stMarkdownBadge", has_text="Interrupted").first.wait_for()
        app.settle()
        answer = page.get_by_test_id("stChatMessage").last
        assert 0 < answer.inner_text().count("£7.50") < 60
        page.reload()
        page.locator(".stMarkdownBadge", has_text="Interrupted").first.wait_for()
        assert page.get_by_test_id("stChatMessage").count() == 2

        # Streamlit's own Stop, in the toolbar, ends the script where it stands.
        app.ask("What does an adult pay?")
        page.get_by_test_id("stChatMessage").last.get_by_text("£7.50").first.wait_for()
        page.get_by_test_id("stToolbar").get_by_role("button", name="Stop").click()
        page.get_by_text("Interrupted. What had been written is kept").wait_for()


def test_first_address_after_a_start_is_that_of_a_page(serve, browse):
    app = browse(serve() + "/documents")
    page = app.page
    page.get_by_role("heading", name="Documents").wait_for()
    app.settle()
    links = page.get_by_test_id("stSidebarNavLink").all_inner_texts()
    assert [link.splitlines()[-1] for link in links] == [
        "Chat",
        "Documents",
        "Threshold",
        "Eval results",
        "Grading",
        "Experiments",
        "Status",
    ]
    assert page.title() == "Plumbline"
    assert page.get_by_role("dialog").count() == 0
