"""BM25 as an inner product, with the arithmetic written out."""

import math

import pytest

from ragcore.lexical.weights import (
    DIMENSIONS,
    chunk_vector,
    dimension_of,
    inverse_frequencies,
    question_vector,
)


def product(question: dict[int, float], chunk: dict[int, float]) -> float:
    return sum(weight * chunk.get(place, 0.0) for place, weight in question.items())


def test_chunk_holds_saturated_counts():
    vector = chunk_vector("pump pump", "valve")
    # 2 * 2.2 / (2 + 1.2) = 1.375 and 1 * 2.2 / (1 + 1.2) = 1
    assert vector == {dimension_of("pump"): pytest.approx(1.375), dimension_of("valv"): pytest.approx(1.0)}


def test_idf_of_one_chunk_in_four_and_of_all_four_is_never_negative():
    weights = inverse_frequencies(["pump", "boat"], {"pump": 1, "boat": 4}, chunks=4)
    assert weights["pump"] == pytest.approx(math.log(1 + 3.5 / 1.5))
    assert weights["boat"] == pytest.approx(math.log(1 + 0.5 / 4.5))
    assert weights["boat"] > 0


def test_lexeme_with_a_digit_counts_three_times():
    weights = inverse_frequencies(["e05", "pump"], {"e05": 1, "pump": 1}, chunks=4)
    assert weights["e05"] == pytest.approx(3 * weights["pump"])


def test_chunk_with_every_lexeme_once_is_covered_wholly():
    asked = question_vector(["pump", "valv"], {"pump": 3, "valv": 1}, chunks=9)
    assert product(asked, chunk_vector("a pump and a valve")) == pytest.approx(1.0)


def test_lexeme_that_occurs_nowhere_takes_its_share():
    known, unknown = math.log(1 + 8.5 / 1.5), math.log(1 + 9.5 / 0.5)
    asked = question_vector(["pump", "zebra"], {"pump": 1, "zebra": 0}, chunks=9)
    assert product(asked, chunk_vector("pump")) == pytest.approx(known / (known + unknown))


@pytest.mark.parametrize(("terms", "frequencies"), [([], {}), (["zebra"], {"zebra": 0})])
def test_question_without_a_known_lexeme_matches_nothing(terms, frequencies):
    assert question_vector(terms, frequencies, chunks=0) == {}


def test_dimensions_are_those_of_the_column():
    assert all(0 <= dimension_of(word) < DIMENSIONS for word in ("", "pump", "größe", "他说"))
    assert dimension_of("pump") == dimension_of("pump") != dimension_of("pumps")
