"""A fresh environment tomorrow is the environment of today."""

import ast
import re
import sys
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def requirements(name: str) -> list[Requirement]:
    """The named packages of a requirements file; options (-c, -r) and comments left out."""
    stripped = (line.split("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines())
    return [Requirement(line) for line in stripped if line and not line.startswith("-")]


def pins(name: str) -> dict[str, str]:
    return {canonicalize_name(wanted.name): str(wanted.specifier) for wanted in requirements(name)}


def closure(names: list[Requirement]) -> set[str]:
    """Names of the installed packages that ``names`` bring in, themselves included."""
    seen: set[tuple[str, str]] = set()
    waiting = [(wanted.name, extra) for wanted in names for extra in (*wanted.extras, "")]
    while waiting:
        name, extra = waiting.pop()
        if (canonicalize_name(name), extra) in seen:
            continue
        seen.add((canonicalize_name(name), extra))
        for text in distribution(name).requires or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(needed.name, inner) for inner in (*needed.extras, "")]
    return {name for name, _ in seen}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "constraints.txt"])
def test_every_line_pins_one_public_version(name):
    for wanted in requirements(name):
        assert re.fullmatch(r"==\d[\w.]*", str(wanted.specifier)), f"{name}: {wanted}"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_named_version_is_the_constrained_one(name):
    constrained = pins("constraints.txt")
    assert {package: constrained.get(package) for package in pins(name)} == pins(name)


def test_both_requirements_use_the_constraints():
    assert "\n-c constraints.txt\n" in (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert "\n-r requirements.txt\n" in (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")


def test_constraints_cover_everything_that_is_brought_in():
    needed = closure(requirements("requirements.txt") + requirements("requirements-dev.txt"))
    # A CUDA build of torch pins these itself.
    needed = {name for name in needed if not name.startswith(("nvidia-", "cuda-", "triton"))}
    assert needed - pins("constraints.txt").keys() == set()


def test_every_imported_package_is_named():
    providers = packages_distributions()
    named = pins("requirements.txt").keys()
    unnamed = set()
    sources = [*ROOT.glob("ragcore/**/*.py"), *ROOT.glob("pages/*.py"), *ROOT.glob("streamlit_app.py")]
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                modules = [node.module]
            for library in {module.split(".")[0] for module in modules} - sys.stdlib_module_names:
                if library in ("ragcore", "pages"):
                    continue
                found = {canonicalize_name(name) for name in providers.get(library, [])}
                if not found & named:
                    unnamed.add(f"{path.relative_to(ROOT)} imports {library}")
    assert unnamed == set()
