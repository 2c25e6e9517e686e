"""Measure from the page, look at what failed, read it one by one by key, send a link to it."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = pytest.mark.browser


def address(page) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_run_started_on_the_page_and_its_failures_read_by_key(serve, browse, tmp_path: Path):
    app = browse(f"{serve()}/eval_results?new=1")
    page = app.page
    page.get_by_role("heading", name="New run").wait_for()
    app.settle()
    page.get_by_role("combobox", name="Question sets").click()
    page.get_by_role("option", name="cv (25)").click()
    page.keyboard.press("Escape")
    page.get_by_text("25 questions will be asked.").wait_for()
    page.get_by_role("button", name="Start").click()
    # The embedding model is loaded for it, on a machine that may be busy.
    page.get_by_text("25 questions", exact=True).wait_for(timeout=180_000)
    app.settle()

    # A click on the bar of the stage shows what failed there.
    chart = page.locator(".js-plotly-plot").first
    bar = chart.locator(".bars .point path").nth(1)
    box = bar.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**stage=retrieval**")
    app.settle()
    shown = page.get_by_text("of 25 questions").inner_text()
    failed = int(shown.split()[0])
    assert 2 < failed < 25

    # A click into the table opens that question.
    page.get_by_test_id("stDataFrame").click(position={"x": 200, "y": 35 + 17})
    page.wait_for_url("**question=**")
    app.settle()
    page.get_by_text(f"1 of {failed} ·").wait_for()
    first = address(page)["question"]

    for key, place in (("n", 2), ("p", 1), ("n", 2)):
        page.keyboard.press(key)
        page.get_by_text(f"{place} of {failed} ·").wait_for()
        app.settle()
        assert (address(page)["question"] == first) == (place == 1)
    asked = page.locator("h3").first.inner_text()
    page.get_by_text("Failed at: Retrieval").first.wait_for()

    # A colleague who opens the link sees the same question of the same list.
    other = browse(page.url, own_context=True)
    other.page.get_by_text(f"2 of {failed} ·").wait_for()
    other.settle()
    assert other.page.locator("h3").first.inner_text() == asked
    assert address(other.page) == address(page)
    other.page.keyboard.press("l")
    other.page.get_by_text(f"{failed} of 25 questions").wait_for()
    other.settle()
    with other.page.expect_download() as download:
        other.page.get_by_role("button", name="CSV", exact=True).click()
    lines = Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == failed + 1
    assert app.foreign == other.foreign == []
