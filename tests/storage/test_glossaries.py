"""Abbreviations in the database: learned with their document, own, switched off; and kept in memory."""

import pytest
from sqlalchemy import event, select

from ragcore.errors import InputError, NotFound
from ragcore.records import FoundIn, GlossaryEntry, Page
from ragcore.retrieval import Abbreviations
from ragcore.storage import Glossaries
from ragcore.storage.glossaries import write_learned
from ragcore.storage.glossary_table import GlossaryRow
from ragcore.storage.library import Library
from ragcore.storage.tables import CollectionRow, DocumentRow

EAP = "The Employee Assistance Program (EAP) is free."


@pytest.fixture
def library(database) -> Library:
    library = Library(database)
    library.create_collection("library", chunking={})
    return library


@pytest.fixture
def glossaries(database, library) -> Glossaries:
    return Glossaries(database)


@pytest.fixture
def abbreviations(glossaries) -> Abbreviations:
    return Abbreviations(glossaries)


@pytest.fixture
def write(database, library):
    """Stores a document of these pages, in place of one of the same name, and learns from it."""

    def write_(name: str, *pages: str) -> None:
        with database.session() as session:
            collection_id = session.scalar(select(CollectionRow.id).where(CollectionRow.name == "library"))
            for old in session.scalars(select(DocumentRow).where(DocumentRow.file_name == name)):
                session.delete(old)
            session.flush()
            row = DocumentRow(
                collection_id=collection_id,
                file_name=name,
                sha256=name,
                media_type="text/plain",
                title=name,
                paged=True,
                page_count=len(pages),
                page_health={},
                original=b"",
                size_bytes=0,
            )
            session.add(row)
            session.flush()
            numbered = [Page(number, text) for number, text in enumerate(pages, start=1)]
            write_learned(session, collection_id, row.id, numbered)

    return write_


@pytest.fixture
def delete(database):
    def delete_(name: str) -> None:
        with database.session() as session:
            session.delete(session.scalars(select(DocumentRow).where(DocumentRow.file_name == name)).one())

    return delete_


def dense(abbreviations: Abbreviations, question: str) -> str:
    return abbreviations.expand(question, "library").dense


def test_learned_from_two_documents_and_gone_with_them(glossaries, delete, write) -> None:
    write("a.pdf", "nothing", EAP)
    write("b.pdf", EAP)
    assert glossaries.of("library") == [
        GlossaryEntry(
            "EAP",
            "Employee Assistance Program",
            "learned",
            found_in=(FoundIn("a.pdf", 2), FoundIn("b.pdf", 1)),
        )
    ]
    delete("a.pdf")
    (entry,) = glossaries.of("library")
    assert entry.found_in == (FoundIn("b.pdf", 1),)
    delete("b.pdf")
    assert glossaries.of("library") == []


def test_file_without_pages_has_no_page(database, glossaries, write) -> None:
    write("a.md", EAP)
    with database.session() as session:
        session.scalars(select(DocumentRow)).one().paged = False
    assert glossaries.of("library")[0].found_in == (FoundIn("a.md", None),)


def test_learning_again_replaces_what_the_document_said_before(database, glossaries, write) -> None:
    write("a.pdf", EAP)
    with database.session() as session:
        row = session.scalars(select(DocumentRow)).one()
        write_learned(session, row.collection_id, row.id, [Page(7, "member on call (MOC)")])
    assert [(one.short, one.found_in) for one in glossaries.of("library")] == [
        ("MOC", (FoundIn("a.pdf", 7),))
    ]


def test_learned_one_switched_off_stays_off_when_its_document_is_replaced(abbreviations, write) -> None:
    write("a.pdf", "the power take-off (PTO)".replace("-", " "))
    assert dense(abbreviations, "PTO?") == "power take off?"
    (entry,) = [one for one in abbreviations.entries("library") if one.source == "learned"]
    abbreviations.switch("library", entry, on=False)
    abbreviations.switch("library", entry, on=False)
    assert dense(abbreviations, "PTO?") == "paid time off?"
    write("a.pdf", "A power take off (PTO) again")
    assert dense(abbreviations, "PTO?") == "paid time off?"
    abbreviations.switch("library", entry, on=True)
    assert dense(abbreviations, "PTO?") == "power take off?"


def test_own_one_is_added_changed_switched_and_removed(abbreviations) -> None:
    assert dense(abbreviations, "the DBO") == "the DBO"
    abbreviations.add("library", " DBO ", "duty  boathouse officer")
    assert dense(abbreviations, "the dbo") == "the duty boathouse officer"
    abbreviations.add("library", "dbo", "deputy boathouse officer")
    own = [one for one in abbreviations.entries("library") if one.source == "user"]
    assert own == [GlossaryEntry("dbo", "deputy boathouse officer", "user")]
    abbreviations.switch("library", own[0], on=False)
    assert dense(abbreviations, "the DBO") == "the DBO"
    abbreviations.switch("library", own[0], on=True)
    assert dense(abbreviations, "the DBO") == "the deputy boathouse officer"
    abbreviations.remove("library", "DBO")
    assert dense(abbreviations, "the DBO") == "the DBO"


def test_built_in_one_is_switched_off_in_one_collection_only(abbreviations, library) -> None:
    library.create_collection("other", chunking={})
    (entry,) = abbreviations.switch_all("library", "wfh", on=False)
    assert (entry.short, entry.source, entry.enabled) == ("WFH", "built-in", False)
    assert [one.enabled for one in abbreviations.entries("library") if one.short == "WFH"] == [False]
    assert dense(abbreviations, "WFH days") == "WFH days"
    assert abbreviations.expand("WFH days", "other").dense == "work from home days"
    abbreviations.switch_all("library", "WFH", on=True)
    assert dense(abbreviations, "WFH days") == "work from home days"


def test_two_learned_meanings_wait_for_a_person(abbreviations, write) -> None:
    write("a.pdf", "the member on call (MOC)")
    write("b.pdf", "the management of change (MOC)", "members on call (MOCs)")
    (one,) = abbreviations.ambiguous("library")
    assert (one.short, set(one.meanings)) == ("MOC", {"member on call", "management of change"})
    assert abbreviations.expand("the MOC", "library").ambiguous == ("MOC",)
    abbreviations.add("library", "MOC", "member on call")
    assert abbreviations.ambiguous("library") == []
    assert dense(abbreviations, "the MOC") == "the member on call"


def test_question_costs_one_query_while_nothing_changes(database, abbreviations, write) -> None:
    write("a.pdf", EAP)
    dense(abbreviations, "EAP?")
    statements: list[str] = []
    event.listen(
        database.engine, "before_cursor_execute", lambda _c, _cu, statement, *_: statements.append(statement)
    )
    assert dense(abbreviations, "EAP?") == "Employee Assistance Program?"
    assert len([one for one in statements if "glossary" in one]) == 1


def test_change_by_another_process_is_seen(database, abbreviations) -> None:
    assert dense(abbreviations, "the DBO") == "the DBO"
    Abbreviations(Glossaries(database)).add("library", "DBO", "duty boathouse officer")
    assert dense(abbreviations, "the DBO") == "the duty boathouse officer"


def test_collection_that_does_not_exist_has_the_built_in_ones(abbreviations) -> None:
    assert abbreviations.expand("PTO?", "nowhere").dense == "paid time off?"


def test_everything_goes_with_the_collection(database, abbreviations, write) -> None:
    from ragcore.storage import Collections

    write("a.pdf", EAP)
    abbreviations.add("library", "DBO", "duty boathouse officer")
    abbreviations.switch_all("library", "WFH", on=False)
    Collections(database).delete("library")
    with database.session() as session:
        assert session.scalars(select(GlossaryRow)).all() == []


@pytest.mark.parametrize(
    ("short", "long", "said"),
    [
        ("", "paid time off", "needs both"),
        ("PTO", "  ", "needs both"),
        ("P TO", "paid time off", "'P TO' has a space"),
        ("--", "dashes", "neither letters nor digits"),
        ("X" * 41, "long", "these have 41 and 4"),
        ("PTO", "pto", "stands for itself"),
    ],
)
def test_entry_that_cannot_be_used(abbreviations, short, long, said) -> None:
    with pytest.raises(InputError, match=said):
        abbreviations.add("library", short, long)


def test_what_is_not_there(abbreviations) -> None:
    with pytest.raises(NotFound, match="no abbreviation 'PTO' of your own"):
        abbreviations.remove("library", "PTO")
    with pytest.raises(NotFound, match="has no 'QQQ'"):
        abbreviations.switch_all("library", "QQQ", on=False)
    with pytest.raises(NotFound, match="'nowhere'"):
        abbreviations.add("nowhere", "DBO", "duty boathouse officer")
