"""From a citation to the page: the picture, the text, and what has been replaced since."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from streamlit.testing.v1 import AppTest

from pages.parts.cited_page import CitedPlace

SAMPLE = Path(__file__).parents[2] / "sample" / "documents"

HUMIDITY = "At what humidity must the dome be closed?"
LOAN = "What does a day of delay cost?"
NOTE = "The quoted sentence was not found in the picture of this page"


def ask(app, question):
    return app.chat_input(key="question_box").set_value(question).run()


def show(app):
    """Click the first citation's way to the page."""
    return next(b for b in app.button if (b.key or "").startswith("show_")).click().run()


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info))


def chips(app):
    labels = [block.proto.popover.label for block in app.get("popover")]
    return [label for label in labels if "observatory" in label]


def picture(app):
    (found,) = app.image
    return found.proto.imgs[0]


def test_cited_page_is_shown_with_its_quote_highlighted(app_with_sample):
    app = show(ask(app_with_sample, HUMIDITY))
    assert not app.exception
    assert "Page 4 (printed “3”) of 8" in texts(app)
    assert "Relative humidity 88 %" in picture(app).alt
    assert picture(app).alt.startswith("Page 4 (printed “3”) of observatory-guide.pdf, with the words “")
    assert NOTE not in texts(app)


def dialog_alone(place):
    """The dialog's content as a script: AppTest runs the whole script where a browser runs the dialog."""
    import streamlit as st

    from pages.parts.app import get_rag
    from pages.parts.cited_page import pdf_page

    st.session_state.setdefault("cited_page", place.page)
    st.session_state.setdefault("cited_quote", 0)
    pdf_page(get_rag(), place)


@pytest.fixture
def dialog(rag):
    def open_(name: str, *quotes: tuple[int, str]) -> AppTest:
        (info,) = rag.library.documents("library", file_name=name)
        page = quotes[0][0] if quotes else 1
        place = CitedPlace(info.id, name, page, quotes, "Weather limits", "The passage.", info.media_type)
        return AppTest.from_function(dialog_alone, args=(place,), default_timeout=60).run()

    return open_


YELLOW_RING = (4, "Nobody stands within the yellow ring on the floor while the dome turns.")


def test_pages_are_turned_up_to_the_ends(app_with_sample, dialog):
    app = dialog("observatory-guide.pdf", (7, "no such words"))
    app.button(key="cited_next").click().run()
    assert picture(app).alt.startswith("Page 8")
    assert app.button(key="cited_next").disabled
    app.button(key="cited_page_back").click().run()
    assert picture(app).alt.startswith("Page 7")
    for _ in range(6):
        app.button(key="cited_previous").click().run()
    assert picture(app).alt.startswith("Page 1")
    assert app.button(key="cited_previous").disabled


def test_note_stands_only_on_the_cited_page(app_with_sample, dialog):
    app = dialog("observatory-guide.pdf", (4, "no such words"))
    assert NOTE in texts(app)
    app.button(key="cited_next").click().run()
    assert NOTE not in texts(app)


def test_part_of_a_quote(app_with_sample, dialog):
    app = dialog("observatory-guide.pdf", (4, YELLOW_RING[1] + " And this was never written there."))
    assert "Only a part of the quoted sentence was found" in texts(app)
    assert "highlighted" in picture(app).alt


def test_two_quotes_are_chosen_between(app_with_sample, dialog):
    app = dialog("observatory-guide.pdf", (3, "no such words"), YELLOW_RING)
    assert picture(app).alt.startswith("Page 3")
    app.button_group(key="cited_quote_choice").set_value(1).run()
    assert picture(app).alt.startswith("Page 4")
    assert "Nobody stands within the yellow ring" in picture(app).alt
    app.button_group(key="cited_quote_choice").set_value(0).run()
    assert picture(app).alt.startswith("Page 3")


def test_document_deleted_while_its_page_is_open(app_with_sample, dialog, rag):
    app = dialog("observatory-guide.pdf", YELLOW_RING)
    rag.library.delete_document("library", "observatory-guide.pdf")
    app.button(key="cited_next").click().run()
    assert not app.exception
    assert "has been replaced or deleted since it was cited. This is the passage as it was read." in texts(
        app
    )


def test_text_document_shows_the_text_around_the_quote(app_with_sample):
    app = show(ask(app_with_sample, LOAN))
    around = next(e.value for e in app.html if "pl-around" in e.value)
    before, rest = around.split("<mark>")
    marked, after = rest.split("</mark>")
    assert "## Borrowing" in before and "## Rules" in after
    assert "£1.50" in marked
    assert "Only PDF files have page numbers of their own." in texts(app)
    assert not app.image


def test_markup_around_the_quote_stays_text(open_app, rag):
    rag.ingest(b"<script>alert(1)</script>\n\nThe mooring fee is $5 a night.\n\n<img src=x>", "fees.txt")
    app = show(ask(open_app(), "What is the mooring fee?"))
    around = next(e.value for e in app.html if "pl-around" in e.value)
    assert "&lt;script&gt;" in around and "&lt;img src=x&gt;" in around
    assert "<script>" not in around


def test_quote_that_is_not_on_the_picture_says_so(app_with_sample, rag):
    """What the picture shows is not always what was read; here the stored quote is changed."""
    from sqlalchemy import text

    app = ask(app_with_sample, HUMIDITY)
    with rag.database.session() as session:
        session.execute(
            text(
                "update messages set citations = jsonb_set(citations, '{0,quote}', "
                "'\"Nobody ever wrote this sentence anywhere.\"') where role = 'assistant'"
            )
        )
    app.run()
    show(app)
    assert NOTE in texts(app)
    assert picture(app).alt == "Page 4 (printed “3”) of observatory-guide.pdf"


def replaced_guide(rag, name="observatory-guide.pdf"):
    """The same guide without its last page, under the same name."""
    (info,) = rag.library.documents("library", file_name=name)
    writer = PdfWriter()
    for page in PdfReader(io.BytesIO(rag.library.original(info.id))).pages[:-1]:
        writer.add_page(page)
    changed = io.BytesIO()
    writer.write(changed)
    assert rag.ingest(changed.getvalue(), name).status == "replaced"


def test_answer_from_a_replaced_document_keeps_its_passage_and_says_so(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    replaced_guide(rag)
    app.run()
    assert chips(app) == ["observatory-guide.pdf:4 (from an earlier version)"]
    passage = next(e.value for e in app.html if "pl-passage" in e.value)
    assert "Relative humidity 88 %" in passage.split("<mark>")[1]
    assert "The document has been replaced since." in texts(app)
    assert not [b for b in app.button if (b.key or "").startswith("show_")]


def test_answer_from_a_deleted_document_says_so(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    rag.library.delete_document("library", "observatory-guide.pdf")
    app.run()
    assert chips(app) == ["observatory-guide.pdf:4 (no longer in the library)"]
    assert "The document has been deleted since." in texts(app)


def test_present_document_has_no_mark(app_with_sample):
    assert chips(ask(app_with_sample, HUMIDITY)) == ["observatory-guide.pdf:4"]


def test_document_deleted_while_its_button_is_in_sight(app_with_sample, rag):
    app = ask(app_with_sample, HUMIDITY)
    rag.library.delete_document("library", "observatory-guide.pdf")
    show(app)
    assert not app.exception
    assert chips(app) == ["observatory-guide.pdf:4 (no longer in the library)"]


def test_page_of_a_protected_document_asks_for_its_password(open_app, dialog, rag):
    writer = PdfWriter(clone_from=PdfReader(SAMPLE / "observatory-guide.pdf"))
    writer.encrypt("open sesame", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    assert rag.ingest(locked.getvalue(), "locked.pdf", password="open sesame").status == "indexed"
    app = dialog("locked.pdf", YELLOW_RING)
    assert not app.image
    (box,) = app.text_input
    box.set_value("wrong").run()
    assert "does not open with the password given" in texts(app)
    app.text_input[0].set_value("open sesame").run()
    assert "yellow ring" in picture(app).alt
    app.button(key="cited_next").click().run()
    assert picture(app).alt.startswith("Page 5"), "asked for once"
    assert not dialog("locked.pdf", YELLOW_RING).image, "another session has to know the password itself"


def test_nearest_miss_leads_to_its_page(app_with_sample):
    app = ask(app_with_sample, "Who won the football World Cup in 1998?")
    misses = [b for b in app.button if (b.key or "").startswith("miss_")]
    assert misses
    misses[0].click().run()
    assert not app.exception
    assert app.image or any("pl-around" in e.value for e in app.html)


@pytest.mark.parametrize("question", [HUMIDITY, LOAN])
def test_controls_of_the_dialog_explain_themselves(app_with_sample, question):
    app = show(ask(app_with_sample, question))
    assert [b.label for b in app.button if not b.help] == []
