"""eval make-missing, eval run and eval report on the command line, one after the other."""

import json
import os
import subprocess
import sys
from pathlib import Path

DOCUMENTS = {
    "ferry.md": "# Ferry\n\n## Tickets\n\nA day ticket costs 14 crowns.\n\n## Lost\n\nLost items are kept for 21 days.\n",
    "club.md": "# Club\n\n## Boats\n\nThe boathouse has 12 racks.\n\n## Keys\n\nThe key safe is opened at 07:15.\n",
}


def test_from_documents_to_a_report(tmp_path: Path, database_url: str) -> None:
    (tmp_path / "in").mkdir()
    for name, text in DOCUMENTS.items():
        (tmp_path / "in" / name).write_text(text, encoding="utf-8")
    env = {key: value for key, value in os.environ.items() if not key.startswith(("RAGCORE_", "OLLAMA_"))} | {
        "RAGCORE_HOME": str(tmp_path),
        "RAGCORE_DATABASE_URL": database_url.replace("postgresql+psycopg", "postgresql"),
        "OLLAMA_HOST": "127.0.0.1:9",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: PLW1510 - the exit code is what is tested
            [sys.executable, "-m", "ragcore", "eval", *arguments],
            capture_output=True, text=True, env=env, cwd=tmp_path, timeout=120,
        )  # fmt: skip

    made = run("make-missing", "in", "--out", "made", "--leave-out", "club.md", "--json")
    row = json.loads(made.stdout)
    assert (made.returncode, row["questions"], row["left_out"]) == (0, 2, "club.md")
    assert [file.name for file in (tmp_path / "made" / "corpus").iterdir()] == ["ferry.md"]

    done = run("run", "made", "--stage", "refusal", "--json")
    run_id = json.loads(done.stdout.splitlines()[-1])["run"]
    report = run("report", str(run_id), "--out", "written")
    assert (report.returncode, report.stdout) == (0, f"The report of run {run_id} is in written/report.md.\n")
    assert "missing_info_passed" in (tmp_path / "written" / "report.md").read_text(encoding="utf-8")

    (tmp_path / "written" / "report.md").write_text("mine", encoding="utf-8")
    refused = run("report", str(run_id), "--out", "written")
    assert (
        refused.returncode == 1
        and "was left as it is" in refused.stderr
        and "Traceback" not in refused.stderr
    )
