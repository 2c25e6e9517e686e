"""Quotes in texts that are written a little differently, and the text around a quote."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcore.reading.quote_match import QuoteMatch, find_quote, match_quote, text_around


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        pytest.param("A fee is due. Pay now.", "Pay now.", "Pay now.", id="as-it-is"),
        pytest.param("the  fee\n is\tdue", "the fee is due", "the  fee\n is\tdue", id="white-space"),
        pytest.param("the fee is due", "the\nfee  is due", "the fee is due", id="white-space-of-the-quote"),
        pytest.param("THE FEE is due", "The fee is due", "THE FEE is due", id="case"),
        pytest.param("the fee; The Fee", "The Fee", "The Fee", id="same-case-is-preferred"),
        pytest.param("the oﬃce ﬁle", "office file", "oﬃce ﬁle", id="ligatures-of-the-text"),
        pytest.param("the office file", "oﬃce ﬁle", "office file", id="ligatures-of-the-quote"),
        pytest.param("full Ｗｉｄｔｈ form", "Width form", "Ｗｉｄｔｈ form", id="full-width"),
        pytest.param("re\u00adim\u00adbursement", "reimbursement", "re\u00adim\u00adbursement", id="soft"),
        pytest.param(
            "the reim-\n bursement of", "the reimbursement", "the reim-\n bursement", id="cut-at-line-end"
        ),
        pytest.param(
            "the reim\u00ad\nbursement", "reimbursement", "reim\u00ad\nbursement", id="soft-line-end"
        ),
        pytest.param("reimbursement of", "reim-\nbursement of", "reimbursement of", id="cut-in-the-quote"),
        pytest.param("a well-\nknown place", "a well-known place", "a well-\nknown place", id="own-hyphen"),
        pytest.param("a well-known place", "a well-\nknown place", "a well-known place", id="own-hyphen-cut"),
        pytest.param("part AB-\n1234 fits", "AB- 1234 fits", "AB-\n1234 fits", id="code-at-line-end"),
        pytest.param("‘It’s “fine”’ – he said", "It's \"fine\"' - he", "It’s “fine”’ – he", id="quotes"),
        pytest.param("thefeeis40euro now", "the fee is 40 euro", "thefeeis40euro", id="glued"),
        pytest.param("t h e f e e is 40 euro", "the fee is 40 euro", "t h e f e e is 40 euro", id="torn"),
        pytest.param("and the fee is 40 euroandmore", "fee is 40 euro", "fee is 40 euro", id="glued-after"),
        pytest.param("cafe\u0301 is open", "café", "cafe\u0301", id="accent-of-its-own"),
        pytest.param("caf´e is open today", "café is open today", "caf´e is open today", id="tex-accent"),
        pytest.param("Straße nach Köln", "STRASSE NACH KÖLN", "Straße nach Köln", id="sharp-s"),
        pytest.param("\uf0b7 the fee is due", "• the fee is due", None, id="short-and-a-sign-too-many"),
        pytest.param("你好，世界。再见。", "世界。", "世界。", id="no-blanks-between-words"),
        pytest.param("10² metres", "10² metres", "10² metres", id="superscript"),
        pytest.param("a coffee, a fee", "fee", "fee", id="whole-words-only"),
        pytest.param("it is 250 euro", "it is 25", None, id="not-within-a-number"),
        pytest.param("theamountis250euro", "the amount is 25", None, id="not-within-a-glued-number"),
        pytest.param("a coffee", "fee", None, id="not-within-a-word"),
        pytest.param("some text", "", None, id="no-quote"),
        pytest.param("some text", " … ", None, id="ellipsis-only"),
        pytest.param("", "some text", None, id="no-text"),
        pytest.param("the fee is due", "… fee is due …", "fee is due", id="ellipses-at-the-ends"),
    ],
)
def test_quote_in_text(text, quote, found):
    span = find_quote(text, quote)
    assert (text[slice(*span)] if span else None) == found
    if found == "fee":
        assert span == (12, 15)


def test_whole_quote_is_not_partial():
    assert match_quote("the oﬃce is open", "the office is open") == QuoteMatch(0, 16, partial=False)


QUOTE = "The office keeps a list of all journeys and may ask for more at any time."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "x The office keeps a list of all journeys and may",
            "The office keeps a list of all journeys and may",
        ),
        ("office keeps a list of all journeys and may as", "office keeps a list of all journeys and may"),
        ("a list of all journeys and may ask for more at any time. Y", QUOTE[17:]),
        ("ALISTOFALLJOURNEYSANDMAYASKFORMORE AT ANY TIME", "ALISTOFALLJOURNEYSANDMAYASKFORMORE AT ANY TIME"),
        ("The office keeps a list of all", None),
        ("journeys and may ask for more at any time.", None),
    ],
    ids=["beginning", "middle", "end", "glued", "beginning-too-short", "end-too-short"],
)
def test_part_of_the_quote(text, found):
    match = match_quote(text, QUOTE)
    assert (text[match.start : match.end] if match else None) == found
    assert match is None or match.partial


def test_longest_of_several_parts():
    shorter, longest, short = (" ".join(QUOTE.split()[:words]) for words in (11, 13, 10))
    text = f"{shorter} x. {longest} y. {short} z."
    match = match_quote(text, QUOTE)
    assert text[match.start : match.end] == longest


def test_short_quote_has_no_parts():
    assert find_quote("the fee is", "the fee is 40") is None


@pytest.mark.parametrize(
    "text",
    [
        QUOTE.replace("journeys", "journeys† "),
        QUOTE.replace("all", "a"),
        QUOTE.replace("journeys", "\ue000"),
    ],
    ids=["foot-note", "lost-letters", "glyph-without-a-meaning"],
)
def test_flaw_in_the_middle(text):
    text = f"First. {text} Last."
    match = match_quote(text, QUOTE)
    assert (text[match.start : match.end], match.partial) == (text[7:-6], False)


def test_other_number_in_the_middle_is_another_sentence():
    quote = "The reimbursement of office costs is limited to 250 euro a month and is paid with the salary."
    text = quote.replace("250", "900")
    assert find_quote(text, quote) is None


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a" * 200_000, "a" * 2000 + "b"),
        ("ab " * 70_000, "ab " * 500 + "c"),
        ("-\n" * 100_000, "x-\ny " * 200),
        ("a-" + " " * 200_000, "a b c d e f g h i j k l m n"),
        (QUOTE * 3000, QUOTE + " And no more."),
    ],
    ids=["one-letter", "one-word", "hyphens", "blanks", "repeated-sentence"],
)
def test_long_and_repetitive_text_takes_little_time(text, quote):
    started = time.perf_counter()
    find_quote(text, quote)
    assert time.perf_counter() - started < 4


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_any_text_gives_a_span_within_it(before, quote, after):
    text = before + quote + after
    for span in (find_quote(text, quote), find_quote(before, quote)):
        assert span is None or 0 <= span[0] < span[1] <= len(text)


# --- the text around ---------------------------------------------------------------------------


def test_text_around_is_cut_between_words():
    text = "one two three four FIVE six seven eight nine"
    start = text.index("FIVE")
    assert text_around(text, start, start + 4, context=12) == ("… three four ", "FIVE", " six seven …")


def test_text_around_with_nothing_cut():
    text = "one two FIVE six"
    assert text_around(text, 8, 12) == ("one two ", "FIVE", " six")
    assert text_around(text, 0, 16) == ("", text, "")


def test_text_around_a_quote_within_a_very_long_word():
    before, quote, after = text_around("x" * 500, 200, 210, context=50)
    assert (before, quote, after) == ("… ", "x" * 10, " …")


def test_text_around_without_blanks_between_words():
    text = "甲" * 100 + "乙" + "丙" * 100
    assert text_around(text, 100, 101, context=5) == ("… 甲甲甲甲甲", "乙", "丙丙丙丙丙 …")


def test_text_around_keeps_lines():
    assert text_around("a\n\nb QUOTE\nc", 5, 10) == ("a\n\nb ", "QUOTE", "\nc")


@pytest.mark.parametrize(("start", "end"), [(-5, 3), (2, 99), (50, 60), (3, 1)])
def test_span_outside_of_the_text_is_brought_inside(start, end):
    assert "".join(text_around("some text", start, end)) == "some text"
