"""The bench over a small set: the four stages, cancelling, going on, comparing, calibrating.

Real database, real embedder, the very code of the chat; a chat server that speaks the wire format.
"""

import json
from contextlib import closing
from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.chunking import ChunkingConfig
from ragcore.errors import GraderBroken, InputError, NotFound
from ragcore.evaluation import runs, stages
from ragcore.evaluation.bench import Bench, RunConfig
from tests.fake_ollama import FakeOllama

CORPUS = """# Terms of the island ferry

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Dogs

Dogs need a muzzle on the upper deck and a ticket of 3 crowns.

## Lost property

Lost property is kept at Kettle Quay for 21 days.
"""
QUESTIONS = [
    {"id": "f-1", "kind": "answerable", "category": "plain", "difficulty": "easy", "split": "calibration",
     "question": "What does a day ticket for the island ferry cost?", "facts": [["14 crowns"]],
     "gold": [{"document": "ferry.md", "section": "Tickets", "quote": "A day ticket for the island ferry costs 14 crowns."}]},
    {"id": "f-2", "kind": "answerable", "category": "plain", "difficulty": "easy", "split": "test",
     "question": "How long is lost property kept?", "facts": [["21 days"]],
     "gold": [{"document": "ferry.md", "section": "Lost property", "quote": "## Lost property Lost property is kept at Kettle Quay for 21 days."}]},
    {"id": "f-3", "kind": "missing_info", "category": "missing", "difficulty": "hard", "split": "test",
     "question": "What colour is the muzzle that dogs need on the upper deck?", "facts": [], "gold": [],
     "near": {"document": "ferry.md", "section": "Dogs", "quote": "Dogs need a muzzle"}, "absent": ["colour"]},
    {"id": "f-4", "kind": "general_knowledge", "category": "general", "difficulty": "easy", "split": "calibration",
     "question": "Who wrote the opera Tosca?", "facts": [], "gold": []},
    {"id": "f-5", "kind": "follow_up", "category": "two_turn", "difficulty": "easy", "split": "test",
     "turns": ["Do dogs need a ticket?", "And a muzzle?"], "question": "And a muzzle?", "facts": [["muzzle"]],
     "gold": [{"document": "ferry.md", "section": "Dogs", "quote": "Dogs need a muzzle"}]},
    {"id": "f-6", "kind": "follow_up_off_topic", "category": "off_topic", "difficulty": "easy", "split": "test",
     "turns": ["Do dogs need a ticket?", "Who painted the Mona Lisa?"],
     "question": "Who painted the Mona Lisa?", "facts": [], "gold": []},
]  # fmt: skip


@pytest.fixture
def set_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "ferry"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "ferry.md").write_text(CORPUS, encoding="utf-8")
    lines = [json.dumps(question) for question in QUESTIONS]
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def bench(open_test_rag) -> Bench:
    return open_test_rag().bench


def finish(bench: Bench, config: RunConfig) -> int:
    run_id = bench.begin(config)
    list(bench.carry_out(run_id))
    return run_id


def test_retrieval_finds_gold_and_keeps_its_provenance(bench: Bench, set_folder: Path) -> None:
    run_id = finish(bench, RunConfig((str(set_folder),)))
    summary = bench.summary(run_id)
    hit = summary.metrics["hit_rate@1"]
    assert (summary.status, summary.done, hit.k, hit.n) == ("complete", 4, 2, 2)
    assert {o.id: o.rank for o in bench.outcomes(run_id)} == {"f-1": 1, "f-2": 1, "f-3": None, "f-4": None}
    stored = bench._evaluations.run(run_id).provenance
    assert set(stored) == {
        "git", "embedder", "corpora", "sets", "chat_model", "prompt_hash", "standalone_prompt_hash", "packages", "machine"
    }  # fmt: skip
    assert len(stored["git"]["commit"]) == 40 and len(stored["corpora"]["ferry"]) == 64


def test_refusal_counts_by_kind(bench: Bench, set_folder: Path) -> None:
    metrics = bench.summary(finish(bench, RunConfig((str(set_folder),), stage="refusal"))).metrics
    assert (metrics["false_refusal"].k, metrics["false_refusal"].n) == (0, 2)
    assert (metrics["general_knowledge_passed"].k, metrics["missing_info_passed"].k) == (0, 1)
    assert metrics["auroc_general_knowledge"].value == 1.0


def test_follow_ups_leave_no_conversation_behind(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()
    summary = rag.bench.summary(finish(rag.bench, RunConfig((str(set_folder),), stage="followups")))
    assert summary.metrics["follow_up_hit@1"].n == 1
    assert (summary.metrics["follow_up_leak"].k, summary.metrics["follow_up_leak"].n) == (0, 1)
    assert rag.history.conversations() == []


def test_follow_up_is_stored_with_the_score_of_its_own_words(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()
    run_id = finish(rag.bench, RunConfig((str(set_folder),), stage="followups"))
    by_id = {outcome.id: outcome for outcome in rag.bench.outcomes(run_id)}
    muzzle, painted = by_id["f-5"], by_id["f-6"]
    alone = rag.bench._pipeline.search("And a muzzle?", collection=rag.thresholds.load(run_id).collections[0])
    assert muzzle.own_score == pytest.approx(alone.top_score)
    assert muzzle.own_score < muzzle.top_score
    assert (painted.own_score, painted.refused) == (painted.top_score, True)
    scores = {row.question_id: row.score for row in rag.thresholds.load(run_id).rows}
    assert scores == {"f-5": muzzle.own_score, "f-6": painted.own_score}


def test_strategies_of_follow_ups_are_compared_by_runs(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()

    def leaks(strategy):
        config = RunConfig((str(set_folder),), stage="followups", options=AskOptions(follow_ups=strategy))
        return rag.bench.summary(finish(rag.bench, config)).metrics["follow_up_leak"].k

    assert {name: leaks(name) for name in ("alone", "combined", "combined_floor", "rewrite")} == {
        "alone": 0,
        "combined": 1,
        "combined_floor": 0,
        "rewrite": 0,
    }


def test_answers_are_graded_and_failures_named_by_stage(open_test_rag, set_folder: Path) -> None:
    def reply(body: dict) -> str:
        question = body["messages"][1]["content"]
        return (
            "It is 14 crowns [1]."
            if "ticket" in question.rpartition("Question:")[2]
            else "It is 30 days [1]."
        )

    with FakeOllama(replies=reply) as ollama:
        bench = open_test_rag(ollama_host=ollama.host).bench
        # Shown as the model writes it: else what is wrong is struck out, and the document quoted.
        options = AskOptions(generator="ollama", unsupported="show")
        config = RunConfig((str(set_folder),), stage="answers", options=options)
        run_id = finish(bench, config)
        digest = bench._evaluations.run(run_id).provenance["chat_model"]
    outcomes = {outcome.id: outcome for outcome in bench.outcomes(run_id)}
    assert (outcomes["f-1"].verdict, outcomes["f-1"].failure_stage) == ("right", None)
    assert (outcomes["f-2"].verdict, outcomes["f-2"].failure_stage) == ("wrong", "model")
    assert (outcomes["f-3"].refused, outcomes["f-3"].failure_stage) == (False, "model")
    assert (outcomes["f-4"].refused, outcomes["f-4"].failure_stage) == (True, None)
    metrics = bench.summary(run_id).metrics
    assert (metrics["answer_right"].k, metrics["answer_right"].n) == (1, 2)
    assert (metrics["refusal_right"].k, metrics["refusal_right"].n) == (1, 2)
    assert digest["name"] == "llama3:latest" and digest["digest"]


def test_answers_without_facts_are_left_to_a_person(open_test_rag, set_folder: Path) -> None:
    file = set_folder / "questions.jsonl"
    bare = [{**one, "facts": []} for one in QUESTIONS if one["kind"] == "answerable"]
    never_said = {**bare[0], "id": "f-7", "question": "Who won the regatta of the year of the comet?"}
    file.write_text("\n".join(map(json.dumps, [*bare, never_said])) + "\n", encoding="utf-8")
    with closing(open_test_rag()) as rag:
        config = RunConfig((str(set_folder),), stage="answers", options=AskOptions(generator="quote"))
        run_id = finish(rag.bench, config)
        outcomes = {outcome.id: outcome for outcome in rag.bench.outcomes(run_id)}
        metrics = rag.bench.summary(run_id).metrics
    assert {one.verdict for one in outcomes.values()} == {"ungraded"}
    assert [outcomes[name].failure_stage for name in ("f-1", "f-2", "f-7")] == ["grader", "grader", "gate"]
    # A share of none is no figure.
    assert "answer_right" not in metrics


def test_error_of_a_question_is_a_failure_that_counts(open_test_rag, set_folder: Path) -> None:
    with FakeOllama(chat_error=(500, "out of memory")) as ollama:
        bench = open_test_rag(ollama_host=ollama.host).bench
        config = RunConfig((str(set_folder),), stage="answers", options=AskOptions(generator="ollama"))
        run_id = finish(bench, config)
        summary = bench.summary(run_id)
        assert summary.failures["error"] == 3
        assert (summary.metrics["answer_right"].k, summary.metrics["answer_right"].n) == (0, 2)
        ollama.chat_error, ollama.replies = None, ["It is 14 crowns [1]."]
        assert len(list(bench.carry_out(run_id))) == 3, "what failed is asked again, and nothing else"
        assert "error" not in bench.summary(run_id).failures


def test_run_that_is_stopped_goes_on_where_it_was(bench: Bench, set_folder: Path, monkeypatch) -> None:
    run_id = bench.begin(RunConfig((str(set_folder),)))
    with closing(bench.carry_out(run_id)) as outcomes:
        assert next(outcomes).id == "f-1"
    assert (bench.summary(run_id).status, bench.summary(run_id).done) == ("cancelled", 1)
    asked = [outcome.id for outcome in bench.carry_out(run_id)]
    assert asked == ["f-2", "f-3", "f-4"]
    assert (bench.summary(run_id).status, bench.summary(run_id).done) == ("complete", 4)


def test_cancel_from_elsewhere(bench: Bench, set_folder: Path) -> None:
    run_id = bench.begin(RunConfig((str(set_folder),)))
    outcomes = bench.carry_out(run_id)
    next(outcomes)
    bench._evaluations.request_cancel(run_id)
    assert list(outcomes) == []
    assert bench.summary(run_id).status == "cancelled"


def test_broken_grader_stops_the_run_before_it_begins(bench: Bench, set_folder: Path, monkeypatch) -> None:
    from ragcore.evaluation.sentinels import check_graders

    class AlwaysRight:
        def __call__(self, *_args, **_kwargs):
            return stages.grade_answer("14", [["14"]], refused=False)

    monkeypatch.setattr(runs, "check_graders", lambda: check_graders(grade=AlwaysRight()))
    run_id = bench.begin(RunConfig((str(set_folder),), stage="answers"))
    with pytest.raises(GraderBroken):
        list(bench.carry_out(run_id))
    assert bench.summary(run_id).done == 0


def test_chunker_that_cuts_badly_is_exposed_by_comparison(bench: Bench, set_folder: Path) -> None:
    good = finish(bench, RunConfig((str(set_folder),)))
    cut = ChunkingConfig(strategy="fixed", max_tokens=16)
    bad = finish(bench, RunConfig((str(set_folder),), chunking=cut))
    comparison = bench.compare(good, bad)
    assert comparison.n == 2 and comparison.losses >= 1 and comparison.wins == 0
    assert "loses" in comparison.sentence


def test_runs_of_two_stages_are_not_compared(bench: Bench, set_folder: Path) -> None:
    one = finish(bench, RunConfig((str(set_folder),)))
    other = finish(bench, RunConfig((str(set_folder),), stage="refusal"))
    with pytest.raises(InputError, match="only runs of the same stage"):
        bench.compare(one, other)
    with pytest.raises(NotFound, match=r"no evaluation run 99\. The newest are:"):
        bench.compare(one, 99)


def test_same_corpus_is_indexed_once(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()
    for _ in range(2):
        finish(rag.bench, RunConfig((str(set_folder),)))
    assert [info.kind for info in rag.library.collections()] == ["eval"]


def test_corpus_with_an_unreadable_file(bench: Bench, set_folder: Path) -> None:
    (set_folder / "corpus" / "empty.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"The corpus cannot be used: .*empty\.txt"):
        bench.begin(RunConfig((str(set_folder),)))


def test_calibration_is_applied_used_by_the_gate_and_goes_stale(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()
    config = RunConfig((str(set_folder),))
    found, floor = rag.bench.calibrate(config)
    assert floor is None or floor.suggestion.cutoff > 0
    stored = rag.bench.store_calibration(config, found.at(0.6), None, apply=True)
    assert stored.cutoff == 0.6
    assert rag.ask("Do dogs need a ticket?", AskOptions(collection="library")).decision.cutoff == 0.37
    rag.ingest(CORPUS.encode() + b"\n## Bicycles\n\nBicycles travel free.\n", "ferry.md")
    in_force = rag.cutoff("library")
    assert in_force.cutoff == 0.6 and "measured on 'ferry'" in in_force.stale
    answer = rag.ask("Do dogs need a ticket?")
    assert answer.decision.cutoff == 0.6
    eval_collection = next(info.name for info in rag.library.collections() if info.kind == "eval")
    assert rag.cutoff(eval_collection).stale == ""
    rag.reembed(chunking=ChunkingConfig(max_tokens=60))
    assert rag.cutoff("library").cutoff == 0.37
    assert "another embedder or other chunks" in rag.cutoff("library").stale


def test_hand_grades_keep_their_history_and_are_exported(open_test_rag, set_folder: Path) -> None:
    rag = open_test_rag()
    run_id = finish(rag.bench, RunConfig((str(set_folder),), stage="answers"))
    result = rag.evaluations.results(run_id)[0]
    rag.evaluations.grade(result.id, "wrong", grader="Ada")
    rag.evaluations.grade(result.id, "right", grader="Ada", note="=SUM(A1) is no formula here")
    rag.evaluations.grade(result.id, "partly", grader="Ben")
    rag.evaluations.grade(result.id, None, grader="Ben")
    assert [(g.grader, g.grade) for g in rag.evaluations.grades(run_id)[result.id]] == [("Ada", "right")]
    assert len(rag.evaluations.grade_history(run_id)) == 4
    row = next(row for row in rag.bench.rows(run_id) if row["question_id"] == "f-1")
    assert (row["hand_grade"], row["grader"], row["verdict"]) == ("right", "Ada", "right")
    with pytest.raises(InputError, match="'good' is no grade"):
        rag.evaluations.grade(result.id, "good", grader="Ada")
