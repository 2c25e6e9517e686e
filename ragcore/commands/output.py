"""What the commands share: options, the opened Rag, and printing.

With ``--json`` standard output carries JSON lines and nothing else; progress goes to standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args, get_type_hints

import click

from ragcore.rag import DEFAULT_COLLECTION, Rag, open_rag
from ragcore.reading.limits import limits_from
from ragcore.records import AskOptions

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON lines and nothing else.")


def answer_option(field: str, help: str):
    """An option for a field of AskOptions that has a choice of words: they and the default are the record's."""
    return click.option(
        f"--{field.replace('_', '-')}",
        type=click.Choice(get_args(get_type_hints(AskOptions)[field])),
        default=getattr(AskOptions(), field),
        show_default=True,
        help=help,
    )


collection_option = click.option(
    "--collection", default=DEFAULT_COLLECTION, show_default=True, help="The collection to work on."
)


limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="A limit of reading, such as max_pages=2000 or max_page_seconds=60; may be repeated.",
)


@contextmanager
def opened_rag(limits: tuple[str, ...] = ()) -> Iterator[Rag]:
    with open_rag(limits=limits_from(limits)) as rag:
        yield rag


def say(row: dict[str, Any], sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        click.echo(sentence)


def print_json(row: dict[str, Any]) -> None:
    click.echo(json.dumps(row, ensure_ascii=False, allow_nan=False, default=str))


def show_stage(stage: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{stage} {done}/{total}", nl=False, err=True)


def clear_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
