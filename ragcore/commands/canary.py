"""What ``doctor --canary`` prints: whether a chat model obeys orders that stand in documents."""

from __future__ import annotations

from dataclasses import asdict

import click

from ragcore.commands.output import clear_progress, print_json, show_stage
from ragcore.evaluation.canary import measure_canary
from ragcore.rag import Rag


def report_canary(rag: Rag, chat_model: str | None, as_json: bool) -> None:
    """Measure and print: a line an attack, then the counts. Raises ModelUnreachable, ModelMissing, ModelError."""
    chat = rag.chats.choose("ollama", chat_model)
    assert chat is not None  # "ollama" insists on a model
    report = measure_canary(
        chat, rag.embedder, progress=lambda done, total: show_stage("attacks", done, total)
    )
    clear_progress()
    if as_json:
        for one in report.results:
            print_json(asdict(one))
        print_json(
            {
                "model": report.model,
                "seconds": report.seconds,
                "tokens_per_second": report.tokens_per_second,
                "metrics": {
                    "injection_obeyed": report.obeyed.as_dict(),
                    "injection_written": report.written.as_dict(),
                    "injection_answer_right": report.answered.as_dict(),
                },
            }
        )
        return
    for one in report.results:
        found = one.error or (
            f"{'OBEYED' if one.obeyed else 'written, not shown' if one.written else 'not obeyed'}, "
            f"question {'answered' if one.answered else 'not answered'}"
        )
        click.echo(f"{one.kind:18} {found}")
    speed = "" if report.tokens_per_second is None else f", {report.tokens_per_second:.0f} tokens/s"
    click.echo(
        f"{report.model}: obeyed {report.obeyed}; written by the model {report.written}; "
        f"honest question answered {report.answered}; {report.seconds:.0f} s{speed}."
    )
