"""The notebooks run from top to bottom, and what is stored of them can be read and is their own."""

import base64
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks.execute import executed, notebooks
from ragcore.evaluation.experiments import read_entries
from ragcore.evaluation.markdown import escaped
from tests.conftest import find_browser
from tests.mill_set import write_mill_answers, write_mill_follow_ups, write_mill_set

FILES = notebooks()
ROOT = Path(__file__).parents[2]
FIGURE = "application/vnd.plotly.v1+json"
MACHINE_PATH = re.compile(
    r"(?<![\w.])/(?:home|root|tmp|work|Users|usr|var|opt|mnt)/|\b[A-Z]:\\|site-packages"
)
COUNT = re.compile(r"\b\d+/\d+\b")
MILL_SAYS = {
    "01": "| test | 0.37 | 0.00 \\[0.00, 0.79\\] 0/1 | 0.00 \\[0.00, 0.79\\] 0/1 | 1.00 \\[0.21, 1.00\\] 1/1 |",
    "02": "Of 2 questions whose right passage is first by cosine, weighted fusion keeps 1.00 [0.34, 1.00] 2/2 there",
    "03": "2 to 2 of 2 first with a vector a chunk, 2 to 2 of 2 with a vector a sentence",
    "04": "| test | sentence, hybrid | 1.00 \\[0.21, 1.00\\] 1/1 |",
    "05": "| bad | 0.00 \\[0.00, 0.79\\] 0/1 | 1.00 \\[0.21, 1.00\\] 1/1 |",
    "06": "| bad | both | each claim checked | 2 | 0.00 \\[0.00, 0.79\\] 0/1 | 0.00 \\[0.00, 0.79\\] 0/1 |",
}
"""What the small set comes to, a line a notebook: its two answers are easy, its missing one passes."""


def by_stem(file: Path) -> str:
    return file.stem


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def shown(notebook: NotebookNode, mime: str) -> list:
    return [output.data[mime] for output in outputs(notebook) if mime in output.get("data", {})]


def texts(notebook: NotebookNode) -> str:
    """Everything in it that can be read: sources, paragraphs, tables, what was printed."""
    printed = [output.text for output in outputs(notebook) if output.output_type == "stream"]
    return "\n".join([cell.source for cell in notebook.cells] + shown(notebook, "text/markdown") + printed)


@cache
def stored(file: Path) -> NotebookNode:
    return nbformat.read(file, as_version=4)


def test_the_experiments_are_there():
    assert [file.stem for file in FILES] == [
        "01_threshold",
        "02_prefixes_and_hybrid",
        "03_chunking",
        "04_granularity_and_second_opinion",
        "05_follow_ups",
        "06_answers",
    ]


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_small_set_runs_from_top_to_bottom(file, tmp_path, monkeypatch, database_url, server_home):
    # Pictures take a browser and a second or two; one notebook shows that they come out.
    pictures = file == FILES[0] and find_browser() is not None
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))
    monkeypatch.setenv("RAGCORE_DATABASE_URL", database_url)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.delenv("RAGCORE_EMBEDDER", raising=False)
    if file.stem.startswith("05"):
        asked = "sets={}; replies={}".format(*write_mill_follow_ups(tmp_path))
    elif file.stem.startswith("06"):
        asked = "sets={}; replies={}".format(*write_mill_answers(tmp_path))
    else:
        asked = f"sets={write_mill_set(tmp_path)}"
    monkeypatch.setenv("PLUMBLINE_NOTEBOOK", f"{asked}; images={'yes' if pictures else 'no'}")
    notebook = executed(file, timeout_s=120)
    assert [output for output in outputs(notebook) if output.output_type == "error"] == []
    assert [cell.execution_count for cell in code_cells(notebook)] == list(
        range(1, len(code_cells(notebook)) + 1)
    )
    markdown = "\n".join(shown(notebook, "text/markdown"))
    assert MILL_SAYS[file.stem[:2]] in markdown
    figures = shown(notebook, FIGURE)
    assert figures
    assert all(figure["data"] and figure["layout"]["title"]["text"] for figure in figures)
    pngs = [base64.b64decode(one) for one in shown(notebook, "image/png")]
    assert len(pngs) == (len(figures) if pictures else 0)
    assert all(png.startswith(b"\x89PNG") for png in pngs)


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_stored_notebook_was_run_from_top_to_bottom(file):
    notebook = stored(file)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(
        cell.outputs for cell in cells if "experiment.show(" in cell.source and "for " not in cell.source
    )
    assert {output.output_type for output in outputs(notebook)} <= {"display_data", "execute_result"}
    assert "Traceback" not in texts(notebook)


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_stored_notebook_shows_its_figures_where_no_script_runs(file):
    notebook = stored(file)
    assert file.stat().st_size < 500_000
    figures = [output.data for output in outputs(notebook) if FIGURE in output.get("data", {})]
    assert figures
    assert all(base64.b64decode(data["image/png"]).startswith(b"\x89PNG") for data in figures)


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_stored_notebook_names_no_place_of_a_machine(file):
    notebook = stored(file)
    assert MACHINE_PATH.findall(texts(notebook)) == []
    assert MACHINE_PATH.findall(str(shown(notebook, FIGURE))) == []


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_counts_in_the_prose_stand_in_the_outputs(file):
    notebook = stored(file)
    told = {
        count
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for count in COUNT.findall(cell.source)
    }
    assert told, "the finding has no figures"
    assert told - set(COUNT.findall("\n".join(shown(notebook, "text/markdown")))) == set()


@pytest.mark.parametrize("file", FILES, ids=by_stem)
def test_entries_that_are_pointed_to_exist(file):
    titles = {escaped(entry.title) for entry in read_entries(ROOT / "EXPERIMENTS.md")}
    named = re.findall(
        r"^\* \d{4}-\d\d-\d\d: \*\*(.+)\*\*$", "\n".join(shown(stored(file), "text/markdown")), re.MULTILINE
    )
    assert set(named) <= titles
