"""Reasoning leaves the reply, however the pieces are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcore.models.reasoning import ReasoningFilter


def visible(pieces: list[str]) -> str:
    filtered, text = ReasoningFilter(), ""
    for shown, replaces in [*map(filtered.feed, pieces), filtered.finish()]:
        text = shown if replaces else text + shown
    return text


CASES = {
    "plain answer": ("Answer 5", "Answer 5"),
    "block before the answer": ("<think>2+3, so 5</think>\n\nAnswer 5", "Answer 5"),
    "only the closing tag": ("2+3 makes 5.\n\nYes.\n</think>\n\nAnswer 5", "Answer 5"),
    "thinking, in capitals": ("<THINKING>hm</THINKING>Answer 5", "Answer 5"),
    "two blocks": ("<think>a</think>Answer <think>b</think>5", "Answer 5"),
    "literal in backticks": ("Write `<think>` and `</think>` tags.", "Write `<think>` and `</think>` tags."),
    "both literals in one span": ("Write `<think>x</think>`.", "Write `<think>x</think>`."),
    "literal in a fence": ("```\n<think>\n</think>\n```\nDone", "```\n<think>\n</think>\n```\nDone"),
    "literal within reasoning": ("<think>I close it with `</think>` later</think>Answer 5", "Answer 5"),
    "backtick before the real closing tag": ("<think>`foo</think>Answer 5", "Answer 5"),
    "stray backtick on an earlier line": ("a ` b\n</think>\nAnswer 5", "Answer 5"),
    "block that never ends": ("<think>and so on", ""),
    "less-than signs": ("a < b and 2<3, x <thin> y", "a < b and 2<3, x <thin> y"),
    "beginning of a tag at the end": ("if a <", "if a <"),
    "empty block": ("<think>\n\n</think>\n\nAnswer 5", "Answer 5"),
}


@pytest.mark.parametrize(("reply", "answer"), CASES.values(), ids=CASES.keys())
def test_whole_reply_and_single_characters(reply: str, answer: str) -> None:
    assert visible([reply]) == answer
    assert visible(list(reply)) == answer


@given(st.sampled_from(list(CASES.values())), st.lists(st.integers(1, 9), max_size=60))
def test_reply_cut_anywhere(case: tuple[str, str], sizes: list[int]) -> None:
    reply, answer = case
    pieces, place = [], 0
    for size in sizes:
        pieces.append(reply[place : place + size])
        place += size
    assert visible([*pieces, reply[place:]]) == answer


def test_text_before_a_tag_is_not_held_back() -> None:
    filtered = ReasoningFilter()
    assert filtered.feed("The answer is ") == ("The answer is ", False)
    assert filtered.feed("5 <th") == ("5 ", False)
    assert filtered.feed("at> ") == ("<that> ", False)


def test_lone_closing_tag_says_that_earlier_text_was_reasoning() -> None:
    filtered = ReasoningFilter()
    assert filtered.feed("2+3 makes 5.") == ("2+3 makes 5.", False)
    assert filtered.feed("</think>Answer 5") == ("Answer 5", True)
