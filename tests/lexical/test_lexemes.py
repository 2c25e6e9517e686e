"""What a text is to lexical search: ids whole and in parts, words stemmed, any script."""

import pytest

from ragcore.lexical.lexemes import is_code, is_identifying, lexemes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HL-204b", ["hl-204b", "hl", "204b"]),
        ("401(k)", ["401(k)", "401"]),
        ("E03-07 is the hammer", ["e03-07", "e03", "07", "hammer"]),
        ("version 3.5", ["version", "3.5", "3", "5"]),
        ("The employee's leaves", ["employe", "leav"]),
        ("qwen.", ["qwen"]),
        ("größe, naïve", ["grösse", "naïve"]),
        ("ｈａｌｆ ofﬁce", ["half", "offic"]),
        ("R&D", ["r&d"]),
        ("not a single one", ["not", "singl", "one"]),
        ("他说休假", ["他说", "说休", "休假"]),
        ("", []),
        ("— ! ?", []),
    ],
)
def test_text_and_its_lexemes(text, expected):
    assert lexemes(text) == expected


def test_question_and_passage_meet_in_their_stems():
    assert set(lexemes("dredging invoices")) & set(lexemes("the invoice for the dredged basin")) == {
        "dredg",
        "invoic",
    }


def test_part_of_an_id_finds_it_and_another_id_shares_less():
    asked = set(lexemes("BR-24"))
    assert len(asked & set(lexemes("the Carill BR-24 striker"))) == 3
    assert len(asked & set(lexemes("the Carill BR-25 striker"))) == 1


@pytest.mark.parametrize(("lexeme", "expected"), [("e05", True), ("2024", True), ("invoic", False)])
def test_digits_identify(lexeme, expected):
    assert is_identifying(lexeme) is expected


@pytest.mark.parametrize(
    ("lexeme", "expected"),
    [
        ("hl-204b", True),
        ("m-2024-07", True),
        ("401(k)", True),
        ("e05", True),
        ("2025", False),
        ("24-hour", False),
        ("2nd", False),
        ("18h", False),
        ("3.5", False),
        ("rent", False),
    ],
)
def test_a_code_is_neither_a_count_nor_a_year(lexeme, expected):
    assert is_code(lexeme) is expected
