"""Grading by hand: the order of the answers, taking back, agreement, and grades out and in again."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from ragcore.errors import InputError, NotFound
from ragcore.evaluation.automatic_grade import automatic_grade
from ragcore.evaluation.exporting import write_rows
from ragcore.evaluation.grade_transfer import read_grades
from ragcore.evaluation.grading_queue import GradingQueue, Selection
from ragcore.evaluation.hand_agreement import against_automatic, between_graders
from ragcore.evaluation.hand_grading import HandGrading
from ragcore.evaluation.outcome import Outcome
from ragcore.storage import Evaluations

# id, kind, expected, score, refused, verdict
OUTCOMES = [
    ("a", "answerable", "answer", 0.60, False, "right"),
    ("b", "answerable", "answer", 0.26, False, "wrong"),
    ("c", "answerable", "answer", 0.20, True, "refused"),
    ("d", "missing_info", "refuse", 0.30, False, None),
    ("e", "general_knowledge", "refuse", 0.02, True, None),
    ("f", "answerable", "answer", None, False, "ungraded"),
]


@pytest.fixture
def evaluations(database) -> Evaluations:
    return Evaluations(database)


@pytest.fixture
def grading(evaluations: Evaluations) -> HandGrading:
    return HandGrading(evaluations)


def make_run(evaluations: Evaluations, *, suffix: str = "") -> int:
    run_id = evaluations.begin(
        name="secret model", question_set="s", stage="answers", config={}, provenance={}, questions=7
    )
    for key, kind, expected, score, refused, verdict in OUTCOMES:
        outcome = Outcome(
            id=key, kind=kind, category=f"cat-{key}", difficulty="easy", split="test", question=f"{key}?",
            expected=expected, top_score=score, cutoff=0.25, refused=refused, verdict=verdict,
            answer=f"=SUM({key}), \"so\"\r\n it's {suffix}",
        )  # fmt: skip
        save(evaluations, run_id, outcome)
    save(evaluations, run_id, Outcome("x", "answerable", "", "", "test", "x?", "answer", error="down"))
    return run_id


def save(evaluations: Evaluations, run_id: int, outcome: Outcome) -> None:
    evaluations.save_result(
        run_id,
        {
            "question_id": outcome.id,
            "kind": outcome.kind,
            "category": outcome.category,
            "split": outcome.split,
            "question": {"set": "s", "collection": "c", "turns": [], "gold": [], "facts": [], "note": ""},
            "outcome": outcome.as_dict(),
            "score": outcome.top_score,
            "verdict": outcome.verdict,
            "failure_stage": None,
            "trace_id": None,
        },
    )


@pytest.fixture
def run_id(evaluations: Evaluations) -> int:
    return make_run(evaluations)


def give(grading: HandGrading, run_id: int, grader: str, **grades: str) -> None:
    answers = {one.outcome.id: one for one in grading.answers(run_id)}
    for key, grade in grades.items():
        grading.grade(answers[key], grade, grader=grader)


def grades_of(grading: HandGrading, run_id: int, grader: str) -> dict[str, str]:
    answers = grading.answers(run_id)
    return {one.outcome.id: grade for one in answers if (grade := one.grade_by(grader))}


def ids(answers) -> str:
    return "".join(one.outcome.id for one in answers)


# --- the queue ---


def test_only_answers_are_graded_and_only_runs_with_answers_listed(evaluations, grading, run_id):
    evaluations.begin(name="n", question_set="s", stage="refusal", config={}, provenance={}, questions=0)
    assert ids(grading.answers(run_id)) == "abcdef"
    assert [(run.id, n) for run, n in grading.runs()] == [(run_id, 6)]


def test_nearest_to_the_cutoff_first_and_without_a_score_last(grading, run_id):
    assert ids(GradingQueue(grading.answers(run_id), "Ada").answers) == "bcdeaf"


def test_random_order_hangs_on_the_seed_alone(grading, run_id):
    answers = grading.answers(run_id)
    orders = [ids(GradingQueue(answers, "Ada", order="random", seed=seed).answers) for seed in range(8)]
    assert ids(GradingQueue(reversed(answers), "Ben", order="random", seed=3).answers) == orders[3]
    assert len(set(orders)) > 5 and all(sorted(order) == list("abcdef") for order in orders)
    without_a = GradingQueue([one for one in answers if one.outcome.id != "a"], "Ada", order="random", seed=3)
    assert ids(without_a.answers) == orders[3].replace("a", "")


def test_selections(grading, run_id):
    give(grading, run_id, "Ada", a="right", b="right", c="should_have_answered")
    give(grading, run_id, "Ben", a="partly", b="right")
    answers = grading.answers(run_id)

    def chosen(**selection) -> str:
        return ids(GradingQueue(answers, "Ada", selection=Selection(**selection)).answers)

    assert chosen(kind="answerable") == "bcaf"
    assert chosen(category="cat-d") == "d"
    assert chosen(automatic="should_have_refused") == "d"
    assert chosen(state="ungraded") == "def"
    assert chosen(state="graded") == "bca"
    assert chosen(state="disputed") == "a"
    assert chosen(state="differing") == "b"
    assert chosen(kind="answerable", state="ungraded") == "f"


def test_next_ungraded_goes_on_behind_and_then_from_the_front(grading, run_id):
    give(grading, run_id, "Ada", c="wrong", d="wrong")
    queue = GradingQueue(grading.answers(run_id), "Ada")
    by_id = {one.outcome.id: one.id for one in queue.answers}
    assert queue.next_ungraded().outcome.id == "b"
    assert queue.next_ungraded(by_id["b"]).outcome.id == "e"
    assert queue.next_ungraded(by_id["f"]).outcome.id == "b"
    assert (queue.graded, len(queue), queue.number(by_id["d"])) == (2, 6, 3)
    assert queue.next(by_id["b"]).outcome.id == "c" and queue.previous(by_id["b"]) is None


def test_answer_that_left_the_selection_keeps_its_place(grading, run_id):
    give(grading, run_id, "Ada", d="wrong")
    queue = GradingQueue(grading.answers(run_id), "Ada", selection=Selection(state="ungraded"))
    left = next(one.id for one in grading.answers(run_id) if one.outcome.id == "d")
    assert queue.number(left) is None and queue.get(left).outcome.id == "d"
    assert queue.next(left).outcome.id == queue.next_ungraded(left).outcome.id == "e"
    assert queue.previous(left).outcome.id == "c"


def test_all_graded_has_no_next(grading, run_id):
    give(grading, run_id, "Ada", **dict.fromkeys("abcdef", "right"))
    queue = GradingQueue(grading.answers(run_id), "Ada")
    assert queue.next_ungraded() is None and queue.next_ungraded(queue.answers[2].id) is None


# --- giving and taking back ---


def test_same_grade_again_is_not_stored_twice(evaluations, grading, run_id):
    answer = grading.answers(run_id)[0]
    assert grading.grade(answer, "right", grader="Ada", note="n")
    assert not grading.grade(answer, "right", grader=" Ada ", note="n")
    assert grading.grade(answer, "right", grader="Ada", note="other")
    assert [given.note for given in evaluations.grade_history(run_id)] == ["n", "other"]


def test_take_back_goes_backwards_over_answers_and_restores(evaluations, grading, run_id):
    give(grading, run_id, "Ada", a="right", b="wrong")
    give(grading, run_id, "Ben", a="partly")
    give(grading, run_id, "Ada", a="partly")
    taken = grading.take_back(run_id, "Ada")
    assert (taken.question_id, taken.grade, taken.restored.grade) == ("a", "partly", "right")
    assert grades_of(grading, run_id, "Ada") == {"a": "right", "b": "wrong"}
    taken = grading.take_back(run_id, "Ada")
    assert (taken.question_id, taken.grade, taken.restored) == ("b", "wrong", None)
    assert grading.take_back(run_id, "Ada").question_id == "a"
    assert grading.take_back(run_id, "Ada") is None
    assert grades_of(grading, run_id, "Ada") == {} and grades_of(grading, run_id, "Ben") == {"a": "partly"}
    assert len(evaluations.grade_history(run_id)) == 7

    give(grading, run_id, "Ada", c="wrong")
    assert grading.take_back(run_id, "Ada").question_id == "c"


def test_unknown_grade_grader_and_run(evaluations, grading, run_id):
    answer = grading.answers(run_id)[0]
    with pytest.raises(InputError, match="'good' is no grade"):
        grading.grade(answer, "good", grader="Ada")
    with pytest.raises(InputError, match="name of its grader"):
        grading.grade(answer, "right", grader="  ")
    with pytest.raises(NotFound, match="no evaluation run 99"):
        grading.answers(99)
    assert evaluations.grade_history(run_id) == []


# --- agreement ---


def test_automatic_grades_in_the_words_of_a_person(grading, run_id):
    found = {one.outcome.id: one.automatic for one in grading.answers(run_id)}
    assert found == {
        "a": "right", "b": "wrong", "c": "should_have_answered", "d": "should_have_refused", "e": "right",
        "f": "ungraded",
    }  # fmt: skip
    assert automatic_grade(Outcome("x", "answerable", "", "", "test", "x?", "answer", error="down")) is None


def test_partly_is_not_right_but_is_no_other_grade(grading, run_id):
    give(
        grading,
        run_id,
        "Ada",
        a="right",
        b="partly",
        c="should_have_answered",
        d="right",
        e="right",
        f="right",
    )
    found = against_automatic(grading.answers(run_id), "Ada")
    # Right or not: a and e both right, b and c both not, d turned; f was left to a person.
    assert (found.right.agreed, found.right.n, found.right.left_out) == (4, 5, 1)
    # n 5; rows 2 right, 3 not; columns 3 right, 2 not: chance 12/25, so (4/5 - 12/25) / (1 - 12/25).
    assert found.right.kappa == pytest.approx((20 - 12) / (25 - 12))
    assert (found.same.agreed, found.same.n) == (3, 5)
    assert [(one.answer.outcome.id, one.automatic, one.hand, one.turns) for one in found.differences] == [
        ("d", "should_have_refused", "right", True),
        ("b", "wrong", "partly", False),
    ]
    assert {kind: (rate.k, rate.n) for kind, rate in found.by_kind.items()} == {
        "answerable": (3, 3), "general_knowledge": (1, 1), "missing_info": (0, 1)
    }  # fmt: skip


def test_graders_among_themselves(grading, run_id):
    give(grading, run_id, "Ada", a="right", b="wrong", c="partly")
    give(grading, run_id, "Ben", a="right", b="partly")
    give(grading, run_id, "Cy", f="right")
    (pair,) = between_graders(grading.answers(run_id))
    assert (pair.first, pair.second, pair.agreement.n, pair.agreement.agreed) == ("Ada", "Ben", 2, 1)
    assert [one.outcome.id for one in grading.answers(run_id) if one.disputed] == ["b"]


# --- out and in again ---


def history(evaluations, run_id):
    return [(g.result_id, g.grade, g.note, g.grader, g.created_at) for g in evaluations.grade_history(run_id)]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_export_and_import_lose_nothing(evaluations, grading, run_id, kind):
    answers = {one.outcome.id: one for one in grading.answers(run_id)}
    grading.grade(answers["a"], "right", grader="Ada | Lovelace", note='=1+1 | "x"\nnext, line')
    grading.grade(answers["a"], "partly", grader="Ben", note="")
    grading.grade(answers["d"], "should_have_refused", grader="0042", note="17")
    before = history(evaluations, run_id)
    data = write_rows(grading.rows(run_id), kind)

    again = grading.import_rows(run_id, read_grades(data, f"g.{kind}"))
    assert (len(again.imported), again.there, again.sentence) == (
        0, 3, "Imported 0 grades; skipped: 3 there already."
    )  # fmt: skip
    for grader in ("Ada | Lovelace", "Ben", "0042"):
        grading.take_back(run_id, grader)
    assert grading.rows(run_id) == []
    found = grading.import_rows(run_id, read_grades(data, f"g.{kind}"))
    assert found.sentence == "Imported 3 grades by 0042, Ada | Lovelace, Ben."
    assert history(evaluations, run_id)[-3:] == before
    assert write_rows(grading.rows(run_id), kind) == data
    assert grading.import_rows(run_id, read_grades(data, f"g.{kind}")).imported == ()


def test_import_into_another_run_of_the_same_answers(evaluations, grading, run_id):
    give(grading, run_id, "Ada", a="right", b="wrong")
    other = make_run(evaluations)
    grading.import_rows(other, grading.rows(run_id))
    assert grades_of(grading, other, "Ada") == {"a": "right", "b": "wrong"}


def test_what_an_import_leaves_out_is_counted(evaluations, grading, run_id):
    give(grading, run_id, "Ada", a="right", b="wrong", c="partly")
    first, second, third = grading.rows(run_id)
    rows = [
        {**first, "grade": "wrong", "graded_at": "2020-01-01T00:00:00+00:00"},
        {**second, "answer": "Another answer."},
        {**third, "question_id": "zz"},
        {**third, "grade": None},
        {**third, "note": "seen twice"},
    ]
    found = grading.import_rows(run_id, rows)
    assert (len(found.imported), found.older, found.other_answer, found.unknown, found.without_grade) == (
        1, 1, 1, ("zz",), 1
    )  # fmt: skip
    assert found.sentence == (
        "Imported 1 grade by Ada; skipped: 1 older than the grade that counts, 1 given for another answer than "
        "this run's, 1 for questions that this run has no answer to (zz), 1 row without a grade."
    )
    assert grading.answers(run_id)[2].note_by("Ada") == "seen twice"


def test_newer_grade_of_a_file_wins_and_keeps_its_time(grading, run_id):
    give(grading, run_id, "Ada", a="right")
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    (row,) = grading.rows(run_id)
    grading.import_rows(run_id, [{**row, "grade": "wrong", "graded_at": later.isoformat()}])
    given = grading.answers(run_id)[0].grades["Ada"]
    assert (given.grade, given.created_at) == ("wrong", later)


def test_csv_saved_again_by_a_spreadsheet(grading, run_id):
    """LibreOffice drops the quotes, the last digits of a score, and carriage returns within cells."""
    answers = {one.outcome.id: one for one in grading.answers(run_id)}
    grading.grade(answers["a"], "right", grader="007", note="0017")
    grading.grade(answers["b"], "wrong", grader="Ada", note="=1")
    before = grading.rows(run_id)
    rows = [{**row, "answer": row["answer"].replace("\r\n", "\n"), "top_score": 0.6} for row in before]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), quoting=csv.QUOTE_MINIMAL)
    writer.writeheader()
    writer.writerows(
        {key: f"'{v}" if v == "=1" or key == "answer" else v for key, v in row.items()} for row in rows
    )
    data = out.getvalue().encode("utf-8-sig")
    assert b",0017,007," in data
    assert grading.import_rows(run_id, read_grades(data, "g.csv")).there == 2
    grading.take_back(run_id, "007")
    grading.take_back(run_id, "Ada")
    grading.import_rows(run_id, read_grades(data, "G.CSV"))
    assert grading.rows(run_id) == before


def test_row_without_a_time_is_of_now(grading, run_id):
    give(grading, run_id, "Ada", a="right")
    (row,) = grading.rows(run_id)
    grading.import_rows(run_id, [{**row, "grader": 42, "note": 17, "graded_at": ""}])
    given = grading.answers(run_id)[0].grades["42"]
    assert given.note == "17" and abs(datetime.now(UTC) - given.created_at) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"grade": "good"}, "Row 2: 'good' is no grade"),
        ({"grader": " "}, "Row 2, question 'b': the grade has no grader."),
        ({"graded_at": "yesterday"}, "Row 2: graded_at 'yesterday' is no time"),
    ],
)
def test_bad_row_is_named_and_nothing_is_imported(evaluations, grading, run_id, change, sentence):
    give(grading, run_id, "Ada", a="right", b="wrong")
    rows = [{**row, "grader": "Eve"} for row in grading.rows(run_id)]
    rows[1] = {**rows[1], **change}
    with pytest.raises(InputError, match=sentence):
        grading.import_rows(run_id, rows)
    assert grades_of(grading, run_id, "Eve") == {}


def test_export_of_results_is_no_file_of_grades(grading, run_id):
    with pytest.raises(InputError, match=r"Row 1 has no column grade: .* Export one with"):
        grading.import_rows(run_id, [{"question_id": "a", "hand_grade": "right", "grader": "Ada"}])
    with pytest.raises(InputError, match=r"'grades\.xlsx' is no file of grades"):
        read_grades(b"", "grades.xlsx")


def test_rows_carry_answer_automatic_grade_and_utc_time(grading, run_id):
    give(grading, run_id, "Ada", d="should_have_refused")
    (row,) = grading.rows(run_id)
    assert (row["run"], row["question_id"], row["kind"], row["automatic_grade"], row["grade"], row["grader"]) == (
        run_id, "d", "missing_info", "should_have_refused", "should_have_refused", "Ada"
    )  # fmt: skip
    assert row["graded_at"].endswith("+00:00")
