"""The list of documents: health on each card, and those with trouble first."""

import io

import pytest
from fpdf import FPDF
from sqlalchemy import text

from pages.parts.document_health import page_chart
from ragcore.records import DocumentHealth

PROSE = "The north pump number {0} runs at {0} bar and its valve is closed by hand in week {0}. " * 3


def pdf(*pages: str) -> bytes:
    document = FPDF()
    document.set_font("helvetica", size=11)
    for words in pages:
        document.add_page()
        if words:
            document.multi_cell(0, 6, words)
    out = io.BytesIO()
    document.output(out)
    return out.getvalue()


@pytest.fixture
def rag_with_trouble(rag):
    rag.ingest(b"The pump runs at 40 bar and is looked after every week by the crew.", "a-healthy.txt")
    rag.ingest(pdf(PROSE.format(1), "", PROSE.format(3)), "z-holes.pdf")
    rag.ingest(pdf(*(PROSE.format(number) for number in range(4, 8))), "b-copied.pdf")
    rag.ingest(pdf(*(PROSE.format(number) for number in range(4, 9))), "c-copy.pdf")
    return rag


def names(app):
    return [m.value.strip("*").replace("\\", "") for m in app.markdown if m.value.startswith("**")]


def captions(app):
    return "\n".join(caption.value for caption in app.caption)


def documents_page(open_app):
    return open_app().switch_page("pages/documents.py").run()


def test_documents_with_trouble_come_first(open_app, rag_with_trouble):
    app = documents_page(open_app)
    assert not app.exception
    assert names(app) == ["z-holes.pdf", "b-copied.pdf", "c-copy.pdf", "a-healthy.txt"]
    app.button_group(key="document_order").set_value("Name").run()
    assert names(app) == ["a-healthy.txt", "b-copied.pdf", "c-copy.pdf", "z-holes.pdf"]
    app.button_group(key="document_order").set_value("Newest first").run()
    assert names(app) == ["c-copy.pdf", "b-copied.pdf", "z-holes.pdf", "a-healthy.txt"]


def test_card_tells_the_coverage(open_app, rag_with_trouble):
    app = documents_page(open_app)
    assert "Text on 2 of 3 pages" in captions(app)
    assert "English" in captions(app)
    assert "twice in the collection" in captions(app)
    chart = next(e.value for e in app.html if "pl-pages" in e.value)
    assert 'title="Page 2: no text"' in chart
    assert "no text on page 2" in chart.split('aria-label="')[1]


def test_same_bytes_under_two_names_are_one_card_with_both(open_app, rag):
    words = b"The pump runs at 40 bar."
    rag.ingest(words, "a.txt")
    assert rag.ingest(words, "b.txt").status == "unchanged"
    app = documents_page(open_app)
    assert names(app) == ["a.txt"]
    assert "The same file as b.txt; kept once." in captions(app)


def test_document_from_before_health_was_measured(open_app, rag):
    rag.ingest(pdf("", PROSE.format(2)), "old.pdf")
    with rag.database.session() as session:
        session.execute(
            text(
                "update documents set page_health = page_health - 'page_characters' - 'suspect_pages' "
                "- 'language' - 'oversize_chunks'"
            )
        )
    app = documents_page(open_app)
    assert not app.exception
    assert "Text on 1 of 2 pages" in captions(app)
    assert "language unknown" in captions(app)


def test_many_pages_share_bars(rag):
    rag.ingest(pdf("Just one page about a pump."), "one.pdf")
    (info,) = rag.library.documents("library")
    from dataclasses import replace

    health = DocumentHealth(pages=1500, characters=1500 * 100, chunks=10, page_characters=(100,) * 1500)
    chart = page_chart(replace(info, health=health))
    assert chart.count('class="pl-page"') == 60
    assert 'title="Pages 1-25: 100 characters a page"' in chart
    assert page_chart(info) == "", "a single page needs no chart"
