"""Score charts: every score in its bin, the curve's shares, lines where the cutoffs are."""

import numpy as np
import pytest

from ragcore.charts.scores import MOST_POINTS, Mark, score_chart

SCORES = {
    "answerable": np.array([0.30, 0.31, 0.40, 0.779]),
    "general_knowledge": np.array([-0.03, 0.10]),
}


def rows(chart, **where):
    table = chart.table
    for column, value in where.items():
        table = table[table[column] == value]
    return table


def test_histogram_has_bins_in_common_and_loses_no_question():
    chart = score_chart(SCORES).at(0.25)
    filled = rows(chart)[rows(chart)["questions"] > 0]
    assert filled.values.tolist() == [
        ["Answerable", 0.30, 0.32, 2],
        ["Answerable", 0.40, 0.42, 1],
        ["Answerable", 0.76, 0.78, 1],
        ["General knowledge", -0.04, -0.02, 1],
        ["General knowledge", 0.10, 0.12, 1],
    ]
    bars = chart.figure.data
    assert np.array_equal(bars[0].x, bars[1].x)
    assert (sum(bars[0].y), sum(bars[1].y)) == (4, 2)


def test_title_names_n_and_axis_names_the_unit():
    layout = score_chart(SCORES, of="test split").at(0.25).figure.layout
    assert layout.title.text == "Best score of every question, test split (n = 6)"
    assert layout.xaxis2.title.text == "Score: cosine similarity of the best evidence"
    labels = [note.text for note in layout.annotations]
    assert any("Answerable (n = 4)" in label for label in labels)


def test_curve_is_the_share_up_to_each_score():
    chart = score_chart(SCORES, style="ecdf").at(0.25)
    assert rows(chart, kind="Answerable")["percent_up_to_it"].tolist() == [25, 50, 75, 100]
    assert rows(chart, kind="General knowledge")["score"].tolist() == pytest.approx([-0.03, 0.10])


@pytest.mark.parametrize("style", ["ecdf", "rug"])
def test_thousands_of_scores_are_put_together(style):
    many = {"answerable": np.sort(np.random.default_rng(0).uniform(0, 1, 10_000))}
    chart = score_chart(many, style=style).at(0.25)
    assert len(chart.figure.data[0].x) <= MOST_POINTS + 1
    if style == "rug":
        assert chart.table["questions"].sum() == 10_000


def test_lines_stand_at_the_cutoffs_and_move():
    base = score_chart(SCORES)
    figure = base.at(0.40, in_force=0.25, window=(0.10, 0.30), marks=(Mark(0.5, "What <b>is</b>?"),)).figure
    assert [(shape.type, shape.x0, shape.x1) for shape in figure.layout.shapes] == [
        ("rect", 0.10, 0.30),
        ("line", 0.25, 0.25),
        ("line", 0.40, 0.40),
        ("line", 0.5, 0.5),
    ]
    words = [note.text for note in figure.layout.annotations]
    assert words[-3:] == ["in force 0.25", "<b>cutoff 0.4</b>", "◆ 0.500"]
    assert figure.layout.annotations[-1].hovertext == "What &lt;b&gt;is&lt;/b&gt;?"
    moved = base.at(0.25, in_force=0.25).figure.layout
    assert [shape.x0 for shape in moved.shapes] == [0.25]
    assert len(moved.annotations) == len(SCORES) + 1


@pytest.mark.parametrize("style", ["histogram", "ecdf", "rug"])
def test_kind_without_any_score(style):
    chart = score_chart({"answerable": np.empty(0), "missing_info": np.array([0.5])}, style=style).at(0.2)
    assert chart.figure.layout.title.text.endswith("(n = 1)")
