"""Two rankings made one."""

import pytest

from ragcore.lexical.lexemes import lexemes
from ragcore.retrieval.fusion import (
    CODE_WEIGHT,
    LEXICAL_WEIGHT,
    by_cosine,
    lexical_weight,
    reciprocal_rank,
    weighted,
)
from ragcore.storage.search import ChunkScore

A = ChunkScore(1, 0.60, 0.0)
B = ChunkScore(2, 0.55, 0.5)
C = ChunkScore(3, 0.20, 1.0)


def ids(scores):
    return [score.chunk_id for score in scores]


def test_cosine_alone():
    assert ids(by_cosine([C, B, A])) == [1, 2, 3]


def test_weighted_sum():
    # 0.60, 0.55 + 0.15, 0.20 + 0.30
    assert ids(weighted([A, B, C], 0.3)) == [2, 1, 3]
    assert ids(weighted([A, B, C], 0.0)) == [1, 2, 3]


def test_reciprocal_ranks_from_one():
    # A 1/61; B 1/62 + 1/62; C 1/63 + 1/61: a chunk without coverage has no rank there.
    assert ids(reciprocal_rank([A, B, C])) == [3, 2, 1]
    assert 1 / 63 + 1 / 61 > 2 / 62 > 1 / 61


def test_rank_only_fusion_forgets_by_how_much():
    clear, noise = ChunkScore(1, 0.80, 0.30), ChunkScore(2, 0.30, 0.32)
    third = ChunkScore(3, 0.29, 0.31)
    # Ranks 1 and 3 against 2 and 1: the chunk that is far ahead loses to one that is ahead by a hair.
    assert 1 / 61 + 1 / 63 < 1 / 62 + 1 / 61
    assert ids(reciprocal_rank([clear, noise, third])) == [2, 1, 3]
    assert ids(weighted([clear, noise, third])) == [1, 2, 3]


@pytest.mark.parametrize("fuse", [by_cosine, weighted, reciprocal_rank])
def test_ties_go_to_the_better_cosine_then_to_the_first_stored(fuse):
    same = [ChunkScore(9, 0.5, 0.5), ChunkScore(4, 0.5, 0.5), ChunkScore(7, 0.5, 0.5)]
    for _ in range(100):
        assert ids(fuse(same)) == [4, 7, 9]


@pytest.mark.parametrize("fuse", [by_cosine, weighted, reciprocal_rank])
def test_nothing_found(fuse):
    assert fuse([]) == []


@pytest.mark.parametrize(
    ("question", "weight"),
    [
        ("What was the vote on M-2024-07?", CODE_WEIGHT),
        ("What does E05 mean?", CODE_WEIGHT),
        ("Is there a 401(k)?", CODE_WEIGHT),
        ("How many days of leave are there in 2025?", LEXICAL_WEIGHT),
        ("Who is on the 24-hour watch of the 2nd boat?", LEXICAL_WEIGHT),
        ("What costs £1,640.50 or 3.5 %?", LEXICAL_WEIGHT),
        ("Who leads?", LEXICAL_WEIGHT),
    ],
)
def test_a_question_that_names_a_code_goes_more_by_its_words(question, weight):
    assert lexical_weight(lexemes(question)) == weight
