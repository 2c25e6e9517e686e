"""The options that make up a run's configuration: of eval run and of calibrate."""

from __future__ import annotations

from typing import Any, get_args

import click

from ragcore.chunking import ChunkingConfig, Granularity
from ragcore.commands.cutting import STRATEGIES
from ragcore.evaluation.bench import RunConfig
from ragcore.records import AskOptions, ContextFrom, FollowUps, OnRefusal, SecondOpinionSource, Unsupported


def config_options(command):
    """The options that make up a run's configuration."""
    for option in reversed(
        (
            click.option(
                "--corpus",
                "corpora",
                multiple=True,
                help="Files or folders to ask it of; several may follow.",
            ),
            click.option("--collection", help="Ask an existing collection instead of a corpus."),
            click.option("--split", type=click.Choice(["calibration", "test"]), help="Only this split."),
            click.option("--questions", "limit", type=click.IntRange(1), help="At most so many of each set."),
            click.option("--top-k", type=int, default=5, show_default=True),
            click.option(
                "--mode", type=click.Choice(["dense", "hybrid"]), default="hybrid", show_default=True
            ),
            click.option(
                "--fusion", type=click.Choice(["weighted", "rrf"]), default="weighted", show_default=True
            ),
            click.option("--threshold", type=float, help="The cutoff, instead of the one in force."),
            click.option("--generator", type=click.Choice(["auto", "ollama", "quote"]), default="auto"),
            click.option("--model", "chat_model", help="The chat model of the stage answers."),
            click.option(
                "--second-opinion",
                type=click.Choice(get_args(SecondOpinionSource)),
                default="off",
                show_default=True,
                help="Who is asked, past the cutoff, whether the passages hold an answer.",
            ),
            click.option(
                "--follow-ups",
                type=click.Choice(get_args(FollowUps)),
                default=AskOptions().follow_ups,
                show_default=True,
                help="What the stage followups searches for.",
            ),
            click.option(
                "--context",
                type=click.Choice(get_args(ContextFrom)),
                default=AskOptions().context,
                show_default=True,
                help="What the model of the stage answers is given.",
            ),
            click.option(
                "--unsupported",
                type=click.Choice(get_args(Unsupported)),
                default=AskOptions().unsupported,
                show_default=True,
                help="What becomes of a model's sentences that no passage supports.",
            ),
            click.option(
                "--on-refusal",
                type=click.Choice(get_args(OnRefusal)),
                default=AskOptions().on_refusal,
                show_default=True,
                help="What is shown where the model finds no answer although the evidence is strong.",
            ),
            click.option("--max-tokens", type=int, default=ChunkingConfig().max_tokens, show_default=True),
            click.option("--overlap-tokens", type=int, default=0, show_default=True),
            click.option(
                "--header", type=click.Choice(["auto", "on", "off"]), default="auto", show_default=True
            ),
            click.option("--strategy", type=click.Choice(STRATEGIES), default="recursive", show_default=True),
            click.option(
                "--granularity",
                type=click.Choice(get_args(Granularity)),
                default="sentence",
                show_default=True,
            ),
        )
    ):
        command = option(command)
    return command


def run_config(sets: tuple[str, ...], stage: str, options: dict[str, Any]) -> RunConfig:
    """The configuration that ``config_options`` describe, for these sets at this stage."""
    return RunConfig(
        sets=sets,
        corpora=options["corpora"],
        collection=options["collection"],
        stage=stage,
        split=options["split"],
        limit=options["limit"],
        chunking=ChunkingConfig(
            strategy=options["strategy"],
            max_tokens=options["max_tokens"],
            overlap_tokens=options["overlap_tokens"],
            header=options["header"],
            granularity=options["granularity"],
        ),
        options=AskOptions(
            threshold=options["threshold"],
            top_k=options["top_k"],
            mode=options["mode"],
            fusion=options["fusion"],
            generator=options["generator"],
            chat_model=options["chat_model"],
            second_opinion=options["second_opinion"],
            follow_ups=options["follow_ups"],
            context=options["context"],
            unsupported=options["unsupported"],
            on_refusal=options["on_refusal"],
        ),
    )
