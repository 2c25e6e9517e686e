"""Which amounts can answer a question that says what is measured."""

import pytest

from ragcore.lexical.dimensions import wrong_dimension
from ragcore.lexical.facts import tokens


@pytest.mark.parametrize(
    ("question", "value", "reason"),
    [
        ("How heavy is the anchor?", "40 metres", "gives a length where a weight is asked for"),
        (
            "How much was paid for the boat?",
            "5 days",
            "gives a time where an amount of money is asked for",
        ),
        ("What fee is charged?", "12 weeks", "gives a time where an amount of money is asked for"),
        ("How much was paid for the boat?", "310 euros", ""),
        # Paid is the leave, not the answer.
        ("If my aunt dies, how much paid time off can I take?", "5 days", ""),
        ("How much paid leave do fathers get?", "4 weeks", ""),
        ("What paid holidays are there in May?", "3 days", ""),
    ],
)
def test_amount_of_another_kind_is_no_answer(question: str, value: str, reason: str) -> None:
    values = [token for token in tokens(value) if token.kind == "number"]
    assert values and wrong_dimension(question, values) == reason
