"""Modules stay short enough to be read in one go."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def sized(pattern: str) -> list[Path]:
    return sorted(ROOT.glob(pattern))


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("path", sized("ragcore/**/*.py"), ids=lambda path: str(path.relative_to(ROOT)))
def test_module_of_ragcore_is_under_300_lines(path):
    assert lines(path) < 300


@pytest.mark.parametrize(
    "path", [*sized("pages/*.py"), *sized("streamlit_app.py")], ids=lambda path: str(path.relative_to(ROOT))
)
def test_page_is_under_140_lines(path):
    assert lines(path) < 140


VAGUE = {"utils", "util", "helpers", "common", "misc", "managers", "manager", "services", "service"}


def test_no_module_is_called_after_nothing_in_particular():
    modules = sized("ragcore/**/*.py")
    assert [path for path in modules if path.stem in VAGUE or path.parent.name in VAGUE] == []
