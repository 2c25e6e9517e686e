"""EXPERIMENTS.md as entries, and which stored runs an entry may claim."""

import json
from datetime import date
from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.bench import RunConfig
from ragcore.evaluation.experiments import cited_runs, entries_of, matching, read_entries
from ragcore.rag import Rag

TEXT = """# Experiments

Preamble. `E` is `eval_data`.

## 2026-11-28 · First: kept

Made with `python -m benchmarks.gate calibration E/handbook` and
`python benchmarks/first_rank.py CORPUS`.

| a | b |
| --- | --- |
| 1 | 2 |

## Notes without a day

Nothing.

## 2026-13-40 · No such day

## 2026-11-29 · Smaller chunks lose: negative

`python -m ragcore eval run E/ferry --stage retrieval --max-tokens 16 --strategy fixed`, and `the good run`.
Also `python -m ragcore eval run SET... --stage ...` in general.
"""


def test_entries_have_their_day_title_verdict_and_text() -> None:
    first, second = entries_of(TEXT)
    assert (first.date, first.title, first.verdict) == (date(2026, 11, 28), "First: kept", "kept")
    assert "| 1 | 2 |" in first.body and "Notes" in first.body
    assert first.programs == ("python -m benchmarks.gate", "python benchmarks/first_rank.py")
    assert first.commands == ()
    (command,) = second.commands
    assert command.sets == ("ferry",)
    assert command.settings == {
        "stage": "retrieval",
        "chunking.max_tokens": "16",
        "chunking.strategy": "fixed",
    }
    assert second.programs == ("python -m ragcore eval run",)


def test_newest_come_first_and_are_filtered_by_all_words(tmp_path: Path) -> None:
    file = tmp_path / "EXPERIMENTS.md"
    file.write_text(TEXT, encoding="utf-8")
    entries = read_entries(file)
    assert [entry.date.day for entry in entries] == [29, 28]
    assert [entry.title for entry in matching(entries, "CHUNKS negative")] == [
        "Smaller chunks lose: negative"
    ]
    assert matching(entries, "chunks nowhere") == [] and matching(entries, " ") == entries
    assert read_entries(tmp_path / "missing.md") == []


def test_the_repository_s_own_file_is_read_whole() -> None:
    entries = read_entries()
    text = (Path(__file__).parents[2] / "EXPERIMENTS.md").read_text(encoding="utf-8")
    assert len(entries) == text.count("\n## ")
    assert all(entry.body and entry.title for entry in entries)
    answers = next(entry for entry in entries if "read one by one" in entry.title)
    assert answers.commands[0].sets == ("manuals",)
    assert answers.commands[0].settings["options.chat_model"] == "qwen2.5:1.5b"


@pytest.fixture
def rag(open_test_rag) -> Rag:
    return open_test_rag()


def test_a_run_is_cited_by_its_name_or_by_the_very_command(rag: Rag, tmp_path: Path) -> None:
    folder = tmp_path / "ferry"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "ferry.md").write_text("# Ferry\n\nA ticket costs 14 crowns.\n", encoding="utf-8")
    question = {
        "id": "f-1",
        "kind": "answerable",
        "question": "What does a ticket cost?",
        "gold": [{"document": "ferry.md", "quote": "A ticket costs 14 crowns."}],
    }
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")

    def run(name: str = "", **config) -> int:
        run_id = rag.bench.begin(RunConfig((str(folder),), **config), name=name)
        list(rag.bench.carry_out(run_id))
        return run_id

    cut = ChunkingConfig(strategy="fixed", max_tokens=16)
    same = run(chunking=cut)
    run()  # other chunks
    run(chunking=cut, options=AskOptions(top_k=3))  # a setting that the command leaves at its default
    run(chunking=cut, stage="refusal")
    named = run("the good run")
    rag.bench.begin(RunConfig((str(folder),), chunking=cut))  # never finished
    entry = entries_of(TEXT)[1]
    found = [(cited.run.id, cited.by) for cited in cited_runs(entry, rag.evaluations.runs())]
    assert found == [(named, "name"), (same, "command")]
    assert cited_runs(entries_of(TEXT)[0], rag.evaluations.runs()) == []
