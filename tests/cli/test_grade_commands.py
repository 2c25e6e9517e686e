"""Hand grades from the command line: out, and in again without loss."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.evaluation.bench import RunConfig

ROOT = Path(__file__).parents[2]
QUESTIONS = [
    {"question": "What does a mooring cost?", "expectedSubstrings": ["20 crowns"], "category": "plain"},
    {"question": "How much can the crane lift?", "expectedSubstrings": ["12 tonnes"], "category": "plain"},
]


@pytest.fixture
def run(tmp_path: Path, database_url: str):
    (tmp_path / "set.json").write_text(json.dumps(QUESTIONS), encoding="utf-8")
    (tmp_path / "dues.md").write_text(
        "# Dues\n\nA mooring costs 20 crowns a night.\n\n## Crane\n\nThe crane lifts 12 tonnes.\n",
        encoding="utf-8",
    )
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("RAGCORE_")},
        "RAGCORE_HOME": str(tmp_path / "home"),
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "OLLAMA_HOST": "127.0.0.1:9",
        "PYTHONPATH": str(ROOT),
    }

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ragcore", "eval", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )

    return call


def test_grades_out_and_in_again(run, tmp_path: Path, open_test_rag) -> None:
    with open_test_rag() as rag:
        config = RunConfig(
            (str(tmp_path / "set.json"),),
            (str(tmp_path / "dues.md"),),
            stage="answers",
            options=AskOptions(generator="quote"),
        )
        list(rag.bench.carry_out(rag.bench.begin(config)))
        first, second = rag.grading.answers(1)
        rag.grading.grade(first, "right", grader="Ada", note="=1+1 | so")
        rag.grading.grade(first, "partly", grader="Ben")
        rag.grading.grade(second, "wrong", grader="Ada")

        assert run("export", "1", "--grades", "--format", "parquet", "--out", "g.parquet").returncode == 0
        exported = run("export", "1", "--grades", "--format", "jsonl", "--only", "grader=Ada")
        rows = [json.loads(line) for line in exported.stdout.splitlines()]
        assert [(row["grade"], row["grader"], row["note"]) for row in rows] == [
            ("right", "Ada", "=1+1 | so"),
            ("wrong", "Ada", ""),
        ]
        before = rag.grading.rows(1)
        for _ in range(2):
            rag.grading.take_back(1, "Ada")
        done = run("import-grades", "1", "g.parquet", "--json")
        told = json.loads(done.stdout)
        assert (done.returncode, told["imported"], told["there"], told["unknown"]) == (0, 2, 1, [])
        key = lambda row: (row["question_id"], row["grader"])  # noqa: E731
        assert sorted(rag.grading.rows(1), key=key) == sorted(before, key=key)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("gone.csv", None, "The file gone.csv cannot be read: No such file or directory."),
        ("g.csv", b'"question_id","grade"\r\n"a","right"\r\n', "There is no evaluation run 1."),
    ],
)
def test_bad_file_exits_1_with_one_sentence(run, tmp_path: Path, name, content, sentence) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = run("import-grades", "1", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr and "Traceback" not in done.stderr
