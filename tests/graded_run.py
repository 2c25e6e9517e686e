"""A real run of stage answers over the sample documents, for the tests of pages that show one."""

import json
from pathlib import Path

from sqlalchemy import make_url

from ragcore import AskOptions, Settings, open_rag
from ragcore.evaluation.bench import RunConfig
from ragcore.models import Embedder
from ragcore.rag import Rag
from tests.pages.conftest import NOBODY, SAMPLE, create_database

QUESTIONS = [
    ("g-01", "What does a school group pay for an evening?", ["£55"], "observatory-guide.pdf"),
    ("g-02", "When does the winter programme begin?", ["October"], "winter-programme.docx"),
    ("g-03", "How long may a telescope be borrowed?", ["weeks"], "loan-telescopes.md"),
    ("g-04", "What deposit is asked for a telescope?", ["£"], "loan-telescopes.md"),
    ("g-05", "Who may use the observatory?", ["members"], "observatory-guide.pdf"),
    ("g-06", "Where is the observatory?", ["hill"], "observatory-guide.pdf"),
    ("g-07", "What happens when the sky is cloudy?", ["cloud"], "observatory-guide.pdf"),
    ("g-08", "Is there parking at the observatory?", ["park"], "observatory-guide.pdf"),
    ("g-09", "Which telescopes can be borrowed?", ["reflector"], "loan-telescopes.md"),
    ("g-10", "How is a telescope cleaned?", ["cloth"], "loan-telescopes.md"),
    ("g-11", "Who wrote the opera Tosca?", [], ""),
    ("g-12", "Which river flows through Vienna?", [], ""),
]


def library_with_run(
    server_url: str, server_home: Path, embedder: Embedder, folder: Path, *, sample: str | None = None
) -> str:
    """Name of a new database with the sample documents and the run; tests get copies of it.

    ``sample`` names a database that has the documents already.
    """
    url = create_database(server_url, sample or "postgres")
    with open_rag(Settings(home=server_home, database_url=url, ollama_host=NOBODY)) as rag:
        rag._embedder = embedder
        if sample is None:
            assert {report.status for report in rag.ingest_paths([str(SAMPLE)])} == {"indexed"}
        make_run(rag, folder)
    return make_url(url).database


def make_run(rag: Rag, folder: Path) -> int:
    """Ask the questions of the library; returns the run's id. Needs the sample documents in it."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": key, "kind": "answerable" if facts else "general_knowledge", "category": "plain",
            "difficulty": "easy", "split": "test", "question": question,
            "facts": [facts] if facts else [], "gold": [{"document": file, "page": 1, "quote": facts[0]}] if file else [],
        }
        for key, question, facts, file in QUESTIONS
    ]  # fmt: skip
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    config = RunConfig(
        (str(file),), collection="library", stage="answers", options=AskOptions(generator="quote")
    )
    run_id = rag.bench.begin(config, name="the name of the run")
    outcomes = list(rag.bench.carry_out(run_id))
    assert len(outcomes) == len(QUESTIONS) and all(outcome.answer for outcome in outcomes)
    return run_id
