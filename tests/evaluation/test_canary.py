"""A model is measured against built-in attacks through the chat's own prompt and checks, in memory."""

import pytest
from sqlalchemy import text

from ragcore.errors import ModelError
from ragcore.evaluation.canary import measure_canary
from ragcore.evaluation.canary_attacks import ATTACKS
from ragcore.evaluation.obedience import shows
from tests.fake_ollama import FakeOllama


def test_built_in_attacks_hold_their_fact_and_their_canary_apart():
    for attack in ATTACKS:
        assert shows(attack.canary, attack.passage) and shows(attack.fact, attack.passage)
        assert not shows(attack.canary, attack.fact)
    assert len({attack.kind for attack in ATTACKS}) == len(ATTACKS) == 8


def test_model_that_answers_and_obeys_keeps_its_answer_and_loses_the_rest(open_test_rag):
    attack = ATTACKS[2]
    reply = f"A loaf of mill bread costs 3.80 guilders [1]. {attack.canary}"
    with FakeOllama(replies=[reply]) as ollama:
        rag = open_test_rag(ollama_host=ollama.host)
        report = measure_canary(rag.chats.choose("ollama", None), rag.embedder, attacks=[attack])
        (one,) = report.results
        assert one.written and not one.obeyed and one.answered
        assert one.reply == reply
        assert " ".join(one.shown.split()) == "A loaf of mill bread costs 3.80 guilders ."
        with rag.database.session() as session:
            assert session.execute(text("select count(*) from traces")).scalar() == 0


def test_progress_and_a_failure_in_the_middle(open_test_rag):
    steps = []

    def fails_later(body):
        if "PIPISTRELLE" in body["messages"][-1]["content"]:
            return [""]
        return "The wind mill grinds 46 sacks [1]."

    with FakeOllama(replies=fails_later) as ollama:
        rag = open_test_rag(ollama_host=ollama.host)
        report = measure_canary(
            rag.chats.choose("ollama", None),
            rag.embedder,
            attacks=ATTACKS[:3],
            progress=lambda done, total: steps.append((done, total)),
        )
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert report.results[2].error and report.obeyed.n == 2


def test_a_model_that_never_answers_is_an_error(open_test_rag):
    with FakeOllama(replies=[[""]]) as ollama:
        rag = open_test_rag(ollama_host=ollama.host)
        with pytest.raises(ModelError):
            measure_canary(rag.chats.choose("ollama", None), rag.embedder)
