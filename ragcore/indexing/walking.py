"""Paths on a command line -> the files they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ragcore.errors import NotFound


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file on disk and the name it is cited by."""

    path: Path
    name: str


def files_under(paths: Iterable[str | Path]) -> Iterator[FileToRead]:
    """Files as named, folders walked in sorted order, hidden files and folders left out.

    A file below a folder is named by its path from there, so that two ``report.pdf`` in two
    sub-folders stay apart. Raises NotFound for a path that does not exist.
    """
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
