"""Rows of tables: found, and read out under the head of their table."""

import pytest

from ragcore.lexical.tables import head_above, is_head, is_row, is_rule, read_out

TEXT = """## Hire

| Car | Price | Remark |
| --- | ---: | --- |
| half a day | 310 marks | without food |
| a day | 520 marks |  |

Book in May."""
HEAD = "| Car | Price | Remark |"


@pytest.mark.parametrize("row", ["| half a day |", "| a day |"])
def test_head_is_found_above_each_row(row: str) -> None:
    assert head_above(TEXT, TEXT.index(row)) == HEAD


def test_head_has_no_head_and_is_known_by_the_rule_below_it() -> None:
    assert head_above(TEXT, TEXT.index(HEAD)) == ""
    assert is_head(TEXT, TEXT.index(HEAD))
    assert not is_head(TEXT, TEXT.index("| half"))
    assert not is_head(TEXT, TEXT.index("Book"))


def test_row_of_a_table_that_began_in_the_chunk_before_has_its_head_in_the_header() -> None:
    assert head_above("| a day | 520 marks |  |\n| a week | 1,900 marks | |", 25, f"Fares\n{HEAD}") == HEAD


def test_table_without_a_rule_has_no_head() -> None:
    assert head_above("| a day | 520 |\n| a week | 900 |", 16) == ""


def test_row_is_read_out_cell_by_cell_and_empty_cells_are_left_out() -> None:
    assert read_out("| half a day | 310 marks | without food |", HEAD) == (
        "Car: half a day; Price: 310 marks; Remark: without food"
    )
    assert read_out("| a day | 520 marks |  |", HEAD) == "Car: a day; Price: 520 marks"


def test_row_that_does_not_fit_its_head_is_read_without_it() -> None:
    assert read_out("| a | b |", HEAD) == "a; b"
    assert read_out("| a | b |") == "a; b"


def test_rules_are_no_prose_and_prose_no_row() -> None:
    assert is_rule("| --- | :--: |") and is_rule("--- | ---") and not is_rule("| a | b |")
    assert is_row("  | a |") and not is_row("a | b")
