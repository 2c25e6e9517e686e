"""Pairs from invented documents: rows are read out, the answering line is the only one with an answer."""

import json
from pathlib import Path

import pytest

from training.invented_pairs import FOLDER, HELD_OUT, asked, pairs

PROSE = {
    "path": ["Rowing club", "Boathouse"],
    "lines": [
        "The key hangs in the kiosk of Mrs Dahl.",
        "Whoever loses it pays 15 marks.",
        "The kiosk opens at nine.",
        "On Mondays the boathouse is shut.",
    ],
    "answerable": [{"q": "What does a lost key cost?", "line": 1}],
    "missing": [{"q": "What does a lost oar cost?", "why": "only the key has a price"}],
}
TABLE = {
    "path": ["Rowing club", "Fees"],
    "lines": ["| Boat | 2031 |", "| Skiff | 14 |", "| Four | 22 |", "| Eight | 30 |"],
    "answerable": [{"q": "What is the fee for a skiff?", "line": 1}],
    "missing": [],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Prose and a table, then so many passages that one is held out."""
    passages = [PROSE, TABLE, *[PROSE] * (HELD_OUT - 2)]
    (tmp_path / "club.jsonl").write_text("\n".join(map(json.dumps, passages)) + "\n", encoding="utf-8")
    return tmp_path


def test_passages_are_told_or_held_out_never_both(folder):
    told, held_out = asked(folder, held_out=False), asked(folder, held_out=True)
    assert (len(told), len(held_out)) == (2 * (HELD_OUT - 2) + 1, 2)


def test_row_is_read_out_below_its_headings(folder):
    (skiff,) = [one for one in asked(folder, held_out=False) if "skiff" in one.question]
    assert skiff.lines[1] == "Rowing club > Fees\nBoat: Skiff; 2031: 14" and skiff.answer == 1


def test_only_the_answering_line_answers(folder):
    lost_key, lost_oar = asked(folder, held_out=True)
    found = list(pairs([lost_key, lost_oar], seed=1))
    kinds = [one.kind for one in found]
    assert kinds == ["line", "another line", "another line", "unsaid", "unsaid", "unsaid"]
    assert [one.answers for one in found] == [True] + [False] * 5
    assert found[0].text.endswith("Whoever loses it pays 15 marks.")
    assert not any("15 marks" in one.text for one in found[1:3])
    # The line with most of its words comes first, and does not answer it.
    assert any("15 marks" in one.text for one in found[3:])


def test_invented_documents_are_well_formed_and_independent():
    questions = [*asked(FOLDER, held_out=False), *asked(FOLDER, held_out=True)]
    assert len(questions) > 1000
    answerable = [one for one in questions if one.answer is not None]
    assert all(0 <= one.answer < len(one.lines) for one in answerable)
    assert 0.4 < len(answerable) / len(questions) < 0.6
    own = {one.question.casefold() for one in questions}
    sets = Path(__file__).parents[2] / "eval_data"
    measured = {
        json.loads(line)["question"].casefold()
        for file in sets.glob("*/questions.jsonl")
        for line in file.read_text("utf-8").splitlines()
    }
    assert not own & measured
