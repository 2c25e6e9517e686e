"""Paths on a command line -> the files they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ragcore.errors import NotFound
from ragcore.reading import clean_path


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file on disk and the name it is cited by."""

    path: Path
    name: str


def files_under(paths: Iterable[str | Path]) -> Iterator[FileToRead]:
    """Files as named, folders walked in sorted order, hidden files and folders left out.

    A file below a folder is named by its path from there, so that two ``report.pdf`` in two
    sub-folders stay apart. Where two of the files given together would still have one name
    (``2025/report.pdf 2026/report.pdf``), the folders above are added to theirs until they differ.
    Raises NotFound for a path that does not exist.
    """
    found = {file.path.resolve(): file for file in _given(paths)}
    taken = Counter(clean_path(file.name) for file in found.values())
    for path, file in found.items():
        name = file.name
        if taken[clean_path(name)] > 1:
            others = [
                other
                for other, rival in found.items()
                if other != path and clean_path(rival.name) == clean_path(name)
            ]
            name = _told_apart(path, others, len(Path(name).parts))
        yield FileToRead(file.path, name)


def _given(paths: Iterable[str | Path]) -> Iterator[FileToRead]:
    for given in paths:
        path = Path(given).expanduser()
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                inner = file.relative_to(path)
                if file.is_file() and not any(part.startswith((".", "~$")) for part in inner.parts):
                    yield FileToRead(file, inner.as_posix())
        elif path.is_file():
            yield FileToRead(path, path.name)
        else:
            raise NotFound(f"There is no file or folder '{given}'. Check the spelling and try again.")


def _told_apart(path: Path, others: list[Path], parts: int) -> str:
    """The shortest end of ``path``, of more than ``parts`` parts, that none of ``others`` has."""
    for length in range(parts + 1, len(path.parts)):
        name = "/".join(path.parts[-length:])
        if all(clean_path(name) != clean_path("/".join(other.parts[-length:])) for other in others):
            return name
    return "/".join(path.parts[-parts:])
