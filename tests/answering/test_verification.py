"""A whole answer checked against its passages: what is shown, what is struck, and why; with the real embedder."""

from collections.abc import Sequence

from ragcore.answering.checked_text import MARK, CheckedText
from ragcore.answering.streaming import SentenceBySentence
from ragcore.answering.verification import Checker
from ragcore.records import Expansion, Passage
from tests.builders import passage

QUESTION = "What are the fee and the deposit, and when are they due?"
FEE = passage(1, "The annual fee is 1,200 euros. It is due in May.", page_start=1)
DEPOSIT = passage(2, "A deposit of 150 euros is held until the keys are returned.", page_start=7)
BOTH = [FEE, DEPOSIT]


def checked(embedder, reply: str, passages: Sequence[Passage] = BOTH, **options) -> CheckedText:
    text = CheckedText(Checker(QUESTION, passages, embedder), passages, **options)
    text.add(reply)
    return text


def test_supported_answer_stays_as_it_is(embedder) -> None:
    text = checked(embedder, "The annual fee is 1200 euros [1]. The deposit is 150 euros [2].")
    assert text.text == "The annual fee is 1200 euros [terms.pdf:1]. The deposit is 150 euros [terms.pdf:7]."
    assert (len(text.kept), text.struck) == (2, [])
    assert [(one.page, one.quote) for one in text.citations] == [
        (1, "The annual fee is 1,200 euros."),
        (7, DEPOSIT.candidate.text),
    ]


def test_number_that_no_passage_has_is_struck_with_its_citation(embedder) -> None:
    text = checked(embedder, "The deposit is 150 euros [2]. The annual fee is 2,000 euros [1].")
    assert text.text == "The deposit is 150 euros [terms.pdf:7]."
    assert [one.reason for one in text.struck] == ["says 2,000 euros, no passage does"]
    assert [one.page for one in text.citations] == [7]


def test_first_sentence_is_the_answer_and_nothing_is_left_without_it(embedder) -> None:
    text = checked(embedder, "The annual fee is 2,000 euros [1]. The deposit is 150 euros [2].")
    assert (text.fallen, text.text, text.citations) == (True, "", ())


def test_value_alone_is_shown_as_the_sentence_that_has_it(embedder) -> None:
    text = checked(embedder, "150 euros [2]")
    assert text.text == f"“{' '.join(DEPOSIT.candidate.text.split())}” [terms.pdf:7]"
    assert len(text.kept) == 1


def test_claim_in_words_of_its_own_is_shown_in_those_of_the_document(embedder) -> None:
    text = checked(embedder, "The annual fee for customers is 1,200 euros [1]. " * 2)
    assert text.text == "“The annual fee is 1,200 euros.” [terms.pdf:1]"


def test_uncited_sentence_gets_its_citation_and_a_wrong_one_is_moved(embedder) -> None:
    text = checked(embedder, "The annual fee is 1,200 euros. The deposit of 150 euros is held [1].")
    assert (
        text.text
        == "The annual fee is 1,200 euros [terms.pdf:1]. The deposit of 150 euros is held [terms.pdf:7]."
    )
    assert [one.moved for one in text.kept] == [False, True]


def test_item_of_a_list_goes_and_its_lead_in_stays_with_the_others(embedder) -> None:
    reply = "Sure, here is what I found:\n\nThe amounts are:\n- annual fee: 900 euros [1]\n- deposit: 150 euros [2]\n\nI hope this helps!"
    text = checked(embedder, reply)
    assert text.text == "The amounts are:\n- deposit: 150 euros [terms.pdf:7]"


def test_nothing_is_left_of_an_answer_without_support(embedder) -> None:
    text = checked(embedder, "The amounts are:\n- annual fee: 900 euros [1]\n- deposit: 99 euros [2]")
    assert (text.text, text.kept, len(text.struck)) == ("", [], 2)


def test_row_of_a_table_goes_and_its_head_stays(embedder) -> None:
    text = checked(
        embedder, "| What | Euros |\n| --- | --- |\n| Annual fee | 900 |\n| Deposit | 150 |", mark=False
    )
    assert text.text == "| What | Euros |\n| --- | --- |\n| Deposit | 150 | [terms.pdf:7]"


def test_unsupported_sentence_shown_with_a_mark(embedder) -> None:
    text = checked(embedder, "The annual fee is 2,000 euros [1]. It is due in May [1].", mark=True)
    assert text.text == f"The annual fee is 2,000 euros [terms.pdf:1]{MARK}. It is due in May [terms.pdf:1]."


def test_flipped_negation_in_an_answer(embedder) -> None:
    rule = passage(1, "Dogs are not allowed on the upper deck.")
    text = CheckedText(Checker("Are dogs allowed on deck?", [rule], embedder), [rule])
    text.add("Dogs are allowed on the upper deck [1].")
    assert text.text == "" and text.struck[0].reason == "affirms what the passage denies"


def test_long_answer_with_passages_longer_than_the_embedder_reads(embedder) -> None:
    long = passage(1, "The committee " + "and the committee of it " * 120 + "meets in May.")
    text = CheckedText(Checker("When does it meet?", [long], embedder), [long])
    text.add("Nobody has ever heard of " + "such a thing or " * 200 + "that [1].")
    assert text.text == "" and len(text.struck) == 1


def test_no_passages(embedder) -> None:
    text = checked(embedder, "The annual fee is 1,200 euros.", [])
    assert text.struck[0].reason == "cannot be checked: no passage was sent"


def shown(embedder, pieces: Sequence[str], *, hold: bool = False) -> list[str]:
    text = CheckedText(Checker(QUESTION, BOTH, embedder), BOTH)
    stream = SentenceBySentence(text, BOTH, hold=hold)
    found = [stream.feed(piece) for piece in pieces] + [stream.finish()]
    assert "".join(found).strip() == text.text
    return found


def test_sentence_appears_only_when_the_next_has_begun(embedder) -> None:
    pieces = ["The annual fee ", "is 1,200 euros", " [1]", ". ", "The deposit", " is 150 euros [2]."]
    assert shown(embedder, pieces) == [
        "", "", "", "", "The annual fee is 1,200 euros [terms.pdf:1]. ", "", "The deposit is 150 euros [terms.pdf:7].",
    ]  # fmt: skip


def test_reference_behind_the_full_stop_is_waited_for(embedder) -> None:
    pieces = ["The annual fee is 1,200 euros. ", "[", "1", "] ", "The deposit", " is 150 euros. [2]"]
    assert [piece for piece in shown(embedder, pieces) if piece] == [
        "The annual fee is 1,200 euros [terms.pdf:1]. ",
        "The deposit is 150 euros [terms.pdf:7].",
    ]


def test_every_way_of_cutting_an_answer_shows_the_same(embedder) -> None:
    reply = "- The deposit is 150 euros [terms.pdf, page 7].\n- The annual fee is 2,000 euros [1].\n- It is due in May [1]."
    expected = "- The deposit is 150 euros [terms.pdf:7].\n- It is due in May [terms.pdf:1]."
    for size in (1, 2, 3, 7, 20, 200):
        pieces = [reply[start : start + size] for start in range(0, len(reply), size)]
        found = shown(embedder, pieces)
        assert "".join(found) == expected, size
        assert not any("2,000" in piece for piece in found)


def test_refusal_is_never_shown_while_it_streams(embedder) -> None:
    assert "".join(shown(embedder, ["NOT", " IN THE", " DOCUMENTS", ". The fee is 1,200 euros."])[:-1]) == ""
    assert "".join(shown(embedder, ["“NOT", " IN THE DOCU", "MENTS”"])) == ""


def test_held_answer_shows_nothing_before_its_end(embedder) -> None:
    found = shown(
        embedder, ["The annual fee is 1,200 euros [1]. ", "It is due in May [1]. ", "So"], hold=True
    )
    assert found[:-1] == ["", "", ""] and found[-1].startswith("The annual fee is 1,200 euros [terms.pdf:1].")


def test_half_a_sentence_is_not_made_into_a_quotation(embedder) -> None:
    shown_of = {}
    for half in ("A deposit", "The deposit is 150 euros"):
        text = CheckedText(Checker(QUESTION, BOTH, embedder), BOTH)
        text.add(half, whole=False)
        shown_of[half] = text.text
    assert shown_of == {"A deposit": "", "The deposit is 150 euros": "The deposit is 150 euros [terms.pdf:7]"}


def test_place_named_in_words_is_no_part_of_what_is_claimed(embedder) -> None:
    text = checked(embedder, "In the terms.pdf, page 7, the deposit is 150 euros [2].")
    assert [one.supported for one in text.checked] == [True]
    assert "150 euros" in text.text


def test_yes_that_its_own_sentence_denies_is_left_out(embedder) -> None:
    rule = passage(1, "Unused training funds do not roll over.", page_start=3)
    reader = Checker("Do unused training funds roll over to the next year?", [rule], embedder)
    text = CheckedText(reader, [rule])
    text.add("Yes, unused training funds do not roll over. [1]")
    assert text.text == "Unused training funds do not roll over [terms.pdf:3]."


def test_yes_that_its_sentence_affirms_stays(embedder) -> None:
    rule = passage(1, "Unused training funds roll over.", page_start=3)
    text = CheckedText(Checker("Do unused training funds roll over?", [rule], embedder), [rule])
    text.add("Yes, unused training funds roll over. [1]")
    assert text.text == "Yes, unused training funds roll over [terms.pdf:3]."


def test_bound_that_a_claim_drops_is_shown_in_the_words_of_the_document(embedder) -> None:
    match = passage(1, "The company matches contributions up to 5% of base salary.", page_start=2)
    question = "How much of the contributions does the company match?"
    for reply in (
        "The company matches contributions of 5% of base salary [1].",
        "5% of base salary [1]",
    ):
        text = CheckedText(Checker(question, [match], embedder), [match])
        text.add(reply)
        assert text.text == f"“{match.candidate.text}” [terms.pdf:2]", reply
    text = CheckedText(Checker(question, [match], embedder), [match])
    text.add("The company matches contributions up to 5% of base salary [1].")
    assert "“" not in text.text


def test_claim_that_joins_two_sentences_is_shown_as_both(embedder) -> None:
    plan = passage(
        1,
        "The health plan covers medical, dental and vision. The employer pays 80% of the premium for employees.",
        page_start=4,
    )
    text = CheckedText(Checker("What does the 80% employer premium cover?", [plan], embedder), [plan])
    text.add("The 80% employer premium covers medical, dental and vision. [1]")
    assert text.text == f"“{plan.candidate.text}” [terms.pdf:4]"


def test_sentence_of_a_neighbouring_section_is_no_answer_on_an_abbreviation_with_one_of_its_own(
    embedder,
) -> None:
    hsa = passage(
        1, "The company contributes up to 3% of base salary.", section=("Handbook", "Health Account (HSA)")
    )
    pension = passage(
        2,
        "The company matches employee contributions up to 5% of base salary.",
        section=("Handbook", "Pension"),
    )
    both = [hsa, pension]
    text = CheckedText(
        Checker("How much does the company match for HSA contributions?", both, embedder), both
    )
    text.add("The company matches employee contributions up to 5% of base salary. [2]")
    assert (text.text, [one.reason for one in text.struck]) == (
        "",
        ["is not about HSA, which another passage is on"],
    )


def test_abbreviation_is_said_by_a_passage_that_spells_it_out(embedder) -> None:
    passages = [
        passage(
            1,
            "Eligible employees may access confidential counselling, mental health resources and wellness classes.",
            section=("Handbook", "Employee Wellness and Assistance Program"),
        )
    ]
    question = "What does the EAP offer employees?"
    reply = "The EAP offers confidential counselling, mental health resources and wellness classes [1]."
    told = CheckedText(
        Checker(
            question, passages, embedder, [Expansion("EAP", "employee assistance programme", "built-in")]
        ),
        passages,
    )
    told.add(reply)
    assert (len(told.kept), told.struck) == (1, [])


def test_sentence_that_stands_in_another_passage_than_the_cited_one_is_found_there(embedder) -> None:
    text = checked(embedder, "A deposit of 150 euros is held until the keys are returned. [1]")
    assert text.text == "A deposit of 150 euros is held until the keys are returned [terms.pdf:7]."
    assert [one.moved for one in text.checked] == [True]


def test_number_of_the_question_that_the_passage_has_not_makes_it_another_thing(embedder) -> None:
    errors = passage(1, "Error 31 means that the plate is too warm.", section=("Log", "X-ray set"))
    text = CheckedText(Checker("What does error 12 on the X-ray set mean?", [errors], embedder), [errors])
    text.add("Error 12 means that the plate is too warm [1].")
    assert (text.text, [one.reason for one in text.struck]) == ("", ["is about 12, which the passage is not"])


def test_answer_without_the_amount_that_is_asked_is_none(embedder) -> None:
    ways = passage(1, "Instalments are run by Pawsplit, over 200 euros only.")
    question = "What per cent does Pawsplit charge on instalments?"
    text = CheckedText(Checker(question, [ways], embedder), [ways])
    text.add("Instalments are run by Pawsplit, over 200 euros only. [1]")
    assert (text.fallen, [one.reason for one in text.struck]) == (
        True,
        ["holds no percentage, which was asked for"],
    )


def test_list_of_things_that_its_lead_in_is_not_about_is_struck(embedder) -> None:
    screening = passage(1, "Company Name and address are screened against the sanctions list.")
    question = "Who are the company's top three customers?"
    text = CheckedText(Checker(question, [screening], embedder), [screening])
    text.add("The company's top three customers are:\n\n1. Company Name\n2. Company Name")
    assert text.text == ""


def test_rule_of_another_year_is_no_answer(embedder) -> None:
    rates = passage(
        1, "Students pay the cadet rate up to their 24th birthday.", section=("Handbook", "Rates for 2027")
    )
    reply = "Students pay the cadet rate up to their 24th birthday. [1]"
    for year, kept in ((2028, 0), (2027, 1)):
        question = f"Until which birthday does a student pay the cadet rate in {year}?"
        text = CheckedText(Checker(question, [rates], embedder), [rates])
        text.add(reply)
        assert len(text.kept) == kept, year
    text = CheckedText(
        Checker("Until which birthday do students pay the cadet rate?", [rates], embedder), [rates]
    )
    text.add(reply)
    assert len(text.kept) == 1


def test_struck_claim_that_is_shown_marked_keeps_its_own_words(embedder) -> None:
    ways = passage(1, "Instalments are run by Pawsplit, over 200 euros only.")
    question = "What per cent does Pawsplit charge on instalments?"
    text = CheckedText(Checker(question, [ways], embedder), [ways], mark=True)
    text.add("Customers pay instalments by Pawsplit over 200 euros [1].")
    assert "Customers pay instalments" in text.text and MARK in text.text and "“" not in text.text
