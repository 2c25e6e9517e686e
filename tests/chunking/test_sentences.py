"""Where sentences end, in prose, lists, tables, code and other scripts."""

import pytest

from ragcore.chunking.sentences import sentences


def split(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["The fee is due.", "It is 5 EUR.", "Pay it!", "Will you?", "Yes."],
        ["Dr. Smith met Mr. J. R. Jones.", "They left."],
        ["Use a lock, e.g. a padlock, i.e. Something sturdy.", "Done."],
        ["See No. 5 and Art. 5 of the act.", "See also Fig. 3 and p. 12.", "End."],
        ["Is it late?", "No.", "It is not."],
        ["The limit is 3.5 kg.", "The next is 40.", "After that, nothing."],
        ["The company ended in the U.S. in 2020.", "Version 3.5.", "Then came 4."],
        ["It waits... and goes on.", "It stops...", "Then it ends."],
        ['"Really?" he asked.', 'She said "No."', "(It works.)", "Good."],
        ["Shown before.[2]", "And after [3].", "End."],
        ["Am 3. Mai kam er, z. B. Montag.", "Vgl. Nr. 7.", "Ende."],
        ["Open from 8 a.m. Monday to 5 p.m. Friday.", "It closes at 6 p.m.", "Visitors leave then."],
        ["Write to info@example.com or see https://example.com/a.b?c=d.", "Thanks."],
        ["Smith et al. (2020) say so.", "Approx. 5 agree, max. 10."],
        ["**Note.**", "Read this first."],
    ],
)
def test_prose(parts):
    assert split(" ".join(parts)) == parts


def test_cjk_without_spaces():
    assert split("退款须在三十天内申请。可以吗？「可以。」好的；谢谢！") == [
        "退款须在三十天内申请。",
        "可以吗？",
        "「可以。」",
        "好的；",
        "谢谢！",
    ]


def test_hard_wrapped_paragraph_is_not_cut_at_line_breaks():
    text = "The fee is due within thirty days of the\ninvoice under the Data\nProtection Act. It is 5 EUR.\n"
    first = "The fee is due within thirty days of the\ninvoice under the Data\nProtection Act."
    assert split(text) == [first, "It is 5 EUR."]


def test_wrapped_line_that_begins_with_a_number_and_a_full_stop():
    assert split("The limit for every parcel is\n40. After that it is refused.") == [
        "The limit for every parcel is\n40.",
        "After that it is refused.",
    ]


def test_list_items_with_wrapped_lines():
    text = "Bring these\n- a passport\n  or a card\n* a photo\n1. First thing\n2. Second thing\n(a) last"
    assert split(text) == [
        "Bring these",
        "- a passport\n  or a card",
        "* a photo",
        "1. First thing",
        "2. Second thing",
        "(a) last",
    ]


def test_table_rows_are_never_cut_inside():
    rows = ["| Part | Note |", "|---|---|", "| ZX-9 | Heavy. Lift with two. |", "| ZX-8 | Light. |"]
    assert split("\n".join(rows)) == rows


@pytest.mark.parametrize("heading", ["# Fees. And more", "Fees\n====", "FEES", "Fees"])
def test_heading_lines(heading):
    body = "The fee is five euros for everyone who has no card. It is due today."
    gap = "\n\n" if heading == "Fees" else "\n"
    assert split(heading + gap + body) == [
        heading,
        "The fee is five euros for everyone who has no card.",
        "It is due today.",
    ]


def test_short_title_line_directly_above_a_long_line():
    body = "You may cancel any time within 30 days of purchase for a full refund."
    assert split(f"Cancellation policy\n{body}") == ["Cancellation policy", body]


def test_records_of_keys_and_values():
    assert split("Name: Jane Doe\nBorn: 3 May 1990\nCity: Graz") == [
        "Name: Jane Doe",
        "Born: 3 May 1990",
        "City: Graz",
    ]


def test_code_fence_with_a_shorter_fence_inside_and_one_left_open():
    text = "Run:\n````\n# one. Two\n```\nx = 1\n````\nAfter.\n~~~\n# open"
    assert split(text) == ["Run:", "````\n# one. Two", "```", "x = 1\n````", "After.", "~~~\n# open"]


@pytest.mark.parametrize("text", ["", " \n\t\n ", "\n\n"])
def test_nothing_but_white_space(text):
    assert sentences(text) == []
