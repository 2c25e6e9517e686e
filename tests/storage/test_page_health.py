"""What is kept of a document's health, what its collection adds, and rows from before it was kept."""

from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from ragcore.records import Chunk, DocumentHealth, EmbedderIdentity, Page, SourceDocument, SpanVectors
from ragcore.storage import IndexWriter, Library, NewDocument, Reindexed

PLANE = EmbedderIdentity("plane", "digest-1", 2)


def source(name: str, *texts: str, **fields) -> SourceDocument:
    pages = tuple(Page(number, words) for number, words in enumerate(texts, start=1))
    return SourceDocument(name, "application/pdf", "Terms", pages, True, **fields)


def chunks(*texts: str, oversize: int = 0) -> list[Chunk]:
    return [
        Chunk(number, words, 1, 1, 0, len(words), 3, oversize=number < oversize)
        for number, words in enumerate(texts)
    ]


def new(document: SourceDocument, pieces: list[Chunk]) -> NewDocument:
    rows = np.tile(np.array([1, 0], dtype=np.float32), (len(pieces), 1))
    return NewDocument(document, document.file_name, b"bytes", pieces, SpanVectors.of_chunks(pieces, rows))


@pytest.fixture
def library(database) -> Library:
    library = Library(database)
    library.create_collection("library", chunking={"max_tokens": 120})
    return library


@pytest.fixture
def writer(database) -> IndexWriter:
    return IndexWriter(database)


def test_health_comes_back_as_it_was_measured(library, writer):
    document = source(
        "a.pdf", "x" * 100, "", "y" * 40, empty_pages=(2,), suspect_pages=(3,), language="de", warnings=("w",)
    )
    document_id = writer.save_document("library", PLANE, new(document, chunks("x", "y", oversize=1)))
    health = library.document("library", "a.pdf").health
    assert health == DocumentHealth(
        pages=3,
        characters=140,
        chunks=2,
        empty_pages=(2,),
        suspect_pages=(3,),
        page_characters=(100, 0, 40),
        oversize_chunks=1,
        language="de",
        warnings=1,
    )
    assert library.source(document_id) == document


def test_row_from_before_has_no_measure_and_no_fault(database, library, writer):
    document_id = writer.save_document("library", PLANE, new(source("a.pdf", "words"), chunks("words")))
    with database.session() as session:
        session.execute(
            text(
                """update documents set page_health = '{"warnings": [], "empty_pages": [], "characters": 5}'"""
            )
        )
    health = library.document("library", "a.pdf").health
    assert (health.page_characters, health.oversize_chunks, health.language) == ((), None, "")
    assert health.trouble == 0 and not health.needs_a_look
    assert library.source(document_id).suspect_pages == ()


def test_chunks_that_stand_twice_are_counted_within_the_collection_only(library, writer):
    writer.save_document("library", PLANE, new(source("a.pdf", "t"), chunks("same", "own", "same")))
    first = library.document("library", "a.pdf").id
    library.create_collection("other", chunking={})
    writer.save_document("other", PLANE, new(source("c.pdf", "t"), chunks("own")))
    assert library.duplicate_chunks("library") == {first: 2}
    writer.save_document("library", PLANE, new(source("b.pdf", "t"), chunks("own", "new")))
    second = library.document("library", "b.pdf").id
    assert library.duplicate_chunks("library") == {first: 3, second: 1}
    assert library.duplicate_chunks("other") == {}


def test_chunking_anew_measures_oversize_anew_and_keeps_the_rest(library, writer):
    document_id = writer.save_document(
        "library", PLANE, new(source("a.pdf", "words", language="en"), chunks("w", oversize=1))
    )
    again = chunks("w", "o")
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    assert writer.replace_index(
        "library", PLANE, {}, [Reindexed(document_id, "a.pdf", again, SpanVectors.of_chunks(again, vectors))]
    )
    health = library.document("library", "a.pdf").health
    assert (health.oversize_chunks, health.language, health.page_characters) == (0, "en", (5,))


def test_replaced_document_is_gone_and_its_name_in_use(library, writer):
    old = writer.save_document("library", PLANE, new(source("a.pdf", "old"), chunks("old")))
    changed = replace(new(source("a.pdf", "new"), chunks("new")), sha256="other")
    current = writer.save_document("library", PLANE, changed)
    writer.add_name(current, "b.pdf")
    assert library.present([old, current]) == {current: "application/pdf"}
    assert library.names_in_use("library", ["a.pdf", "b.pdf", "c.pdf"]) == {"a.pdf", "b.pdf"}
    assert library.names_in_use("other", ["a.pdf"]) == set()


def test_printed_numbers_of_pages(library, writer):
    pages = (Page(1, "x", "i"), Page(2, "y"))
    document = replace(source("a.pdf"), pages=pages)
    document_id = writer.save_document("library", PLANE, new(document, chunks("x")))
    assert library.page_labels(document_id) == {1: "i"}


# --- the measure itself -------------------------------------------------------


def health(**fields) -> DocumentHealth:
    return DocumentHealth(**{"pages": 10, "characters": 1000, "chunks": 20, **fields})


def test_trouble_is_the_sum_of_its_parts():
    assert health().trouble == 0
    assert health(empty_pages=(1,)).trouble == pytest.approx(200 / 10)
    assert health(suspect_pages=(1, 2)).trouble == pytest.approx(2 * 100 / 10)
    assert health(empty_pages=(1,), suspect_pages=(1,)).trouble == pytest.approx(200 / 10), "counted once"
    assert health(oversize_chunks=2, duplicate_chunks=2).trouble == pytest.approx(25 * 4 / 20)
    assert [health(warnings=n).trouble for n in (1, 4, 9)] == [5, 20, 20]


def test_one_warning_deserves_a_look_and_a_few_copies_do_not():
    assert health(warnings=1).needs_a_look
    assert not health(duplicate_chunks=3).needs_a_look
    assert health(duplicate_chunks=4).needs_a_look


def test_averages_leave_empty_pages_out():
    assert health(empty_pages=(1, 2)).characters_a_page == 125
    assert health(pages=1, characters=0, empty_pages=(1,)).characters_a_page == 0
    assert health(page_characters=(0, 79, 80), empty_pages=(1,)).thin_pages == (2,)
