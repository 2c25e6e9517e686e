"""What a question asks for, and whether a text holds it: a table of cases."""

import pytest

from ragcore.lexical.answer_types import asked_for, holds

ASKED = [
    ("Who signs the lease?", "person"),
    ("To whom do I report?", "person"),
    ("dog ate choc who 2 call", "person"),
    ("Who is the head of the board?", "name"),
    ("What is the inspector called?", "name"),
    ("Which bank do we use?", "name"),
    ("What is the phone number of the help desk?", "phone number"),
    ("What number do I ring when I am ill?", "phone number"),
    ("What is the e-mail address of the office?", "email address"),
    ("What percentage does the employer pay?", "percentage"),
    ("How often are fire drills held?", "frequency"),
    ("How long is the notice period?", "duration"),
    ("How much notice must I give?", "duration"),
    ("how many weeks of leave do I get", "duration"),
    ("What time does the gate open?", "time of day"),
    ("When is the deadline?", "date"),
    ("movin out wen do keys have 2 be back", "date"),
    ("How heavy is the pump?", "measure"),
    ("How much does the pump weigh?", "measure"),
    ("How much does a day ticket cost?", "amount of money"),
    ("What is the fee for a lost key?", "amount of money"),
    ("full year membership how much m8", "amount of money"),
    ("How many cameras are there?", "number"),
    ("How old must I be?", "number"),
    ("What is the serial number of the pump?", "code"),
    ("Which code opens the door?", "code"),
    ("Where do I park?", "place"),
    ("Why was it closed?", "reason"),
]
NOT_ASKED = [
    # A question word that begins a clause, and words of a kind in other phrases.
    ("What happens when I am late?", None),
    ("Must somebody whose ticket lapsed sit the exam?", None),
    ("How much PTO do I accrue?", None),
    ("What is the overtime rate?", None),
    ("What is the dress code?", None),
    ("Which company holidays are there?", None),
    ("How do I reset my email password?", None),
    ("Can I bring my dog?", None),
    # What is asked first counts.
    ("Who pays when the rent is late?", "person"),
    ("Why was she against the budget?", "reason"),
]


@pytest.mark.parametrize(("question", "wanted"), [*ASKED, *NOT_ASKED])
def test_kind_that_is_asked_for(question, wanted):
    assert asked_for(question) == wanted


@pytest.mark.parametrize(
    ("wanted", "held", "not_held"),
    [
        ("phone number", "Ring 01632 960155.", "Ring the office between 8:00 and 20:00."),
        ("email address", "Write to office@mill.example.", "Write to the office at number 12."),
        ("percentage", "The mill bears 15 % of it.", "The mill bears some of it."),
        ("frequency", "It is cleaned every week.", "It is cleaned by the porter."),
        ("duration", "Notice is six weeks.", "Notice is given in writing."),
        ("time of day", "It opens at 8:30.", "It opens on weekdays."),
        ("date", "It was sold in 2031.", "It was sold to a bakery."),
        ("measure", "The pump weighs 58 kg.", "The pump has 58 parts."),
        ("amount of money", "A key costs £15.", "A key costs extra, see page 15."),
        ("amount of money", "Entry is free.", "Entry is by the gate."),
        ("number", "There are eleven cameras.", "There are cameras."),
        ("code", "The lamp shows E05.", "The lamp shows red."),
        ("name", "The chair is Moira Swainson.", "The chair is elected by the tenants."),
        ("person", "Repairs are done by the caretaker.", "Repairs are done on Fridays."),
        ("place", "Keys hang in the porch.", "Keys hang on weekdays."),
        ("reason", "It closed because it leaked.", "It closed on Monday."),
    ],
)
def test_thing_of_the_kind_is_held(wanted, held, not_held):
    assert holds(held, wanted)
    assert not holds(not_held, wanted)


def test_what_the_question_says_itself_is_no_answer():
    question = "How many candidates stood on 30 March?"
    assert not holds("The election was on 30 March.", "number", question)
    assert holds("Three stood on 30 March.", "number", question)
    # A number within another is another number.
    assert holds("Candidates 3.", "number", question)


def test_name_in_the_question_is_not_the_one_that_is_asked_for():
    question = "Who is the deputy of Moira Swainson?"
    assert not holds("When Moira Swainson is away, ask the deputy.", "name", question)
    assert holds("The deputy of Moira Swainson is Dele Achterberg.", "name", question)
