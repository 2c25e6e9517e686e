"""Choosing a cutoff by keys in a real browser: the counts are the library's, and undo undoes."""

from pathlib import Path

import pytest

from ragcore import Settings, open_rag
from ragcore.evaluation.thresholds import ScoredRun
from tests.scored_runs import SCORES, index_ferry, store_run

pytestmark = pytest.mark.browser


@pytest.fixture
def scored(tmp_path: Path, embedder):
    """The test's library with one scored run, open beside the server."""
    with open_rag(Settings(home=tmp_path / "home", database_url=None, ollama_host="127.0.0.1:9")) as rag:
        rag._embedder = embedder
        index_ferry(rag)
        yield rag, rag.thresholds.load(store_run(rag, SCORES, collection="ferry"))


def shown(page) -> dict[tuple[str, str], str]:
    """The counts that stand on the page, by split and kind."""
    return {
        (split, kind): page.locator(f".pl-at-{split}-{kind} b").inner_text()
        for split in ("calibration", "test")
        for kind in ("answerable", "general_knowledge", "missing_info")
    }


def computed(scored: ScoredRun, cutoff: float) -> dict[tuple[str, str], str]:
    return {
        (split, one.kind): f"{one.rate.k}/{one.rate.n}"
        for split, own in scored.counts(cutoff, cutoff).items()
        for one in own
    }


def test_slider_moved_by_keys_then_used_and_undone(serve, browse, scored):
    rag, run = scored
    app = browse(f"{serve()}/threshold")
    page = app.page
    page.locator(".pl-counts").wait_for()
    app.settle()
    assert shown(page) == computed(run, 0.25)

    page.get_by_role("slider", name="Cutoff").focus()
    for _ in range(13):  # faster than the server answers: no key may be lost
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    page.get_by_text("At 0.315, compared with 0.25 in force").wait_for()
    assert shown(page) == computed(run, 0.315)
    assert shown(page) != computed(run, 0.25)

    page.get_by_role("button", name="Use 0.315 in chat").click()
    page.get_by_role("button", name="Undo: back to 0.25").wait_for()
    assert rag.cutoff("ferry").cutoff == 0.315
    app.settle()
    page.get_by_role("button", name="Undo: back to 0.25").click()
    page.get_by_text("It was never measured here.").wait_for()
    assert rag.cutoff("ferry").cutoff == 0.25
    assert app.foreign == []
