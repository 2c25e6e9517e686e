"""The answer grader: what counts as the fact, and what is left to a person."""

import json
from pathlib import Path

import pytest

from ragcore.evaluation.grading import grade_answer

SETS = Path(__file__).parents[2] / "eval_data"

RIGHT = [
    ("You get 15 days.", [["15 days"]], ""),
    ("Fifteen days [hb.md:§ Leave 20].", [["15 days"]], ""),
    ("a 15-day limit", [["15 days"]], ""),
    ("On May 2nd, 2026.", [["2 May 2026"]], ""),
    ("2026-05-02", [["2 May 2026"]], ""),
    ("the 2nd of May 2026", [["2026-05-02"]], ""),
    ("2 May", [["2 May 2026"]], "When in 2026 does it open?"),
    ("55 pounds", [["£55.00"]], ""),
    ("£55", [["£55.00"]], ""),
    ("twelve per cent", [["12 %"]], ""),
    ("12 percent", [["12%"]], ""),
    ("72h", [["72 hours"]], ""),
    ("3 days", [["72 hours"]], ""),
    ("Half an hour", [["30 minutes"]], ""),
    ("1,200 litres", [["1200"]], ""),
    ("1.2 thousand", [["1,200"]], ""),
    ("£1.2 million", [["£1,200,000"]], ""),
    ("one hundred and twenty kg", [["120 kg"]], ""),
    ("eight degrees", [["8 °C"]], ""),
    ("an 8A fuse", [["8 A"]], ""),
    ("GM 70882", [["GM-70882"]], ""),
    ("tc2", [["tc 2"]], ""),
    ("a knee deep hole", [["knee-deep"]], ""),
    ("It’s the  ‘ANCHOR\nmemorial’.", [["anchor memorial"]], ""),
    ("spiders", [["spider"]], ""),
    ("At 7:30 pm on Thursdays", [["Thursday"], ["19:30"]], ""),
    ("2 to 6 pm", [["two to six"]], ""),
    ("from 1 to 31 March", [["1 March"], ["31 March"]], ""),
    ("built in May 2016", [["2016"]], ""),
    ("It was five to four.", [["five", "5"], ["four", "4"]], ""),
    ("15.", [["15 days"]], "How many days?"),
    ("1. Fog\n2. Five days", [["five", "5"], ["fog"]], ""),
    ("No, it must never be lent.", [["never", "not", "no"]], ""),
    ("No, nobody under 16 may carry one.", [["nobody", "no"], ["16"]], "am i ok carryin a blade, im 15"),
    ("You must not pour in salt water.", [["salt water"]], "What must not be poured in?"),
    ("not more than 15 days", [["15 days"]], ""),
    ("The deposit is £60 and is not refundable.", [["£60"]], ""),
    ("In 2023 it was 61,300 and 12 boats.", [["61,300"]], "What was it in 2023?"),
    ("Yes, from the harbour office.", [["permit"], ["harbour office"]], "Do I need a permit?"),
]
WRONG = [
    ("It is 14.", [["4"]], ""),
    ("Use Channel 160.", [["16"]], ""),
    ("20 days", [["15 days"]], ""),
    ("15 weeks", [["15 days"]], ""),
    ("4.5 kg", [["4"]], ""),
    ("4.5 kg", [["5 kg"]], ""),
    ("-15 °C", [["15 °C"]], ""),
    ("See page 4.", [["4"]], ""),
    ("It is late [handbook.md:4] [4].", [["4"]], ""),
    ("On 3 May 2026.", [["2 May 2026"]], ""),
    ("On Thursday.", [["Thursday"], ["19:30"]], ""),
    ("Code E070", [["E07"]], ""),
    ("a catalogue", [["cat"]], ""),
    ("€55", [["£55"]], ""),
    ("   ", [["15"]], ""),
]
UNGRADED = [
    ("It is not 15 days.", [["15 days"]], ""),
    ("It isn’t 15 days.", [["15 days"]], ""),
    ("It is no longer 15 days.", [["15 days"]], ""),
    ("15 days is incorrect.", [["15 days"]], ""),
    ("Every day except Thursday.", [["Thursday"]], ""),
    ("Ask Quill instead of Vey.", [["Vey"]], ""),
    ("It was 15 days; it isn't 15 days now.", [["15 days"]], ""),
    ("15 or 20 days", [["15 days"]], ""),
    ("15-20 days", [["15 days"]], ""),
    ("15 or 20", [["15"]], ""),
    ("You get 15 days. After five years you get 20 days.", [["15 days"]], ""),
    ("four boats, or perhaps five boats", [["4"]], ""),
    ("£60, formally £40", [["£60"]], ""),
    ("on 2 May 2026 or on 3 May 2026", [["2 May 2026"]], ""),
    ("Thursday or Friday", [["Thursday"]], ""),
    ("Perhaps 15 days", [["15 days"]], ""),
    ("The deposit is for the boat.", [["deposit"]], "What is the deposit?"),
    ("Is it 15 days? Yes.", [["15 days"]], "Is it 15 days?"),
    ("15.", [["15 days"]], ""),
    ("14 days", [["14 working days"]], ""),
    ("June 1894", [["11 June 1894"]], ""),
    ("At 7:30", [["19:30"]], ""),
    ("Use CH-16.", [["16"]], ""),
    ("The doors open outwardly", [["open outwards"]], ""),
    ("Leave is 15 days a year.", [["15 days of paid leave"]], ""),
    ("Yes, but not at night", [["never", "not", "no"]], ""),
    ("Any text", [], ""),
]


@pytest.mark.parametrize(
    ("verdict", "answer", "facts", "question"),
    [
        (verdict, *case)
        for verdict, cases in (("right", RIGHT), ("wrong", WRONG), ("ungraded", UNGRADED))
        for case in cases
    ],
)
def test_answer_and_facts(verdict, answer, facts, question):
    grade = grade_answer(answer, facts, refused=False, question=question)
    assert grade.verdict == verdict, grade.reason


def test_refused_flag_comes_before_the_text():
    grade = grade_answer("I don't know, but 15 days is common.", [["15 days"]], refused=True)
    assert grade.verdict == "refused"
    assert grade.decided


def test_grade_names_what_is_there_and_what_is_missing():
    grade = grade_answer("On Thursday.", [["Thursdays", "Thursday"], ["19:30"]], refused=False)
    assert (grade.found, grade.missing) == (("Thursdays",), ("19:30",))
    assert grade.reason == "Not in the answer: 19:30."


def test_ungraded_does_not_enter_a_mean():
    assert not grade_answer("not 15 days", [["15 days"]], refused=False).decided


@pytest.mark.parametrize("answer", ["???", "£", "\u00ad", "[", "1/2/", "a" * 5000, "½ ¼ 3¾", "٣ days", "²"])
def test_odd_text_never_raises(answer):
    assert grade_answer(answer, [["15 days"]], refused=False).verdict == "wrong"


@pytest.mark.parametrize("name", ["handbook", "policies", "manuals", "followups"])
def test_gold_quote_as_the_answer_is_never_wrong(name):
    """The passage states the fact; table rows and sentences with several prices are left to a person."""
    lines = (SETS / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row.get("facts")]
    grades = [
        grade_answer(
            " ".join(gold["quote"] for gold in row["gold"]),
            row["facts"],
            refused=False,
            question=row["question"],
        ).verdict
        for row in rows
    ]
    assert "wrong" not in grades
    assert grades.count("right") >= 0.85 * len(grades)
