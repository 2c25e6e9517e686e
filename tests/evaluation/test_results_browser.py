"""Browsing stored runs: rows, filters, figures by group, what differs, one question, two runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.chunking import ChunkingConfig
from ragcore.errors import InputError, NotFound
from ragcore.evaluation.config_differences import differences, settings
from ragcore.evaluation.exporting import read_rows
from ragcore.evaluation.metric_words import figure, headline, interval, size, words_of
from ragcore.evaluation.opened_result import as_written
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.pairing import paired
from ragcore.evaluation.rate import Rate, share
from ragcore.evaluation.result_rows import ResultFilter, ResultRow, values_of, what_happened
from ragcore.evaluation.run_config import RunConfig
from ragcore.rag import Rag
from tests.mill_set import write_mill_set


@pytest.fixture
def rag(open_test_rag) -> Rag:
    return open_test_rag()


@pytest.fixture
def mill(tmp_path: Path) -> str:
    return write_mill_set(tmp_path)


def finish(rag: Rag, config: RunConfig) -> int:
    run_id = rag.bench.begin(config)
    list(rag.bench.carry_out(run_id))
    return run_id


def row(identity: str, **fields) -> ResultRow:
    """A row of a run of stage answers; ``failure_stage`` decides its state."""
    outcome = Outcome(
        **{
            "id": identity,
            "kind": "answerable",
            "category": "plain",
            "difficulty": "easy",
            "split": "test",
            "question": f"What about {identity}?",
            "expected": "answer",
            **fields,
        }
    )
    return ResultRow(0, "mill", outcome, {}, "wrong" if outcome.failure_stage else "right")


def test_answers_of_four_questions_and_where_they_went_wrong(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,), stage="answers", options=AskOptions(generator="quote")))
    rows = {one.id: one for one in rag.results.rows(run_id)}
    assert {name: (one.state, one.outcome.failure_stage) for name, one in rows.items()} == {
        "m-1": ("right", None),
        "m-2": ("wrong", "model"),
        "m-3": ("wrong", "model"),
        "m-4": ("right", None),
    }
    assert {one.question_set for one in rows.values()} == {"mill"}
    failed = ResultFilter(state="wrong").of(rag.results.rows(run_id))
    assert [one.id for one in failed] == ["m-2", "m-3"]
    assert values_of(failed) == {
        "kinds": ["answerable", "missing_info"],
        "categories": ["missing", "prices"],
        "verdicts": ["wrong"],
        "splits": ["calibration", "test"],
        "sets": ["mill"],
    }
    exported = read_rows(rag.results.export(run_id, {"m-3", "m-2"}, "jsonl"), "jsonl")
    assert [(one["question_id"], one["failure_stage"]) for one in exported] == [
        ("m-2", "model"),
        ("m-3", "model"),
    ]


def test_one_question_opened_with_gold_grades_and_trace(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,), stage="answers", options=AskOptions(generator="quote")))
    result = next(one for one in rag.evaluations.results(run_id) if one.question_id == "m-2")
    rag.evaluations.grade(result.id, "right", grader="Ada", note="4 crowns it is")
    opened = rag.results.opened(run_id, "m-2")
    assert (opened.note, opened.facts) == ("The fact is wrong on purpose.", (("5 crowns",),))
    assert [(grade.grade, grade.grader, grade.note) for grade in opened.grades] == [
        ("right", "Ada", "4 crowns it is")
    ]
    (gold,) = opened.gold
    assert (gold.document, gold.place, gold.found_at) == ("mill.md", "Prices", 1)
    best = opened.retrieved[0]
    assert (best.rank, best.gold, best.file, best.place) == (1, True, "mill.md", "§ Prices")
    assert best.quotes == ("a sack of rye costs 4 crowns",)
    assert best.score == pytest.approx(opened.row.outcome.top_score)
    assert opened.row.outcome.verdict_reason == "Not in the answer: 5 crowns."
    assert opened.trace is not None
    assert opened.trace["question"] == "What does it cost to grind a sack of rye?"
    assert opened.prompt == ()
    with pytest.raises(NotFound, match=r"no question 'm-9' among its 4 results; its first is 'm-1'"):
        rag.results.opened(run_id, "m-9")
    with pytest.raises(NotFound, match="no evaluation run 99"):
        rag.results.opened(99, "m-1")


def test_question_whose_trace_was_cleared_away(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,)))
    gone = replace(rag.results.rows(run_id)[0].outcome, trace_id=999_999)
    result = rag.evaluations.results(run_id)[0]
    rag.evaluations.save_result(
        run_id,
        {
            "question_id": result.question_id,
            "kind": result.kind,
            "category": result.category,
            "split": result.split,
            "question": result.question,
            "outcome": gone.as_dict(),
            "score": result.score,
            "verdict": result.verdict,
            "failure_stage": result.failure_stage,
            "trace_id": None,
        },
    )
    # Nothing that tells versions apart has changed, so another browser reads it anew.
    fresh = type(rag.results)(evaluations=rag.evaluations, traces=rag.traces)
    opened = fresh.opened(run_id, result.question_id)
    assert opened.trace is None
    assert opened.retrieved[0].place == "§ The tide mill › Hours"


def test_retrieval_judges_only_what_is_to_be_answered(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,)))
    states = {one.id: one.state for one in rag.results.rows(run_id)}
    assert states == {"m-1": "right", "m-2": "right", "m-3": "not judged", "m-4": "not judged"}
    paired_with_itself = rag.results.paired(run_id, run_id)
    assert paired_with_itself.comparison.n == 2
    assert paired_with_itself.differences == ()


def test_figures_by_group_are_those_of_the_group_alone(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,), stage="refusal"))
    by_kind = rag.results.metrics_by(run_id, "kind")
    assert list(by_kind) == ["answerable", "general_knowledge", "missing_info"]
    assert (
        by_kind["missing_info"]["missing_info_passed"].k,
        by_kind["missing_info"]["missing_info_passed"].n,
    ) == (1, 1)
    assert by_kind["general_knowledge"]["general_knowledge_passed"].k == 0
    by_category = rag.results.metrics_by(run_id, "category")
    assert {
        group: metrics["false_refusal"].n
        for group, metrics in by_category.items()
        if "false_refusal" in metrics
    } == {
        "hours": 1,
        "prices": 1,
    }
    assert list(rag.results.metrics_by(run_id, "set")) == ["mill"]
    assert rag.results.metrics(run_id)["false_refusal"].n == 2


def test_what_is_kept_of_a_run_follows_the_run(rag: Rag, mill: str) -> None:
    run_id = rag.bench.begin(RunConfig((mill,)))
    outcomes = rag.bench.carry_out(run_id)
    next(outcomes)
    outcomes.close()
    assert len(rag.results.rows(run_id)) == 1
    assert rag.results.rows(run_id) is rag.results.rows(run_id)
    list(rag.bench.carry_out(run_id))
    assert len(rag.results.rows(run_id)) == 4


def test_two_runs_that_differ_in_the_cutoff(rag: Rag, mill: str) -> None:
    open_gate = finish(rag, RunConfig((mill,), stage="refusal", options=AskOptions(threshold=-1.0)))
    shut_gate = finish(rag, RunConfig((mill,), stage="refusal", options=AskOptions(threshold=0.9)))
    pairs = rag.results.paired(open_gate, shut_gate)
    assert {pair.id: pair.change for pair in pairs.pairs} == {
        "m-1": "worse",
        "m-2": "worse",
        "m-3": "better",
        "m-4": "better",
    }
    assert pairs.changed() == {"m-1", "m-2", "m-3", "m-4"}
    assert pairs.changed("better") == {"m-3", "m-4"}
    assert pairs.comparison.sentence == (
        f"run {shut_gate} gets right 2 more and loses 2; p = 1.00: may be noise at n = 4"
    )
    assert [(one.label, one.values) for one in pairs.differences] == [("Cutoff", ("-1", "0.9"))]
    before, after = pairs.metrics["false_refusal"]
    assert (before.k, after.k, after.n) == (0, 2, 2)
    assert pairs.pairs[0].as_row()["b_refused"] is True
    retrieval = finish(rag, RunConfig((mill,)))
    with pytest.raises(InputError, match="only runs of the same stage"):
        rag.results.paired(open_gate, retrieval)


def test_differences_of_chunking_in_words(rag: Rag, mill: str) -> None:
    one = rag.evaluations.run(finish(rag, RunConfig((mill,))))
    other = rag.evaluations.run(
        finish(rag, RunConfig((mill,), chunking=ChunkingConfig(max_tokens=40, header="off"), split="test"))
    )
    found = {one.label: one.values for one in differences([one, other])}
    assert found.pop("Corpus as indexed")
    assert found == {
        "Chunk size (tokens)": ("120", "40"),
        "Headers above chunks": ("auto", "off"),
        "Split": ("all", "test"),
    }
    assert differences([one]) == []
    assert settings(one)["sets"] == "mill"
    assert settings(one)["options.threshold"] == "in force"


def test_renamed_run_keeps_its_results(rag: Rag, mill: str) -> None:
    run_id = finish(rag, RunConfig((mill,)))
    rag.evaluations.rename_run(run_id, "Before the new chunker")
    assert (rag.evaluations.run(run_id).name, rag.evaluations.run(run_id).done) == (
        "Before the new chunker",
        4,
    )
    with pytest.raises(NotFound):
        rag.evaluations.rename_run(run_id + 1, "x")


ROWS = (
    row("q-1", failure_stage="gate", verdict="refused", answer="I do not know."),
    row("q-2", category="hard", verdict="right", answer="It costs 14 Crowns."),
    row("q-3", kind="missing_info", split="calibration", failure_stage="model", answer="Seven."),
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (ResultFilter(), ["q-1", "q-2", "q-3"]),
        (ResultFilter(state="wrong"), ["q-1", "q-3"]),
        (ResultFilter(stages=("gate", "model")), ["q-1", "q-3"]),
        (ResultFilter(stages=("gate",), kinds=("missing_info",)), []),
        (ResultFilter(kinds=("missing_info",)), ["q-3"]),
        (ResultFilter(categories=("hard",)), ["q-2"]),
        (ResultFilter(verdicts=("refused", "right")), ["q-1", "q-2"]),
        (ResultFilter(splits=("calibration",)), ["q-3"]),
        (ResultFilter(sets=("other",)), []),
        (ResultFilter(text="crowns  14"), ["q-2"]),
        (ResultFilter(text="Q-3"), ["q-3"]),
        (ResultFilter(text="crowns seven"), []),
    ],
)
def test_filter(wanted: ResultFilter, found: list[str]) -> None:
    assert [one.id for one in wanted.of(ROWS)] == found


def test_filter_within_what_has_changed() -> None:
    assert [one.id for one in ResultFilter(state="wrong").of(ROWS, only={"q-2", "q-3"})] == ["q-3"]


def test_pairs_of_runs_with_different_questions() -> None:
    right, wrong = row("q-1"), row("q-1", failure_stage="gate")
    only_a, only_b = row("q-0"), row("q-2")
    pairs = paired([only_a, wrong], [right, only_b])
    assert [(pair.id, pair.change) for pair in pairs] == [("q-1", "better"), ("q-2", "new"), ("q-0", "new")]
    assert pairs[2].as_row()["b_state"] is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"refused": True, "refusal_stage": "gate", "top_score": 0.214, "cutoff": 0.25, "rank": 3},
         "Refused at the gate: best match 0.21, cutoff 0.25. Gold at rank 3."),
        ({"refused": False, "top_score": 0.5, "cutoff": 0.25}, "Not refused: best match 0.50, cutoff 0.25. Gold not found."),
        ({"refused": False, "expected": "refuse", "kind": "missing_info"}, "Not refused. It should be refused."),
        ({"error": "Ollama does not answer."}, "It ended in an error: Ollama does not answer."),
    ],
)  # fmt: skip
def test_what_happened(fields: dict, said: str) -> None:
    assert what_happened(row("q-1", **fields)) == said


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("A sack\n  of rye costs 4.", "a sack of rye", "A sack\n  of rye"),
        ("A sack of rye", "a sack of oats", ""),
        ("Anything", "  ", ""),
        ("costs (4.00) crowns", "(4.00)", "(4.00)"),
    ],
)
def test_quote_as_it_is_written_in_the_text(text: str, quote: str, found: str) -> None:
    assert as_written(text, quote) == found


def test_figures_in_words() -> None:
    of_79 = share(79, 128)
    assert (figure("hit_rate@1", of_79), interval("hit_rate@1", of_79), size(of_79)) == (
        "0.62",
        "0.53 to 0.70",
        "79/128",
    )
    median = Rate(1231.6, None, 60, 1119.2, 1451.0)
    assert (figure("answer_ms_p50", median), interval("answer_ms_p50", median), size(median)) == (
        "1,232 ms",
        "1,119 to 1,451",
        "n = 60",
    )
    nothing = Rate(None, None, 0, None, None)
    assert (figure("mrr", nothing), interval("mrr", nothing)) == ("not measured", "")
    assert words_of("brand_new").label == "brand new"
    assert list(headline("refusal", {"false_refusal": of_79, "retrieve_ms_p50": median})) == ["false_refusal"]
