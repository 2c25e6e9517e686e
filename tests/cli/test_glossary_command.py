"""The glossary on the command line."""

import json

import pytest
from click.testing import CliRunner

from ragcore.cli import commands
from ragcore.errors import NotFound


@pytest.fixture
def run(monkeypatch, database_url, server_home, database):
    from ragcore.storage import Library

    Library(database).create_collection("library", chunking={})
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))

    def run_(*arguments: str) -> str:
        done = CliRunner().invoke(commands, ["glossary", *arguments], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run_


def rows(output: str) -> list[dict]:
    return [json.loads(line) for line in output.splitlines()]


def test_add_list_disable_remove(run) -> None:
    (added,) = rows(run("add", "DBO", "duty", "boathouse", "officer", "--json"))
    assert (added["short"], added["long"], added["status"]) == ("DBO", "duty boathouse officer", "added")
    first, *others = rows(run("--json"))
    assert (first["short"], first["source"], first["enabled"]) == ("DBO", "user", True)
    assert {row["source"] for row in others} == {"built-in"}
    assert run("disable", "dbo") == "disabled   DBO: duty boathouse officer\n"
    assert run().splitlines()[0] == "user       DBO: duty boathouse officer  (off)"
    assert rows(run("enable", "DBO", "--json"))[0]["status"] == "enabled"
    assert run("remove", "DBO") == "removed    DBO\n"
    assert "DBO" not in run()


def test_built_in_one_is_disabled(run) -> None:
    assert rows(run("disable", "WFH", "--json"))[0]["source"] == "built-in"
    assert "built-in   WFH: work from home  (off)\n" in run()


def test_unknown_collection(run) -> None:
    with pytest.raises(NotFound, match="There is no collection 'nowhere'"):
        run("--collection", "nowhere")
