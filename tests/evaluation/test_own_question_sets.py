"""Question sets of one's own: made, added to by several processes, imported, and kept readable."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ragcore.errors import InputError, NotFound
from ragcore.evaluation.question import EvalQuestion, Gold
from ragcore.evaluation.question_format import question_of, row_of
from ragcore.evaluation.question_sets import QuestionSets
from ragcore.evaluation.sets import load_set

ROOT = Path(__file__).parents[2]
LOADED = sorted(path.parent for path in (ROOT / "eval_data").glob("*/questions.jsonl"))


def asked(question: str = "What does a mooring cost?", **more) -> EvalQuestion:
    values = {
        "id": "",
        "kind": "answerable",
        "question": question,
        "turns": (question,),
        "expected_behavior": "answer",
        "gold": (Gold("harbour.pdf", "A mooring costs £8.", page=3),),
        "facts": (("£8", "8 pounds"),),
        "note": "from a chat",
    }
    return EvalQuestion(**{**values, **more})


@pytest.fixture
def sets(tmp_path: Path) -> QuestionSets:
    return QuestionSets(tmp_path)


def own(sets: QuestionSets) -> list[str]:
    return [info.name for info in sets.all() if info.origin == "own"]


@pytest.mark.parametrize("path", LOADED, ids=lambda path: path.name)
def test_every_bundled_question_is_written_as_it_was_read(path: Path) -> None:
    for question in load_set(path).questions:
        assert question_of(json.loads(json.dumps(row_of(question))), "here") == question


def test_bundled_sets_are_listed_with_their_counts_and_are_read_only(sets: QuestionSets) -> None:
    policies = sets.get("policies")
    assert (policies.origin, policies.has_corpus, policies.editable) == ("bundled", True, False)
    assert policies.kinds == {"answerable": 55, "missing_info": 40} and policies.questions == 95
    assert sum(policies.splits.values()) == 95
    assert not sets.get("general_knowledge").has_corpus
    with pytest.raises(InputError, match="'policies' is a bundled set, which is read only"):
        sets.add("policies", asked())
    with pytest.raises(InputError, match="cannot be deleted"):
        sets.delete("policies")


def test_added_questions_come_back_and_can_be_loaded_by_eval_run(sets: QuestionSets) -> None:
    one = sets.add("My harbour", asked())
    two = sets.add(
        "My harbour",
        asked(
            "And in winter?",
            kind="follow_up_off_topic",
            turns=("What does a mooring cost?", "And in winter?"),
            gold=(),
            facts=(),
            expected_behavior="refuse",
            split="calibration",
        ),
    )
    info = sets.get("My harbour")
    assert info.kinds == {"answerable": 1, "follow_up_off_topic": 1}
    assert info.splits == {"test": 1, "calibration": 1} and info.editable
    assert load_set(info.path).questions == (one, two) == sets.questions("My harbour")
    assert one.gold == (Gold("harbour.pdf", "A mooring costs £8.", page=3),) and one.id != two.id


def test_empty_set_is_listed_and_filled_later(sets: QuestionSets) -> None:
    assert sets.create("later").questions == 0 and sets.questions("later") == ()
    with pytest.raises(InputError, match="'later' already"):
        sets.create("later")
    with pytest.raises(InputError, match="'Policies' already"):
        sets.create("Policies")
    sets.add("later", asked())
    assert sets.get("later").questions == 1


def test_id_of_a_deleted_question_does_not_come_back(sets: QuestionSets) -> None:
    gone = sets.add("a", asked())
    sets.delete_question("a", gone.id)
    with pytest.raises(NotFound, match=gone.id):
        sets.delete_question("a", gone.id)
    assert sets.add("a", asked()).id != gone.id
    kept = sets.add("a", asked(id="my-own"))
    with pytest.raises(InputError, match="'my-own' already"):
        sets.add("a", kept)
    sets.delete("a")
    assert own(sets) == []


@pytest.mark.parametrize(
    "name",
    ["", " ", "../x", "a/b", "a\\b", ".hidden", "con", "LPT1", "x" * 61, "a\x00b", "a\nb", "-rf", "a."],
)
def test_names_that_lead_elsewhere_are_refused(sets: QuestionSets, name: str, tmp_path: Path) -> None:
    for act in (lambda: sets.create(name), lambda: sets.import_file(name, b"{}", "a.json")):
        with pytest.raises(InputError, match="cannot be the name of a set"):
            act()
    with pytest.raises(InputError, match="cannot be the name of a set"):
        sets.add(name, asked())
    assert list(tmp_path.rglob("*.jsonl")) == []


def test_question_that_could_not_be_read_back_is_not_written(sets: QuestionSets) -> None:
    sets.add("a", asked())
    for broken, message in (
        (asked(gold=()), "'gold' is empty"),
        (asked(gold=(Gold("", "quote"),)), "'document' is empty"),
        (asked(kind="missing_info"), "'gold' must be empty"),
        (asked(" "), "'question' is empty"),
    ):
        with pytest.raises(InputError, match=message):
            sets.add("a", broken)
    assert len(sets.questions("a")) == 1


def test_two_processes_that_add_at_once_lose_nothing(sets: QuestionSets, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from ragcore.evaluation.question import EvalQuestion, Gold\n"
        "from ragcore.evaluation.question_sets import QuestionSets\n"
        "sets = QuestionSets(Path(sys.argv[1]))\n"
        "for n in range(15):\n"
        "    q = f'{sys.argv[2]} {n}?'\n"
        "    sets.add('shared', EvalQuestion('', 'answerable', q, (q,), 'answer', gold=(Gold('a.md', 'b'),)))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), who], cwd=ROOT) for who in "AB"
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    questions = sets.questions("shared")
    assert {one.question for one in questions} == {f"{who} {n}?" for who in "AB" for n in range(15)}
    assert len({one.id for one in questions}) == 30
    assert [path.name for path in sets.get("shared").path.iterdir()] == ["questions.jsonl"]


ARRAY = b'[{"question": "Who keeps the key?", "expectedSubstrings": ["the warden"]}]'
CSV = b"id,question,gold_citation,gold_key_phrase,expected_behavior\n1,Who?,a.pdf:2,the warden,answer\n"


@pytest.mark.parametrize(
    ("data", "file", "kinds", "editable"),
    [
        (json.dumps(row_of(asked(id="x"))).encode(), "mine.jsonl", {"answerable": 1}, True),
        (ARRAY, "questions.json", {"answerable": 1}, False),
        (b'{"offtopic": [{"first": "A?", "followup": "B?"}]}', "b.json", {"follow_up_off_topic": 1}, False),
        (CSV, "labels.CSV", {"answerable": 1}, False),
    ],
)
def test_every_known_format_is_imported(sets: QuestionSets, data, file, kinds, editable) -> None:
    info = sets.import_file("imported", data, file)
    assert (info.name, info.kinds, info.editable, info.error) == ("imported", kinds, editable, None)
    assert len(load_set(info.path).questions) == 1
    if not editable:
        with pytest.raises(InputError, match="add to another set"):
            sets.add("imported", asked())


@pytest.mark.parametrize(
    ("data", "file", "message"),
    [
        (b"not json", "a.jsonl", r"a\.jsonl, line 1: this is not JSON"),
        (b"", "a.csv", "holds no questions"),
        (b"\xff", "a.json", "not UTF-8"),
        (b"{}", "a.exe", "no question set"),
        (b" " * (21 * 2**20), "a.json", "larger than 20 MiB"),
    ],
)
def test_file_that_is_no_set_is_refused_and_leaves_nothing(sets: QuestionSets, data, file, message) -> None:
    with pytest.raises(InputError, match=message):
        sets.import_file("imported", data, file)
    assert own(sets) == []


def test_set_that_was_spoilt_by_hand_is_listed_with_its_error(sets: QuestionSets) -> None:
    sets.add("a", asked())
    (sets.get("a").path / "questions.jsonl").write_text("{oops", encoding="utf-8")
    info = sets.get("a")
    assert info.questions == 0 and "questions.jsonl, line 1" in (info.error or "")
    with pytest.raises(InputError, match="line 1"):
        sets.add("a", asked())
    with pytest.raises(NotFound, match=r"no question set 'b'\. There are: .*policies"):
        sets.get("b")
