"""What the model is given, on the command line and in a stored run."""

import json

import pytest
from click.testing import CliRunner

from ragcore.cli import commands
from ragcore.evaluation.run_config import RunConfig
from ragcore.records import AskOptions
from tests.fake_ollama import FakeOllama

TERMS = b"# Ferry terms\n\nAgreed in March.\n\n## Tickets\n\nA day ticket costs 14 crowns.\n\n## Dogs\n\nDogs pay 3."


@pytest.fixture
def run(monkeypatch, open_test_rag, database_url, server_home):
    rag = open_test_rag()
    rag.library.create_collection("library", chunking={"max_tokens": 16})
    assert rag.ingest(TERMS, "ferry.md").error is None
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))

    def run_(*arguments: str) -> tuple[dict, dict]:
        with FakeOllama(replies=["14 crowns [1]."]) as ollama:
            monkeypatch.setenv("OLLAMA_HOST", ollama.host)
            done = CliRunner().invoke(commands, [*arguments, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        answer = json.loads(done.stdout.splitlines()[0])
        return answer, rag.traces.get(answer["trace_id"])

    return run_


def test_ask_with_documents_and_without(run) -> None:
    question = ("ask", "What does a day ticket cost?", "--top-k", "1")
    for option, word, whole in (((), "hits", []), (("--context", "documents"), "documents", ["ferry.md"])):
        answer, trace = run(*question, *option)
        assert trace["profile"]["context"] == trace["prompt"]["context"]["from"] == word
        assert trace["prompt"]["context"]["whole"] == whole
        assert len(answer["hits"]) == 1
        assert ("Dogs pay 3" in trace["prompt"]["messages"][1]["content"]) == bool(whole)


def test_configuration_without_the_option_reads_as_hits() -> None:
    stored = RunConfig(sets=("a.json",), options=AskOptions(context="documents")).as_dict()
    assert RunConfig.from_dict(stored).options.context == "documents"
    del stored["options"]["context"]
    assert RunConfig.from_dict(stored).options.context == "hits"
