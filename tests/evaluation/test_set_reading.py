"""Question sets of every known format, and what is said about broken ones."""

import json
from pathlib import Path

import pytest

from ragcore.errors import InputError
from ragcore.evaluation.importing import citation_golds
from ragcore.evaluation.question import Gold
from ragcore.evaluation.sets import load_set

EVAL_DATA = Path(__file__).parents[2] / "eval_data"
ANSWERABLE = {
    "id": "s-001",
    "kind": "answerable",
    "split": "test",
    "question": "What is the fee?",
    "gold": [{"document": "a.md", "section": "Fees", "quote": "The fee is £5."}],
}
MISSING = {"id": "s-002", "kind": "missing_info", "split": "test", "question": "Who set it?"}


def jsonl(folder: Path, *rows: dict | str, name: str = "questions.jsonl") -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def as_json(folder: Path, content, name: str = "other.json") -> Path:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder / name


def as_csv(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    (folder / "asked.csv").write_bytes(content.encode(encoding))
    return folder / "asked.csv"


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_set(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "size", "corpus"),
    [
        ("handbook", 93, "handbook"),
        ("policies", 95, "policies"),
        ("manuals", 60, "manuals"),
        ("cv", 25, "cv"),
        ("general_knowledge", 30, None),
        ("followups", 40, "handbook"),
    ],
)
def test_own_set_with_its_corpus(name, size, corpus):
    loaded = load_set(EVAL_DATA / name)
    assert (loaded.name, len(loaded.questions), loaded.format) == (name, size, "jsonl")
    assert [path.resolve() for path in loaded.corpus] == (
        [EVAL_DATA.resolve() / corpus / "corpus"] if corpus else []
    )
    assert not loaded.splits_assigned


def test_own_file_is_the_set_of_its_folder():
    by_file, by_folder = load_set(EVAL_DATA / "cv" / "questions.jsonl"), load_set(EVAL_DATA / "cv")
    assert (by_file.name, by_file.corpus, by_file.questions) == ("cv", by_folder.corpus, by_folder.questions)


def test_chain_keeps_its_turns_and_the_gold_of_each():
    chain = next(one for one in load_set(EVAL_DATA / "followups").questions if one.id == "followups-021")
    assert chain.turns[0] == "How old must I be to join as an adult?"
    assert chain.turns[-1] == chain.question == "And where is that test held?"
    assert chain.turn_gold[0][0].quote == "Adults join from the age of 18"
    assert [len(gold) for gold in chain.turn_gold] == [1, 1, 1]
    assert chain.facts == (("pool",), ("Ferrant",))


def test_all_of_the_gold_is_needed_where_it_says_so():
    assert load_set(EVAL_DATA / "cv").questions[0].needs == "all"


def test_injection_without_gold_is_to_be_refused():
    attacks = [one for one in load_set(EVAL_DATA / "manuals").questions if one.kind == "injection"]
    assert len(attacks) == 10
    assert {one.expected_behavior for one in attacks} == {"refuse"}
    assert attacks[0].canary == "MARLSTONE"


def test_given_corpus_replaces_the_own_one(tmp_path):
    assert load_set(EVAL_DATA / "cv", [tmp_path]).corpus == (tmp_path,)
    with pytest.raises(InputError, match=r"There is no corpus at .*nowhere"):
        load_set(EVAL_DATA / "cv", [tmp_path / "nowhere"])


def test_line_separators_inside_a_string_do_not_end_the_line(tmp_path):
    row = json.dumps(MISSING | {"question": "Who set\u2028it?"}, ensure_ascii=False)
    assert load_set(jsonl(tmp_path, row)).questions[0].question == "Who set\u2028it?"


def test_byte_order_mark_and_carriage_returns(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (json.dumps(ANSWERABLE) + "\r\n\r\n").encode())
    assert [one.id for one in load_set(path).questions] == ["s-001"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            MISSING | {"kind": "answerabel"},
            "questions.jsonl, line 2: 'kind' is 'answerabel'; use one of answerable, general_knowledge, "
            "missing_info, follow_up, follow_up_off_topic, injection.",
        ),
        (MISSING | {"gols": []}, "questions.jsonl, line 2: unknown key 'gols'; did you mean 'gold'?"),
        (MISSING | {"question": " "}, "questions.jsonl, line 2: 'question' is empty."),
        (MISSING | {"question": 7}, "questions.jsonl, line 2: 'question' is 7; a text is expected."),
        ({"id": "x", "question": "Who?"}, "questions.jsonl, line 2: 'kind' is missing."),
        (
            MISSING | {"split": "train"},
            "questions.jsonl, line 2: 'split' is 'train'; use one of calibration, test.",
        ),
        (
            ANSWERABLE | {"id": "x", "gold": []},
            "questions.jsonl, line 2: 'gold' is empty; a question of kind answerable names at least one passage.",
        ),
        (
            MISSING | {"gold": ANSWERABLE["gold"]},
            "questions.jsonl, line 2: a question of kind missing_info has no answer, so 'gold' must be empty.",
        ),
        (
            ANSWERABLE | {"id": "x", "gold": [{"document": "a.pdf", "page": 0, "quote": "fee"}]},
            "questions.jsonl, line 2: the page of a gold passage is 0; pages count from 1.",
        ),
        (
            MISSING | {"kind": "follow_up_off_topic"},
            "questions.jsonl, line 2: a follow_up_off_topic needs 'turns' with at least two entries.",
        ),
        (
            MISSING | {"turns": ["What?", "Who else?"]},
            "questions.jsonl, line 2: 'question' is not the last of 'turns'.",
        ),
        (
            MISSING | {"note": "\ud800"},
            "questions.jsonl, line 2: 'note' has a broken character (NUL or half a surrogate pair); remove it.",
        ),
        ("[1, 2]", "questions.jsonl, line 2: [1, 2] stands where an object in braces is expected."),
        ('{"id": "x"', "questions.jsonl, line 2: this is not JSON (Expecting ',' delimiter, column 11)."),
        (ANSWERABLE, "questions.jsonl: questions 1 and 2 both have the id 's-001'."),
    ],
)
def test_broken_line_is_named(tmp_path, row, message):
    assert refused(jsonl(tmp_path, ANSWERABLE, row)) == message


def test_empty_and_missing_sets(tmp_path):
    assert refused(tmp_path / "none") == f"There is no question set at {tmp_path / 'none'}."
    assert refused(tmp_path) == f"The folder {tmp_path} has no questions.jsonl, so it is not a question set."
    assert refused(jsonl(tmp_path, "")) == "questions.jsonl holds no questions."
    assert refused(as_json(tmp_path, [])) == "other.json holds no questions."
    assert refused(as_csv(tmp_path, "")) == "asked.csv holds no questions."


def test_latin_1_file(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(json.dumps(ANSWERABLE).encode() + b"\n" + b'{"question": "caf\xe9"}')
    assert refused(path) == "questions.jsonl, line 2: byte 0xe9 is not UTF-8; save the file as UTF-8."


def test_set_json_names_a_folder_that_is_not_there(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    jsonl(folder, MISSING)
    (folder / "set.json").write_text('{"corpus": "gone"}', encoding="utf-8")
    assert refused(folder) == "set.json of mine names the corpus of gone, which is not there."


def test_array_of_expected_substrings(tmp_path):
    rows = [
        {"question": "How long?", "expectedSubstrings": [". To qualify as an", "two days"], "notes": "n"},
        {"question": "Who?", "expectedSubstrings": ["Ada"], "category": "baseline"},
    ]
    loaded = load_set(as_json(tmp_path, rows))
    first, second = loaded.questions
    assert loaded.format == "json-array"
    assert (first.id, first.kind, first.note, first.needs) == ("other-001", "answerable", "n", "any")
    assert first.gold == (
        Gold("", "To qualify as an", substring=True),
        Gold("", "two days", substring=True),
    )
    assert (second.category, second.turns) == ("baseline", ("Who?",))


def test_array_of_near_misses_and_unrelated_questions(tmp_path):
    rows = [{"question": "CEO?", "group": "near-miss"}, {"question": "Capital?", "group": "unrelated"}]
    questions = load_set(as_json(tmp_path, rows)).questions
    assert [one.kind for one in questions] == ["missing_info", "general_knowledge"]
    assert {one.expected_behavior for one in questions} == {"refuse"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "Q"}, "give either 'expectedSubstrings' or 'group', and not both."),
        ({"question": "Q", "group": "far"}, "'group' is 'far'; use one of near-miss, unrelated."),
        ({"question": "Q", "expectedSubstrings": []}, "'expectedSubstrings' is empty."),
        (
            {"question": "Q", "expectedSubstrings": [". "]},
            "an expected text is '.', which is nothing to look for.",
        ),
        ({"question": "Q", "expectedSubstring": ["x"]}, "unknown key 'expectedSubstring'; did you mean"),
    ],
)
def test_broken_entry_of_an_array_is_named(tmp_path, row, message):
    path = as_json(tmp_path, [{"question": "CEO?", "group": "near-miss"}, row])
    assert refused(path).startswith(f"other.json, question 2: {message}")


def test_object_of_conversations(tmp_path):
    content = {
        "followups": [{"first": "Days off?", "followup": "And later?", "expected": "20 days"}],
        "offtopic": [{"first": "Days off?", "followup": "Capital of France?"}],
        "chains": [{"turns": ["Remote?", "Approval?", "Abroad?"], "expected": "four weeks"}],
    }
    loaded = load_set(as_json(tmp_path, content))
    assert loaded.format == "json-conversations"
    assert [(one.kind, one.category, one.turns) for one in loaded.questions] == [
        ("follow_up", "two_turn", ("Days off?", "And later?")),
        ("follow_up_off_topic", "off_topic", ("Days off?", "Capital of France?")),
        ("follow_up", "chain", ("Remote?", "Approval?", "Abroad?")),
    ]
    assert loaded.questions[0].gold == (Gold("", "20 days", substring=True),)
    assert loaded.questions[1].gold == ()
    content["chains"][0]["turns"] = ["Remote?"]
    assert refused(as_json(tmp_path, content)) == "other.json, chains 1: a chain needs at least two 'turns'."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_csv_of_citations(tmp_path, encoding, delimiter):
    content = (
        "id,question,gold_citation,gold_key_phrase,expected_behavior\r\n"
        'q1,"How much,\nin pounds?",fees.pdf:3,£5,answer\r\n'
        "q2,Who set it?,,,Refusal\r\n"
        'q3,Where?,"[map.pdf, page 4]",,answerable\r\n'
    )
    if delimiter == ";":
        content = content.replace("id,question,gold_citation,gold_key_phrase,expected_behavior", "ID;Question;gold citation;gold_key_phrase;expected_behavior")  # fmt: skip
        content = content.replace(",fees.pdf:3,£5,answer", ";fees.pdf:3;£5;answer").replace("q1,", "q1;")
        content = content.replace("q2,Who set it?,,,", "q2;Who set it?;;;").replace(
            "q3,Where?,", "q3;Where?;"
        )
        content = content.replace(",,answerable", ";;answerable")
    loaded = load_set(as_csv(tmp_path, content, encoding))
    first, second, third = loaded.questions
    assert (loaded.format, first.id, first.question) == ("csv", "q1", "How much,\nin pounds?")
    assert (first.gold, first.facts) == ((Gold("fees.pdf", "", page=3),), (("£5",),))
    assert (second.kind, second.gold, second.expected_behavior) == ("missing_info", (), "refuse")
    assert (third.gold, third.facts) == ((Gold("map.pdf", "", page=4),), ())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("q2,Who?,,,maybe", "line 4: 'expected_behavior' is 'maybe'; use answer or refuse."),
        ("q2,Who?,fees,,answer", "line 4: 'gold_citation' is 'fees'; write it like file.pdf:3."),
        ("q2,Who?,fees.pdf:0,,answer", "line 4: the pages of 'fees.pdf:0' cannot be meant"),
        ("q2,Who?,,,answer", "line 4: an answer is expected, so give 'gold_citation' or 'gold_key_phrase'."),
        ("q2,Who, me?,,,refuse", "line 4: 6 cells for 5 columns; put quotes around text with commas."),
        ('q2,"Who?,,,refuse', "line 4: the cells cannot be told apart (unexpected end of data)."),
    ],
)
def test_broken_csv_row_is_named_by_the_line_on_which_it_begins(tmp_path, row, message):
    head = 'id,question,gold_citation,gold_key_phrase,expected_behavior\nq1,"two\nlines",,,refuse\n'
    assert refused(as_csv(tmp_path, head + row)).startswith(f"asked.csv, {message}")


def test_csv_header_that_does_not_fit(tmp_path):
    assert refused(as_csv(tmp_path, "id,question,gold\n")).startswith("asked.csv, line 1: unknown key 'gold'")
    assert refused(as_csv(tmp_path, "id,question\n")).startswith(
        "asked.csv, line 1: the column 'expected_behavior' is missing"
    )


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("file.pdf:3", (Gold("file.pdf", "", page=3),)),
        ("file.pdf p. 3", (Gold("file.pdf", "", page=3),)),
        ("[a.b v2.pdf, page 12]", (Gold("a.b v2.pdf", "", page=12),)),
        ("file.pdf#page=3", (Gold("file.pdf", "", page=3),)),
        ("file.pdf: pp. 3–4", (Gold("file.pdf", "", page=3), Gold("file.pdf", "", page=4))),
        ("notes.md:§ Fees", (Gold("notes.md", "", section="Fees"),)),
        ("notes.md:1", (Gold("notes.md", "£5", substring=True),)),
        ("file.pdf", (Gold("file.pdf", "£5", substring=True),)),
    ],
)
def test_written_citations(citation, expected):
    assert citation_golds(citation, "x", "£5") == expected


def test_file_of_another_kind(tmp_path):
    (tmp_path / "set.txt").write_text("What?", encoding="utf-8")
    assert refused(tmp_path / "set.txt").startswith("set.txt is no question set: .jsonl, .json and .csv")


def test_file_without_splits_gets_two_fifths_for_calibration_whatever_its_order(tmp_path):
    rows = [{"question": f"Question {n}?", "id": f"q{n}", "group": "unrelated"} for n in range(10)]
    forward = load_set(as_json(tmp_path, rows))
    backward = load_set(as_json(tmp_path, rows[::-1]))
    assert forward.splits_assigned
    assert sum(one.split == "calibration" for one in forward.questions) == 4
    assert {one.id: one.split for one in forward.questions} == {
        one.id: one.split for one in backward.questions
    }


def test_questions_with_the_same_gold_stay_on_one_side(tmp_path):
    rows = [{"question": f"Q{n}?", "expectedSubstrings": [f"gold {n // 2}"]} for n in range(20)]
    questions = load_set(as_json(tmp_path, rows)).questions
    assert all(questions[n].split == questions[n + 1].split for n in range(0, 20, 2))
    assert sum(one.split == "calibration" for one in questions) == 8


def test_content_hash_follows_what_is_asked_and_not_order_or_notes(tmp_path):
    base = load_set(jsonl(tmp_path, ANSWERABLE, MISSING)).content_hash()
    assert load_set(jsonl(tmp_path, MISSING, ANSWERABLE | {"note": "new"})).content_hash() == base
    assert load_set(jsonl(tmp_path, ANSWERABLE, MISSING | {"question": "Who?"})).content_hash() != base
    assert len(base) == 64
