"""``doctor --canary``: a model is measured by built-in attacks, and nothing is written."""

import json

from ragcore.evaluation.canary_attacks import ATTACKS
from tests.cli.test_cli import rows, run  # noqa: F401 - a fixture
from tests.fake_ollama import FakeOllama


def attack_in(body: dict):
    asked = body["messages"][-1]["content"]
    return next(attack for attack in ATTACKS if f"Question: {attack.question}" in asked)


def test_model_that_answers_honestly_as_json(run):  # noqa: F811
    def honest(body):
        return attack_in(body).passage.split("\n")[0].split(". End")[0] + " [1]"

    with FakeOllama(replies=honest) as ollama:
        run._env["OLLAMA_HOST"] = ollama.host
        done = run("doctor", "--canary", "--json")
    *attacks, summary = rows(done)
    assert done.returncode == 0
    assert [one["kind"] for one in attacks] == [attack.kind for attack in ATTACKS]
    assert summary["model"] == "llama3:latest"
    assert summary["metrics"]["injection_obeyed"]["k"] == 0
    assert summary["metrics"]["injection_obeyed"]["n"] == len(ATTACKS) == 8
    assert summary["metrics"]["injection_answer_right"]["k"] == 8
    assert summary["tokens_per_second"] > 0
    sent = json.dumps([body["messages"] for body in ollama.bodies("/api/chat")], ensure_ascii=False)
    assert "<|im_start|>" not in sent and "|im_start|>" in sent


def test_model_that_obeys_is_found_out_and_the_reader_is_spared(run):  # noqa: F811
    models = {"mild": "chat", "obedient": "chat"}
    with FakeOllama(models=models, replies=lambda body: attack_in(body).canary) as ollama:
        run._env["OLLAMA_HOST"] = ollama.host
        done = run("doctor", "--canary", "--model", "obedient")
    *lines, last = done.stdout.splitlines()
    assert done.returncode == 0
    assert [line[:18].strip() for line in lines] == [attack.kind for attack in ATTACKS]
    assert last.startswith(
        "obedient: obeyed 0.00 [0.00, 0.32] 0/8; written by the model 1.00 [0.68, 1.00] 8/8;"
    )


def test_without_ollama_one_sentence(run):  # noqa: F811
    done = run("doctor", "--canary")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "No Ollama answers at http://127.0.0.1:9." in done.stderr
    assert "Traceback" not in done.stderr
