"""The two scores of a question's candidates: the places in the table are those of the library's own orders."""

import pandas as pd
import pytest

from ragcore.charts.rankings import two_scores
from ragcore.retrieval.fusion import LEXICAL_WEIGHT
from tests.retrieved import hit

RIGHT = hit(1, "The right one.", [0.80], coverage=0.30)
OVERTAKES = hit(2, "Second by both.", [0.55], coverage=0.40)
CANDIDATES = [
    OVERTAKES,
    RIGHT,
    hit(3, "Third by both.", [0.50], coverage=0.35),
    hit(4, "First by words.", [0.40], coverage=0.45),
]


def test_right_passage_that_rank_fusion_overtakes():
    chart = two_scores(CANDIDATES, {1}, title="Which?")
    columns = ["chunk_id", "right", "cosine", "coverage", "by_cosine", "by_coverage", "rrf", "weighted"]
    assert list(chart.table.columns) == columns
    # 1/62 + 1/62 is more than 1/61 + 1/64: of places RRF likes two seconds better than a first and a fourth.
    assert chart.table.values.tolist() == [
        [1, True, 0.80, 0.30, 1, 4, 2, 1],
        [2, False, 0.55, 0.40, 2, 2, 1, 2],
        [3, False, 0.50, 0.35, 3, 3, 4, 3],
        [4, False, 0.40, 0.45, 4, 1, 3, 4],
    ]
    points = {trace.name: trace for trace in chart.figure.data}
    assert (points["right passage"].x, points["right passage"].y) == ((0.30,), (0.80,))
    assert points["first by rank fusion"].y == (0.55,)
    assert points["other candidates"].y == (0.50, 0.40)
    assert [note.text for note in chart.figure.layout.annotations] == [
        "1st by cosine, 4th by words",
        "2nd by cosine, 2nd by words",
    ]


def test_dashed_line_joins_what_the_weighted_sum_takes_for_equal():
    chart = two_scores(CANDIDATES, {1}, title="Which?")
    line = next(trace for trace in chart.figure.data if trace.mode == "lines")
    sums = [y + LEXICAL_WEIGHT * x for x, y in zip(line.x, line.y, strict=True)]
    assert sums == pytest.approx([0.80 + LEXICAL_WEIGHT * 0.30] * 2)
    assert list(line.x) == [0.0, 0.45]


def test_right_passage_that_stays_first_is_named_once():
    chart = two_scores([RIGHT, CANDIDATES[2]], {1}, title="Which?")
    assert [note.text for note in chart.figure.layout.annotations] == ["1st by cosine, 2nd by words"]
    assert "first by rank fusion" not in {trace.name for trace in chart.figure.data}


def test_right_passage_that_was_not_found():
    chart = two_scores(CANDIDATES, {99}, title="Which?")
    assert not chart.table["right"].any()
    assert {trace.name for trace in chart.figure.data} == {"other candidates", "first by rank fusion"}


def test_right_passage_without_a_word_of_the_question_has_no_place_among_the_words():
    chart = two_scores([hit(1, "Another way to say it.", [0.80]), OVERTAKES], {1}, title="Which?")
    table = chart.table.set_index("chunk_id")
    assert (table.loc[1, "by_coverage"] is pd.NA, table.loc[2, "by_coverage"]) == (True, 1)
    assert (table.loc[1, "rrf"], table.loc[1, "weighted"]) == (2, 1)
    assert [note.text for note in chart.figure.layout.annotations] == [
        "1st by cosine, no word in common",
        "2nd by cosine, 1st by words",
    ]


def test_nothing_found():
    chart = two_scores([], set(), title="Which?")
    assert chart.table.empty
    assert len(chart.figure.layout.annotations) == 0
