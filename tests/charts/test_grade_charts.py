"""Charts of hand grades: every count and share where it belongs, names as text."""

from ragcore.charts.grades import agreement_by_kind, confusion
from ragcore.evaluation.agreement import agreement
from ragcore.evaluation.rate import share

AUTOMATIC = {"1": "right", "2": "right", "3": "wrong", "4": "should_have_refused", "5": "right"}
HAND = {"1": "right", "2": "partly", "3": "wrong", "4": "right", "5": "right"}


def test_confusion_counts_automatic_by_hand_in_the_order_of_the_keys():
    chart = confusion(agreement(AUTOMATIC, HAND), "Ada")
    counts = {(row.automatic, row.by_hand): row.answers for row in chart.table.itertuples() if row.answers}
    assert counts == {
        ("right", "right"): 2,
        ("right", "partly"): 1,
        ("wrong", "wrong"): 1,
        ("should_have_refused", "right"): 1,
    }
    heatmap = chart.figure.data[0]
    assert list(heatmap.x) == ["Right", "Partly", "Wrong", "Should have<br>refused"] == list(heatmap.y)
    assert [list(row) for row in heatmap.z] == [
        [2, 1, None, None],
        [None, None, None, None],
        [None, None, 1, None],
        [1, None, None, None],
    ]
    texts = {(note.x, note.y): note.text for note in chart.figure.layout.annotations}
    assert (texts[0, 0], texts[1, 0], texts[0, 3], texts[3, 3]) == ("2", "1", "1", "0")
    assert chart.figure.layout.title.text == "Automatic grades against Ada’s: 3 of n = 5 the same"
    assert chart.figure.layout.yaxis.autorange == "reversed"
    assert len(chart.figure.layout.shapes) == 4


def test_name_of_a_grader_is_no_markup():
    found = agreement(AUTOMATIC, HAND)
    title = confusion(found, "<a href='x'>A</a>").figure.layout.title.text
    assert "<a" not in title and "&lt;a" in title
    assert "<b>" not in agreement_by_kind({"answerable": share(1, 2)}, "<b>").figure.layout.title.text


def test_agreement_by_kind_shows_share_interval_and_counts():
    chart = agreement_by_kind({"missing_info": share(3, 4), "answerable": share(10, 10)}, "Ada")
    assert list(chart.table["kind"]) == ["answerable", "missing_info"]
    points = chart.figure.data[0]
    assert list(points.x) == [1.0, 0.75]
    assert list(points.y) == ["Answerable<br>10 of 10", "Missing info<br>3 of 4"]
    low, high = share(3, 4).low, share(3, 4).high
    assert abs(points.error_x.array[1] - (high - 0.75)) < 1e-12
    assert abs(points.error_x.arrayminus[1] - (0.75 - low)) < 1e-12
    assert "(n = 14)" in chart.figure.layout.title.text


def test_kind_without_answers_is_not_drawn():
    chart = agreement_by_kind({"answerable": share(1, 1), "injection": share(0, 0)}, "Ada")
    assert list(chart.table["kind"]) == ["answerable"]
