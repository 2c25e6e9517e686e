"""Training pairs: what says the answer keeps it, what does not has lost it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from training.squad_pairs import Pair, pairs
from training.train_answer_judge import main

SENTENCES = [
    "The lighthouse of Sandholm was built by Ingrid Falk in 1874 after two wrecks on the northern reef.",
    "Its lamp was lit with colza oil until the keepers changed to paraffin in 1902.",
    "A fog bell of 430 kilograms hangs on the seaward gallery and is rung by clockwork.",
    "Since the storm of 1911 the tower has been painted in red and white bands by the pilots of Vestre Harbour.",
]
ASKED = [
    ("Who built the lighthouse of Sandholm?", "Ingrid Falk", 0),
    ("In which year was the lighthouse of Sandholm built?", "1874", 0),
    ("What was the lamp lit with until 1902?", "colza oil", 1),
    ("How heavy is the fog bell on the gallery?", "430 kilograms", 2),
    ("In what colours has the tower been painted since 1911?", "red and white bands", 3),
]


@pytest.fixture(scope="module")
def squad(tmp_path_factory) -> Path:
    """Two articles as SQuAD has them."""
    context = " ".join(SENTENCES)
    questions = [
        {"question": question, "answers": [{"text": answer, "answer_start": context.index(answer)}]}
        for question, answer, _ in ASKED
    ]
    article = {"title": "Sandholm_Lighthouse", "paragraphs": [{"context": context, "qas": questions}]}
    other = {
        "title": "Paraffin",
        "paragraphs": [
            {"context": "Paraffin burns with little soot. It was sold from 1850 on by Abel Rask.", "qas": []}
        ],
    }
    file = tmp_path_factory.mktemp("squad") / "train.json"
    file.write_text(json.dumps({"data": [article, other]}), "utf-8")
    return file


@pytest.fixture(scope="module")
def made(squad: Path) -> list[Pair]:
    return [pair for seed in range(60) for pair in pairs(squad, questions=5, seed=seed)]


def test_every_kind_is_made_and_two_of_three_texts_have_no_answer(made: list[Pair]) -> None:
    kinds = Counter(pair.kind for pair in made)
    assert set(kinds) == {
        "answer", "answer taken out", "answer swapped", "same paragraph", "another value", "another article",
        "yes or no", "yes or no, unsaid",
    }  # fmt: skip
    assert {pair.kind for pair in made if pair.answers} == {"answer", "yes or no"}
    assert 0.4 < sum(not pair.answers for pair in made) / len(made) < 0.75


def test_texts_with_an_answer_keep_it_whatever_else_they_lose(made: list[Pair]) -> None:
    answers = [answer for _, answer, _ in ASKED]
    with_answer = [pair.text for pair in made if pair.kind == "answer"]
    assert all(any(answer in text for answer in answers) for text in with_answer)
    scarred = [
        text for text in with_answer if not all(s in " ".join(SENTENCES) for s in text.split("\n")[-1:])
    ]
    assert scarred, "some have lost words that are no answer"


def test_answer_is_gone_from_what_was_made_to_lack_it(made: list[Pair]) -> None:
    for pair in made:
        if pair.kind in ("answer taken out", "answer swapped", "same paragraph"):
            asked = [answer for question, answer, _ in ASKED if pair.question == question]
            assert not any(answer in pair.text for answer in asked), pair


def test_same_seed_gives_the_same_pairs(squad: Path) -> None:
    assert list(pairs(squad, questions=5, seed=3)) == list(pairs(squad, questions=5, seed=3))


def test_training_runs_reports_and_saves(squad: Path, tmp_path: Path, capsys) -> None:
    assert main([str(squad), str(squad), str(tmp_path / "out"), "--questions", "5"]) == 0
    said = capsys.readouterr().out
    assert "1/1, loss" in said and "AUROC" in said
    assert (tmp_path / "out" / "model.safetensors").is_file()
