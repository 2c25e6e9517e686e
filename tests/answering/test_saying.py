"""A supported sentence that does not say the answer is not shown as one; who says so is made up here."""

from collections.abc import Sequence

import pytest

from ragcore.answering.checked_text import CheckedText
from ragcore.answering.quoting import best_sentences
from ragcore.answering.saying import ANSWERS_FROM, DOUBTED_FROM, QUOTED_FROM, Saying
from ragcore.answering.verification import Checker
from ragcore.models import AnswerJudge
from ragcore.records import Passage
from tests.builders import passage

QUESTION = "Who cleans the chapel?"
CHAPEL = passage(
    1, "The chapel is swept by Ada Finch on Fridays. It seats forty people.", section=("Chapel",)
)


class Judge:
    """The same log-odds for every text; keeps what it was asked."""

    def __init__(self, odds: float) -> None:
        self.odds, self.asked = odds, []

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked += [(question, text) for text in texts]
        return [self.odds] * len(texts)


def checked(embedder, judge, reply: str, question: str = QUESTION, passages: Sequence[Passage] = (CHAPEL,)):
    saying = Saying(question, passages, judge)
    text = CheckedText(Checker(question, passages, embedder, saying=saying), passages)
    text.add(reply)
    return text


@pytest.mark.parametrize(("above", "shown"), [(0.01, True), (-0.01, False)])
def test_first_claim_stands_or_falls_by_the_sentence_that_it_rests_on(embedder, above, shown) -> None:
    judge = Judge(ANSWERS_FROM + above)
    text = checked(embedder, judge, "Ada Finch [1]. It seats forty people. [1]")
    assert bool(text.text) is shown and text.fallen is not shown
    assert [question for question, _ in judge.asked] == [QUESTION]
    # The document's words, under their headings; what comes after the answer is not asked about.
    assert judge.asked[0][1].startswith("Chapel\nThe chapel is swept by Ada Finch on Fridays.")
    if not shown:
        assert text.struck[0].reason == "rests on a sentence that does not say the answer"


def test_claim_in_the_passages_own_words_is_asked_about_as_it_stands(embedder) -> None:
    judge = Judge(2.0)
    checked(embedder, judge, "The chapel is swept by Ada Finch on Fridays. [1]")
    assert judge.asked == [(QUESTION, "Chapel\nThe chapel is swept by Ada Finch on Fridays.")]


@pytest.mark.parametrize(("above", "shown"), [(0.01, True), (-0.01, False)])
def test_more_is_asked_of_a_claim_in_other_words_on_a_passage_with_few_of_the_questions(
    embedder, above, shown
) -> None:
    # More than chance would do for a claim in the question's own words.
    assert DOUBTED_FROM > ANSWERS_FROM
    reply = "On Fridays the chapel is swept with a broom in church by Ada Finch. [1]"
    question = "Who comes to church on Fridays with a broom?"
    assert bool(checked(embedder, Judge(DOUBTED_FROM + above), reply, question).text) is shown


def test_quotations_are_asked_about_where_the_model_had_no_answer(embedder) -> None:
    quotes = best_sentences(QUESTION, [CHAPEL.candidate], embedder)
    for odds, may in ((QUOTED_FROM, True), (QUOTED_FROM - 0.01, False)):
        judge = Judge(odds)
        checker = Checker(QUESTION, [CHAPEL], embedder, saying=Saying(QUESTION, [CHAPEL], judge))
        assert checker.may_be_quoted(quotes) is may
        assert len(judge.asked) == len(quotes) > 0
    assert not Checker(
        QUESTION, [CHAPEL], embedder, saying=Saying(QUESTION, [CHAPEL], Judge(9.0))
    ).may_be_quoted([])


def test_real_judge_tells_an_answer_from_a_neighbouring_fact(embedder) -> None:
    judge = AnswerJudge().log_odds
    answered = checked(embedder, judge, "The chapel is swept by Ada Finch. [1]")
    beside = checked(embedder, judge, "It seats forty people. [1]", "When was the chapel built?")
    assert "Ada Finch" in answered.text
    assert beside.text == ""
