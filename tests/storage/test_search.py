"""Scores of chunks by their sentences and by their words, with cosines and counts that are known."""

import numpy as np
import pytest

from ragcore.lexical.lexemes import lexemes
from ragcore.records import Chunk, EmbedderIdentity, Page, SourceDocument, SpanVectors
from ragcore.storage import IndexWriter, Library, NewDocument, Search

PLANE = EmbedderIdentity("plane", "digest-1", 2)
PUMP = "The pump E05 hums. It is blue."
VALVE = "The valve sings loudly."


def at(cosine: float) -> tuple[float, float]:
    """A unit vector with this cosine to (1, 0)."""
    return (cosine, float(np.sqrt(1 - cosine**2)))


def document(
    name: str, bodies: list[str], rows: list[tuple[int, tuple[int, int] | None, float]]
) -> NewDocument:
    chunks = [Chunk(n, body, 1, 1, 0, len(body), 9, section=("Machines",)) for n, body in enumerate(bodies)]
    vectors = SpanVectors(
        vectors=np.array([at(cosine) for _, _, cosine in rows], dtype=np.float32),
        chunks=tuple(ordinal for ordinal, _, _ in rows),
        spans=tuple(span for _, span, _ in rows),
        keys=tuple(f"{name} {number}".encode() for number in range(len(rows))),
    )
    source = SourceDocument(name, "text/plain", "Guide", (Page(1, "\n\n".join(bodies)),), False)
    return NewDocument(source, name, name.encode(), chunks, vectors)


@pytest.fixture
def library(database) -> Library:
    library = Library(database)
    library.create_collection("library", chunking={"max_tokens": 120})
    IndexWriter(database).save_document(
        "library",
        PLANE,
        document(
            "a.txt",
            [PUMP, VALVE],
            [(0, (0, 18), 0.3), (0, (0, 18), 0.5), (0, (19, 30), 0.4), (1, None, 0.45)],
        ),
    )
    return library


def found(database, question: str = "", *, limit: int = 5, candidate_k: int = 5, rank=None):
    return Search(database).find(
        "library",
        PLANE,
        np.array([1.0, 0.0], dtype=np.float32),
        terms=lexemes(question),
        rank=rank or (lambda scores: sorted(scores, key=lambda score: -score.cosine)),
        limit=limit,
        candidate_k=candidate_k,
    )


def test_chunk_scores_by_the_better_vector_of_its_best_sentence(database, library):
    result = found(database)
    assert [(hit.text, round(hit.score, 4)) for hit in result.candidates] == [(PUMP, 0.5), (VALVE, 0.45)]
    assert result.top_score == pytest.approx(0.5)


def test_sentences_come_with_their_scores_best_first(database, library):
    pump, valve = found(database).candidates
    assert [(one.start, one.end, round(one.score, 4)) for one in pump.evidence] == [
        (0, 18, 0.5),
        (19, 30, 0.4),
    ]
    assert pump.best_sentence == "The pump E05 hums."
    assert (valve.evidence, valve.best_sentence) == ((), "")


def test_coverage_of_a_code_and_a_word(database, library):
    hits = {hit.text: hit.coverage for hit in found(database, "Does E05 sing?").candidates}
    # E05 and sing occur in one chunk each; with a digit a lexeme counts three times.
    assert hits[PUMP] == pytest.approx(0.75) and hits[VALVE] == pytest.approx(0.25)


def test_title_section_and_file_name_are_words_of_every_chunk(database, library):
    result = found(database, "guide machines a")
    assert [hit.coverage for hit in result.candidates] == pytest.approx([1.0, 1.0])
    assert result.frequencies == {"guid": 2, "machin": 2} and result.chunks == 2


def test_words_that_occur_nowhere(database, library):
    result = found(database, "zebra")
    assert [hit.coverage for hit in result.candidates] == [0.0, 0.0]
    assert result.frequencies == {"zebra": 0}


def test_chunk_far_from_the_question_is_found_by_its_words(database, library):
    by_words = found(
        database, "valve", candidate_k=1, rank=lambda scores: sorted(scores, key=lambda s: -s.coverage)
    )
    assert [hit.text for hit in by_words.candidates] == [VALVE, PUMP]
    assert by_words.top_score == pytest.approx(0.5), (
        "the gate sees the best cosine, not the first candidate's"
    )
    assert [hit.text for hit in found(database, candidate_k=1).candidates] == [PUMP]


def test_counts_are_exact_after_adding_and_deleting(database, library):
    search = Search(database)

    def chunks_with(word: str) -> int:
        return search.find(
            "library", PLANE, np.array([1, 0], np.float32), terms=[word], rank=list, limit=1, candidate_k=1
        ).frequencies[word]

    assert chunks_with("pump") == 1
    IndexWriter(database).save_document(
        "library", PLANE, document("b.txt", ["Another pump."], [(0, None, 0.1)])
    )
    assert chunks_with("pump") == 2
    library.delete_document("library", "b.txt")
    assert chunks_with("pump") == 1


def test_other_collections_do_not_count(database, library):
    library.create_collection("other", chunking={})
    IndexWriter(database).save_document("other", PLANE, document("c.txt", ["pump pump"], [(0, None, 0.9)]))
    result = found(database, "pump")
    assert result.frequencies == {"pump": 1} and len(result.candidates) == 2
