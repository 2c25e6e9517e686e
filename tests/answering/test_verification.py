"""A whole answer checked against its passages: what is shown, what is struck, and why; with the real embedder."""

from collections.abc import Sequence

from ragcore.answering.checked_text import MARK, CheckedText
from ragcore.answering.streaming import SentenceBySentence
from ragcore.answering.verification import Checker
from ragcore.records import Passage
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
