"""The command line: ``python -m ragcore COMMAND``.

A contract: others measure through it. With ``--json`` standard output carries JSON lines and
nothing else; logs and progress go to standard error. Exit code 0, or 1 with one plain sentence.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

from ragcore.errors import InputError, RagError
from ragcore.rag import DEFAULT_COLLECTION, Rag, open_rag
from ragcore.records import Answer, AskOptions

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON lines and nothing else.")
collection_option = click.option(
    "--collection", default=DEFAULT_COLLECTION, show_default=True, help="The collection to work on."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def commands() -> None:
    """Answers over your own documents, with a measured gate."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; no exception leaves it."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    try:
        return commands(arguments, prog_name="python -m ragcore", standalone_mode=False) or 0
    except click.ClickException as error:
        return _fail(error.format_message())
    except click.exceptions.Abort:
        return _fail("Stopped. What had been finished is kept.")
    except RagError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output (head, say) has gone; there is nobody left to tell.
        sys.stderr.close()
        return 1
    except Exception as error:
        logging.getLogger(__name__).debug("unexpected", exc_info=True)
        return _fail(
            f"Something unexpected went wrong ({type(error).__name__}: {_one_line(error)}). Please report it."
        )


@commands.command()
@click.argument("paths", nargs=-1, required=True)
@collection_option
@click.option("--password", default="", help="For files that need one; it is not stored.")
@click.option("--ocr", is_flag=True, help="Read scanned pages, where ocrmypdf or tesseract is installed.")
@json_option
def ingest(paths: tuple[str, ...], collection: str, password: str, ocr: bool, as_json: bool) -> int:
    """Index files; folders are walked."""
    rejected = 0
    with _rag() as rag:
        for report in rag.ingest_paths(
            paths, collection=collection, password=password, ocr=ocr, progress=_stage
        ):
            _clear_progress()
            rejected += report.status == "rejected"
            if as_json:
                _print_json(asdict(report))
            else:
                pages = (
                    f"{report.pages} pages, {report.chunks} chunks" if report.error is None else report.error
                )
                click.echo(f"{report.status:10} {report.file}: {pages}")
                for warning in report.warnings:
                    click.echo(f"           {warning}")
    return 1 if rejected else 0


@commands.command()
@collection_option
@click.option("--document", help="Only the chunks of this file.")
@json_option
def chunks(collection: str, document: str | None, as_json: bool) -> None:
    """Show how documents were cut into chunks."""
    with _rag() as rag:
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
                _print_json(row)
            else:
                place = f"{file} #{chunk.ordinal}, page {chunk.page_start}, {chunk.token_count} tokens"
                click.echo(f"--- {place}  {row['section']}\n{chunk.embedded_text}\n")


@commands.command()
@click.argument("question")
@collection_option
@click.option("--conversation", type=int, help="Add to this conversation instead of a new one.")
@click.option("--threshold", type=float, help="The cutoff, instead of the profile's.")
@click.option("--top-k", type=int, default=5, show_default=True, help="How many passages.")
@click.option("--mode", type=click.Choice(["dense", "hybrid"]), default="dense", show_default=True)
@click.option(
    "--generator", type=click.Choice(["auto", "ollama", "quote"]), default="auto", show_default=True
)
@click.option("--model", "chat_model", help="The chat model, instead of RAGCORE_CHAT_MODEL.")
@json_option
def ask(question: str, conversation: int | None, as_json: bool, **options: Any) -> None:
    """Ask one question."""
    if options["mode"] == "hybrid":
        raise InputError("--mode hybrid is not available in this version; leave it out for dense search.")
    with _rag() as rag:
        rag.library.collection(options["collection"])
        answer = rag.ask(
            question,
            AskOptions(**options),
            conversation_id=conversation,
            new_conversation=conversation is None,
        )
    if as_json:
        _print_json(answer_row(answer))
        return
    click.echo(answer.text)
    for warning in answer.warnings:
        click.echo(f"Note: {warning}", err=True)


@commands.command()
@json_option
def collections(as_json: bool) -> None:
    """List the collections."""
    with _rag() as rag:
        for info in rag.library.collections():
            row = {**asdict(info), "embedder": info.embedder.model if info.embedder else None}
            if as_json:
                _print_json(row)
            else:
                click.echo(
                    f"{info.name}: {info.documents} documents, {info.chunks} chunks, {row['embedder']}"
                )


@commands.command()
@click.argument("files", nargs=-1)
@collection_option
@click.option("--all", "whole", is_flag=True, help="Delete the whole collection.")
@json_option
def delete(files: tuple[str, ...], collection: str, whole: bool, as_json: bool) -> None:
    """Delete documents from a collection, or (--all) the collection itself."""
    if bool(files) == whole:
        raise InputError("Name the files to delete, or give --all to delete the whole collection.")
    with _rag() as rag:
        for name in files:
            rag.library.document(collection, name)
        for name in files:
            rag.library.delete_document(collection, name)
            _say({"collection": collection, "file": name, "status": "deleted"}, f"deleted    {name}", as_json)
        if whole:
            rag.library.collection(collection)
            rag.collections.delete(collection)
            _say(
                {"collection": collection, "status": "deleted"},
                f"deleted    collection {collection}",
                as_json,
            )


@commands.command()
@collection_option
@json_option
def reembed(collection: str, as_json: bool) -> None:
    """Embed a collection anew with the embedder in use."""
    with _rag() as rag:
        info = rag.reembed(collection, progress=lambda done, total: _stage("documents", done, total))
        _clear_progress()
    row = {**asdict(info), "embedder": info.embedder.model if info.embedder else None}
    _say(row, f"{info.name}: {info.documents} documents, {info.chunks} chunks, {row['embedder']}", as_json)


@commands.command()
@click.option("--once", is_flag=True, help="End when the queue is empty.")
def worker(once: bool) -> None:
    """Ingest what is uploaded, until stopped. Any number of workers may share a database."""
    with _rag() as rag:
        rag.worker().run(handle_signals=True, until_empty=once)


@commands.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say what works, what does not, and how to mend it."""
    from ragcore.doctor import examine

    with _rag() as rag:
        checks = examine(rag)
    for check in checks:
        remedy = f"\n           {check.remedy}" if check.remedy else ""
        _say(asdict(check), f"{check.state:10} {check.name}: {check.detail}{remedy}", as_json)
    return 1 if any(check.state == "failed" for check in checks) else 0


def answer_row(answer: Answer) -> dict[str, Any]:
    """An answer as ``ask --json`` prints it."""
    return {
        "question": answer.question,
        "standalone_question": answer.standalone_question,
        "answer": answer.text,
        "refused": answer.refused,
        "refusal_stage": answer.refusal_stage,
        "status": answer.status,
        "top_score": answer.decision.top_score,
        "threshold": answer.decision.cutoff,
        "band": answer.decision.band,
        "citations": [
            {"file": c.file, "page": c.page, "quote": c.quote, "location": c.location}
            for c in answer.citations
        ],
        "hits": [
            {
                "file": hit.file,
                "page_start": hit.page_start,
                "section": " › ".join(hit.section),
                "score": hit.score,
                "text": hit.text,
            }
            for hit in answer.hits
        ],
        "prompt_tokens": answer.prompt_tokens,
        "timings": answer.timings,
        "trace_id": answer.trace_id,
        "conversation_id": answer.conversation_id,
        "generator": answer.generator,
        "warnings": list(answer.warnings),
    }


@contextmanager
def _rag() -> Iterator[Rag]:
    with open_rag() as rag:
        yield rag


def _say(row: dict[str, Any], sentence: str, as_json: bool) -> None:
    if as_json:
        _print_json(row)
    else:
        click.echo(sentence)


def _print_json(row: dict[str, Any]) -> None:
    click.echo(json.dumps(row, ensure_ascii=False, allow_nan=False, default=str))


def _stage(stage: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{stage} {done}/{total}", nl=False, err=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)


def _fail(sentence: str) -> int:
    click.echo(sentence, err=True)
    return 1


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
