"""Charts of follow-ups: the fate of each, by shape and words, and the numbers behind."""

from ragcore.charts.doors import fate_of, hits_and_leaks, two_doors
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.rate import Rate, share


def outcome(kind: str, *, own: float | None, top: float | None, refused: bool, rank: int | None = None):
    return Outcome(
        id=f"{kind}-{own}",
        kind=kind,
        category="two_turn",
        difficulty="easy",
        split="test",
        question="And <b>five</b>?",
        expected="answer" if kind == "follow_up" else "refuse",
        rank=rank,
        top_score=top,
        own_score=own,
        refused=refused,
    )


OUTCOMES = [
    outcome("follow_up", own=0.3, top=0.7, refused=False, rank=1),
    outcome("follow_up", own=0.31, top=0.6, refused=False, rank=3),
    outcome("follow_up", own=0.1, top=0.5, refused=True, rank=1),
    outcome("follow_up_off_topic", own=0.15, top=0.6, refused=True),
    outcome("follow_up_off_topic", own=0.4, top=0.4, refused=False),
    outcome("follow_up_off_topic", own=None, top=0.4, refused=True),
]


def test_every_fate_of_a_follow_up():
    assert [fate_of(one) for one in OUTCOMES] == [
        "found", "not_first", "refused", "kept_out", "leak", "kept_out",
    ]  # fmt: skip


def test_two_doors_draws_each_fate_with_its_own_shape_and_both_lines():
    chart = two_doors(OUTCOMES, cutoff=0.37, floor=0.2, title="Rewritten")
    named = {trace.name: trace for trace in chart.figure.data if trace.name}
    assert list(named) == [
        "Follow-up, its passage comes first (1)",
        "Follow-up, another passage first (1)",
        "Follow-up, refused (1)",
        "Off topic, refused (1)",
        "Off topic, let through (1)",
    ]
    assert len({trace.marker.symbol for trace in named.values()}) == 5
    assert (named["Off topic, let through (1)"].x, named["Off topic, let through (1)"].y) == ((0.4,), (0.4,))
    assert [(line.x0, line.x1, line.y0, line.y1) for line in chart.figure.layout.shapes] == [
        (0, 1, 0.37, 0.37),
        (0.2, 0.2, 0, 1),
    ]
    assert [note.text for note in chart.figure.layout.annotations] == ["cutoff 0.37", "floor 0.2"]
    assert chart.figure.layout.title.text == "Rewritten (n = 5)"
    assert list(chart.table["fate"]) == ["found", "not_first", "refused", "kept_out", "leak"]
    assert named["Follow-up, refused (1)"].customdata == (["And &lt;b&gt;five&lt;/b&gt;?"],)
    assert chart.table["question"][0] == "And <b>five</b>?"


def test_two_doors_without_a_floor_or_a_point():
    chart = two_doors([], cutoff=0.25, floor=None, title="Alone")
    assert chart.figure.layout.title.text == "Alone (n = 0)"
    assert len(chart.figure.layout.shapes) == 1
    assert chart.table.empty


def test_hits_and_leaks_of_two_strategies_with_their_intervals():
    rates = {"alone": (share(3, 12), share(0, 4)), "combined": (share(9, 12), share(3, 4))}
    chart = hits_and_leaks(rates, title="Strategies")
    hits, leaks = chart.figure.data
    assert (list(hits.y), list(hits.x)) == (["alone", "combined"], [0.25, 0.75])
    assert list(leaks.x) == [0.0, 0.75]
    assert hits.marker.symbol != leaks.marker.symbol
    low, high = share(9, 12).low, share(9, 12).high
    assert (0.75 - hits.error_x.arrayminus[1], 0.75 + hits.error_x.array[1]) == (low, high)
    table = chart.table.set_index(["strategy", "what"])
    assert list(table.loc[("combined", "let_through")]) == [0.75, 3, 4, share(3, 4).low, share(3, 4).high]


def test_strategy_without_off_topic_questions_has_one_point():
    nothing = Rate(None, None, 0, None, None)
    chart = hits_and_leaks({"alone": (share(1, 2), nothing)}, title="Strategies")
    assert list(chart.figure.data[1].x) == []
    assert list(chart.table["what"]) == ["found_first"]
