"""From a model's numbers to ``[file.pdf:page]``, and what is done with references to nothing."""

from ragcore.answering.citations import only_references
from tests.builders import cited_text, passage

FEE = passage(1, "The annual fee is 20 euros. It is due in May.", page_start=1)
DEPOSIT = passage(2, "A deposit of 150 euros is held until the keys are returned.", page_start=7)


def test_number_becomes_file_and_page_before_the_full_stop() -> None:
    cited = cited_text("The annual fee is 20 euros [1].", [FEE, DEPOSIT])
    assert cited.text == "The annual fee is 20 euros [terms.pdf:1]."
    assert [(c.page, c.quote) for c in cited.citations] == [(1, "The annual fee is 20 euros.")]
    assert cited.unknown == 0


def test_citation_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    cited = cited_text("The fee is due in May. [1] The deposit is 150 euros. [2]", [FEE, DEPOSIT])
    assert cited.text == "The fee is due in May [terms.pdf:1]. The deposit is 150 euros [terms.pdf:7]."
    assert [c.quote for c in cited.citations] == ["It is due in May.", DEPOSIT.candidate.text]


def test_several_numbers_in_one_bracket_and_spelled_out() -> None:
    cited = cited_text("20 euros, and a deposit of 150 [1, 2]. See [Passage 2].", [FEE, DEPOSIT])
    assert cited.text.startswith("20 euros, and a deposit of 150 [terms.pdf:1] [terms.pdf:7].")
    assert {c.page for c in cited.citations} == {1, 7}


def test_number_that_was_never_sent_is_removed_and_counted() -> None:
    cited = cited_text("The annual fee is 20 euros [1][7].", [FEE])
    assert cited.text == "The annual fee is 20 euros [terms.pdf:1]."
    assert cited.unknown == 1


def test_file_name_in_brackets_with_page_spaces_and_case() -> None:
    house = passage(1, "Quiet hours begin at ten.", file="house rules (2026).pdf", page_start=2)
    cited = cited_text("Quiet hours begin at ten [House  Rules (2026).pdf, page 2].", [house])
    assert cited.text == "Quiet hours begin at ten [house rules (2026).pdf:2]."


def test_page_of_a_known_file_that_was_not_sent() -> None:
    cited = cited_text("The annual fee is 20 euros [terms.pdf:9].", [FEE])
    assert cited.unknown == 1 and "terms.pdf:9" not in cited.text


def test_longer_file_name_is_not_taken_for_a_shorter_one() -> None:
    both = [passage(1, "Alpha is one.", file="a.pdf"), passage(2, "Beta is two.", file="ba.pdf")]
    cited = cited_text("Beta is two [ba.pdf:3].", both)
    assert cited.text == "Beta is two [ba.pdf:3]." and cited.citations[0].file == "ba.pdf"


def test_plain_brackets_stay() -> None:
    cited = cited_text(
        "The speed is 40 [km/h] for class [B] vehicles [1].", [passage(1, "40 km/h for class B")]
    )
    assert cited.text == "The speed is 40 [km/h] for class [B] vehicles [terms.pdf:3]."


def test_dangling_bracket_of_a_cut_reply() -> None:
    assert cited_text("The annual fee is 20 euros [ter", [FEE]).text == "The annual fee is 20 euros"


def test_quote_on_the_second_page_of_a_passage_is_cited_there() -> None:
    text = (
        "The notice period is three months for members who\njoined before 2019. Others may leave at any time."
    )
    across = passage(1, text, page_start=4, page_end=5, page_offsets=((50, 5),))
    assert cited_text("Others may leave at any time [1].", [across]).citations[0].page == 5
    assert cited_text("The notice period is three months [1].", [across]).citations[0].location == "4-5"


def test_section_is_cited_where_a_file_has_no_pages() -> None:
    word = passage(
        1, "The deposit is 150 euros.", file="terms.docx", paged=False, section=("Terms", "Deposits")
    )
    assert cited_text("The deposit is 150 euros [1].", [word]).text == (
        "The deposit is 150 euros [terms.docx:§ Deposits]."
    )


def test_first_page_is_page_one() -> None:
    assert "[terms.pdf:1]" in cited_text("The annual fee is 20 euros [1].", [FEE]).text


def test_list_items_keep_their_lines() -> None:
    cited = cited_text("- fee: 20 euros [1]\n- deposit: 150 euros [2]", [FEE, DEPOSIT])
    assert cited.text == "- fee: 20 euros [terms.pdf:1]\n- deposit: 150 euros [terms.pdf:7]"


def test_reply_that_is_a_bare_reference_names_its_passages() -> None:
    assert only_references("[2]", [FEE, DEPOSIT]) == [2]
    assert only_references("See [1] and [terms.pdf:7].", [FEE, DEPOSIT]) is None
    assert only_references("[9]", [FEE, DEPOSIT]) == []
    assert only_references("20 euros [1]", [FEE, DEPOSIT]) is None
