"""Follow-ups on the command line."""

import json

import pytest
from click.testing import CliRunner

from ragcore.cli import commands


@pytest.fixture
def ask(monkeypatch, open_test_rag, database_url, server_home):
    rag = open_test_rag()
    rules = b"# Mill rules\n\nThe sauna of the mill opens at 17:30 in summer. In winter it opens at 15:00.\n"
    assert rag.ingest(rules, "mill.md").error is None
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")

    def run(*arguments: str) -> dict:
        done = CliRunner().invoke(commands, ["ask", *arguments, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return run


def test_follow_up_is_asked_in_other_words_unless_told_not_to(ask) -> None:
    first = ask("When does the sauna open in summer?")
    assert first["own_score"] is None
    conversation = ("--conversation", str(first["conversation_id"]))
    second = ask("And in winter?", *conversation)
    assert second["standalone_question"] == "When does the sauna open in winter?"
    assert second["own_score"] < second["top_score"]
    as_typed = ask("And in winter?", *conversation, "--follow-ups", "alone")
    assert as_typed["standalone_question"] == "And in winter?"
    assert as_typed["own_score"] == as_typed["top_score"]


def test_thanks_is_no_refusal(ask) -> None:
    said = ask("thanks")
    assert (said["status"], said["refused"], said["generator"], said["hits"]) == (
        "complete",
        False,
        "none",
        [],
    )
