"""The chart of checked answers: every count in its segment, told by pattern as well as colour."""

from ragcore.charts.claims import fates_of_claims
from ragcore.evaluation.checked_claims import FATES, Tally


def counts(*numbers: int) -> Tally:
    return Tally(dict(zip(FATES, numbers, strict=True)))


def test_every_fate_is_a_segment_of_each_bar():
    chart = fates_of_claims(
        {"show <b>all</b>": counts(7, 0, 0, 3), "checked": counts(6, 1, 3, 0)}, title="Claims"
    )
    bars = chart.figure.data
    assert [bar.name for bar in bars] == list(FATES)
    assert [list(bar.x) for bar in bars] == [[7, 6], [0, 1], [0, 3], [3, 0]]
    assert [list(bar.text) for bar in bars] == [["7", "6"], ["", "1"], ["", "3"], ["3", ""]]
    assert bars[0].y == ("show &lt;b&gt;all&lt;/b&gt;", "checked")
    assert len({bar.marker.pattern.shape for bar in bars}) == len({bar.marker.color for bar in bars}) == 4
    assert chart.figure.layout.title.text == "Claims (n = 10)"
    assert chart.figure.layout.barmode == "stack"
    assert list(chart.table["claims"]) == [7, 0, 0, 3, 6, 1, 3, 0]
    assert set(chart.table["n"]) == {10}
    assert chart.table["way"][0] == "show <b>all</b>"
