"""A broken or constant grader is caught before anything is counted."""

import pytest

from ragcore.errors import GraderBroken
from ragcore.evaluation.grading import Grade, grade_answer
from ragcore.evaluation.refusals import RefusalVerdict, recognise_refusal
from ragcore.evaluation.sentinels import ANSWER_SENTINELS, REFUSAL_SENTINELS, check_graders


def test_our_graders_pass():
    assert check_graders() is None
    assert len(ANSWER_SENTINELS) + len(REFUSAL_SENTINELS) == 15


@pytest.mark.parametrize("verdict", ["right", "wrong", "refused", "ungraded"])
def test_constant_answer_grader(verdict):
    with pytest.raises(GraderBroken, match=r"answer grader is broken: sentinel '.*instead of"):
        check_graders(grade=lambda *args, **options: Grade(verdict, "always"))


def test_answer_grader_that_passes_all_but_refusals():
    def passing(answer, facts, *, refused, question):
        return Grade("refused" if refused else "right", "always")

    with pytest.raises(GraderBroken, match=r"'other value' .* came out as right instead of wrong"):
        check_graders(grade=passing)


def test_inverted_answer_grader():
    turned = {"right": "wrong", "wrong": "right"}

    def inverted(*args, **options):
        verdict = grade_answer(*args, **options).verdict
        return Grade(turned.get(verdict, verdict), "inverted")

    with pytest.raises(GraderBroken, match="plain fact"):
        check_graders(grade=inverted)


def test_answer_grader_by_substring():
    def by_substring(answer, facts, *, refused, question):
        there = all(any(one in answer for one in group) for group in facts)
        return Grade("refused" if refused else "right" if there else "wrong", "substring")

    with pytest.raises(GraderBroken, match="number in words"):
        check_graders(grade=by_substring)


@pytest.mark.parametrize("label", ["refusal", "answer", "unclear"])
def test_constant_refusal_recogniser(label):
    with pytest.raises(GraderBroken, match="refusal recogniser is broken"):
        check_graders(recognise=lambda text, question: RefusalVerdict(label, "always"))


def test_inverted_refusal_recogniser():
    turned = {"refusal": "answer", "answer": "refusal", "unclear": "unclear"}

    def inverted(text, question):
        return RefusalVerdict(turned[recognise_refusal(text, question).label], "inverted")

    with pytest.raises(GraderBroken, match="plain refusal"):
        check_graders(recognise=inverted)


def test_refusal_recogniser_by_keyword():
    def by_keyword(text, question):
        return RefusalVerdict("refusal" if "don't know" in text else "answer", "keyword")

    with pytest.raises(GraderBroken, match="curly quotes"):
        check_graders(recognise=by_keyword)
