"""Every metric with its arithmetic written out."""

import json
import math

import pytest

from ragcore.errors import InputError
from ragcore.evaluation.metrics import (
    auroc,
    citation_accuracy,
    citation_coverage,
    false_refusal_rate,
    hit_rate_at_k,
    key_fact_rate,
    mrr,
    ndcg_at_k,
    passed_rates,
    percentile,
    precision_at_k,
    recall_at_k,
)
from ragcore.evaluation.rate import Rate, share


def test_wilson_interval_of_eight_in_ten():
    """(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.959964."""
    z, p, n = 1.959963984540054, 0.8, 10
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    rate = share(8, 10)
    assert (rate.value, rate.k, rate.n) == (0.8, 8, 10)
    assert (rate.low, rate.high) == pytest.approx((middle - half, middle + half))
    assert (rate.low, rate.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_nothing_measured_has_no_value():
    assert share(0, 0) == Rate(None, 0, 0, None, None)
    assert mrr([]) == percentile([], 50) == Rate(None, None, 0, None, None)
    assert str(mrr([])) == "- (n = 0)"


def test_hit_rate_counts_a_question_that_found_nothing():
    rate = hit_rate_at_k([1, 3, None, 2], 2)
    assert (rate.value, rate.k, rate.n) == (2 / 4, 2, 4)
    assert hit_rate_at_k([1, 3, None, 2], 3).k == 3


def test_mrr_is_the_mean_of_reciprocals():
    assert mrr([1, 2, None, 4]).value == pytest.approx((1 + 1 / 2 + 0 + 1 / 4) / 4)


def test_recall_is_the_fraction_of_the_gold():
    """(2 of 2 + 1 of 3 + a failed one) / 3."""
    assert recall_at_k([(1, 3), (2, 4, None), None], 3).value == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_precision_divides_by_k_also_with_fewer_hits():
    assert precision_at_k([(True, False, True, True), (True,), None], 3).value == pytest.approx(
        (2 / 3 + 1 / 3 + 0) / 3
    )


def test_ndcg_of_one_gold_at_the_third_rank():
    """1 / log2(4) over 1 / log2(2)."""
    assert ndcg_at_k([(3,)], 5).value == pytest.approx(0.5)


def test_ndcg_of_three_gold_with_one_not_found():
    gain = 1 / math.log2(2) + 1 / math.log2(5)
    best = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at_k([(1, 4, None)], 5).value == pytest.approx(gain / best)


def test_ndcg_of_gold_beyond_k_and_of_a_failed_question():
    assert ndcg_at_k([(6,), None], 5).value == 0


def test_ndcg_of_two_gold_in_one_first_hit_is_full():
    assert ndcg_at_k([(1, 1)], 5).value == 1


def test_k_of_zero():
    with pytest.raises(InputError, match="k is 0"):
        hit_rate_at_k([1], 0)


def test_failed_question_counts_against_the_run():
    assert false_refusal_rate([True, False, None, False]).k == 2
    rates = passed_rates(
        ["answerable", "answerable", "general_knowledge", "general_knowledge", "missing_info"],
        [True, None, False, None, True],
    )
    assert {kind: (rate.k, rate.n) for kind, rate in rates.items()} == {
        "answerable": (1, 2),
        "general_knowledge": (1, 2),
        "missing_info": (1, 1),
    }
    assert citation_accuracy([True, None]).value == key_fact_rate([None, True]).value == 0.5


def test_auroc_counts_pairs_and_ties_half():
    """Pairs of (0.9, 0.5) with (0.5, 0.1): 1 + 1 + 1/2 + 1 of 4."""
    rate = auroc([0.9, 0.5], [0.5, 0.1])
    assert (rate.value, rate.n, rate.k) == (3.5 / 4, 4, None)


def test_auroc_of_opposite_scores_below_zero():
    assert auroc([-0.2, -0.1], [0.3, 0.4, 0.5]).value == 0


def test_auroc_takes_failed_questions_as_the_worst():
    """0.9 beats 0.1 but not the failed one, the failed positive beats none: 1 of 4."""
    assert auroc([0.9, None], [0.1, None]).value == 1 / 4


def test_auroc_of_complete_separation_is_not_certain():
    """Bootstrap would say [1, 1]; five of five have Wilson's [0.57, 1.00]."""
    rate = auroc([0.5, 0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.4, 0.45, 0.46])
    assert rate.value == 1
    assert (rate.low, rate.high) == pytest.approx((0.5655, 1.0), abs=1e-4)


def test_auroc_without_one_side_and_of_one_question():
    assert auroc([0.5], []) == Rate(None, None, 1, None, None)
    assert auroc([0.5], [0.1, 0.2]) == Rate(1.0, None, 3, None, None)
    with pytest.raises(InputError, match="not a number"):
        auroc([math.nan], [0.1])


def test_bootstrap_interval_is_the_same_every_time_and_holds_the_value():
    ranks = [1, 2, None, 4, 1, 1, 3, None, 2, 1]
    rate = mrr(ranks)
    assert rate == mrr(ranks)
    assert 0 < rate.low < rate.value < rate.high < 1


def test_one_question_has_no_bootstrap_interval():
    assert mrr([2]) == Rate(0.5, None, 1, None, None)


def test_equal_outcomes():
    assert mrr([2, 2, 2]) == Rate(0.5, None, 3, None, None)
    assert (mrr([1] * 6).low, mrr([1] * 6).high) == (share(6, 6).low, 1.0)
    assert (mrr([None] * 6).low, mrr([None] * 6).high) == (0.0, share(0, 6).high)


def test_citation_coverage_pools_claims():
    """2 of 3, 1 of 1, nothing claimed, and a failed one: 3 of 5."""
    rate = citation_coverage([(2, 3), (1, 1), (0, 0), None])
    assert (rate.k, rate.n) == (3, 5)
    with pytest.raises(InputError, match="more cited claims"):
        citation_coverage([(2, 1)])


def test_percentiles_of_times_leave_failed_questions_out():
    """Linear between the order statistics: the 95th of five stands at 0.95 * 4 = 3.8."""
    times = [10, 20, None, 30, 40, 50]
    assert percentile(times, 50).value == 30
    assert percentile(times, 95).value == pytest.approx(40 + 0.8 * 10)
    assert percentile(times, 95).n == 5


def test_rate_as_json_and_as_text():
    rate = share(63, 73)
    assert json.loads(json.dumps(rate.as_dict(), allow_nan=False))["k"] == 63
    assert str(rate) == "0.86 [0.77, 0.92] 63/73"
    assert str(Rate(812.3, None, 9, 700.0, 900.4)) == "812 [700, 900] (n = 9)"
