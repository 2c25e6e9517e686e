"""The bench from the command line: the contract's names, JSON lines alone, exit codes."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = (
    "# Dues\n\n## Mooring\n\nA mooring costs 20 crowns a night.\n\n## Crane\n\nThe crane lifts 12 tonnes.\n"
)
QUESTIONS = [
    {"question": "What does a mooring cost?", "expectedSubstrings": ["20 crowns"], "category": "plain"},
    {"question": "How much can the crane lift?", "expectedSubstrings": ["12 tonnes"], "category": "plain"},
]
OFF_TOPIC = [
    {"question": "Who wrote Tosca?", "group": "unrelated"},
    {"question": "Who owns the crane that lifts 12 tonnes?", "group": "near-miss"},
]


@pytest.fixture
def run(tmp_path: Path, database_url: str):
    for name, content in (("set.json", QUESTIONS), ("off.json", OFF_TOPIC)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "dues.md").write_text(CORPUS, encoding="utf-8")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("RAGCORE_")},
        "RAGCORE_HOME": str(tmp_path / "home"),
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "OLLAMA_HOST": "127.0.0.1:9",
        "PYTHONPATH": str(ROOT),
    }

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ragcore", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )

    return call


def rows(done: subprocess.CompletedProcess[str]) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_run_compare_export_and_calibrate(run) -> None:
    done = run("eval", "run", "set.json", "--corpus", "dues.md", "--stage", "retrieval", "--json")
    assert done.returncode == 0, done.stderr
    *questions, summary = rows(done)
    assert [question["rank"] for question in questions] == [1, 1]
    assert (summary["run"], summary["set"], summary["stage"]) == (1, "set", "retrieval")
    assert set(summary["metrics"]) == {"hit_rate@1", "hit_rate@3", "hit_rate@5", "mrr", "retrieve_ms_p50"}
    hit = summary["metrics"]["hit_rate@1"]
    assert (hit["value"], hit["k"], hit["n"], hit["high"]) == (1.0, 2, 2, 1.0) and 0 < hit["low"] < 1

    done = run("eval", "run", "set.json", "off.json", "--corpus", "dues.md", "--stage", "refusal", "--json")
    refusal = rows(done)[-1]["metrics"]
    assert (refusal["false_refusal"]["k"], refusal["false_refusal"]["n"]) == (0, 2)
    assert (refusal["general_knowledge_passed"]["k"], refusal["missing_info_passed"]["k"]) == (0, 1)
    assert refusal["auroc_general_knowledge"]["value"] == 1.0

    assert (
        run("eval", "run", "set.json", "--corpus", "dues.md", "--max-tokens", "16", "--json").returncode == 0
    )
    compared = rows(run("eval", "compare", "1", "3", "--json"))[0]
    assert compared["n"] == 2 and compared["sentence"].endswith("n = 2")
    assert [row["id"] for row in rows(run("eval", "list", "--json"))] == [3, 2, 1]

    exported = list(csv.DictReader(io.StringIO(run("eval", "export", "2").stdout.removeprefix("\ufeff"))))
    assert len(exported) == 4 and {row["kind"] for row in exported} >= {"answerable", "missing_info"}
    only = run("eval", "export", "2", "--format", "jsonl", "--only", "kind=missing_info")
    assert [row["kind"] for row in rows(only)] == ["missing_info"]
    assert "write COLUMN=VALUE" in run("eval", "export", "2", "--only", "colour=red").stderr

    found = run("calibrate", "set.json", "off.json", "--corpus", "dues.md", "--json")
    assert found.returncode in (0, 1) and "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run"], "Name the question sets to run"),
        (["run", "nowhere.json"], "There is no question set at nowhere.json."),
        (["run", "set.json"], "The set 'set' has no corpus of its own: give one with --corpus"),
        (["run", "set.json", "--corpus", "gone.md"], "gone.md"),
        (["compare", "1", "2"], "There is no evaluation run 1. The newest are: none yet."),
    ],
)
def test_bad_call_exits_1_with_one_sentence(run, arguments: list[str], sentence: str) -> None:
    done = run("eval", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr and len(done.stderr.strip().splitlines()) == 1
