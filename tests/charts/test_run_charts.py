"""Charts of runs: the numbers that are drawn are those of the table and of the library."""

import pytest

from ragcore.charts.runs import failures_by_stage, metric_by_group, metrics_with_intervals, two_runs
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.rate import Rate, share


def outcome(kind: str, failure_stage: str | None) -> Outcome:
    return Outcome(
        id=f"{kind}-{failure_stage}",
        kind=kind,
        category="plain",
        difficulty="easy",
        split="test",
        question="?",
        expected="answer",
        failure_stage=failure_stage,
    )


OUTCOMES = [
    outcome("answerable", "retrieval"),
    outcome("answerable", "retrieval"),
    outcome("answerable", "model"),
    outcome("missing_info", "model"),
    outcome("answerable", None),
]


def test_failures_of_a_run_of_answers() -> None:
    chart = failures_by_stage(OUTCOMES, "answers")
    bars = {bar.name: bar for bar in chart.figure.data if bar.type == "bar"}
    assert list(bars) == ["Answerable", "Missing info"]
    stages = ["Reading", "Retrieval", "Gate", "Context", "Model", "Citation", "Grader", "Error"]
    assert list(bars["Answerable"].y) == stages
    assert list(bars["Answerable"].x) == [0, 2, 0, 0, 1, 0, 0, 0]
    assert list(bars["Missing info"].x) == [0, 0, 0, 0, 1, 0, 0, 0]
    assert [point[0] for point in bars["Answerable"].customdata][1] == "retrieval"
    labels = next(trace for trace in chart.figure.data if trace.type == "scatter")
    assert labels.text[4] == " 2 (40 %)"
    assert chart.figure.layout.title.text == "First stage that went wrong: 4 of n = 5"
    assert chart.figure.layout.xaxis.title.text == "questions"
    table = chart.table.set_index(["stage", "kind"])
    assert table.loc[("model", "missing_info"), "failed"] == 1
    assert table["failed"].sum() == 4
    assert set(table["of"]) == {5}


def test_chosen_stage_is_drawn_stronger_than_the_others() -> None:
    chart = failures_by_stage(OUTCOMES, "answers", selected="model")
    opacity = chart.figure.data[0].marker.opacity
    assert [number for number, value in enumerate(opacity) if value == 1] == [4]


def test_stage_that_the_kind_of_run_does_not_have_is_drawn_all_the_same() -> None:
    chart = failures_by_stage([outcome("answerable", "citation")], "retrieval")
    assert list(chart.figure.data[0].y) == ["Reading", "Retrieval", "Error", "Citation"]


def test_run_without_failures_or_questions() -> None:
    chart = failures_by_stage([outcome("answerable", None)], "refusal")
    assert [trace.type for trace in chart.figure.data] == ["scatter"]
    assert list(chart.figure.data[0].x) == [0, 0]
    assert failures_by_stage([], "refusal").table.empty


def test_shares_are_drawn_and_times_stand_in_the_table() -> None:
    metrics = {
        "hit_rate@1": share(3, 4),
        "retrieve_ms_p50": Rate(12.0, None, 4, 10.0, 15.0),
        "mrr": Rate(None, None, 0, None, None),
    }
    chart = metrics_with_intervals(metrics)
    (dots,) = chart.figure.data
    assert list(dots.y) == ["Gold first ↑ (n = 4)"]
    assert list(dots.x) == [0.75]
    assert dots.x[0] + dots.error_x.array[0] == pytest.approx(metrics["hit_rate@1"].high)
    assert dots.x[0] - dots.error_x.arrayminus[0] == pytest.approx(metrics["hit_rate@1"].low)
    assert list(chart.figure.layout.xaxis.range) == [-0.02, 1.02]
    assert list(chart.table["metric"]) == ["hit_rate@1", "retrieve_ms_p50", "mrr"]


def test_figure_without_interval_has_a_whisker_of_no_length() -> None:
    (dots,) = metrics_with_intervals({"mrr": Rate(0.5, None, 1, None, None)}).figure.data
    assert (dots.error_x.array[0], dots.error_x.arrayminus[0]) == (0, 0)


def test_one_metric_by_category() -> None:
    chart = metric_by_group({"error_code": share(1, 2), "-": share(0, 3)}, "answer_right", "category")
    assert list(chart.figure.data[0].y) == ["error code (n = 2)", "- (n = 3)"]
    assert list(chart.table["category"]) == ["error_code", "-"]
    assert chart.figure.layout.title.text == "Answers right by category, with 95 % intervals"


def test_name_of_a_category_is_no_markup() -> None:
    named = '<a href="http://h.example">x</a><span style="cursor:url(http://h.example/c)">y</span>'
    chart = metric_by_group({named: share(1, 2)}, "hit_rate@1", "category")
    assert "<" not in chart.figure.data[0].y[0]
    assert "&lt;span style=" in chart.figure.data[0].y[0]
    assert chart.table.loc[0, "category"] == named


def test_times_by_kind_have_their_unit() -> None:
    chart = metric_by_group({"answerable": Rate(12.0, None, 4, 10.0, 15.0)}, "retrieve_ms_p50", "kind")
    assert chart.figure.layout.xaxis.title.text == "ms"
    assert list(chart.figure.data[0].y) == ["Answerable (n = 4)"]


def test_two_runs_differ_in_shape_as_well_as_colour() -> None:
    chart = two_runs(
        {
            "false_refusal": (share(1, 4), share(2, 4)),
            "retrieve_ms_p50": (Rate(1.0, None, 4, None, None),) * 2,
        },
        ("run 1", "run 2"),
    )
    first, second = chart.figure.data
    assert (first.name, second.name) == ("run 1", "run 2")
    assert (list(first.x), list(second.x)) == ([0.25], [0.5])
    assert list(first.y) == ["False refusals ↓"]
    assert first.marker.symbol != second.marker.symbol
    assert first.marker.color != second.marker.color
    assert list(chart.table["run"]) == ["run 1", "run 1", "run 2", "run 2"]
