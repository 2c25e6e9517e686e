"""The options that make up a run's configuration: of eval run and of calibrate."""

from __future__ import annotations

from typing import Any, get_args

import click

from ragcore.chunking import ChunkingConfig, Granularity
from ragcore.commands.cutting import STRATEGIES
from ragcore.commands.output import answer_option
from ragcore.evaluation.bench import RunConfig
from ragcore.records import AskOptions


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
            answer_option(
                "second_opinion", "Who is asked, past the cutoff, whether the passages hold an answer."
            ),
            answer_option("follow_ups", "What the stage followups searches for."),
            answer_option("context", "What the model of the stage answers is given."),
            answer_option("unsupported", "What becomes of a model's sentences that no passage supports."),
            answer_option(
                "on_refusal", "What is shown where the model finds no answer although the evidence is strong."
            ),
            answer_option(
                "prompt",
                "The rules that the model is given: for small models, for large ones, or by its size.",
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
            prompt=options["prompt"],
        ),
    )
