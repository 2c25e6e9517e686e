"""Browser tests say why they skip, and fail where a browser is required."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run_without_browser(tmp_path):
    """Runs a browser test under this repository's conftest, with no browser on the PATH."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "conftest.py")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser: needs one\n", encoding="utf-8")
    (tmp_path / "test_needs_browser.py").write_text(
        "import pytest\n@pytest.mark.browser\ndef test_opens():\n    assert True\n", encoding="utf-8"
    )

    def run(**extra: str) -> subprocess.CompletedProcess[str]:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("PLUMBLINE", "PYTEST"))
        }
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", str(tmp_path)],
            env={**environment, "PATH": str(tmp_path), **extra},
            cwd=tmp_path,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


def test_no_browser_skips_with_a_reason(run_without_browser):
    done = run_without_browser()
    assert done.returncode == 0
    assert "1 skipped" in done.stdout
    assert "no browser found (looked for chromium," in done.stdout


def test_no_browser_where_one_is_required_fails(run_without_browser):
    done = run_without_browser(PLUMBLINE_REQUIRE_BROWSER="1")
    assert done.returncode == 1
    assert "PLUMBLINE_REQUIRE_BROWSER=1 asks for one" in done.stdout
