"""The command line: ``python -m ragcore COMMAND``.

A contract: others measure through it. With ``--json`` standard output carries JSON lines and
nothing else; logs and progress go to standard error. Exit code 0, or 1 with one plain sentence.
"""

from __future__ import annotations

import logging
import sys

import click

from ragcore.commands import asking, cutting, evaluation, glossary, library
from ragcore.errors import RagError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def commands() -> None:
    """Answers over your own documents, with a measured gate."""


for command in (
    library.ingest,
    library.chunks,
    asking.ask,
    library.collections,
    library.delete,
    cutting.reembed,
    glossary.glossary,
    library.worker,
    asking.doctor,
    evaluation.evaluate,
    evaluation.calibrate,
):
    commands.add_command(command)


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; no exception leaves it."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    try:
        arguments = _several_corpora(sys.argv[1:] if arguments is None else arguments)
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


def _fail(sentence: str) -> int:
    click.echo(sentence, err=True)
    return 1


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _several_corpora(arguments: list[str]) -> list[str]:
    """``--corpus A B`` as ``--corpus A --corpus B``: click's options take one value each."""
    spread: list[str] = []
    in_corpora = False
    for argument in arguments:
        if argument.startswith("-"):
            in_corpora = argument == "--corpus"
            if in_corpora:
                continue
        if in_corpora:
            spread.append("--corpus")
        spread.append(argument)
    return spread
