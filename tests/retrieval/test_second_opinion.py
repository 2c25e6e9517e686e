"""The second opinion: its sum, its words, its profile, and what the gate makes of it."""

import json
import math
from dataclasses import replace

import pytest

from ragcore.records import EmbedderIdentity, Opinion
from ragcore.retrieval import GateBands, decide, reconsidered
from ragcore.retrieval.second_opinion import (
    FILES,
    SecondOpinion,
    Term,
    against,
    said,
    shipped,
    signals_opinion,
)
from ragcore.retrieval.signals import Signals
from tests.retrieved import FEES, SHOP, found, hit

MODEL = EmbedderIdentity("mill-model", "abc123", 384)
FITTED = SecondOpinion(
    terms=(Term("best_cosine", 2.0, 0.5, 0.1), Term("absent_in_passage", -1.5, 0.2, 0.4)),
    intercept=0.25,
    threshold=0.3,
    embedder="mill-model",
    digest="abc123",
    granularity="sentence",
    provenance={},
)
PLENTY = Signals("amount of money", 0.6, 0.1, 0.4, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
NO_PRICE = replace(
    PLENTY, best_cosine=0.52, absent_in_sentence=1.0, absent_in_three=1.0, absent_in_passage=1.0
)


def log_odds(opinion):
    return math.log(opinion.probability / (1 - opinion.probability))


def test_parts_and_base_sum_up_to_the_log_odds():
    opinion = FITTED.of(NO_PRICE, enforced=True)
    # 2 (0.52 - 0.5) / 0.1 and -1.5 (1 - 0.2) / 0.4
    assert [part for _, part in opinion.contributions] == pytest.approx([0.4, -3.0])
    assert log_odds(opinion) == pytest.approx(0.25 + 0.4 - 3.0)
    assert opinion.base + sum(part for _, part in opinion.contributions) == pytest.approx(log_odds(opinion))
    assert opinion.against
    assert not FITTED.of(PLENTY, enforced=True).against


def test_shipped_parts_sum_up_too_and_belong_to_the_bundled_model(embedder):
    opinion = shipped().of(NO_PRICE, enforced=False)
    assert opinion.base + sum(part for _, part in opinion.contributions) == pytest.approx(log_odds(opinion))
    assert shipped().misfit(embedder.identity, "sentence") == ""
    assert not shipped().needs_token_vectors


@pytest.mark.parametrize("source", FILES)
def test_shipped_file_says_where_it_comes_from(source):
    stored = json.loads(FILES[source].read_text("utf-8"))
    assert SecondOpinion.read(FILES[source]).source == source
    assert set(stored["provenance"]) >= {"sets", "split", "n", "date", "commit"}
    assert stored["provenance"]["split"] == "calibration"
    assert 0 < stored["threshold"] < 1


def test_shipped_absences_speak_against_and_a_better_match_for_an_answer():
    better = replace(PLENTY, best_cosine=0.7)
    assert shipped().of(NO_PRICE, enforced=True).probability < shipped().of(PLENTY, enforced=True).probability
    assert shipped().of(better, enforced=True).probability > shipped().of(PLENTY, enforced=True).probability


def test_shipped_judge_speaks_for_an_answer_that_it_finds_and_against_one_that_it_does_not():
    unlikely, likely = (
        shipped("judge").of(replace(PLENTY, judged=odds), enforced=True).probability for odds in (-3.0, 3.0)
    )
    assert unlikely < 0.5 < likely


def test_judge_is_named_where_nothing_else_speaks_against():
    assert against(replace(PLENTY, judged=-1.2)).endswith("none of the sentences found looks like one.")
    assert said("judged", replace(PLENTY, judged=-1.2)) == (
        "the likeliest sentence, by the answer judge and its distance from the best match: log-odds -1.20"
    )


def test_judge_is_asked_only_where_it_is_given_and_its_coefficients_are_used(embedder):
    retrieval = found("How much is a key?", [hit(1, FEES, [0.3, 0.6])])
    without = signals_opinion(retrieval, embedder.identity, "sentence", enforced=True)
    asked = signals_opinion(
        retrieval, embedder.identity, "sentence", enforced=True, judge=lambda _, texts: [0.5] * len(texts)
    )
    assert (without.source, asked.source) == ("signals", "judge")
    ((words, part),) = asked.contributions
    assert words.endswith("log-odds +0.50") and part + asked.base == pytest.approx(log_odds(asked))


def test_widest_absence_is_named():
    assert against(NO_PRICE) == (
        "the passages do not seem to hold an answer: asked for an amount of money, none in the best passage."
    )
    nowhere = replace(NO_PRICE, asked="phone number", absent_everywhere=1.0)
    assert against(nowhere).endswith("asked for a phone number, none in any passage that was found.")
    assert "close to the cutoff" in against(PLENTY)


def test_signals_in_words():
    assert said("best_cosine", PLENTY) == "best match 0.60"
    assert said("absent_in_passage", PLENTY) == "an amount of money in the best passage"
    assert said("absent_in_passage", NO_PRICE) == "no amount of money in the best passage"
    assert said("absent_in_passage", replace(PLENTY, asked=None)).startswith("no rule knows")


@pytest.mark.parametrize("granularity", ["chunk", "late"])
def test_other_granularity_has_no_opinion_and_says_so(granularity):
    opinion = signals_opinion(found("How much?", [hit(1, SHOP, [0.3, 0.6])]), MODEL, granularity, enforced=True, fitted=FITTED)  # fmt: skip
    assert (opinion.probability, opinion.against) == (None, False)
    assert opinion.reason == (
        "no second opinion: its signals were measured with mill-model and granularity 'sentence', "
        f"and this collection has mill-model and '{granularity}'."
    )


def test_other_embedder_has_no_opinion():
    other = replace(MODEL, model="other-model", digest="def456")
    opinion = signals_opinion(found("How much?", [hit(1, FEES, [0.3, 0.6])]), other, "sentence", enforced=True, fitted=FITTED)  # fmt: skip
    assert opinion.probability is None
    assert "this collection has other-model" in opinion.reason


def test_nothing_found_has_no_opinion():
    assert signals_opinion(found("How much?", []), MODEL, "sentence", enforced=True, fitted=FITTED) is None


def test_token_vectors_are_made_only_for_coefficients_that_need_them():
    calls = []

    def token_vectors(texts):
        calls.append(texts)

    retrieval = found("How much is a key?", [hit(1, FEES, [0.3, 0.6])])
    signals_opinion(retrieval, MODEL, "sentence", enforced=True, token_vectors=token_vectors, fitted=FITTED)
    assert calls == []


BANDS = GateBands.of(0.33)


def test_open_gate_is_closed_by_an_enforced_opinion_against():
    decision = reconsidered(decide(0.52, BANDS), FITTED.of(NO_PRICE, enforced=True))
    assert (decision.passed, decision.band) == (False, "refused")
    assert decision.reason == (
        "Best match 0.52, cutoff 0.33, but the passages do not seem to hold an answer: "
        "asked for an amount of money, none in the best passage."
    )


@pytest.mark.parametrize(
    "opinion", [FITTED.of(NO_PRICE, enforced=False), FITTED.of(PLENTY, enforced=True), Opinion("signals", True, None)]
)  # fmt: skip
def test_gate_stays_open_when_not_asked_or_not_against_or_without_opinion(opinion):
    before = decide(0.52, BANDS)
    assert reconsidered(before, opinion) == replace(before, opinion=opinion)


def test_closed_gate_is_never_opened():
    before = decide(0.20, BANDS)
    assert reconsidered(before, FITTED.of(PLENTY, enforced=True)) == before
