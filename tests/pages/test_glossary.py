"""The abbreviations of a collection on the documents page, and on the receipt of an answer."""

import pytest
from sqlalchemy import select

from pages.parts.receipt import expansion
from ragcore.records import Page
from ragcore.storage.glossaries import write_learned
from ragcore.storage.tables import DocumentRow


@pytest.fixture
def page(app_with_sample, rag):
    """The documents page over the sample, one document of which defines two abbreviations."""
    with rag.database.session() as session:
        row = session.scalars(select(DocumentRow).order_by(DocumentRow.file_name)).first()
        defined = "the *star* gazing evening (SGE) and the member on call (MOC)"
        write_learned(session, row.collection_id, row.id, [Page(3, defined.replace("*", ""))])
    return app_with_sample.switch_page("pages/documents.py").run()


@pytest.fixture
def dialog(page):
    return shown(page)


def shown(app):
    """Runs the page with the dialog open: AppTest knows no runs of a fragment alone, which keep it so."""
    return app.button(key="open_glossary").click().run()


def texts(app) -> str:
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.warning, *app.error))


def part(app, name: str):
    app.segmented_control(key="glossary_part").set_value(name)
    return shown(app)


def test_learned_ones_with_their_place(dialog, rag) -> None:
    first = rag.library.documents("library")[0]
    assert not dialog.exception
    assert "**SGE** star gazing evening" in texts(dialog)
    assert (f"{first.file_name}, page 3" if first.paged else first.file_name) in texts(dialog)


def test_learned_one_is_switched_off(dialog, rag) -> None:
    assert rag.abbreviations.expand("SGE?", "library").dense == "star gazing evening?"
    dialog.toggle(key="glossary_on_learned_SGE_star gazing evening").set_value(False).run()
    assert rag.abbreviations.expand("SGE?", "library").dense == "SGE?"


def test_own_one_is_added_edited_and_deleted(dialog, rag) -> None:
    app = part(dialog, "user")
    assert "None of your own yet." in texts(app)
    app.text_input(key="glossary_short").set_value("DBO")
    app.text_input(key="glossary_long").set_value("duty <b>boathouse</b> officer")
    app.button(key="glossary_add").click()
    shown(app)
    name = "user_DBO_duty <b>boathouse</b> officer"
    assert "**DBO** duty \\<b\\>boathouse\\</b\\> officer" in texts(app)
    app.button(key=f"glossary_edit_{name}").click()
    shown(app)
    assert app.text_input(key="glossary_short").value == "DBO"
    app.text_input(key="glossary_long").set_value("duty boathouse officer")
    app.button(key="glossary_add").click()
    shown(app)
    assert rag.abbreviations.expand("DBO?", "library").dense == "duty boathouse officer?"
    app.button(key="glossary_delete_user_DBO_duty boathouse officer").click().run()
    assert rag.abbreviations.expand("DBO?", "library").dense == "DBO?"


def test_entry_that_cannot_be_used(dialog) -> None:
    app = part(dialog, "user")
    app.text_input(key="glossary_short").set_value("D O")
    app.text_input(key="glossary_long").set_value("duty officer")
    app.button(key="glossary_add").click()
    shown(app)
    assert "has a space in it" in texts(app)
    assert app.text_input(key="glossary_short").value == "D O"


def test_built_in_ones_are_searched_and_switched_off(dialog, rag) -> None:
    app = part(dialog, "built-in")
    app.text_input(key="glossary_search_built-in").set_value("work from")
    shown(app)
    assert [toggle.label for toggle in app.toggle if "glossary" in toggle.key] == ["Use WFH"]
    app.toggle(key="glossary_on_built-in_WFH_work from home").set_value(False).run()
    assert rag.abbreviations.expand("WFH?", "library").dense == "WFH?"


def test_receipt_tells_what_was_put_in_place() -> None:
    added = [["PTO", "paid time off", "built-in"], ["SGE", "star gazing evening", "learned"]]
    trace = {"profile": {"expanded": {"dense": "paid time off at a star gazing evening", "added": added}}}
    assert expansion(trace) == [
        ("Searched as", "paid time off at a star gazing evening"),
        ("Abbreviations", "PTO: paid time off (built in)\nSGE: star gazing evening (from the documents)"),
    ]
    assert expansion({"profile": {}}) == []
