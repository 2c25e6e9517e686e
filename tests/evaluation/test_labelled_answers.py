"""Answers labelled by hand: read as they were given, errors by line, and the check measured against them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ragcore.errors import InputError
from ragcore.evaluation.checked_claims import judge, tally
from ragcore.evaluation.labelled_answers import FILE, read_labelled_answers
from ragcore.evaluation.sets import load_set
from ragcore.records import Evidence

SENTENCES = {
    "The cutter needs a licence of class B [1].": True,
    "It was built in 1962 [2].": False,
    "Passage 2 costs £12 a day [2].": None,
}
PASSAGES = [
    {
        "number": 1,
        "file": "boats.md",
        "location": "§ Licences",
        "section": ["Boats", "Licences"],
        "header": "Boats › Licences",
        "text": "A licence of class B is needed for the cutter. Rowing needs none.",
        "evidence": [[0, 46, 0.61], [47, 65, 0.2]],
    },
    {"number": 2, "file": "fees.pdf", "location": "3-4", "text": "The skiff costs £12 a day."},
]
ANSWER = {
    "model": "tiny",
    "set": "boats",
    "id": "boats-001",
    "split": "test",
    "kind": "answerable",
    "question": "Which licence does the cutter need?",
    "facts": [["class B"]],
    "passages": PASSAGES,
    "reply": " ".join(SENTENCES),
    "sentences": [{"text": text, "supported": label, "answers": label} for text, label in SENTENCES.items()],
}


def written(folder: Path, *rows: dict | str) -> Path:
    file = folder / "answers.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def refused(folder: Path, *rows: dict | str) -> str:
    with pytest.raises(InputError) as caught:
        read_labelled_answers(written(folder, *rows))
    return str(caught.value)


def changed(**values) -> dict:
    return ANSWER | values


def test_answer_with_its_passages_and_labels(tmp_path):
    (answer,) = read_labelled_answers(written(tmp_path, ANSWER))
    assert (answer.model, answer.id, answer.split, answer.facts) == (
        "tiny", "boats-001", "test", (("class B",),),
    )  # fmt: skip
    assert [one.supported for one in answer.sentences] == [True, False, None]
    first, second = (passage.candidate for passage in answer.passages)
    assert (first.location, first.section, first.header) == (
        "§ Licences", ("Boats", "Licences"), "Boats › Licences",
    )  # fmt: skip
    assert first.evidence == (Evidence(0, 46, 0.61), Evidence(47, 65, 0.2))
    assert (first.score, first.best_sentence) == (0.61, "A licence of class B is needed for the cutter.")
    assert (second.location, second.paged, second.page_start, second.page_end) == ("3-4", True, 3, 4)
    assert (second.score, second.evidence, second.header) == (None, (), "")
    assert first.document_id != second.document_id


@pytest.mark.parametrize(
    ("labels", "grade"),
    [
        ([None, True, False], "right"),
        ([None, False, None], "wrong"),
        ([None, None, None], "refused"),
        ([True], "right"),
        ([False, None], "ungraded"),
    ],
)
def test_hand_grade_of_labels_and_of_replies_labelled_in_part(tmp_path, labels, grade):
    sentences = [
        {"text": text, "supported": None, "answers": label}
        for text, label in zip(SENTENCES, labels, strict=False)
    ]
    (answer,) = read_labelled_answers(written(tmp_path, changed(sentences=sentences)))
    assert answer.hand_grade == grade
    assert answer.labelled_whole == (len(labels) == 3)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("{", "answers.jsonl, line 2: not JSON (Expecting property name enclosed in double quotes"),
        (changed(split="all"), "line 2: 'split' is 'all'; use one of calibration, test."),
        (changed(qestion="?"), "line 2: unknown key 'qestion'; did you mean 'question'?"),
        (changed(reply=" "), "line 2: 'reply' holds an empty text."),
        (changed(sentences=[]), "line 2: 'sentences' is empty; each has its labels."),
        (
            changed(sentences=[{"text": "Never said.", "supported": True, "answers": True}]),
            "line 2: the sentence 'Never said.' does not stand in the reply, or not in this order.",
        ),
        (
            changed(sentences=ANSWER["sentences"][::-1]),
            "the sentence 'It was built in 1962 [2].' does not stand in the reply, or not in this order.",
        ),
        (
            changed(sentences=[ANSWER["sentences"][0] | {"supported": "yes"}]),
            "line 2, 'sentences': 'supported' is 'yes'; use true, false or null.",
        ),
        (
            changed(sentences=[{"text": "It was built in 1962 [2].", "supported": True}]),
            "line 2, 'sentences': 'answers' is missing; use true, false or null.",
        ),
        (
            changed(passages=[PASSAGES[0] | {"location": "Licences"}]),
            "line 2, 'passages': 'location' is 'Licences'; use '§ ' and a section's title, a page, or pages such as 3-4.",
        ),
        (
            changed(passages=[PASSAGES[0] | {"number": 0}]),
            "'number' is 0; a whole number from 1 is expected.",
        ),
        (changed(passages=[PASSAGES[0]] * 2), "line 2: 'passages' has a number twice."),
        (
            changed(passages=[PASSAGES[0] | {"evidence": [[0, 900, 0.5]]}]),
            "'evidence' holds [0, 900, 0.5]; beginning and end in the text, and a cosine, are expected.",
        ),
        (ANSWER | {"id": "boats-000"}, "line 2: tiny has answered boats-000 of boats above already."),
    ],
)
def test_bad_line(tmp_path, row, complaint):
    assert complaint in refused(tmp_path, ANSWER | {"id": "boats-000"}, row)


def test_no_file_no_answers_and_another_encoding(tmp_path):
    with pytest.raises(InputError, match=r"There are no labelled answers at .*gone\.jsonl\."):
        read_labelled_answers(tmp_path / "gone.jsonl")
    assert refused(tmp_path, "") == "answers.jsonl holds no answers."
    (tmp_path / "latin.jsonl").write_bytes("{'£'}".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.jsonl is not UTF-8 \(byte 2\)"):
        read_labelled_answers(tmp_path / "latin.jsonl")


def test_check_against_labels_beside_the_simpler_ways(tmp_path, embedder):
    claims = judge(read_labelled_answers(written(tmp_path, ANSWER)), embedder)
    assert [(claim.sentence.text, claim.shown) for claim in claims] == [
        ("The cutter needs a licence of class B [1].", {"everything", "values", "checked", "worded"}),
        ("It was built in 1962 [2].", {"everything"}),
    ]
    assert [claim.reason for claim in claims] == ["", "says 1962, no passage does"]
    found = tally(claims, "checked")
    assert (found.claims, found.unsupported_shown.k, found.unsupported_shown.n) == (2, 0, 1)
    assert (found.supported_struck.k, found.supported_struck.n) == (0, 1)
    assert (tally(claims, "everything").unsupported_of_shown.k, found.unsupported_of_shown.n) == (1, 1)


def test_refusal_shows_nothing_of_what_stands_behind_it(tmp_path, embedder):
    said = "The cutter needs a licence of class B [1]."
    row = changed(
        reply=f"NOT IN THE DOCUMENTS. {said}",
        sentences=[{"text": said, "supported": True, "answers": True}],
    )
    (claim,) = judge(read_labelled_answers(written(tmp_path, row)), embedder)
    assert claim.fate("checked") == "supported, struck"
    assert claim.fate("everything") == "supported, shown"


# --- the project's own ---


def test_own_answers_are_to_questions_of_our_sets_and_cite_nothing_that_was_not_sent():
    answers = read_labelled_answers()
    asked = {
        (name, one.id): one
        for name in {answer.set for answer in answers}
        for one in load_set(FILE.parents[1] / name).questions
    }
    for answer in answers:
        question = asked[answer.set, answer.id]
        assert (answer.question, answer.kind, answer.split) == (
            question.question, question.kind, question.split,
        )  # fmt: skip
        assert answer.facts == question.facts
    assert Counter(answer.model for answer in answers if not answer.labelled_whole) == {"smollm2:135m": 21}
    counts = Counter((answer.model, answer.split) for answer in answers)
    assert counts == {
        ("qwen2.5:1.5b", "calibration"): 29,
        ("qwen2.5:1.5b", "test"): 24,
        ("smollm2:135m", "calibration"): 40,
        ("smollm2:135m", "test"): 36,
    }


@pytest.fixture(scope="module")
def judged(embedder):
    """The claims of the test split: what the check was not tuned on."""
    return judge([one for one in read_labelled_answers() if one.split == "test"], embedder)


@pytest.mark.parametrize(
    ("model", "supported", "unsupported", "struck", "shown"),
    [("qwen2.5:1.5b", 10, 10, 2, 0), ("smollm2:135m", 7, 30, 2, 0)],
)
def test_check_of_own_answers_is_no_worse_than_measured(judged, model, supported, unsupported, struck, shown):
    """EXPERIMENTS.md, checked answers. Fewer of either error is progress: lower the bound with it."""
    found = tally([one for one in judged if one.answer.model == model], "worded")
    assert (found.supported_struck.n, found.unsupported_shown.n) == (supported, unsupported)
    assert found.supported_struck.k <= struck
    assert found.unsupported_shown.k <= shown
