"""Commands on what is indexed: ingest, chunks, collections, delete, worker."""

from __future__ import annotations

from dataclasses import asdict

import click

from ragcore.commands.output import (
    clear_progress,
    collection_option,
    json_option,
    limit_option,
    opened_rag,
    print_json,
    say,
    show_stage,
)
from ragcore.errors import InputError


@click.command()
@click.argument("paths", nargs=-1, required=True)
@collection_option
@click.option("--password", default="", help="For files that need one; it is not stored.")
@click.option("--ocr", is_flag=True, help="Read scanned pages, where ocrmypdf or tesseract is installed.")
@limit_option
@json_option
def ingest(
    paths: tuple[str, ...], collection: str, password: str, ocr: bool, limits: tuple[str, ...], as_json: bool
) -> int:
    """Index files; folders are walked."""
    rejected = 0
    with opened_rag(limits) as rag:
        for report in rag.ingest_paths(
            paths, collection=collection, password=password, ocr=ocr, progress=show_stage
        ):
            clear_progress()
            rejected += report.status == "rejected"
            if as_json:
                print_json(asdict(report))
            else:
                pages = (
                    f"{report.pages} pages, {report.chunks} chunks" if report.error is None else report.error
                )
                click.echo(f"{report.status:10} {report.file}: {pages}")
                for warning in report.warnings:
                    click.echo(f"           {warning}")
    return 1 if rejected else 0


@click.command()
@collection_option
@click.option("--document", help="Only the chunks of this file.")
@json_option
def chunks(collection: str, document: str | None, as_json: bool) -> None:
    """Show how documents were cut into chunks."""
    with opened_rag() as rag:
        for file, chunk in rag.library.chunks(collection, file_name=document):
            row = {
                "file": file,
                "ordinal": chunk.ordinal,
                "page_start": chunk.page_start,
                "page_end": chunk.page_end,
                "section": " › ".join(chunk.section),
                "text": chunk.text,
                "embedded_text": chunk.embedded_text,
                "tokens": chunk.token_count,
            }
            if as_json:
                print_json(row)
            else:
                place = f"{file} #{chunk.ordinal}, page {chunk.page_start}, {chunk.token_count} tokens"
                click.echo(f"--- {place}  {row['section']}\n{chunk.embedded_text}\n")


@click.command()
@json_option
def collections(as_json: bool) -> None:
    """List the collections, those of browser sessions apart."""
    with opened_rag() as rag:
        for info in rag.library.collections():
            if info.kind == "session":
                continue
            row = {**asdict(info), "embedder": info.embedder.model if info.embedder else None}
            if as_json:
                print_json(row)
            else:
                click.echo(
                    f"{info.name}: {info.documents} documents, {info.chunks} chunks, {row['embedder']}"
                )


@click.command()
@click.argument("files", nargs=-1)
@collection_option
@click.option("--all", "whole", is_flag=True, help="Delete the whole collection.")
@json_option
def delete(files: tuple[str, ...], collection: str, whole: bool, as_json: bool) -> None:
    """Delete documents from a collection, or (--all) the collection itself."""
    if bool(files) == whole:
        raise InputError("Name the files to delete, or give --all to delete the whole collection.")
    with opened_rag() as rag:
        for name in files:
            rag.library.document(collection, name)
        for name in files:
            rag.library.delete_document(collection, name)
            say({"collection": collection, "file": name, "status": "deleted"}, f"deleted    {name}", as_json)
        if whole:
            rag.library.collection(collection)
            rag.collections.delete(collection)
            say(
                {"collection": collection, "status": "deleted"},
                f"deleted    collection {collection}",
                as_json,
            )


@click.command()
@click.option("--once", is_flag=True, help="End when the queue is empty.")
@limit_option
def worker(once: bool, limits: tuple[str, ...]) -> None:
    """Ingest uploads and carry out evaluations, until stopped. Any number of workers may share a database."""
    with opened_rag(limits) as rag:
        rag.worker().run(handle_signals=True, until_empty=once, ready=None if once else _waiting)


def _waiting() -> None:
    click.echo("Waiting for uploads and evaluations; stop with Ctrl+C.", err=True)
