"""The command that cuts and embeds a collection anew: reembed."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, get_args

import click

from ragcore.chunking import ChunkingConfig
from ragcore.chunking.config import Granularity, HeaderMode, Strategy
from ragcore.commands.output import (
    clear_progress,
    collection_option,
    json_option,
    opened_rag,
    print_json,
    say,
    show_stage,
)
from ragcore.rag import Rag

STRATEGIES = get_args(Strategy)


@click.command()
@collection_option
@click.option("--strategy", type=click.Choice(STRATEGIES), help="How documents are cut from now on.")
@click.option("--max-tokens", type=int, help="The most tokens of a chunk.")
@click.option("--overlap-tokens", type=int, help="So many tokens are repeated in the next chunk.")
@click.option("--header", type=click.Choice(get_args(HeaderMode)), help="Title and section above chunks.")
@click.option(
    "--granularity", type=click.Choice(get_args(Granularity)), help="What gets a vector of its own."
)
@click.option("--dry-run", is_flag=True, help="Say what it would cost, and change nothing.")
@json_option
def reembed(collection: str, dry_run: bool, as_json: bool, **settings: Any) -> None:
    """Cut and embed a collection anew; what is not given stays as it is."""
    with opened_rag() as rag:
        info = rag.library.collection(collection)
        config = ChunkingConfig.from_dict(info.chunking)
        config = replace(config, **{name: value for name, value in settings.items() if value is not None})
        price = _price(rag, collection, config)
        if dry_run:
            row = {
                "collection": collection,
                "documents": info.documents,
                "chunking": config.to_dict(),
                **price,
            }
            if as_json:
                print_json(row)
            elif not price:
                click.echo(
                    f"{collection}: {info.documents} documents would be cut anew ({config.strategy}, "
                    f"{config.max_tokens} tokens); no chat model is asked for that.",
                )
            return
        info = rag.reembed(
            collection,
            chunking=config,
            progress=lambda done, total: show_stage("documents", done, total),
            stage=show_stage,
        )
        clear_progress()
    row = {**asdict(info), "embedder": info.embedder.model if info.embedder else None}
    say(row, f"{info.name}: {info.documents} documents, {info.chunks} chunks, {row['embedder']}", as_json)


def _price(rag: Rag, collection: str, config: ChunkingConfig) -> dict[str, Any]:
    """What a chat model will take, on standard error and as a row; empty where none is asked."""
    if config.strategy != "contextual":
        return {}
    price = rag.price_contexts(collection, config)
    click.echo(price.sentence, err=True)
    return {**asdict(price), "seconds": price.seconds}
