"""One claim against one passage, both ways for every kind of mismatch; with the real embedder."""

import pytest

from ragcore.answering.claims import Sentence
from ragcore.answering.grounds import Grounds
from ragcore.answering.support import Support, support_of
from ragcore.answering.taking_apart import taken_apart
from ragcore.records import Evidence, Passage
from tests.builders import candidate, passage


def verdict(embedder, claim: str, text: str, question: str = "What are the rules?", **fields) -> Support:
    grounds = Grounds(question, [passage(1, text, **fields)], embedder)
    return support_of(taken_apart(Sentence(claim, "").said, question), [1], grounds)


SAME = [
    ("The fee is 1,200 euros.", "The fee is 1200 euros a year."),
    ("The fee is 1200 EUR.", "The fee is €1,200."),
    ("Twenty members were there.", "On the day 20 members were there."),
    ("20 members were there.", "On the day twenty members were there."),
    ("The office closes at 3 pm.", "The office closes at 15:00."),
    ("The office closes at 15:00.", "The office closes at 3 p.m. on Fridays."),
    ("The discount is 5 per cent.", "The discount is 5 % for members."),
    ("The discount is 5%.", "The discount is five per cent for members."),
    ("The meeting is on 2 May 2026.", "The meeting is on 2026-05-02."),
    ("The meeting is on May 2, 2026.", "The meeting is on 2 May 2026."),
    ("The notice period is 14 days.", "The notice period is two weeks."),
    ("The part is GM 70882.", "The part is GM-70882."),
    ("The pump weighs 58 kg.", "The pump weighs 58 kilograms."),
    ("Deposits are returned within 10 days.", "A deposit is returned within 10 days."),
    ("The fee is £55.", "The fee is £55.00 a year."),
]


@pytest.mark.parametrize(("claim", "text"), SAME)
def test_value_written_in_another_way(embedder, claim: str, text: str) -> None:
    assert verdict(embedder, claim, text) == Support(True)


OTHER = [
    ("The fee is 2,000 euros.", "The fee is 1200 euros a year.", "2,000 euros"),
    ("The fee is 20 dollars.", "The fee is 20 euros a year.", "20 dollars"),
    ("There are 4 boats.", "There are 14 boats.", "4"),
    ("Thirty members were there.", "On the day 20 members were there.", "Thirty"),
    ("The office closes at 3 pm.", "The office closes at 16:00.", "3 pm"),
    ("The discount is 15 per cent.", "The discount is 5 % for members.", "15 per cent"),
    ("The meeting is on 3 May 2026.", "The meeting is on 2 May 2026.", "3 May 2026"),
    ("The meeting is on 2 June 2026.", "The meeting is on 2 May 2026.", "2 June 2026"),
    ("The notice period is 14 weeks.", "The notice period is 14 days.", "14 weeks"),
    ("The part is GM-70883.", "The part is GM-70882.", "gm70883"),
    ("The pump weighs 58 g.", "The pump weighs 58 kg.", "58 g"),
    ("The meeting is led by Tobias Renn.", "The meeting is led by Maud Pellow.", "Tobias"),
    ("The insurer is the Staithe Mutual.", "The insurer is the Oakum Mutual.", "Staithe"),
]


@pytest.mark.parametrize(("claim", "text", "missing"), OTHER)
def test_other_value_or_name(embedder, claim: str, text: str, missing: str) -> None:
    found = verdict(embedder, claim, text)
    assert not found.supported
    assert found.missing.strip(". ") == missing and missing in found.reason


def test_what_the_question_says_is_no_invention(embedder) -> None:
    text = "Payments that arrive after 28 February carry a surcharge of £9."
    asked = "After which date does a late payment in 2027 cost more?"
    assert verdict(embedder, "In 2027 a late payment costs more after 28 February.", text, asked).supported
    assert not verdict(
        embedder, "In 2028 a late payment costs more after 28 February.", text, asked
    ).supported


NEGATED = [
    ("Dogs are not covered by the policy.", "Dogs are covered by the policy."),
    ("Dogs are covered by the policy.", "Dogs are not covered by the policy."),
    ("Members must pay a deposit for the keys.", "Members need not pay a deposit for the keys."),
    ("Members need not pay a deposit for the keys.", "Members must pay a deposit for the keys."),
    ("Smoking is allowed in the boathouse.", "Smoking is forbidden in the boathouse."),
    ("Motor boats can be lent to members.", "Motor boats are never lent to members."),
    ("Nobody may enter the hall in winter.", "Anybody may enter the hall in winter."),
]


@pytest.mark.parametrize(("claim", "text"), NEGATED)
def test_flipped_negation(embedder, claim: str, text: str) -> None:
    found = verdict(embedder, claim, text)
    assert not found.supported and ("denies" in found.reason or "affirms" in found.reason)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Dogs are not covered by the policy.", "The policy does not cover dogs."),
        ("Smoking is not allowed in the boathouse.", "Smoking is forbidden in the boathouse."),
        ("A member may keep at most two keys.", "No more than two keys may be kept by a member."),
        (
            "Without a ticket you cannot board the ferry.",
            "Nobody boards the ferry with no ticket, not even crew.",
        ),
        ("Dogs are covered by the policy.", "Dogs are covered by the policy, cats are not."),
        ("Motor boats are not lent to members.", "Motor boats are never lent to members."),
    ],
)
def test_negation_that_agrees(embedder, claim: str, text: str) -> None:
    assert verdict(embedder, claim, text).supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [("Dogs may travel on the upper deck.", True), ("Yes.", True), ("No.", False), ("Yes, they may.", True)],
)
def test_yes_or_no_is_a_claim_about_the_question(embedder, claim: str, supported: bool) -> None:
    text = "Dogs may travel on the upper deck with a muzzle."
    found = verdict(embedder, claim, text, "May dogs travel on the upper deck?")
    assert found.supported is supported


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The crew is at least 5 people.", "The crew is at most 5 people."),
        ("The crew is at most 5 people.", "The crew is at least five people."),
        ("Payment is due before 5 May.", "Payment is due after 5 May."),
    ],
)
def test_value_on_the_other_side(embedder, claim: str, text: str) -> None:
    found = verdict(embedder, claim, text)
    assert not found.supported and "at" in found.reason
    assert verdict(embedder, text, text).supported


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "You get your security money back once the flat has been handed over.",
            "The deposit is paid back to the tenant when the keys of the flat are returned.",
        ),
        ("A late payment costs more.", "Payments that arrive late carry a surcharge."),
        ("The keys must be kept by the porter.", "The keys are kept by the porter."),
    ],
)
def test_paraphrase(embedder, claim: str, text: str) -> None:
    assert verdict(embedder, claim, text).supported


@pytest.mark.parametrize(
    "claim",
    [
        "Tenants are fond of the caretaker.",
        "The building was designed by a famous architect.",
        "Clients can book the hall on the website.",
    ],
)
def test_invented_sentence_without_any_value(embedder, claim: str) -> None:
    text = "The deposit is paid back to the tenant when the keys of the flat are returned."
    found = verdict(embedder, claim, text)
    assert not found.supported and found.reason == "says what the passage does not"


PRICES = """## Neutering

| Animal | Male | Female |
| --- | --- | --- |
| Rabbit | £89 | £128 |
| Cat | £74 | £112 |
"""


def _prices(question: str) -> Passage:
    rows = {"Rabbit": 0.62, "Cat": 0.60, "Animal": 0.67}
    evidence = []
    for line in PRICES.splitlines():
        name = line.strip("| ").split(" ")[0]
        if name in rows:
            start = PRICES.index(line)
            evidence.append(Evidence(start, start + len(line), rows[name]))
    hit = candidate(PRICES, section=("Price list", "Neutering"), evidence=tuple(evidence), score=0.67)
    del question
    return Passage(1, hit)


@pytest.mark.parametrize(
    ("question", "claim", "supported"),
    [
        ("How much is it to have a female rabbit neutered?", "£128", True),
        ("How much is it to have a female rabbit neutered?", "£89", False),
        ("How much is it to have a female rabbit neutered?", "£112", False),
        ("How much is it to have a male ferret neutered?", "£112", False),
        ("How much is it to have a male ferret neutered?", "£74", False),
        ("What does neutering a male cat cost?", "£74", True),
    ],
)
def test_value_of_another_row_or_column(embedder, question: str, claim: str, supported: bool) -> None:
    grounds = Grounds(question, [_prices(question)], embedder)
    assert support_of(taken_apart(claim, question), [1], grounds).supported is supported


def test_value_of_a_neighbouring_line(embedder) -> None:
    text = "The opening hours are nine to five. The library has 34 shelves. Nine vets work for Hollin Vale."
    asked = "How many vets work for Hollin Vale?"
    assert verdict(embedder, "Nine", text, asked).supported
    found = verdict(embedder, "34", text, asked)
    assert found == Support(False, "says 34, which the passage says of something else")


@pytest.mark.parametrize(
    ("question", "claim", "supported"),
    [
        ("How heavy is Sandpiper?", "Sandpiper weighs 4.2 metres.", False),
        ("How long is Sandpiper?", "Sandpiper is 4.2 metres long.", True),
        ("What does the hire of Sandpiper cost?", "4.2 m", False),
    ],
)
def test_amount_of_another_kind_than_is_asked_for(
    embedder, question: str, claim: str, supported: bool
) -> None:
    found = verdict(embedder, claim, "Sandpiper is an inflatable boat of 4.2 m length.", question)
    assert found.supported is supported


def test_sentence_word_for_word_is_supported_whatever_was_asked(embedder) -> None:
    text = "Promises lapse after nine months. Receipts are kept for five years."
    asked = "When does unclaimed funding expire?"
    assert verdict(embedder, "Promises lapse after nine months.", text, asked).supported
    assert not verdict(embedder, "Unclaimed funding expires after five years.", text, asked).supported


def test_piece_that_leaves_the_negation_out(embedder) -> None:
    text = "Under no circumstances may the boats of the club be lent to members of other clubs."
    assert not verdict(
        embedder, "The boats of the club may be lent to members of other clubs.", text
    ).supported


def test_two_passages_together(embedder) -> None:
    question = "What do the ticket and the deposit cost?"
    both = [passage(1, "The ticket costs 20 euros."), passage(2, "The deposit is 150 euros.")]
    grounds = Grounds(question, both, embedder)
    said = taken_apart("The ticket costs 20 euros and the deposit is 150 euros.", question)
    assert [support_of(said, numbers, grounds).supported for numbers in ([1], [2], [1, 2])] == [
        False,
        False,
        True,
    ]
