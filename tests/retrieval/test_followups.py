"""What refers back, what is no question, and what the question before lends; words only."""

import pytest

from ragcore.retrieval.followups import (
    MOST_CARRIED,
    carried_over,
    combined,
    is_another_topic,
    own_topic,
    refers_back,
    small_talk,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long does it last?", "pronoun"),
        ("Who signs them?", "pronoun"),
        ("What is her phone number?", "pronoun"),
        ("Does that include weekends?", "pronoun"),
        ("Is this allowed on Sundays?", "pronoun"),
        ("Who pays for that?", "pronoun"),
        ("What are the exceptions to this?", "pronoun"),
        ("Can I have another one?", "pronoun"),
        ("Does the same apply to guests?", "pronoun"),
        ("Is that the same for visitors?", "pronoun"),
        ("How is the other charged?", "pronoun"),
        ("What happens afterwards?", "pronoun"),
        ("Who else has a key?", "pronoun"),
        ("Are dogs allowed there?", "pronoun"),
        ("Do pensioners get a discount too?", "pronoun"),
        ("And how many pages does it have?", "pronoun"),
        ("Does the landlord repair it?", "pronoun"),
        ("And after five years?", "ellipsis"),
        ("What about cadets?", "ellipsis"),
        ("How about at weekends?", "ellipsis"),
        ("For children?", "ellipsis"),
        ("In winter?", "ellipsis"),
        ("And the treasurer?", "ellipsis"),
        ("Or by post?", "ellipsis"),
        ("Why?", "ellipsis"),
        ("Since when?", "ellipsis"),
        ("How many are needed?", "ellipsis"),
        ("Is there anything cheaper?", "ellipsis"),
        ("Which one is longer?", "pronoun"),
        ("What if I lose mine?", "ellipsis"),
        ("Und nach fünf Jahren?", "ellipsis"),
        ("How do I apply?", "thin"),
        ("Who decides?", "thin"),
        ("What can I keep?", "thin"),
        ("Who empties the box?", "perhaps"),
        ("Vacation policy", "perhaps"),
        ("What is the capital of France?", "none"),
        ("Who won the 2018 FIFA World Cup?", "none"),
        ("And what is the capital of Mongolia?", "none"),
        ("If a member loses the key, does she pay for it?", "none"),
        ("What is a permit and how long is it valid?", "none"),
        ("How does an employee get their badge at the main gate downstairs?", "none"),
        ("What time is it in Tokyo when it is noon in Madrid?", "none"),
        ("Is it allowed to park a caravan behind the boathouse in summer?", "none"),
        ("Does the committee that meets in May decide about the fees of the year?", "none"),
        ("Is the deposit for a boat higher than that for a canoe in the summer months?", "none"),
        ("Which class can I fly on long international trips?", "none"),
        ("Are there any lockers in the changing rooms of the upper hall?", "none"),
        ("Who are you?", "perhaps"),
        ("", "none"),
    ],
)
def test_what_refers_back(question, kind):
    reference = refers_back(question)
    assert reference.kind == kind
    assert bool(reference) == (kind in ("pronoun", "ellipsis", "thin"))
    assert bool(reference.why) == (kind != "none")


def test_reason_names_the_word():
    assert refers_back("Ok, and who signs them?").why == "“them” stands for something said before"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("thanks", "You're welcome"),
        ("Thank you very much!", "You're welcome"),
        ("Great, thanks :)", "You're welcome"),
        ("ok", "All right"),
        ("OK.", "All right"),
        ("great", "All right"),
        ("That makes sense.", "All right"),
        ("👍", "All right"),
        ("Hello there", "Hello"),
        ("Danke", "You're welcome"),
        ("bye!", "Goodbye"),
    ],
)
def test_small_talk_gets_a_reply(text, begins):
    assert small_talk(text).startswith(begins)


@pytest.mark.parametrize(
    "text",
    ["ok?", "Ok, and the punt?", "Thanks, how long is probation?", "???", "Right of way", "Good Friday", "No dogs", "nice cars", "Is that right"],
)  # fmt: skip
def test_what_may_be_a_question_is_no_small_talk(text):
    assert small_talk(text) is None


@pytest.mark.parametrize(
    ("base", "question", "standalone"),
    [
        ("What is the vacation policy?", "And after five years?", "vacation policy: And after five years?"),
        (
            "Where does the defibrillator hang at Millrace?",
            "And at Longstaithe?",
            "Where does the defibrillator hang at Longstaithe?",
        ),
        (
            "What is paid per mile for the journey to a call-out?",
            "What about to training?",
            "What is paid per mile for the journey to training?",
        ),
        (
            "What does a tent cost in July with a dog?",
            "And in the week after Easter?",
            "What does a tent cost in the week after Easter with a dog?",
        ),
        ("What is the drying room at Millrace kept at?", "And at Kelby?", "What is the drying room at Kelby kept at?"),
        ("What does a boat cost?", "How much does a boat cost for children?", "How much does a boat cost for children?"),
        ("Who decides?", "And then?", "Who decides? And then?"),
    ],
)  # fmt: skip
def test_rule_carries_over_what_the_question_lacks(base, question, standalone):
    found = carried_over(base, question)
    if standalone == question:
        assert found.endswith(question)
    else:
        assert found == standalone


def test_chain_carries_every_subject_once():
    second = carried_over("What is the training budget?", "Can a part-time nurse use it?")
    third = carried_over(second, "And how does she claim it?")
    assert third == "training budget part-time nurse: And how does she claim it?"


def test_long_chain_keeps_its_beginning_and_its_end():
    base = " ".join(f"alpha{number}" for number in range(40))
    carried = carried_over(base, "Who signs it?").split(":")[0].split()
    assert len(carried) == MOST_CARRIED
    assert (carried[0], carried[-1]) == ("alpha0", "alpha39")


def test_both_questions_together():
    assert combined("What is a T2? ", " And a T3?") == "What is a T2? And a T3?"


ROME = "And what about the Roman Empire?"
KNOWN = {"roman": 0, "empir": 0}


@pytest.mark.parametrize(
    ("question", "base", "known", "another"),
    [
        (ROME, "When was the club founded?", KNOWN, True),
        (ROME, "When was the club founded?", {"roman": 0, "empir": 2}, False),
        (ROME, "When did the Empire cinema open?", KNOWN, False),
        (ROME, "When was the club founded?", {}, False),
        ("Did they have it in Portugal?", "Who pays income tax?", {"portug": 0}, True),
        ("Who composed it?", "What does an adult pay?", {"compos": 0}, True),
        ("Who signs it at night?", "What does an adult pay?", {"sign": 0, "night": 3}, False),
        ("How much is it?", "What is the budget?", {"much": 0}, False),
    ],
)
def test_words_that_nobody_knows_are_another_topic(question, base, known, another):
    assert is_another_topic(question, base, known) is another


def test_topic_leaves_out_words_that_name_nothing():
    assert own_topic("And how many hours of watch do they have to stand?") == ("hour", "watch", "stand")
    assert own_topic("What if I don't use it?") == ()
