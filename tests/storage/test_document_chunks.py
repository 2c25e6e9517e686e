"""The chunks around those that were found, from a real database."""

import pytest

from ragcore import AskOptions
from ragcore.storage import DocumentChunks

HOUSES = "# Houses\n\n" + "\n\n".join(
    f"## House {n}\n\nHouse {n} has {n + 3} rooms, a garden of its own and a shed behind the wall on the east side."
    for n in range(12)
)


@pytest.fixture
def houses(open_test_rag):
    """A Rag, its reader of chunks, and the ids of the chunks of houses.md in their order."""
    rag = open_test_rag()
    rag.library.create_collection("library", chunking={"max_tokens": 40})
    assert rag.ingest(HOUSES.encode(), "houses.md").error is None
    assert rag.ingest(b"# Barn\n\nThe barn is red.", "barn.md").error is None
    hits = rag.start("Which house has a garden?", AskOptions(top_k=50)).answer.hits
    chunks = DocumentChunks(rag.database)
    every = chunks.around([hit.chunk_id for hit in hits], whole_up_to={h.document_id: 10_000 for h in hits})
    (document,) = [one for one in every.values() if one.chunks > 1]
    return rag, chunks, document


def ordinals(document) -> list[int]:
    return [one.ordinal for one in document.placed]


def test_all_chunks_of_a_short_document_in_reading_order_with_their_places(houses) -> None:
    rag, _, document = houses
    stored = [chunk for _, chunk in rag.library.chunks("library", file_name="houses.md")]
    assert document.chunks == len(stored) > 8 and document.complete
    assert document.tokens == sum(chunk.token_count for chunk in stored)
    for placed, chunk in zip(document.placed, stored, strict=True):
        assert (placed.ordinal, placed.candidate.text) == (chunk.ordinal, chunk.text)
        assert (placed.char_start, placed.char_end, placed.tokens) == (
            chunk.char_start,
            chunk.char_end,
            chunk.token_count,
        )
        assert (placed.candidate.file, placed.candidate.score) == ("houses.md", None)
        assert placed.candidate.location.startswith("§ House")


def test_long_document_gives_the_hit_its_neighbours_and_its_opening(houses) -> None:
    _, chunks, document = houses
    sixth = document.placed[6].candidate.chunk_id
    found = chunks.around([sixth], whole_up_to={document.document_id: document.tokens - 1})
    assert list(found) == [document.document_id]
    one = found[document.document_id]
    assert ordinals(one) == [0, 5, 6, 7] and not one.complete
    assert (one.chunks, one.tokens) == (document.chunks, document.tokens)


def test_first_and_last_chunk_have_one_neighbour_each(houses) -> None:
    _, chunks, document = houses
    ends = [document.placed[0].candidate.chunk_id, document.placed[-1].candidate.chunk_id]
    last = document.chunks - 1
    assert ordinals(chunks.around(ends, whole_up_to={})[document.document_id]) == [0, 1, last - 1, last]


def test_limit_is_exact_and_each_document_has_its_own(houses) -> None:
    _, chunks, document = houses
    one = [document.placed[3].candidate.chunk_id]
    assert chunks.around(one, whole_up_to={document.document_id: document.tokens})[
        document.document_id
    ].complete
    assert not chunks.around(one, whole_up_to={document.document_id + 1: 10_000})[
        document.document_id
    ].complete


def test_chunks_that_are_gone(houses) -> None:
    rag, chunks, document = houses
    ids = [one.candidate.chunk_id for one in document.placed]
    rag.library.delete_document("library", "houses.md")
    assert chunks.around(ids, whole_up_to={document.document_id: 10_000}) == {}
    assert chunks.around([], whole_up_to={}) == {}
