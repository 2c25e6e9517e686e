"""A citation, its page as a picture, the next page, and the answer after its document was replaced."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

pytestmark = pytest.mark.browser
SAMPLE = Path(__file__).parents[2] / "sample" / "documents"


def upload(app, file: Path) -> None:
    app.page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    app.settle()


def test_from_a_citation_to_its_page_and_back(serve, browse, tmp_path):
    app = browse(serve())
    page = app.page
    page.get_by_role("button", name="Load the sample documents").wait_for()
    upload(app, SAMPLE / "observatory-guide.pdf")
    page.get_by_test_id("stChatInputTextArea").and_(page.locator(":enabled")).wait_for()
    app.settle()
    app.ask("At what humidity must the dome be closed?")
    chip = page.get_by_test_id("stPopover").filter(has_text="observatory-guide.pdf:4").get_by_role("button")
    chip.click()
    page.get_by_role("button", name="Show the page").click()

    dialog = page.get_by_role("dialog")
    picture = dialog.get_by_role("img", name="Page 4 (printed “3”) of observatory-guide.pdf, with the words")
    picture.wait_for()
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 1000
    assert page.get_by_test_id("stPopoverBody").count() == 0, "the passage is not in front of the page"
    dialog.get_by_role("button", name="Next").click()
    dialog.get_by_role("img", name="Page 5 (printed “4”) of observatory-guide.pdf", exact=True).wait_for()
    app.settle()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Original").click()
    assert Path(download.value.path()).read_bytes() == (SAMPLE / "observatory-guide.pdf").read_bytes()
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="hidden")
    app.settle()
    chip.wait_for()

    writer = PdfWriter()
    for sheet in PdfReader(SAMPLE / "observatory-guide.pdf").pages[:-1]:
        writer.add_page(sheet)
    changed = io.BytesIO()
    writer.write(changed)
    newer = tmp_path / "observatory-guide.pdf"
    newer.write_bytes(changed.getvalue())
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Documents").click()
    page.get_by_role("heading", name="Documents").wait_for()
    app.settle()
    upload(app, newer)
    page.get_by_text("7 pages").first.wait_for()
    app.settle()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Chat").click()
    marked = page.get_by_test_id("stPopover").filter(has_text="from an earlier version").get_by_role("button")
    marked.first.click()
    page.locator(".pl-passage mark").first.wait_for()
    assert page.get_by_text("The document has been replaced since.").first.is_visible()
    assert page.get_by_role("button", name="Show the page").count() == 0
    assert app.foreign == []
