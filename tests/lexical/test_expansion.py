"""Which tokens of a question are spelled out, and how."""

import pytest

from ragcore.lexical.built_in import built_in_entries
from ragcore.lexical.expansion import expand
from ragcore.lexical.glossary import glossary_of, same_meaning
from ragcore.records import GlossaryEntry

OURS = [
    GlossaryEntry("SWT", "swift water technician", "learned"),
    GlossaryEntry("PFD", "Personal Flotation Device", "learned"),
    GlossaryEntry("PORT", "personal outdoor rescue team", "learned"),
    GlossaryEntry("MOC", "member on call", "learned"),
    GlossaryEntry("MOC", "management of change", "learned"),
]
GLOSSARY = glossary_of([*OURS, *built_in_entries()])


def dense(question: str) -> str:
    return expand(question, GLOSSARY).dense


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many WFH days?", "How many work from home days?"),
        ("how many pto days", "how many paid time off days"),
        ("Who pays for intl. travel?", "Who pays for international travel?"),
        ("Is it for the HR dept.?", "Is it for the human resources department?"),
        ("the hr manager", "the human resources manager"),
        ("E.A.P. hours", "employee assistance programme hours"),
        ("What do SWTs wear?", "What do swift water technicians wear?"),
        ("the SWT’s kit", "the swift water technician's kit"),
        ("the SWTs' kit", "the swift water technicians' kit"),
        ("Do “T&Cs” apply?", "Do “terms and conditions” apply?"),
        ("2FA or VPN/MFA?", "two-factor authentication or virtual private network/multi-factor authentication?"),
        ("in approx. 2 yrs", "in approximately 2 years"),
        ("int’l mail w/o a mgr", "international mail without a manager"),
        ("5kg, 10 km/h, 3 hr", "5 kilograms, 10 kilometres per hour, 3 hours"),
        ("PORT duty", "personal outdoor rescue team duty"),
        ("Ask IT.", "Ask information technology."),
    ],
)  # fmt: skip
def test_spelled_out(question: str, expected: str) -> None:
    assert dense(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Is it on us or on them?",
        "Am I paid at 5 pm or at 6 am?",
        "Who is it, and can it be us?",
        "WHAT IS IT FOR US",
        "It is the port side.",
        "see IT-7 and HL-204b",
        "write to hr@example.org or open hr.pdf",
        "https://hr.example.org/pto",
        "the letter m, or a g",
        "international hires and ptolemaic maps",
        "the 401(k) plan",
        "Is the paid time off (PTO) paid?",
        "Do personal flotation devices (PFDs) float?",
        "",
        "?",
    ],
)
def test_left_alone(question: str) -> None:
    assert dense(question) == question


def test_what_was_added_and_every_form_for_a_search_by_words() -> None:
    expanded = expand("PTO for SWTs, and PTO again?", GLOSSARY)
    assert [list(one) for one in expanded.added] == [
        ["PTO", "paid time off", "built-in"],
        ["SWT", "swift water technician", "learned"],
    ]
    assert expanded.lexical == "PTO for SWTs, and PTO again? paid time off swift water technician"


def test_long_form_in_the_question_brings_the_short_one_along() -> None:
    expanded = expand("Which personal-flotation devices float?", GLOSSARY)
    assert (expanded.dense, expanded.also) == (expanded.original, ("PFD",))
    assert expanded.lexical.endswith("float? PFD")


def test_long_forms_of_the_built_in_list_bring_nothing_along() -> None:
    assert expand("paid time off in human resources", GLOSSARY).also == ()


def test_ambiguous_one_is_left_alone_and_told() -> None:
    expanded = expand("Who is the MOC today?", GLOSSARY)
    assert (expanded.dense, expanded.added, expanded.ambiguous) == (expanded.original, (), ("MOC",))


def test_own_entry_settles_what_documents_leave_open() -> None:
    own = GlossaryEntry("moc", "member on call", "user")
    expanded = expand("Who is the MOC today?", glossary_of([own, *OURS]))
    assert expanded.dense == "Who is the member on call today?"
    assert expanded.ambiguous == ()


def test_own_before_learned_before_built_in() -> None:
    learned = GlossaryEntry("PTO", "power take-off", "learned")
    own = GlossaryEntry("PTO", "parent teacher organisation", "user")
    built_in = built_in_entries()
    asked = "PTO?"
    assert expand(asked, glossary_of(built_in)).dense == "paid time off?"
    assert expand(asked, glossary_of([*built_in, learned])).dense == "power take-off?"
    assert expand(asked, glossary_of([*built_in, learned, own])).dense == "parent teacher organisation?"


def test_switched_off_entry_uncovers_the_one_below() -> None:
    off = GlossaryEntry("PTO", "power take-off", "learned", enabled=False)
    assert expand("PTO?", glossary_of([off, *built_in_entries()])).dense == "paid time off?"


def test_spellings_of_one_meaning_are_not_two() -> None:
    assert same_meaning("Employee Assistance Program", "employee assistance programmes")
    assert same_meaning("two-factor authentication", "Two factor authentication")
    assert same_meaning("Terms & Conditions", "terms and conditions")
    assert not same_meaning("member on call", "management of change")


def test_built_in_list_is_sound() -> None:
    entries = built_in_entries()
    assert 300 <= len(entries) <= 520
    assert {entry.matching for entry in entries} == {"any", "exact", "number"}
    for entry in entries:
        assert entry.short == entry.short.strip() and entry.long == entry.long.strip() != ""
        assert " " not in entry.short
    keys = [(entry.short.casefold() if entry.matching == "any" else entry.short, entry.matching == "number") for entry in entries]  # fmt: skip
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("short", ["IT", "US", "AIDS", "WHO", "PIN", "LED", "ER", "AR"])
def test_built_in_ones_that_are_words_in_small_letters_count_in_capitals_only(short: str) -> None:
    (entry,) = [one for one in built_in_entries() if one.short == short]
    assert entry.matching == "exact"
    assert dense(f"about {short.lower()} there") == f"about {short.lower()} there"
    assert dense(f"about {short} there") == f"about {entry.long} there"
