"""reembed with another way of cutting: what it costs is said first, and a dry run stops there."""

import json

import pytest

from ragcore.chunking import ChunkingConfig
from ragcore.cli import main
from ragcore.rag import Rag
from tests.fake_ollama import FakeOllama

PUMPS = "# Pumps\n\n" + "\n\n".join(f"## Pump {n}\n\nIt moves {n * 7} litres a minute." for n in range(5))


@pytest.fixture
def run(database_url, server_home, open_test_rag, monkeypatch, capsys):
    """Runs a command in this process, on a library with one file; gives exit code, rows, standard error."""
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.delenv("RAGCORE_CHAT_MODEL", raising=False)
    rag = open_test_rag()
    rag.ingest(PUMPS.encode(), "pumps.md")
    # The model that is loaded already; which one the settings mean is under test elsewhere.
    monkeypatch.setattr(Rag, "embedder", rag.embedder)

    def run_(*arguments):
        code = main(["reembed", "--json", *arguments])
        printed = capsys.readouterr()
        return code, [json.loads(line) for line in printed.out.splitlines()], printed.err

    return run_


def test_settings_that_are_not_given_stay(run):
    code, (row,), _ = run("--strategy", "semantic", "--max-tokens", "64")
    assert code == 0
    assert row["chunking"] == {**ChunkingConfig("semantic", 64).to_dict()}
    _, (row,), _ = run("--header", "off", "--overlap-tokens", "8")
    assert row["chunking"] == ChunkingConfig("semantic", 64, 8, "off").to_dict()


def test_dry_run_of_contextual_tells_the_price_and_changes_nothing(run, monkeypatch):
    with FakeOllama(replies=["A pump."]) as ollama:
        monkeypatch.setenv("OLLAMA_HOST", ollama.host)
        code, (row,), error = run("--strategy", "contextual", "--dry-run")
        assert code == 0
        assert (row["chunks"], row["missing"], row["model"]) == (5, 2, "llama3:latest")
        assert "2 of 5 chunks still need a context" in error
        assert len(ollama.bodies("/api/chat")) == 3
        code, (row,), error = run("--strategy", "contextual")
        assert (code, row["chunking"]["strategy"]) == (0, "contextual")
        assert "context already (5 in all)" in error and len(ollama.bodies("/api/chat")) == 5


def test_dry_run_of_another_strategy(run, open_test_rag):
    code, (row,), _ = run("--strategy", "fixed", "--dry-run")
    assert (code, row["documents"], row["chunking"]["strategy"]) == (0, 1, "fixed")
    assert open_test_rag().library.collection("library").chunking["strategy"] == "recursive"


def test_contextual_without_a_model(run, open_test_rag):
    code, rows, error = run("--strategy", "contextual")
    assert (code, rows) == (1, [])
    assert error.count("\n") == 1 and "needs a chat model to write contexts" in error
    assert open_test_rag().library.collection("library").chunking["strategy"] == "recursive"


def test_impossible_settings(run):
    code, rows, error = run("--max-tokens", "300")
    assert (code, rows) == (1, []) and "reads only 256" in error
    code, rows, error = run("--strategy", "contextual", "--overlap-tokens", "40")
    assert (code, rows) == (1, []) and "less 40 for the context" in error
