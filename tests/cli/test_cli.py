"""The command line as others measure it: JSON lines alone on stdout, exit codes, one sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MARKDOWN = """# Ferry terms

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Dogs

Dogs need a muzzle on the upper deck and a ticket of 3 crowns.
"""


class CommandLine:
    def __init__(self, home: Path, database_url: str) -> None:
        self._env = {
            **{
                key: value for key, value in os.environ.items() if not key.startswith(("RAGCORE_", "OLLAMA_"))
            },
            "RAGCORE_HOME": str(home),
            "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
            "OLLAMA_HOST": "127.0.0.1:9",
        }
        self._folder = home

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: PLW1510 - the exit code is what is tested
            [sys.executable, "-m", "ragcore", *arguments],
            capture_output=True,
            text=True,
            env=self._env | {"PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=self._folder,
            timeout=120,
        )


@pytest.fixture
def run(tmp_path: Path, database_url: str) -> CommandLine:
    return CommandLine(tmp_path, database_url)


def rows(done: subprocess.CompletedProcess[str]) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_from_files_to_answers_to_deletion(run: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ferry.md").write_text(MARKDOWN, encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")

    done = run("ingest", str(folder), "--json")
    reports = {row["file"]: row for row in rows(done)}
    assert done.returncode == 1, "one file was rejected"
    assert reports["ferry.md"]["status"] == "indexed" and reports["ferry.md"]["chunks"] == 2
    assert reports["empty.txt"]["status"] == "rejected" and "empty.txt" in reports["empty.txt"]["error"]
    assert set(reports["ferry.md"]) == {
        "file", "status", "document_id", "pages", "chunks", "warnings", "error"
    }  # fmt: skip

    again = run("ingest", str(folder / "ferry.md"), "--json")
    assert (again.returncode, rows(again)[0]["status"]) == (0, "unchanged")

    chunks = rows(run("chunks", "--json", "--document", "ferry.md"))
    assert [chunk["section"].split(" › ")[-1] for chunk in chunks] == ["Tickets", "Dogs"]
    assert all(chunk["tokens"] > 0 and chunk["text"] in chunk["embedded_text"] for chunk in chunks)

    asked = rows(run("ask", "What does a day ticket cost?", "--json"))[0]
    assert (asked["refused"], asked["refusal_stage"], asked["generator"]) == (False, None, "quote")
    assert "14 crowns" in asked["answer"] and asked["answer"].endswith("[ferry.md:§ Tickets]")
    assert asked["citations"][0]["file"] == "ferry.md" and asked["citations"][0]["page"] == 1
    assert asked["citations"][0]["quote"] == "A day ticket for the island ferry costs 14 crowns."
    assert asked["top_score"] == asked["hits"][0]["score"] >= asked["threshold"] == 0.37
    assert {"retrieve_ms", "first_token_ms", "total_ms"} <= set(asked["timings"])
    assert isinstance(asked["trace_id"], int) and isinstance(asked["conversation_id"], int)

    off_topic = rows(run("ask", "Who wrote the opera Tosca?", "--json"))[0]
    assert (off_topic["refused"], off_topic["refusal_stage"]) == (True, "gate")
    assert (off_topic["citations"], off_topic["generator"]) == ([], "none")
    assert f"Best match {off_topic['top_score']:.2f}, cutoff 0.37" in off_topic["answer"]

    stricter = rows(run("ask", "What does a day ticket cost?", "--threshold", "0.99", "--json"))[0]
    assert (stricter["refused"], stricter["threshold"]) == (True, 0.99)

    assert [row["documents"] for row in rows(run("collections", "--json"))] == [1]
    assert {row["name"]: row["state"] for row in rows(run("doctor", "--json"))} == {
        "Database": "ok",
        "Embedder": "ok",
        "Ollama": "warning",
        "Collection library": "ok",
    }
    assert rows(run("reembed", "--json"))[0]["chunks"] == 2
    assert rows(run("delete", "ferry.md", "--json"))[0]["status"] == "deleted"
    assert rows(run("collections", "--json"))[0]["documents"] == 0


def test_limit_of_one_call(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("Some words of a long text. " * 100, encoding="utf-8")
    done = run("ingest", str(tmp_path / "long.txt"), "--limit", "max_characters=500", "--json")
    assert (done.returncode, rows(done)[0]["status"]) == (1, "rejected")
    assert "long.txt" in rows(done)[0]["error"] and "500" in rows(done)[0]["error"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ingest", "nowhere.pdf"], "There is no file or folder 'nowhere.pdf'."),
        (["ask", "Anything?"], "There is no collection 'library'. Collections: none yet."),
        (["ingest", ".", "--limit", "max_page=3"], "There is no limit 'max_page'. Limits are: max_bytes,"),
        (
            ["ingest", ".", "--limit", "max_pages=many"],
            "The limit max_pages is 'many'; write a positive number",
        ),
        (["ask"], "Missing argument 'QUESTION'."),
        (["ask", "Anything?", "--threshold", "high"], "'high' is not a valid float."),
        (["delete"], "Name the files to delete, or give --all"),
        (["frobnicate"], "No such command 'frobnicate'."),
    ],
)
def test_bad_call_exits_1_with_one_sentence(run: CommandLine, arguments: list[str], sentence: str) -> None:
    done = run(*arguments, "--json") if arguments[0] != "frobnicate" else run(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
