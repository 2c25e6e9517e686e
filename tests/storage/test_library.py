"""Writing, replacing, searching and deleting documents, with vectors whose cosines are known."""

import numpy as np
import pytest
from sqlalchemy import text

from ragcore.errors import EmbedderMismatch, EmbeddingError, NotFound, StorageError
from ragcore.records import Chunk, EmbedderIdentity, Heading, Page, SourceDocument, SpanVectors
from ragcore.storage import Collections, Database, IndexWriter, Library, NewDocument, Reindexed, Search

PLANE = EmbedderIdentity("plane", "digest-1", 2)
SPACE = EmbedderIdentity("space", "digest-2", 3)


def vectors(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def document(name: str, sha256: str, texts: list[str], rows: np.ndarray) -> NewDocument:
    chunks, start = [], 0
    for ordinal, body in enumerate(texts):
        chunks.append(Chunk(ordinal, body, 1, 1, start, start + len(body), 3, section=("Fees",)))
        start += len(body) + 2
    page = Page(1, "\n\n".join(texts), label="i", headings=(Heading(0, 3, 1, "Fees"),))
    source = SourceDocument(name, "application/pdf", "Terms", (page,), True, ("a warning",), (2,))
    return NewDocument(source, sha256, sha256.encode(), chunks, SpanVectors.of_chunks(chunks, rows))


def nearest(database: Database, collection: str, embedder: EmbedderIdentity, query: np.ndarray, limit: int):
    """The candidates of dense search."""
    found = Search(database).find(
        collection,
        embedder,
        query,
        rank=lambda scores: sorted(scores, key=lambda score: -score.cosine),
        limit=limit,
        candidate_k=limit,
    )
    return list(found.candidates)


@pytest.fixture
def library(database: Database) -> Library:
    library = Library(database)
    library.create_collection("library", chunking={"max_tokens": 120})
    return library


@pytest.fixture
def writer(database: Database) -> IndexWriter:
    return IndexWriter(database)


def test_document_comes_back_as_it_was_written(library: Library, writer: IndexWriter) -> None:
    new = document("terms.pdf", "aa", ["The fee is 20.", "It is due in May."], vectors((1, 0), (0, 1)))
    document_id = writer.save_document("library", PLANE, new)
    assert library.source(document_id) == new.source
    assert library.original(document_id) == b"aa"
    assert [chunk for _, chunk in library.chunks("library")] == list(new.chunks)
    info = library.document("library", "terms.pdf")
    assert (info.pages, info.chunks, info.empty_pages, info.warnings) == (1, 2, (2,), ("a warning",))
    assert info.characters == len("The fee is 20.\n\nIt is due in May.")


def test_scores_of_parallel_orthogonal_and_opposite_vectors(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    writer.save_document(
        "library",
        PLANE,
        document("a.pdf", "aa", ["parallel", "orthogonal", "opposite"], vectors((1, 0), (0, 1), (-1, 0))),
    )
    hits = nearest(database, "library", PLANE, vectors((1, 0))[0], 5)
    assert [(hit.text, round(hit.score, 6)) for hit in hits] == [
        ("parallel", 1.0),
        ("orthogonal", 0.0),
        ("opposite", -1.0),
    ]
    assert hits[0].page_label == "i" and hits[0].section == ("Fees",)


def test_same_name_replaces_everything_of_the_old_document(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    writer.save_document(
        "library", PLANE, document("a.pdf", "aa", ["Fee: 20", "old"], vectors((1, 0), (0, 1)))
    )
    before = library.collection("library").content_hash
    writer.save_document("library", PLANE, document("a.pdf", "bb", ["Fee: 25"], vectors((1, 0))))
    assert [hit.text for hit in nearest(database, "library", PLANE, vectors((1, 0))[0], 5)] == ["Fee: 25"]
    assert library.collection("library").content_hash != before
    with database.session() as session:
        assert session.execute(text("select count(*) from embeddings")).scalar_one() == 1


def test_failure_midway_keeps_the_old_document(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    writer.save_document("library", PLANE, document("a.pdf", "aa", ["old"], vectors((1, 0))))
    with pytest.raises(Exception, match="embeddings_not_zero"):
        writer.save_document(
            "library", PLANE, document("a.pdf", "bb", ["new", "zero"], vectors((1, 0), (0, 0)))
        )
    assert library.document("library", "a.pdf").sha256 == "aa"
    assert [hit.text for hit in nearest(database, "library", PLANE, vectors((1, 0))[0], 5)] == ["old"]


def test_other_embedder_is_refused_for_writing_and_for_searching(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    writer.save_document("library", PLANE, document("a.pdf", "aa", ["x"], vectors((1, 0))))
    with pytest.raises(EmbedderMismatch, match="indexed by plane"):
        writer.save_document("library", SPACE, document("b.pdf", "bb", ["y"], vectors((1, 0, 0))))
    with pytest.raises(EmbedderMismatch, match="reembed --collection library"):
        nearest(database, "library", SPACE, vectors((1, 0, 0))[0], 5)
    same_width = EmbedderIdentity("plane", "another digest", 2)
    with pytest.raises(EmbedderMismatch):
        nearest(database, "library", same_width, vectors((1, 0))[0], 5)


def test_replacing_the_index_switches_the_embedder(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    document_id = writer.save_document("library", PLANE, document("a.pdf", "aa", ["x"], vectors((1, 0))))
    chunk = Chunk(0, "x", 1, 1, 0, 1, 3)
    new = Reindexed(document_id, "aa", [chunk], SpanVectors.of_chunks([chunk], vectors((0, 0, 1))))
    assert writer.replace_index("library", SPACE, {"max_tokens": 60}, [new])
    assert library.collection("library").embedder == SPACE
    assert [hit.score for hit in nearest(database, "library", SPACE, vectors((0, 0, 1))[0], 5)] == [1.0]


def test_replacing_the_index_of_documents_that_have_changed(library: Library, writer: IndexWriter) -> None:
    document_id = writer.save_document("library", PLANE, document("a.pdf", "aa", ["x"], vectors((1, 0))))
    piece = Chunk(0, "x", 1, 1, 0, 1, 3)
    stale = Reindexed(document_id, "not aa", [piece], SpanVectors.of_chunks([piece], vectors((0, 0, 1))))
    assert not writer.replace_index("library", SPACE, {}, [stale])
    assert library.collection("library").embedder == PLANE


def test_query_vector_that_is_zero_or_not_finite(database: Database, library: Library) -> None:
    for bad in (vectors((0, 0))[0], vectors((float("nan"), 1))[0]):
        with pytest.raises(EmbeddingError, match="zero or not finite"):
            nearest(database, "library", PLANE, bad, 5)


def test_search_is_exact_within_a_collection_that_others_outnumber(
    database: Database, library: Library, writer: IndexWriter
) -> None:
    random = np.random.default_rng(7)
    crowd = random.normal(size=(2000, 2)).astype(np.float32)
    library.create_collection("crowd", chunking={})
    writer.save_document("crowd", PLANE, document("crowd.pdf", "cc", ["x"] * 2000, crowd))
    writer.save_document(
        "library", PLANE, document("a.pdf", "aa", ["far", "farther"], vectors((-1, 0.1), (-1, 0)))
    )
    hits = nearest(database, "library", PLANE, vectors((1, 0))[0], 2)
    assert [hit.text for hit in hits] == ["far", "farther"]


def test_unknown_names_say_what_there_is(library: Library, writer: IndexWriter) -> None:
    writer.save_document("library", PLANE, document("a.pdf", "aa", ["x"], vectors((1, 0))))
    with pytest.raises(NotFound, match=r"no collection 'libary'. Collections: library\."):
        library.collection("libary")
    with pytest.raises(NotFound, match=r"no document 'b.pdf'. Documents: a.pdf\."):
        library.delete_document("library", "b.pdf")


def test_deleting_leaves_no_rows(database: Database, library: Library, writer: IndexWriter) -> None:
    writer.save_document("library", PLANE, document("a.pdf", "aa", ["x"], vectors((1, 0))))
    library.delete_document("library", "a.pdf")
    with database.session() as session:
        for table in ("documents", "pages", "chunks", "embeddings"):
            assert session.execute(text(f"select count(*) from {table}")).scalar_one() == 0
    Collections(database).delete("library")
    assert library.collections() == []


def test_name_that_postgres_refuses_is_not_there(database: Database) -> None:
    with pytest.raises(NotFound, match="There is no collection"):
        Library(database).collection("a\x00")
    with pytest.raises(NotFound, match="There is no collection"):
        Library(database).collection("\ud800")


def test_number_that_is_too_big_for_a_column(database: Database) -> None:
    with pytest.raises(StorageError, match="cannot take one of the values"):
        Library(database).source_name(10**30)
