"""Commands on a collection's abbreviations: list them, add own ones, switch some off."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ragcore.commands.output import collection_option, json_option, opened_rag, print_json, say
from ragcore.records import GlossaryEntry


@click.group(invoke_without_command=True)
@collection_option
@json_option
@click.pass_context
def glossary(context: click.Context, collection: str, as_json: bool) -> None:
    """List a collection's abbreviations, or change them."""
    if context.invoked_subcommand is not None:
        return
    with opened_rag() as rag:
        rag.library.collection(collection)
        unsettled = rag.abbreviations.ambiguous(collection)
        entries = rag.abbreviations.entries(collection)
    if as_json:
        settled_by = {one.short for one in unsettled}
        for entry in entries:
            print_json({**_row(entry), "ambiguous": entry.source == "learned" and entry.short in settled_by})
        return
    for entry in entries:
        click.echo(_line(entry))
    for one in unsettled:
        click.echo(
            f"ambiguous  {one.short}: {' or '.join(one.meanings)}; not expanded until you add your own"
        )


@glossary.command()
@click.argument("short")
@click.argument("long", nargs=-1, required=True)
@collection_option
@json_option
def add(short: str, long: tuple[str, ...], collection: str, as_json: bool) -> None:
    """Say what SHORT stands for; it counts before what documents say and before the built-in list."""
    with opened_rag() as rag:
        entry = rag.abbreviations.add(collection, short, " ".join(long))
    say({"collection": collection, **_row(entry), "status": "added"}, f"added      {_words(entry)}", as_json)


@glossary.command()
@click.argument("short")
@collection_option
@json_option
def remove(short: str, collection: str, as_json: bool) -> None:
    """Take your own entry for SHORT away."""
    with opened_rag() as rag:
        rag.abbreviations.remove(collection, short)
    say({"collection": collection, "short": short, "status": "removed"}, f"removed    {short}", as_json)


@glossary.command()
@click.argument("short")
@collection_option
@json_option
def disable(short: str, collection: str, as_json: bool) -> None:
    """Do not expand SHORT in this collection, wherever its meaning is from."""
    _switch(short, collection, as_json, on=False)


@glossary.command()
@click.argument("short")
@collection_option
@json_option
def enable(short: str, collection: str, as_json: bool) -> None:
    """Expand SHORT again."""
    _switch(short, collection, as_json, on=True)


def _switch(short: str, collection: str, as_json: bool, *, on: bool) -> None:
    status = "enabled" if on else "disabled"
    with opened_rag() as rag:
        for entry in rag.abbreviations.switch_all(collection, short, on=on):
            row = {"collection": collection, **_row(entry), "status": status}
            say(row, f"{status:10} {_words(entry)}", as_json)


def _row(entry: GlossaryEntry) -> dict[str, Any]:
    return asdict(entry)


def _words(entry: GlossaryEntry) -> str:
    return f"{entry.short}: {entry.long}"


def _line(entry: GlossaryEntry) -> str:
    places = ", ".join(f"{place.file}:{place.page}" if place.page else place.file for place in entry.found_in)
    return (
        f"{entry.source:10} {_words(entry)}"
        + (f"  [{places}]" if places else "")
        + ("" if entry.enabled else "  (off)")
    )
