"""The two commands that the README prints are the ones that CI runs."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
COMMANDS = {
    "app-command": "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt "
    "&& .venv/bin/streamlit run streamlit_app.py",
    "test-command": "python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt "
    "&& .venv/bin/pytest",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_readme_prints_the_command_in_one_line(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^<!-- {name} -->\n+```\w*\n(.*?)^```$", readme, flags=re.MULTILINE | re.DOTALL)
    assert blocks == [COMMANDS[name] + "\n"]


@pytest.mark.parametrize("name", COMMANDS)
def test_ci_takes_the_command_from_the_readme(name):
    printed = subprocess.run(
        ["bash", ".ci/run", "--print", name], cwd=ROOT, capture_output=True, text=True, check=True, timeout=20
    )
    assert printed.stdout == COMMANDS[name] + "\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_files_that_the_command_names_exist(name):
    for file in re.findall(r"[\w-]+\.(?:txt|py)\b", COMMANDS[name]):
        assert (ROOT / file).is_file(), file


def test_ci_requires_a_browser_and_runs_the_linter():
    assert 'PLUMBLINE_REQUIRE_BROWSER=1 bash -c "$test_command"' in RUN
    assert "ruff check ." in RUN
    assert "ruff format --check ." in RUN
    assert "set -euo pipefail" in RUN


def test_ci_names_no_host_but_this_machine():
    assert set(re.findall(r"https?://([\w.-]+)", RUN)) <= {"127.0.0.1"}
