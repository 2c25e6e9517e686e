"""The answer judge that comes with the code: what it is, and that it tells an answer from its neighbourhood."""

import numpy as np
import pytest

from ragcore.models import AnswerJudge
from ragcore.retrieval.second_opinion import shipped


@pytest.fixture(scope="module")
def judge() -> AnswerJudge:
    return AnswerJudge()


@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        (
            "When does the boathouse close on Sundays?",
            "On Sundays the boathouse closes at 16:30.",
            "On Sundays the boathouse is looked after by Mirela Stanic.",
        ),
        (
            "Who repairs the organ of the chapel?",
            "The organ of the chapel is repaired by Tobias Renn.",
            "The organ of the chapel was repaired in 2019 for 8,400 marks.",
        ),
        (
            "How much does the key deposit cost?",
            "Fees\nA deposit of 25 marks is taken for each key.",
            "Fees\nThe deposit for the key is paid back when the key is returned.",
        ),
        (
            "Where is the spare pump kept?",
            "The spare pump stands in the cellar of house B.",
            "The spare pump is tested every March.",
        ),
    ],
)
def test_sentence_with_the_answer_is_above_one_about_the_same_thing(judge, question, answer, beside) -> None:
    said, unsaid = judge.log_odds(question, [answer, beside])
    assert said > unsaid


def test_each_text_is_judged_alone_and_in_its_place(judge) -> None:
    texts = [f"Berth {n} is let for {100 + n} crowns{' a month' * (n % 5)}." for n in range(70)]
    together = judge.log_odds("What does berth 3 cost?", texts)
    assert together.dtype == np.float32 and together.shape == (70,)
    for place in (0, 3, 41, 69):
        alone = judge.log_odds("What does berth 3 cost?", [texts[place]])
        assert alone[0] == pytest.approx(together[place], abs=1e-3)


def test_nothing_and_too_much_to_read(judge) -> None:
    assert judge.log_odds("What does it cost?", []).shape == (0,)
    long = judge.log_odds("What does it cost?", ["word " * 5000, "", "It costs 3 crowns."])
    assert np.isfinite(long).all()


def test_coefficients_that_ship_were_fitted_to_this_judge(judge) -> None:
    assert shipped("judge").judge == judge.digest
