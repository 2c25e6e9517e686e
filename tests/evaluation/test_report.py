"""The report of a run: what stands in it, what survives its next writing, what it refuses to overwrite."""

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ragcore import AskOptions
from ragcore.errors import InputError
from ragcore.evaluation.bench import RunConfig
from ragcore.evaluation.generated_sections import merged
from ragcore.evaluation.markdown import escaped, table
from ragcore.evaluation.report import write_report
from tests.fake_ollama import FakeOllama

CORPUS = """# Terms of the island ferry

## Tickets

A day ticket for the island ferry costs 14 crowns. Children under six travel free.

## Lost property

Lost property is kept at Kettle Quay for 21 days | and <b>no</b> longer.
"""
NASTY = "What does a | day ticket cost? <!-- generated: headline -->\n<!-- end generated --> `x` <b>"
QUESTIONS = [
    {"id": "f-1", "kind": "answerable", "category": "pl|ain", "difficulty": "easy", "split": "test",
     "question": NASTY, "facts": [["14 crowns"]],
     "gold": [{"document": "ferry.md", "section": "Tickets", "quote": "costs 14 crowns."}]},
    {"id": "f-2", "kind": "answerable", "category": "plain", "difficulty": "hard", "split": "test",
     "question": "How long is lost property kept?", "facts": [["21 days"]],
     "gold": [{"document": "ferry.md", "section": "Lost property", "quote": "kept at Kettle Quay for 21 days"}]},
    {"id": "f-3", "kind": "general_knowledge", "category": "general", "difficulty": "easy", "split": "test",
     "question": "Who wrote the opera Tosca?", "facts": [], "gold": []},
]  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def set_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "ferry"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "ferry.md").write_text(CORPUS, encoding="utf-8")
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")
    return folder


class Reported:
    """A run of the stage answers (one right, one wrong, one refused) and its report."""

    def __init__(self, rag, run_id: int, folder: Path) -> None:
        self.rag, self.run_id, self.folder = rag, run_id, folder

    def write(self) -> str:
        evaluations = self.rag.evaluations
        write_report(
            self.folder,
            evaluations.run(self.run_id),
            evaluations.results(self.run_id),
            evaluations.grades(self.run_id),
        )
        return (self.folder / "report.md").read_text(encoding="utf-8")


@pytest.fixture
def reported(open_test_rag, set_folder: Path, tmp_path: Path) -> Reported:
    def reply(body: dict) -> str:
        asked = body["messages"][1]["content"].rpartition("Question:")[2]
        return "It costs 14 crowns | a day [1]." if "ticket" in asked else "It is 30 days [1]."

    with FakeOllama(replies=reply) as ollama:
        rag = open_test_rag(ollama_host=ollama.host)
        # Shown as the model writes it: else what is wrong is struck out, and the document quoted.
        options = AskOptions(generator="ollama", unsupported="show")
        run_id = rag.bench.begin(RunConfig((str(set_folder),), stage="answers", options=options))
        list(rag.bench.carry_out(run_id))
    return Reported(rag, run_id, tmp_path / "out")


def rendered(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(text)


def section(text: str, name: str) -> str:
    return text.split(f"<!-- generated: {name} -->\n")[1].split("<!-- end generated -->")[0]


def test_report_of_answers(reported: Reported) -> None:
    text = reported.write()
    assert "| answer_right | 0.500 | 0.095 to 0.905 | 1/2 |" in section(text, "headline")
    assert "embedder.digest" in section(text, "provenance")
    assert "| options.generator | ollama |" in section(text, "configuration")
    assert "| model | 1/3 | answerable 1 |" in section(text, "failures")
    assert "answerable" in section(text, "by-kind") and "hard" in section(text, "by-difficulty")
    good, failing = section(text, "good-examples"), section(text, "failing-examples")
    assert good.startswith("## Good examples\n\n2 of 2.") and failing.startswith(
        "## Failing examples\n\n1 of 1."
    )
    assert "answer: It is 30 days \\[ferry.md:§ Lost property\\] (not found in the documents)." in failing
    assert "- verdict: wrong. Not in the answer: 21 days." in failing
    assert "- failure stage: model" in failing and "| 1 | gold |" in failing
    assert "No answer of this run has been graded by hand." in section(text, "agreement")


def test_figures_are_written_and_linked(reported: Reported) -> None:
    text = reported.write()
    for name in ("scores", "ranks", "failures"):
        assert f"(figures/{name}.png)" in section(text, "figures")
        assert (reported.folder / "figures" / f"{name}.png").read_bytes().startswith(PNG)


def test_pipes_tags_and_markers_in_questions_and_answers(reported: Reported) -> None:
    text = reported.write()
    assert text.count("<!-- generated: headline -->") == 1
    html = rendered(text)
    assert "<b>" not in html and "<code>" not in html
    assert "What does a | day ticket cost? &lt;!-- generated: headline --&gt;" in html
    assert "<td>pl|ain</td>" in html
    for line in section(text, "good-examples").splitlines():
        if line.startswith("| "):
            assert line.replace("\\|", "").count("|") == 6


def test_what_a_person_wrote_survives_byte_for_byte(reported: Reported) -> None:
    first = reported.write().encode()
    file = reported.folder / "report.md"
    above, between, below = (
        "Above — by Åsa\n\n".encode(),
        b"\n\tBetween  \r\n\x00odd\n",
        b"\nBelow, no end of line",
    )
    end = first.index(b"<!-- end generated -->") + len(b"<!-- end generated -->\n")
    file.write_bytes(above + first[:end] + between + first[end:] + below)
    stale = file.read_bytes().replace(b"0.500", b"0.999")
    file.write_bytes(stale)
    reported.write()
    again = file.read_bytes()
    assert again.startswith(above) and between in again and again.endswith(below)
    assert b"0.999" not in again and b"0.500" in again
    reported.write()
    assert file.read_bytes() == again


def test_hand_grades_are_compared(reported: Reported) -> None:
    graded = {result.question_id: result.id for result in reported.rag.evaluations.results(reported.run_id)}
    for question, grade in (("f-1", "right"), ("f-2", "right"), ("f-3", "right")):
        reported.rag.evaluations.grade(graded[question], grade, grader="Ada | Lovelace")
    text = section(reported.write(), "agreement")
    assert "### Ada \\| Lovelace" in text and "2/3 grades are the same" in text
    assert "| f-2 | wrong | right |" in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<!-- end generated -->", "", "no end marker for its section 'headline'"),
        ("<!-- generated: headline -->\n", "", "an end marker without a beginning"),
        (
            "<!-- generated: figures -->",
            "<!-- generated: figure -->",
            "lost the markers of its section 'figures'",
        ),
        ("<!-- generated: figures -->", "<!-- generated: headline -->", "its section 'headline' twice"),
        ("<!-- generated: figures -->", "<!-- generated: figures -- >", "an end marker without a beginning"),
    ],
)
def test_damaged_markers(reported: Reported, old: str, new: str, said: str) -> None:
    reported.write()
    file = reported.folder / "report.md"
    damaged = file.read_bytes().replace(old.encode(), new.encode(), 1)
    file.write_bytes(damaged)
    (reported.folder / "figures" / "ranks.png").unlink()
    with pytest.raises(InputError, match=said):
        reported.write()
    assert file.read_bytes() == damaged
    assert not (reported.folder / "figures" / "ranks.png").exists(), "nothing is written"


def test_a_file_of_somebody_else(reported: Reported) -> None:
    reported.folder.mkdir()
    (reported.folder / "report.md").write_text("# My own report\n")
    with pytest.raises(InputError, match=r"report\.md was left as it is"):
        reported.write()


def test_retrieval_has_no_verdicts(open_test_rag, set_folder: Path, tmp_path: Path) -> None:
    rag = open_test_rag()
    run_id = rag.bench.begin(RunConfig((str(set_folder),)))
    with pytest.raises(InputError, match=f"Run {run_id} has no results yet"):
        Reported(rag, run_id, tmp_path / "out").write()
    list(rag.bench.carry_out(run_id))
    text = Reported(rag, run_id, tmp_path / "out").write()
    assert "| hit_rate@1 |" in text
    assert "verdict" not in section(text, "good-examples")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a|b"),
        ("1. not a list", "1. not a list"),
        ("# no heading", "# no heading"),
        ("two\n\nparagraphs", "two paragraphs"),
        ("[link](javascript:alert(1))", "[link](javascript:alert(1))"),
        ("&copy; \\ *x* _y_ ~z~ $t$", "&amp;copy; \\ *x* _y_ ~z~ $t$"),
        ("\u202eleft", "left"),
        ("- no item", "- no item"),
        ("=== ---", "=== ---"),
        ("hit_rate@1 and __bold__", "hit_rate@1 and __bold__"),
        ("me@example.org, @team, www.example.org", "me@example.org, @team, www.example.org"),
    ],
)
def test_untrusted_text_stays_text(text: str, shown: str) -> None:
    assert rendered(escaped(text)) == f"<p>{shown}</p>\n"
    assert f"<td>{shown}</td>" in rendered(table(["head"], [[text]]))


def test_windows_line_ends_stay() -> None:
    before = b"<!-- generated: a -->\r\nold\r\n<!-- end generated -->\r\nmine\r\n"
    assert merged(before, {"a": "new\nlines"}, "r.md") == before.replace(b"old", b"new\r\nlines")
