"""Runs notebooks from top to bottom and stores their outputs, as they stand in the repository.

    python -m notebooks.execute [NAME ...]

NAME is a part of a file's name, such as ``02``; none means all of them, one after another. What they ask
can be changed as ``experiment.py`` says. Settings of the database and the models are those of the app.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

FOLDER = Path(__file__).parent


def notebooks(names: Sequence[str] = ()) -> list[Path]:
    """The notebooks whose names hold one of ``names``, in order; all of them if there is none."""
    files = sorted(FOLDER.glob("*.ipynb"))
    return [file for file in files if not names or any(name in file.stem for name in names)]


def executed(file: Path, *, timeout_s: int | None = None) -> NotebookNode:
    """The notebook with the outputs of a fresh run. Raises CellExecutionError for the first cell that fails.

    ``timeout_s`` bounds each cell.
    """
    notebook = nbformat.read(file, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=timeout_s,
        resources={"metadata": {"path": str(FOLDER)}},
        # Times would make every run another file.
        record_timing=False,
    )
    client.execute()
    # The version of Python that ran it says nothing about what is in it.
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    files = notebooks(parser.parse_args(arguments).names)
    if not files:
        print(f"No notebook has such a name; there are {', '.join(file.name for file in notebooks())}.")
        return 1
    for file in files:
        started = time.perf_counter()
        try:
            nbformat.write(executed(file), file)
        except CellExecutionError as error:
            print(f"{file.name} stopped: {error}", file=sys.stderr)
            return 1
        print(f"{file.name}: {time.perf_counter() - started:.0f} s, {file.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
