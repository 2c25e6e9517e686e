"""Which abbreviations are learned from which words, and which are not."""

import pytest

from ragcore.lexical.abbreviations import learn, looks_short, plural, singular
from ragcore.lexical.alignment import TOO_MUCH, price

EAP = ("EAP", "Employee Assistance Program")
DBO = ("DBO", "duty boathouse officer")
MOC = ("MOC", "member on call")


def learned(*texts: str) -> list[tuple[str, str]]:
    return [(found.short, found.long) for found in learn(texts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # in brackets, either way round
        ("The Employee Assistance Program (EAP) is free.", EAP),
        ("EAP (Employee Assistance Program) is free.", EAP),
        ("the Employee\nAssistance Program\n(EAP) is free.", EAP),
        ("the Employee Assistance Program (EAP, see page 3)", EAP),
        ("the Employee Assistance Program (the “EAP”)", EAP),
        ("Ask the Employee Assistance Program (E.A.P.) first.", EAP),
        ("the member on call (hereinafter the “MOC”) is", MOC),
        ("Wear it. Personal flotation device (PFD) rules", ("PFD", "Personal flotation device")),
        # lists
        ("DBO: duty boathouse officer", DBO),
        ("- **DBO** – duty boathouse officer, who locks up", DBO),
        ("* DBO = duty boathouse officer (on weekdays)", DBO),
        ("3. DBO - the duty boathouse officer", DBO),
        # words that say so
        ("MOC means member on call.", MOC),
        ("“MOC” stands for the member on call and is never alone", MOC),
        ("The MOC, short for member on call, is", MOC),
        ("MOC is an abbreviation of member on call.", MOC),
        ("The swift water technician, abbreviated SWT, must", ("SWT", "swift water technician")),
        ("a duty manager, hereinafter referred to as “DM”, may", ("DM", "duty manager")),
        ("Mgr is short for manager.", ("Mgr", "manager")),
        # tables
        ("| DBO | duty boathouse officer |", DBO),
        ("| duty boathouse officer | DBO | 555 |", DBO),
        ("DBO\tduty boathouse officer", DBO),
        # small words, hyphens, plurals, digits, mixed case, other scripts
        ("Search and Rescue (SAR) is", ("SAR", "Search and Rescue")),
        ("the Department of Motor Vehicles (DMV)", ("DMV", "Department of Motor Vehicles")),
        ("Terms and Conditions (T&C) apply", ("T&C", "Terms and Conditions")),
        ("two-factor authentication (2FA)", ("2FA", "two-factor authentication")),
        ("Emergency position-indicating radio beacon (EPIRB)", ("EPIRB", "Emergency position-indicating radio beacon")),
        ("Swift Water Technicians (SWTs) must train", ("SWT", "Swift Water Technician")),
        ("Software as a Service (SaaS)", ("SaaS", "Software as a Service")),
        ("Philosophiae Doctor (PhD)", ("PhD", "Philosophiae Doctor")),
        ("one kilowatt hour (kWh)", ("kWh", "kilowatt hour")),
        ("deoxyribonucleic acid (DNA)", ("DNA", "deoxyribonucleic acid")),
        ("PERSONAL FLOTATION DEVICE (PFD)", ("PFD", "personal flotation device")),
        ("el Área de Protección (ADP) es", ("ADP", "Área de Protección")),
        ("Центр обработки данных (ЦОД) закрыт", ("ЦОД", "Центр обработки данных")),
    ],
)  # fmt: skip
def test_defined(text: str, expected: tuple[str, str]) -> None:
    assert learned(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "call the office (Monday) first",
        "it costs a fee (USD 30) at the gate",
        "read this (NOTE) again",
        "a chapter in italics (II) follows",
        "see the form (HL-204b) in the annex",
        "the Rescue Team (RT-4) is ready",
        "a retirement plan, the 401(k) plan, is offered",
        "the third year (2024) was dry",
        "the reservoir (WHO) is",
        "the harbour is closed (see Annex B)",
        "Doctor of Philosophy (PhD)",
        "The water is low. Technicians (WLT) come later.",
        "PM: please mention your name",
        "NB: never block the slip",
        "Note: nothing is open",
        "| Monday | 8 to 12 |",
        "| abbreviation | meaning |",
        "| SWT | Swift water |",
        "| T2 | Swift water (SWT) | 28 hours |",
        "PTO means nothing here",
        "paid parental time off at short notice (PTO)",
        "EAP (EAP)",
        "",
    ],
)
def test_not_defined(text: str) -> None:
    assert learned(text) == []


def test_definitions_do_not_reach_across_paragraphs() -> None:
    assert learned("Employee\n\nAssistance Program (EAP)") == []


def test_each_once_with_the_place_of_the_first() -> None:
    found = learn(["nothing", "the Employee Assistance Program (EAP)", "EAP (employee assistance program)"])
    assert [(one.short, one.long, one.place) for one in found] == [(*EAP, 1)]


def test_two_meanings_are_both_told() -> None:
    assert learned("member on call (MOC)", "management of change (MOC)") == [
        MOC,
        ("MOC", "management of change"),
    ]


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        ("EAP", "Employee Assistance Program", 0),
        ("DMV", "Department of Motor Vehicles", 0),
        ("2FA", "second factor authentication", 0),
        ("DNA", "deoxyribonucleic acid", 1),
        ("SWT", "Swift water", 2),
        ("PTO", "paid parental time off", 2),
        ("PhD", "Philosophiae Doctor", 0),
        ("EAP", "Assistance Program", TOO_MUCH),
        ("EAP", "Employee Assistance Program office", TOO_MUCH),
        ("EAP", "", TOO_MUCH),
    ],
)
def test_price_of_what_does_not_follow_from_initials(short: str, long: str, expected: int) -> None:
    assert price(short, long.split()) == expected


@pytest.mark.parametrize("token", ["EAP", "SWTs", "T&C", "2FA", "kWh", "PhD", "E.A.P.", "B2B", "ЦОД"])
def test_looks_like_an_abbreviation(token: str) -> None:
    assert looks_short(token)


@pytest.mark.parametrize(
    "token", ["Monday", "eap", "II", "2024", "HL-204b", "A", "1st", "", "INTERNATIONALLY"]
)
def test_does_not_look_like_one(token: str) -> None:
    assert not looks_short(token)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("swift water technician", "swift water technicians"),
        ("company policy", "company policies"),
        ("day", "days"),
        ("tax", "taxes"),
        ("branch", "branches"),
    ],
)
def test_singular_and_plural(one: str, many: str) -> None:
    assert (singular(many), plural(one)) == (one, many)


def test_long_text_is_read_in_a_moment() -> None:
    import time

    text = "(" * 2000 + " A: " * 5000 + "the quick brown fox is short for a fox (QBF). " * 4000
    started = time.perf_counter()
    learn([text])
    assert time.perf_counter() - started < 5
