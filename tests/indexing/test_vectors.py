"""What gets a vector at each granularity, by the real embedding model."""

import numpy as np
import pytest

from ragcore.chunking import evidence_spans
from ragcore.indexing.vectors import embed_chunks
from ragcore.records import Chunk, text_key

FEES = Chunk(0, "## Fees\n\nA day costs 14 crowns. Dogs go free.", 1, 1, 0, 44, 18, section=("Ferry", "Fees"))
HEADING = Chunk(
    1, "## Timetable of the ferries", 1, 1, 46, 73, 8, section=("Ferry", "Timetable of the ferries")
)


def test_chunk_has_one_vector_of_the_whole(embedder):
    rows = embed_chunks([FEES, HEADING], "Ferry guide", "chunk", embedder)
    assert (rows.chunks, rows.spans) == ((0, 1), (None, None))
    expected = embedder.embed_documents([FEES.embedded_text, HEADING.embedded_text])
    assert np.allclose(rows.vectors, expected, atol=1e-5)


def test_sentence_has_two_alone_and_under_its_headings(embedder):
    rows = embed_chunks([FEES, HEADING], "Ferry guide", "sentence", embedder)
    day, dogs = evidence_spans(FEES.text, FEES.section)
    assert rows.spans == (day, day, dogs, dogs, None)
    assert rows.chunks == (0, 0, 0, 0, 1)
    path = "Ferry guide › Ferry › Fees"
    assert rows.keys[:2] == (text_key("A day costs 14 crowns."), text_key(f"{path}\nA day costs 14 crowns."))
    assert rows.keys[4] == text_key(HEADING.embedded_text), "a heading alone stays findable as a whole"
    assert np.allclose(np.linalg.norm(rows.vectors, axis=1), 1, atol=1e-5)


def test_known_texts_are_not_embedded_again(embedder):
    first = embed_chunks([FEES], "Ferry guide", "sentence", embedder)
    stored = dict(zip(first.keys, first.vectors, strict=True))
    asked = []

    class Counting:
        identity = embedder.identity
        count_tokens = staticmethod(embedder.count_tokens)

        def embed_documents(self, texts, progress=None):
            asked.extend(texts)
            return embedder.embed_documents(texts, progress)

    again = embed_chunks(
        [FEES], "Ferry guide", "sentence", Counting(), known=lambda _, keys: {k: stored[k] for k in keys[1:]}
    )
    assert asked == ["A day costs 14 crowns."]
    assert np.allclose(again.vectors, first.vectors, atol=1e-5)


def test_headings_too_long_for_the_model_are_shortened_then_left_out(embedder):
    deep = Chunk(0, "A day costs 14 crowns.", 1, 1, 0, 22, 9, section=("tide " * 300, "Fees"))
    rows = embed_chunks([deep], "Guide", "sentence", embedder)
    assert rows.keys[1] == text_key("Fees\nA day costs 14 crowns.")
    deepest = Chunk(0, "A day costs 14 crowns.", 1, 1, 0, 22, 9, section=("tide " * 300,))
    rows = embed_chunks([deepest], "Guide", "sentence", embedder)
    assert rows.keys == (text_key("A day costs 14 crowns."),) * 2


def test_late_pools_a_sentence_with_its_heading_from_one_pass(embedder):
    rows = embed_chunks([FEES, HEADING], "Ferry guide", "late", embedder)
    day, dogs = evidence_spans(FEES.text, FEES.section)
    assert rows.spans == (day, dogs, None)
    whole = embedder.embed_documents([HEADING.embedded_text])[0]
    assert rows.vectors[2] @ whole > 0.95, "pooled over the whole chunk it is nearly the chunk's own vector"
    asked = embedder.embed_queries(["What does a day cost?", "Do dogs pay?"])
    scores = asked @ rows.vectors[:2].T
    assert scores[0, 0] > scores[0, 1] and scores[1, 1] > scores[1, 0]


@pytest.mark.parametrize("granularity", ["chunk", "sentence", "late"])
def test_progress_counts_chunks_and_ends_with_all(embedder, granularity):
    seen = []
    embed_chunks(
        [FEES, HEADING], "Guide", granularity, embedder, lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (2, 2)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
