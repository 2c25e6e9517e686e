"""From a model's numbers to ``[file.pdf:page]``, and what is done with references to nothing."""

from ragcore.answering.citations import resolve_citations
from tests.builders import passage

FEE = passage(1, "The annual fee is 20 euros. It is due in May.", page_start=1)
DEPOSIT = passage(2, "A deposit of 150 euros is held until the keys are returned.", page_start=7)


def test_number_becomes_file_and_page_before_the_full_stop() -> None:
    cited = resolve_citations("The annual fee is 20 euros [1].", [FEE, DEPOSIT])
    assert cited.text == "The annual fee is 20 euros [terms.pdf:1]."
    assert [(c.page, c.quote) for c in cited.citations] == [(1, "The annual fee is 20 euros.")]
    assert (cited.unknown, cited.unsourced) == (0, 0)


def test_citation_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    cited = resolve_citations("The fee is due in May. [1] The deposit is 150 euros. [2]", [FEE, DEPOSIT])
    assert cited.text == "The fee is due in May [terms.pdf:1]. The deposit is 150 euros [terms.pdf:7]."
    assert [c.quote for c in cited.citations] == ["It is due in May.", DEPOSIT.candidate.text]


def test_several_numbers_in_one_bracket_and_spelled_out() -> None:
    cited = resolve_citations("20 euros, and a deposit of 150 [1, 2]. See [Passage 2].", [FEE, DEPOSIT])
    assert cited.text.startswith("20 euros, and a deposit of 150 [terms.pdf:1] [terms.pdf:7].")
    assert {c.page for c in cited.citations} == {1, 7}


def test_number_that_was_never_sent_is_removed_and_counted() -> None:
    cited = resolve_citations("The annual fee is 20 euros [1][7].", [FEE])
    assert cited.text == "The annual fee is 20 euros [terms.pdf:1]."
    assert cited.unknown == 1


def test_file_name_in_brackets_with_page_spaces_and_case() -> None:
    house = passage(1, "Quiet hours begin at ten.", file="house rules (2026).pdf", page_start=2)
    cited = resolve_citations("Quiet hours begin at ten [House  Rules (2026).pdf, page 2].", [house])
    assert cited.text == "Quiet hours begin at ten [house rules (2026).pdf:2]."


def test_page_of_a_known_file_that_was_not_sent() -> None:
    cited = resolve_citations("The annual fee is 20 euros [terms.pdf:9].", [FEE])
    assert cited.unknown == 1 and "terms.pdf:9" not in cited.text


def test_longer_file_name_is_not_taken_for_a_shorter_one() -> None:
    both = [passage(1, "Alpha is one.", file="a.pdf"), passage(2, "Beta is two.", file="ba.pdf")]
    cited = resolve_citations("Beta is two [ba.pdf:3].", both)
    assert cited.text == "Beta is two [ba.pdf:3]." and cited.citations[0].file == "ba.pdf"


def test_plain_brackets_stay() -> None:
    cited = resolve_citations(
        "The speed is 40 [km/h] for class [B] vehicles [1].", [passage(1, "40 km/h for class B")]
    )
    assert cited.text == "The speed is 40 [km/h] for class [B] vehicles [terms.pdf:3]."


def test_dangling_bracket_of_a_cut_reply() -> None:
    assert resolve_citations("The annual fee is 20 euros [ter", [FEE]).text.startswith(
        "The annual fee is 20 euros [terms.pdf:1]"
    )


def test_uncited_sentence_that_stands_in_a_passage_gets_its_citation() -> None:
    cited = resolve_citations("The deposit is held until the keys are returned.", [FEE, DEPOSIT])
    assert cited.text == "The deposit is held until the keys are returned [terms.pdf:7]."
    assert cited.unsourced == 0


def test_uncited_sentence_with_another_number_has_no_source() -> None:
    cited = resolve_citations("A deposit of 250 euros is held until the keys are returned.", [FEE, DEPOSIT])
    assert (cited.citations, cited.unsourced) == ((), 1)


def test_quote_on_the_second_page_of_a_passage_is_cited_there() -> None:
    text = (
        "The notice period is three months for members who\njoined before 2019. Others may leave at any time."
    )
    across = passage(1, text, page_start=4, page_end=5, page_offsets=((50, 5),))
    assert resolve_citations("Others may leave at any time [1].", [across]).citations[0].page == 5
    assert (
        resolve_citations("The notice period is three months [1].", [across]).citations[0].location == "4-5"
    )


def test_section_is_cited_where_a_file_has_no_pages() -> None:
    word = passage(
        1, "The deposit is 150 euros.", file="terms.docx", paged=False, section=("Terms", "Deposits")
    )
    assert resolve_citations("The deposit is 150 euros [1].", [word]).text == (
        "The deposit is 150 euros [terms.docx:§ Deposits]."
    )


def test_first_page_is_page_one() -> None:
    assert "[terms.pdf:1]" in resolve_citations("The annual fee is 20 euros [1].", [FEE]).text


def test_list_items_keep_their_lines() -> None:
    cited = resolve_citations("- fee: 20 euros [1]\n- deposit: 150 euros [2]", [FEE, DEPOSIT])
    assert cited.text == "- fee: 20 euros [terms.pdf:1]\n- deposit: 150 euros [terms.pdf:7]"


def test_wrong_number_is_moved_to_the_passage_that_contains_the_sentence() -> None:
    cited = resolve_citations(
        "The deposit of 150 euros is held until the keys are returned [1].", [FEE, DEPOSIT]
    )
    assert cited.text.endswith("[terms.pdf:7].")
    assert (cited.moved, cited.unknown, cited.unsourced) == (1, 0, 0)


def test_paraphrase_keeps_the_number_that_the_model_gave() -> None:
    cited = resolve_citations(
        "You get your security money back once the apartment is handed over [2].", [FEE, DEPOSIT]
    )
    assert cited.text.endswith("[terms.pdf:7].") and cited.moved == 0


def test_thousands_separator_does_not_make_another_number() -> None:
    price = passage(1, "The annual price is 2,400 euros.")
    assert resolve_citations("The annual price is 2400 euros.", [price]).unsourced == 0
