"""Which sentences of a reply are claims, and what is left of one when its trimmings are off."""

import pytest

from ragcore.answering.claims import Sentence, is_claim, is_structure, split

QUESTION = "What does a day ticket cost, and are dogs allowed?"


@pytest.mark.parametrize(
    "text",
    [
        "A day ticket costs 14 crowns [1].",
        "£112 [1]",
        "Nordlys",
        "25 days",
        "Yes [1].",
        "No, dogs are not allowed.",
        "- fee: 20 euros [1]",
        "According to passage 1, dogs need a muzzle.",
        "Sure, a day ticket costs 14 crowns.",
        "The ticket costs 14 crowns:",
        "Dogs are allowed.",
    ],
)
def test_sentence_that_claims_something(text: str) -> None:
    assert is_claim(Sentence(text, ""), QUESTION)


@pytest.mark.parametrize(
    "text",
    [
        "Sure, here is what I found:",
        "Of course!",
        "Here are the fees:",
        "According to the passage:",
        "Based on the provided passages,",
        "The answer is:",
        "The day ticket costs:",
        "I hope this helps!",
        "Let me know if you have further questions.",
        "[2]",
        "Passage 2",
        "The passage is about the number of dogs that give blood.",
        "## Tickets",
        "---",
    ],
)
def test_politeness_pointing_and_lead_ins_are_no_claims(text: str) -> None:
    assert not is_claim(Sentence(text, ""), QUESTION)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("According to passage 2, dogs need a muzzle [2].", "dogs need a muzzle ."),
        ("The passage states that dogs need a muzzle.", "dogs need a muzzle."),
        ("- **Dogs** need a muzzle [Passage 1]", "**Dogs** need a muzzle"),
        ("2. Dogs need a muzzle", "Dogs need a muzzle"),
        ("However, dogs need a muzzle.", "dogs need a muzzle."),
        ("In 2024 dogs needed a muzzle.", "In 2024 dogs needed a muzzle."),
    ],
)
def test_what_is_left_to_be_checked(text: str, said: str) -> None:
    assert Sentence(text, "").said == said


def test_items_rows_and_sentences_are_parted_and_references_stay_with_theirs() -> None:
    reply = "Two fees apply. [1] They are:\n- adults 20 euros [1]\n- cadets 8 euros [2]\n"
    assert [(one.text, one.gap) for one in split(reply)] == [
        ("Two fees apply. [1]", " "),
        ("They are:", "\n"),
        ("- adults 20 euros [1]", "\n"),
        ("- cadets 8 euros [2]", "\n"),
    ]
    assert "".join(one.text + one.gap for one in split(reply)) == reply


def test_head_of_a_table_is_no_claim_and_its_rows_are_read_under_it() -> None:
    reply = "| Class | Fee |\n| --- | --- |\n| Adult | £20 |\n| Cadet | £8 |"
    head, adult, cadet = split(reply)
    assert [is_claim(one, QUESTION) for one in (head, adult, cadet)] == [False, True, True]
    assert is_structure(head) and adult.head == cadet.head == "| Class | Fee |"


def test_row_without_a_table_is_a_claim() -> None:
    (row,) = split("| Cadet | £8 |")
    assert is_claim(row, QUESTION)


@pytest.mark.parametrize("text", ["The fees are:", "## Fees", "Bring to the first evening:"])
def test_lead_in_is_kept_for_what_follows(text: str) -> None:
    assert is_structure(Sentence(text, "\n"))


@pytest.mark.parametrize("text", ["Sure, here is what I found:", "The passage is: [1]", "I hope this helps!"])
def test_politeness_is_not_kept(text: str) -> None:
    assert not is_structure(Sentence(text, "\n"))


def test_sentence_is_told_without_its_references_and_without_a_gap_before_its_full_stop() -> None:
    (one,) = split("The fee is 8 euros [1].")
    assert one.plain == "The fee is 8 euros."
