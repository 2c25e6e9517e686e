"""Signals of an answer being there: every value worked out by hand."""

import math

import numpy as np
import pytest

from ragcore.lexical.weights import inverse_frequencies
from ragcore.records import Candidate
from ragcore.retrieval.signals import signals
from ragcore.retrieval.soft_coverage import soft_coverage
from tests.retrieved import FEES, SHOP, found, hit


def test_price_stands_in_the_second_passage_only():
    seen = signals(found("What does a lost key cost?", [hit(1, SHOP, [0.3, 0.6]), hit(2, FEES, [0.5, 0.2])]))
    assert seen.asked == "amount of money"
    assert (seen.best_cosine, seen.lead) == (0.6, pytest.approx(0.1))
    # Best sentence and best passage are SHOP's; of the three best sentences £15 is the second.
    assert (seen.absent_in_sentence, seen.absent_in_three) == (1.0, 0.0)
    assert (seen.absent_in_passage, seen.absent_everywhere) == (1.0, 0.0)


def test_judge_is_asked_only_where_there_is_one():
    question, candidates = "What does a lost key cost?", [hit(1, SHOP, [0.3, 0.6])]
    assert signals(found(question, candidates)).judged is None
    assert signals(found(question, candidates), judge=lambda _, texts: [-0.5] * len(texts)).judged == -0.5


def test_no_price_anywhere():
    seen = signals(found("What does a lost key cost?", [hit(1, SHOP, [0.3, 0.6])]))
    assert (seen.absent_in_three, seen.absent_in_passage, seen.absent_everywhere) == (1.0, 1.0, 1.0)


def test_question_of_no_known_kind_lacks_nothing():
    seen = signals(found("Tell me about keys", [hit(1, SHOP, [0.3, 0.6])]))
    assert seen.asked is None
    assert (seen.absent_in_sentence, seen.absent_everywhere) == (0.0, 0.0)


def test_shares_are_weighted_by_rarity():
    frequencies = {"badg": 1, "key": 8, "sauna": 0}
    candidates = [hit(1, "A badge opens it.", [0.6], coverage=0.4), hit(2, SHOP, [0.3, 0.5], coverage=0.7)]
    seen = signals(found("badge key sauna", candidates, frequencies, 10))
    # ln(1 + (N - df + 0.5) / (df + 0.5)) with N = 10
    badge, key, sauna = math.log(1 + 9.5 / 1.5), math.log(1 + 2.5 / 8.5), math.log(1 + 10.5 / 0.5)
    assert inverse_frequencies(list(frequencies), frequencies, 10)["badg"] == pytest.approx(badge)
    assert seen.sentence_coverage == pytest.approx(badge / (badge + key + sauna))
    assert seen.unknown == pytest.approx(sauna / (badge + key + sauna))
    assert (seen.coverage, seen.agreement) == (0.4, 0.0)


def test_words_of_the_headings_count_for_the_sentence():
    frequencies = {"badg": 1, "replac": 1}
    candidates = [hit(1, "It is replaced.", [0.6], section=("Badges",))]
    assert signals(found("badge replaced", candidates, frequencies, 10)).sentence_coverage == 1.0


def test_dense_search_has_no_lexical_signals():
    seen = signals(found("What does a lost key cost?", [hit(1, FEES, [0.5, 0.2])]))
    assert (seen.sentence_coverage, seen.unknown, seen.coverage) == (0.0, 0.0, 0.0)


def test_sentences_without_vectors_are_read_as_whole_passages():
    whole = Candidate(1, 1, "m.md", False, 1, 1, None, ((0, 1),), (), "", FEES, 0.5)
    assert signals(found("What does a lost key cost?", [whole])).absent_in_sentence == 0.0


def test_nothing_found():
    assert signals(found("What does a key cost?", [])) is None


def test_soft_coverage_by_hand():
    east, north, between = [1.0, 0.0], [0.0, 1.0], [0.6, 0.8]
    # "[CLS] lost key [SEP]": lost points east, key north; the evidence has a token between.
    asked = (np.array([east, east, north, east]), np.array([[0, 0], [0, 4], [5, 8], [0, 0]]))
    evidence = [(np.array([north, between]), np.array([[0, 0], [0, 3]]))]
    least, loss = soft_coverage("lost key", asked, evidence, {"lost": 3.0, "key": 1.0})
    assert least == pytest.approx(0.6)
    # max(3/4 * (1 - 0.6), 1/4 * (1 - 0.8)); the special token that points north is not met.
    assert loss == pytest.approx(-0.3)


def test_soft_coverage_joins_the_pieces_of_a_word():
    asked = (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0, 4], [4, 8]]))
    evidence = [(np.array([[1.0, 0.0]]), np.array([[0, 3]]))]
    # One word of two pieces: the mean of 1 and 0.
    assert soft_coverage("lockgate", asked, evidence, {})[0] == pytest.approx(0.5)


def test_soft_coverage_of_no_evidence():
    asked = (np.array([[1.0, 0.0]]), np.array([[0, 4]]))
    assert soft_coverage("lost", asked, [], {}) == (0.0, 0.0)


def test_token_vectors_of_the_real_model(embedder):
    question = "When does the contract expire?"
    words = ["The contract runs out in May.", "Bread is baked at night."]
    asked, *evidence = embedder.token_vectors([question, *words])
    assert asked[0].shape == (len(asked[1]), embedder.identity.dimension)
    pieces = [question[a:b] for a, b in asked[1].tolist() if b > a]
    assert pieces == ["When", "does", "the", "contract", "ex", "pire", "?"]
    (near, near_loss), (far, far_loss) = (soft_coverage(question, asked, [one], {}) for one in evidence)
    assert near > far
    assert near_loss > far_loss


def test_signals_ask_for_tokens_only_when_given_a_model(embedder):
    retrieval = found("What does a lost key cost?", [hit(1, FEES, [0.5, 0.2])])
    assert signals(retrieval).soft_least is None
    assert signals(retrieval, lambda texts: None).soft_least is None
    assert 0.2 < signals(retrieval, embedder.token_vectors).soft_least <= 1.0
