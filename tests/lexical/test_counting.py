"""Questions that ask for a number of things or for all of them, and those that only sound so."""

import pytest

from ragcore.lexical.counting import asks_for_all


@pytest.mark.parametrize(
    "question",
    [
        "How many projects has she led?",
        "How many of the complaints in 2033 were about waiting?",
        "And how many people a year come to the open day?",
        "List all the awards.",
        "Please list the tools in the shed",
        "Name all the awards that she has received.",
        "Can you give me every address in it?",
        "Which committees are there?",
        "What kinds of permits are there?",
        "What are all the fees?",
        "What is the number of the articles?",
        "What is the total number of plots?",
    ],
)
def test_counts_or_lists(question: str) -> None:
    assert asks_for_all(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave do I get?",
        "How many paid sick days do employees get each year?",
        "For how many years is a T1 good?",
        "How many cubic metres were dredged?",
        "How many watts does the heater draw?",
        "How many percent is the discount?",
        "How much does it cost?",
        "Is there a list of suppliers?",
        "What is the phone number of the office?",
        "Who must sign all invoices?",
        "Are all dogs allowed?",
        "",
    ],
)
def test_asks_for_one_thing(question: str) -> None:
    assert not asks_for_all(question)
