"""Commands that carry results and hand grades out and in: eval export, eval import-grades."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ragcore.commands.output import json_option, opened_rag, say
from ragcore.errors import InputError
from ragcore.evaluation.exporting import write_rows
from ragcore.evaluation.grade_transfer import read_grades


@click.command("export")
@click.argument("run_id", metavar="RUN", type=int)
@click.option(
    "--format", "kind", type=click.Choice(["csv", "jsonl", "parquet"]), default="csv", show_default=True
)
@click.option(
    "--grades",
    "grades_alone",
    is_flag=True,
    help="A row for each hand grade, which import-grades takes back, instead of one for each question.",
)
@click.option(
    "--only", "filters", multiple=True, metavar="COLUMN=VALUE", help="Only rows such as verdict=wrong."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="A file, instead of standard output."
)
def export(run_id: int, kind: str, grades_alone: bool, filters: tuple[str, ...], out: Path | None) -> None:
    """Results and hand grades of a run."""
    with opened_rag() as rag:
        rows = rag.grading.rows(run_id) if grades_alone else rag.bench.rows(run_id)
    data = write_rows(_only(rows, filters), kind)
    if out is not None:
        out.write_bytes(data)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@click.command("import-grades")
@click.argument("run_id", metavar="RUN", type=int)
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def import_grades(run_id: int, file: Path, as_json: bool) -> None:
    """Take hand grades back from an export of `eval export RUN --grades`.

    Graders and times are kept; what is there already is not stored again.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"The file {file} cannot be read: {error.strerror}.") from error
    with opened_rag() as rag:
        found = rag.grading.import_rows(run_id, read_grades(data, file.name))
    row = {
        "run": run_id,
        "imported": len(found.imported),
        "there": found.there,
        "older": found.older,
        "other_answer": found.other_answer,
        "unknown": list(found.unknown),
        "without_grade": found.without_grade,
    }
    say(row, found.sentence, as_json)


def _only(rows: list[dict[str, Any]], filters: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows that meet every ``column=value``; an empty value stands for nothing there."""
    for given in filters:
        column, equals, value = given.partition("=")
        if not equals or (rows and column not in rows[0]):
            columns = ", ".join(rows[0]) if rows else "none, the run has no results"
            raise InputError(f"'{given}' is no filter; write COLUMN=VALUE. Columns are: {columns}.")
        rows = [
            row
            for row in rows
            if ("" if row[column] is None else str(row[column])).casefold() == value.casefold()
        ]
    return rows
