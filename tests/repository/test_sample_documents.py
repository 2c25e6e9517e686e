"""The sample: made by its script, and its README's answers stand where the README says."""

import re
import subprocess
import sys
from pathlib import Path

import docx
import pypdf
import pytest

SAMPLE = Path(__file__).parents[2] / "sample"
DOCUMENTS = SAMPLE / "documents"


def answers() -> list[tuple[str, str, str, str]]:
    """Question, words of the answer, file and place (a page or a section) of each README row."""
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+\?.*?) \| (.+?) \| ([\w.-]+):(.+?) \|$", readme, flags=re.MULTILINE)
    return [(question, words, file, place.removeprefix("§ ")) for question, words, file, place in rows]


def text_at(file: str, place: str) -> str:
    path = DOCUMENTS / file
    if path.suffix == ".pdf":
        text = pypdf.PdfReader(path).pages[int(place) - 1].extract_text()
    else:
        if path.suffix == ".docx":
            paragraphs = docx.Document(path).paragraphs
            text = "".join(
                f"## {p.text}\n" if "Heading" in p.style.name else f"{p.text}\n" for p in paragraphs
            )
        else:
            text = path.read_text(encoding="utf-8")
        text = text.split(f"## {place}\n")[1].split("\n## ")[0]
    return " ".join(text.split())


def test_readme_has_five_questions_over_all_three_files():
    assert len(answers()) == 5
    assert {file for _, _, file, _ in answers()} == {path.name for path in DOCUMENTS.iterdir()}


@pytest.mark.parametrize(("question", "words", "file", "place"), answers(), ids=lambda value: value[:30])
def test_answer_stands_where_the_readme_says(question, words, file, place):
    assert words in text_at(file, place)


def test_guide_has_eight_sheets_with_labels_and_an_outline():
    guide = pypdf.PdfReader(DOCUMENTS / "observatory-guide.pdf")
    assert guide.page_labels == ["i", "1", "2", "3", "4", "5", "6", "7"]
    assert [entry.title for entry in guide.outline if not isinstance(entry, list)] == [
        "1 Visiting",
        "2 The telescopes",
        "3 Weather limits and the dome",
        "4 An observing evening",
        "5 Cameras and pictures",
        "6 Care of the instruments",
        "7 When something goes wrong",
    ]


@pytest.fixture(scope="module")
def made_again(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    subprocess.run([sys.executable, SAMPLE / "make_sample.py", folder], check=True, timeout=120)
    return folder


def test_script_makes_the_guide_again(made_again):
    # Page texts, not bytes: compressed streams differ between builds of zlib.
    kept, again = (
        [page.extract_text() for page in pypdf.PdfReader(folder / "observatory-guide.pdf").pages]
        for folder in (DOCUMENTS, made_again)
    )
    assert kept == again


def test_script_makes_the_programme_again(made_again):
    kept, again = (
        docx.Document(folder / "winter-programme.docx").element.body.xml for folder in (DOCUMENTS, made_again)
    )
    assert kept == again
