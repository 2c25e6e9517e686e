"""The second opinion on the command line."""

import json

import pytest
from click.testing import CliRunner

from ragcore.cli import commands
from ragcore.evaluation.run_config import RunConfig
from ragcore.records import AskOptions


@pytest.fixture
def run(monkeypatch, open_test_rag, database_url, server_home, tmp_path):
    rag = open_test_rag()
    rules = b"# Mill rules\n\nA lost key is reported to the porter of the mill at once.\n"
    assert rag.ingest(rules, "mill.md").error is None
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.chdir(tmp_path)

    def run_(*arguments: str) -> list[dict]:
        done = CliRunner().invoke(commands, [*arguments, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run_


def test_ask_with_and_without(run) -> None:
    question = "What is the web address of the porter of the mill?"
    (off,) = run("ask", question)
    assert (off["refused"], off["second_opinion"]["enforced"]) == (False, False)
    (on,) = run("ask", question, "--second-opinion", "signals")
    assert (on["refused"], on["refusal_stage"]) == (True, "gate")
    opinion = on["second_opinion"]
    assert opinion["probability"] == pytest.approx(off["second_opinion"]["probability"])
    assert opinion["probability"] < opinion["threshold"]
    assert "asked for a web address" in opinion["reason"]


def test_run_with_it_is_stored_and_can_be_made_again(run, tmp_path) -> None:
    off_topic = [{"question": "What is the web address of the porter of the mill?", "group": "near-miss"}]
    (tmp_path / "off.json").write_text(json.dumps(off_topic), encoding="utf-8")
    arguments = ("eval", "run", "off.json", "--collection", "library", "--stage", "refusal")
    assert run(*arguments)[-1]["metrics"]["missing_info_passed"]["value"] == 1.0
    assert (
        run(*arguments, "--second-opinion", "signals")[-1]["metrics"]["missing_info_passed"]["value"] == 0.0
    )


def test_configuration_without_the_option_reads_as_off() -> None:
    stored = RunConfig(sets=("off.json",), options=AskOptions(second_opinion="signals")).as_dict()
    assert RunConfig.from_dict(stored).options.second_opinion == "signals"
    del stored["options"]["second_opinion"]
    assert RunConfig.from_dict(stored).options.second_opinion == "off"
