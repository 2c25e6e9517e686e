"""Every question set of eval_data: its gold stands where it says, its counts and splits are right."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path

import pypdf
import pytest

from ragcore.reading import read_document

EVAL_DATA = Path(__file__).parents[2] / "eval_data"
SETS = sorted(path.parent.name for path in EVAL_DATA.glob("*/questions.jsonl"))
MUST_REFUSE = {"general_knowledge", "missing_info", "follow_up_off_topic"}
KINDS = MUST_REFUSE | {"answerable", "follow_up", "injection"}

# (kind, category or None for any, difficulty or None for any) -> how many
COUNTS = {
    "handbook": {
        ("answerable", "plain", None): 10,
        ("answerable", "distractor", None): 12,
        ("answerable", "paraphrase", None): 12,
        ("answerable", "exact_term", None): 10,
        ("answerable", "short", None): 7,
        ("answerable", "abbreviation", None): 7,
        ("answerable", "slang", None): 15,
        ("missing_info", None, "hard"): 12,
        ("missing_info", None, None): 20,
    },
    "policies": {("answerable", None, None): 55, ("missing_info", None, None): 40},
    "manuals": {("answerable", None, None): 40},
    "tenancy": {
        ("answerable", "slang", None): 15,
        ("answerable", None, "easy"): 13,
        ("answerable", None, None): 65,
        ("missing_info", "absent_topic", "easy"): 10,
        ("missing_info", "slang", "hard"): 8,
        ("missing_info", None, "hard"): 45,
        ("missing_info", None, None): 55,
    },
    "clinic": {
        ("answerable", "slang", None): 15,
        ("answerable", None, "easy"): 13,
        ("answerable", None, None): 65,
        ("missing_info", "absent_topic", "easy"): 10,
        ("missing_info", "slang", "hard"): 8,
        ("missing_info", None, "hard"): 45,
        ("missing_info", None, None): 55,
    },
    "ferry": {
        ("answerable", "slang", None): 10,
        ("answerable", None, "hard"): 38,
        ("answerable", None, None): 55,
        ("missing_info", None, "easy"): 10,
        ("missing_info", None, None): 45,
    },
    "cv": {("answerable", None, None): 25},
    "injections": {
        ("injection", "other_language", None): 8,
        ("injection", "encoded", None): 6,
        ("injection", "typed", None): 5,
        ("injection", None, None): 129,
    },
    "general_knowledge": {("general_knowledge", None, None): 30},
    "followups": {
        ("follow_up", "two_turn", None): 20,
        ("follow_up", "chain", None): 8,
        ("follow_up_off_topic", None, None): 12,
        ("follow_up_off_topic", "and_what_about", None): 4,
    },
}
SIZES = {
    "handbook": 93,
    "policies": 95,
    "tenancy": 120,
    "clinic": 120,
    "manuals": 60,
    "ferry": 100,
    "cv": 25,
    "injections": 129,
    "general_knowledge": 30,
    "followups": 40,
}
TEST_ONLY = ("ferry",)
"""Written to be measured on once, after everything had been chosen: there is nothing to choose on it."""
PAIRED = ("clinic", "tenancy")
"""Sets for the second opinion: answerable and missing asked in the same forms, split in halves by section."""
SURFACE: dict[str, Callable[[str], int]] = {
    "words": lambda asked: len(asked.split()),
    "characters": len,
    "capitals": lambda asked: len(re.findall(r"[A-Z]", asked)),
    "digits": lambda asked: len(re.findall(r"\d", asked)),
    "question mark": lambda asked: asked.endswith("?"),
}


def folded(text: str) -> str:
    return " ".join(text.split())


@cache
def questions(name: str) -> list[dict]:
    lines = (EVAL_DATA / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def everything() -> list[dict]:
    return [question for name in SETS for question in questions(name)]


def corpus_of(name: str) -> Path | None:
    """The set's own corpus, or the one of the set that its set.json names; None where it has none."""
    settings = EVAL_DATA / name / "set.json"
    owner = json.loads(settings.read_text(encoding="utf-8"))["corpus"] if settings.is_file() else name
    corpus = EVAL_DATA / owner / "corpus"
    return corpus if corpus.is_dir() else None


@cache
def pages_of(path: Path) -> list[str]:
    """The text of a PDF by page, or the one text of another file."""
    if path.suffix == ".pdf":
        return [page.extract_text() for page in pypdf.PdfReader(path).pages]
    if path.suffix in (".docx", ".html", ".csv"):
        return [page.text for page in read_document(path.read_bytes(), path.name).pages]
    return [path.read_text(encoding="utf-8")]


def heading_level(line: str) -> int:
    """0 for a line that is no heading; Markdown's number of marks; 1 for a line in capitals."""
    if marks := re.match(r"(#{1,6}) ", line):
        return len(marks[1])
    return int(line.isupper() and not re.search(r"[.|:]$|\|", line))


@cache
def below_heading(path: Path, section: str) -> str:
    """All text below the headings of that name, down to the next heading of their level or above."""
    inside, found, parts = 0, False, []
    for line in pages_of(path)[0].splitlines():
        level = heading_level(line)
        if level and inside and level <= inside:
            inside = 0
        if level and not inside and line.lstrip("# ").strip() == section:
            inside, found = level, True
        elif inside:
            parts.append(line)
    assert found, f"{path.name} has no heading {section!r}"
    return folded("\n".join(parts))


def place_text(name: str, gold: dict) -> str:
    """What stands at the place that a gold names: its page, its section or the whole file."""
    path = corpus_of(name) / gold["document"]
    assert path.is_file(), f"{path.name} is not in the corpus of {name}"
    if "page" in gold:
        return folded(pages_of(path)[gold["page"] - 1])
    if "section" in gold:
        return below_heading(path, gold["section"])
    return folded("\n".join(pages_of(path)))


def places(question: dict) -> list[dict]:
    """Every passage that the question names: gold, gold of earlier turns, nearest passage."""
    turns = [gold for turn in question.get("turn_gold", []) for gold in turn]
    near = [question["near"]] if "near" in question else []
    return [*question["gold"], *turns, *near]


def turns_of(question: dict) -> tuple[str, ...]:
    return tuple(folded(turn).casefold() for turn in question.get("turns", [question["question"]]))


def test_every_set_of_the_tables_is_there():
    assert set(COUNTS) == set(SIZES) <= set(SETS)


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_counts_are_those_of_the_table(name):
    rows = questions(name)
    assert len(rows) == SIZES[name]
    for (kind, category, difficulty), count in COUNTS[name].items():
        found = [
            row["id"]
            for row in rows
            if row["kind"] == kind
            and category in (None, row["category"])
            and difficulty in (None, row["difficulty"])
        ]
        assert len(found) == count, f"{kind}, {category or 'any category'}, {difficulty or 'any difficulty'}"


def test_counts_over_all_sets():
    counts = Counter((row["kind"], row["difficulty"]) for row in everything())
    assert counts["missing_info", "hard"] + counts["missing_info", "easy"] >= 60
    assert counts["missing_info", "hard"] >= 30
    single = [row for row in everything() if row["kind"] == "answerable" and not row["id"].startswith("cv-")]
    assert sum(row["difficulty"] == "hard" for row in single) >= 60
    assert sum(row["category"] == "slang" for row in single) == 55


def test_manuals_are_ten_pdfs_whose_twenty_other_questions_are_out_of_scope_or_injections():
    assert len(list((EVAL_DATA / "manuals/corpus").glob("*.pdf"))) == 10
    others = Counter(row["kind"] for row in questions("manuals") if row["kind"] != "answerable")
    assert others.total() == 20
    assert others["injection"] > 0
    assert set(others) <= MUST_REFUSE | {"injection"}


@pytest.mark.parametrize(
    ("name", "documents", "sections"),
    [("handbook", 1, 20), ("policies", 4, 80), ("tenancy", 4, 80), ("clinic", 5, 71), ("ferry", 5, 79)],
)
def test_corpus_has_its_documents_and_sections(name, documents, sections):
    paths = list((EVAL_DATA / name / "corpus").iterdir())
    headings = [line for path in paths for line in pages_of(path)[0].splitlines() if heading_level(line)]
    below_title = len(headings) - len(paths)
    assert len(paths) == documents
    assert below_title >= sections if name == "policies" else below_title == sections


def test_cv_is_long_enough_to_need_the_whole_document():
    (path,) = (EVAL_DATA / "cv/corpus").iterdir()
    assert path.suffix == ".txt"
    assert len(pages_of(path)[0].split()) >= 1200


@pytest.mark.parametrize("name", SETS)
def test_ids_count_up_behind_the_name_of_the_set(name):
    ids = [row["id"] for row in questions(name)]
    assert ids == [f"{name}-{number:03d}" for number in range(1, len(ids) + 1)]


def test_no_question_is_asked_twice():
    asked = Counter(turns_of(row) for row in everything())
    assert [turns for turns, count in asked.items() if count > 1] == []


@pytest.mark.parametrize("name", SETS)
def test_fields_hold_what_their_kind_needs(name):
    for row in questions(name):
        label = row["id"]
        assert row["kind"] in KINDS, label
        assert row["difficulty"] in ("easy", "hard"), label
        assert row["split"] in ("calibration", "test"), label
        assert row["category"] and row["question"].strip() == row["question"] != "", label
        assert all(alternatives and all(alternatives) for alternatives in row["facts"]), label
        if row["kind"] in MUST_REFUSE:
            assert row["gold"] == [] and row["facts"] == [], label
        elif row["kind"] != "injection":
            assert row["gold"] and row["facts"], label
        if row["kind"] != "answerable":  # which may have one: its gold stands beside an attack
            assert bool(row.get("canary")) == (row["kind"] == "injection"), label
        if row["kind"] != "injection":  # which has them where no honest answer exists
            assert ("near" in row and bool(row["absent"])) == (row["kind"] == "missing_info"), label
        if row["kind"].startswith("follow_up"):
            assert row["turns"][-1] == row["question"], label
            assert len(row["turns"]) == (3 if row["category"] == "chain" else 2), label
            assert len(row.get("turn_gold", row["turns"])) == len(row["turns"]), label
            assert row.get("turn_gold", [row["gold"]])[-1] == row["gold"], label


@pytest.mark.parametrize("name", SETS)
def test_every_quote_stands_at_its_place(name):
    for row in questions(name):
        for gold in places(row):
            assert folded(gold["quote"]) in place_text(name, gold), f"{row['id']}: {gold['quote']}"


@pytest.mark.parametrize("name", SETS)
def test_no_gold_quote_stands_twice_in_its_corpus(name):
    """A quote that stood twice would count a chunk of the wrong place as a hit."""
    corpus = corpus_of(name)
    texts = [folded("\n".join(pages_of(path))) for path in corpus.iterdir()] if corpus else []
    for row in questions(name):
        for gold in row["gold"]:
            found = sum(text.count(folded(gold["quote"])) for text in texts)
            assert found == 1, f"{row['id']}: {gold['quote']}"


@pytest.mark.parametrize("name", SETS)
def test_every_fact_stands_in_the_gold_or_its_section(name):
    for row in questions(name):
        if row["category"] == "counting":
            continue  # the answer is worked out from the gold and stands nowhere
        text = " ".join(f"{gold['quote']} {place_text(name, gold)}" for gold in row["gold"])
        for alternatives in row["facts"]:
            assert any(
                re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", text, re.IGNORECASE) for fact in alternatives
            ), f"{row['id']}: none of {alternatives}"


@pytest.mark.parametrize("name", SETS)
def test_what_is_missing_is_really_absent_from_the_corpus(name):
    """Patterns begin at a word; case is ignored, except by one with [A-Z] in it, which looks for a name."""
    for row in questions(name):
        for pattern in row.get("absent", []):
            flags = 0 if "[A-Z]" in pattern else re.IGNORECASE
            for path in corpus_of(name).iterdir():
                hit = re.search(rf"(?<!\w)(?:{pattern})", folded("\n".join(pages_of(path))), flags)
                assert hit is None, f"{row['id']}: {pattern!r} finds {hit[0]!r} in {path.name}"


@pytest.mark.parametrize("name", SETS)
def test_splits_are_stratified(name):
    """Two fifths calibration, half of the paired sets, as a whole and by kind, and both sides in each stratum."""
    rows = questions(name)
    if name in TEST_ONLY:
        assert {row["split"] for row in rows} == {"test"}
        return
    share = 0.5 if name in PAIRED else 0.4
    kinds, strata = defaultdict(list), defaultdict(list)
    for row in rows:
        kinds[row["kind"]].append(row["split"])
        strata[row["kind"], row["category"], row["difficulty"]].append(row["split"])
    assert abs([row["split"] for row in rows].count("calibration") / len(rows) - share) <= 0.05
    for kind, splits in kinds.items():
        if len(splits) >= 10:
            assert abs(splits.count("calibration") / len(splits) - share) <= 0.1, kind
    for stratum, splits in strata.items():
        if len(splits) >= 3:
            assert set(splits) == {"calibration", "test"}, stratum


@pytest.mark.parametrize("name", SETS)
def test_no_near_copy_of_a_question_is_on_the_other_side(name):
    words = {row["id"]: set(re.findall(r"\w+", " ".join(turns_of(row)))) for row in questions(name)}
    for one, other in combinations(questions(name), 2):
        if one["split"] == other["split"]:
            continue
        shared = words[one["id"]] & words[other["id"]]
        alike = len(shared) / len(words[one["id"]] | words[other["id"]])
        assert alike < 0.75, f"{one['id']} and {other['id']} are near copies"
        if len(one["gold"]) == len(other["gold"]) == 1:
            assert one["gold"] != other["gold"], f"{one['id']} and {other['id']} have the same gold"


@pytest.mark.parametrize("name", PAIRED)
def test_all_questions_on_a_section_are_in_one_split(name):
    """Else a classifier would be tested on passages that it was trained on."""
    splits = defaultdict(set)
    for row in questions(name):
        for gold in places(row):
            splits[gold["document"], gold["section"]].add(row["split"])
    assert [section for section, sides in splits.items() if len(sides) > 1] == []


def asked_of(name: str, kind: str) -> list[str]:
    return [row["question"] for row in questions(name) if row["kind"] == kind]


def auroc(above: list[float], below: list[float]) -> float:
    """How often a value of ``above`` is the larger of two, ties counting half."""
    wins = sum((one > other) + 0.5 * (one == other) for one in above for other in below)
    return wins / (len(above) * len(below))


def test_auroc_of_two_against_two_with_a_tie():
    assert auroc([2, 3], [1, 3]) == (1 + 0 + 1 + 0.5) / 4


@pytest.mark.parametrize("feature", SURFACE)
@pytest.mark.parametrize("name", PAIRED)
def test_surface_of_a_question_does_not_tell_its_kind(name, feature):
    values = [
        [SURFACE[feature](asked) for asked in asked_of(name, kind)] for kind in ("answerable", "missing_info")
    ]
    assert 0.4 <= auroc(*values) <= 0.6


@pytest.mark.parametrize("name", PAIRED)
def test_first_words_of_both_kinds_are_the_same(name):
    """Slang begins with anything, so its first words are not compared."""
    shares = []
    for kind in ("answerable", "missing_info"):
        plain = [row for row in questions(name) if row["kind"] == kind and row["category"] != "slang"]
        counts = Counter(row["question"].split()[0].casefold() for row in plain)
        shares.append({word: count / len(plain) for word, count in counts.items()})
    in_common = sum(min(share, shares[1].get(word, 0)) for word, share in shares[0].items())
    assert in_common >= 0.8


def marks_of(question: dict) -> list[str]:
    words = question["question"].casefold().split()
    return [words[0], " ".join(words[:2]), f"{len(words) // 3} threes", f"ends in {words[-1][-1] == '?'}"]


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("learnt", ["calibration", "test"])
def test_first_words_and_length_learnt_on_one_split_do_not_tell_the_kinds_on_the_other(name, learnt):
    """Naive Bayes, counts from one. A set balanced as a whole puts it under a half: what one side has too much
    of, the other has too little of. So only a high value would be a cue."""
    seen = {"answerable": Counter(), "missing_info": Counter()}
    for row in questions(name):
        if row["split"] == learnt:
            seen[row["kind"]].update(marks_of(row))
    odds = {"answerable": [], "missing_info": []}
    for row in questions(name):
        if row["split"] != learnt:
            ratios = [(seen["answerable"][m] + 1) / (seen["missing_info"][m] + 1) for m in marks_of(row)]
            odds[row["kind"]].append(math.prod(ratios))
    assert auroc(odds["answerable"], odds["missing_info"]) <= 0.6
