"""References as models write them, unasked: each becomes ``[n]`` or stays as it is."""

import pytest

from tests.builders import cited_text, passage

PASSAGES = [
    passage(1, "The pump is served each May.", file="pump, new (v2).pdf", page_start=3),
    passage(
        2,
        "A key card costs 35 euro.",
        file="rules.md",
        paged=False,
        page_start=1,
        section=("Office", "Fees [2024]"),
    ),
    passage(3, "It runs at 40 km/h.", file="a.pdf", page_start=4, page_end=5, page_offsets=((6, 5),)),
]
PUMP, RULES, SPEED = "[pump, new (v2).pdf:3]", "[rules.md:§ Fees (2024)]", "[a.pdf:4-5]"


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("Foo 【1】.", f"Foo {PUMP}."),
        ("Foo 【1†source】.", f"Foo {PUMP}."),
        ("Foo \\[1\\].", f"Foo {PUMP}."),
        ("Foo [^1].", f"Foo {PUMP}."),
        ("Foo [Source: 1].", f"Foo {PUMP}."),
        ("Foo [1, page 3].", f"Foo {PUMP}."),
        ("Foo [passage 1: p. 3].", f"Foo {PUMP}."),
        ("Foo [1-2].", f"Foo {PUMP} {RULES}."),
        ("Foo [1], [2] and [3].", f"Foo {PUMP} {RULES} {SPEED}."),
        ("Foo [PUMP,  new (v2).pdf, page 3].", f"Foo {PUMP}."),
        ("Foo [rules.md:§ Fees [2024]].", f"Foo {RULES}."),
        ("Foo [rules.md: Fees (2024)].", f"Foo {RULES}."),
        ("Foo [a.pdf:4–5].", f"Foo {SPEED}."),
        ("Foo [a.pdf:4, 5].", f"Foo {SPEED}."),
        ("Foo [a.pdf:4; rules.md:§ Fees [2024]].", f"Foo {SPEED} {RULES}."),
        ("Foo [pump, new (v2).pdf:3, a.pdf:5].", f"Foo {PUMP} {SPEED}."),
    ],
)
def test_reference_to_a_passage_that_was_sent(written: str, cited: str) -> None:
    found = cited_text(written, PASSAGES)
    assert (found.text, found.unknown) == (cited, 0)


@pytest.mark.parametrize(
    "plain",
    ["x[0] is the first", "from [4-9] on", "in [2024] or [^9]", "40 [km/h] with [ba.pdf:4]", "[note1]]"],
)
def test_brackets_that_are_no_reference_stay(plain: str) -> None:
    found = cited_text(f"{plain} foo.", PASSAGES)
    assert (found.text, found.citations, found.unknown) == (f"{plain} foo.", [], 0)


def test_page_that_was_not_sent_beside_one_that_was() -> None:
    found = cited_text("Foo [a.pdf:4; a.pdf:9].", PASSAGES)
    assert (found.text, found.unknown) == (f"Foo {SPEED}.", 1)
