"""Which sentences of a chunk are evidence, and what is embedded of them."""

import pytest

from ragcore.chunking.evidence import evidence_spans, heading_path, says_something, under_headings


def test_headings_and_contents_lines_are_no_evidence():
    text = "## Fees\n\nThe fee is 9 crowns. It is due in May.\n\nPumps . . . . . . 12"
    spans = evidence_spans(text, ("Fees",))
    assert [text[start:end] for start, end in spans] == ["The fee is 9 crowns.", "It is due in May."]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("| PFD | 100 newtons | 7 years |", True),
        ("E04 cells below 2.9 V", True),
        ("Error codes", False),
        ("---", False),
        ("Fees", False),
        ("Meals are paid.", True),
        ("the members of the guild meet on the quay", True),
    ],
)
def test_says_something(sentence, expected):
    assert says_something(sentence, ("Fees",)) is expected


def test_chunk_of_a_heading_alone_has_none():
    assert evidence_spans("# Fees and dues", ("Fees and dues",)) == []


def test_path_leaves_out_equal_neighbours():
    assert (
        heading_path("Minutes", ("minutes", "2024", " Ordinary\nmeeting "))
        == "Minutes › 2024 › Ordinary meeting"
    )


def test_sentence_under_its_headings_then_the_last_then_alone():
    assert under_headings("It is 9.", "Guide", ("Fees", "Dogs")) == [
        "Guide › Fees › Dogs\nIt is 9.",
        "Dogs\nIt is 9.",
        "It is 9.",
    ]
    assert under_headings("It is 9.", "", ()) == ["It is 9."]
