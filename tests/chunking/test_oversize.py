"""Chunks that are a piece of something too long for one chunk are known as such."""

import pytest

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.records import Page, SourceDocument


def words(texts):
    return [len(text.split()) + 2 for text in texts]


def oversize(text: str, **config) -> list[bool]:
    document = SourceDocument("a.txt", "text/plain", "a", (Page(1, text),), False)
    settings = ChunkingConfig(max_tokens=20, header="off", **config)
    return [chunk.oversize for chunk in chunk_document(document, settings, words, 256)]


def test_sentences_that_fit_are_whole():
    assert oversize("The pump runs at forty bar. " * 12) and not any(
        oversize("The pump runs at forty bar. " * 12)
    )


def test_sentence_too_long_for_a_chunk():
    long = "the pump runs at forty bar and " * 10
    short = "A sentence of just so many words fits and fills the most of its own chunk."
    assert oversize(f"{long.strip()}.\n\n{short}") == [True] * 4 + [False]


@pytest.mark.parametrize("strategy", ["fixed"])
def test_strategy_that_ignores_sentences_cuts_none(strategy):
    assert not any(oversize("The pump runs at forty bar and on. " * 12, strategy=strategy))
