"""The refusal recogniser on 220 sentences of our own, both ways; the held-out part was never tuned on."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcore.evaluation.refusals import recognise_refusal, refused

SENTENCES = [
    json.loads(line)
    for line in Path(__file__).with_name("refusal_sentences.jsonl").read_text(encoding="utf-8").splitlines()
]
DEVELOPMENT = [row for row in SENTENCES if row["part"] == "development"]
HELD_OUT = [row for row in SENTENCES if row["part"] == "held_out"]


def test_sentences_are_as_many_as_said():
    assert Counter((row["part"], row["label"]) for row in SENTENCES) == {
        ("development", "refusal"): 60,
        ("development", "answer"): 60,
        ("held_out", "refusal"): 50,
        ("held_out", "answer"): 50,
    }


@pytest.mark.parametrize("row", DEVELOPMENT, ids=lambda row: row["text"][:40])
def test_development_sentence(row):
    verdict = recognise_refusal(row["text"], row["question"])
    assert verdict.label == row["label"], verdict.reason


def test_held_out_sentences_stay_as_good_as_measured():
    """46 of 50 refusals and 45 of 50 answers on 30 November 2026, before any of them had been looked at."""
    right = Counter(
        row["label"]
        for row in HELD_OUT
        if recognise_refusal(row["text"], row["question"]).label == row["label"]
    )
    assert right["refusal"] >= 46
    assert right["answer"] >= 45


def test_empty_text_is_unclear():
    assert recognise_refusal(" \n ").label == "unclear"


def test_apology_alone_is_unclear():
    assert recognise_refusal("Sorry.", "What is the fee?").label == "unclear"


def test_flag_comes_before_the_text():
    assert refused(False, "I don't know.").label == "answer"
    assert refused(True, "The fee is 20 euros.").label == "refusal"


def test_text_decides_without_a_flag():
    assert refused(None, "I don't know.").label == "refusal"
    assert refused(None, "The fee is 20 euros.").label == "answer"


@pytest.mark.parametrize(
    "text",
    [
        "I don't know: there are no documents to look in yet.",
        "I don't know. Nothing in the documents is close enough to this question. Best match 0.19, cutoff 0.25.",
        "I don't know. Some passages are about this (best match 0.61), but none of them says the answer.",
        "NOT IN THE DOCUMENTS",
        '"NOT IN THE DOCUMENTS."',
    ],
)
def test_own_refusals_without_their_flag(text):
    assert recognise_refusal(text, "Who founded the club?").label == "refusal"


@given(st.text(max_size=200), st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_text_gets_a_label(text, question):
    assert recognise_refusal(text, question).label in ("refusal", "answer", "unclear")
