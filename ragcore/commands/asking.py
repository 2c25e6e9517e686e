"""Commands that ask and look: ask, doctor."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ragcore.commands.canary import report_canary
from ragcore.commands.output import (
    answer_option,
    collection_option,
    json_option,
    opened_rag,
    print_json,
    say,
)
from ragcore.records import Answer, AskOptions


@click.command()
@click.argument("question")
@collection_option
@click.option("--conversation", type=int, help="Add to this conversation instead of a new one.")
@click.option("--threshold", type=float, help="The cutoff, instead of the profile's.")
@click.option("--top-k", type=int, default=5, show_default=True, help="How many passages.")
@click.option("--mode", type=click.Choice(["dense", "hybrid"]), default="hybrid", show_default=True)
@click.option(
    "--generator", type=click.Choice(["auto", "ollama", "quote"]), default="auto", show_default=True
)
@click.option("--model", "chat_model", help="The chat model, instead of RAGCORE_CHAT_MODEL.")
@answer_option(
    "second_opinion",
    "Past the cutoff: refuse too when signals, the answer judge, or the model see no answer in the passages.",
)
@answer_option(
    "follow_ups", "In a conversation: search the question as typed, both together, or one that stands alone."
)
@answer_option(
    "context",
    "What the model is given: the passages found, or those with what stands around them in their documents.",
)
@answer_option(
    "unsupported",
    "Sentences of the model that no passage supports: strike them, quote or refuse instead, or show them marked.",
)
@answer_option(
    "on_refusal",
    "Where the model finds no answer although the evidence is strong: refuse, or quote the passages.",
)
@answer_option(
    "prompt",
    "The rules that the model is given: those for small models, those for large ones, or by its size.",
)
@json_option
def ask(question: str, conversation: int | None, as_json: bool, **options: Any) -> None:
    """Ask one question."""
    with opened_rag() as rag:
        rag.library.collection(options["collection"])
        answer = rag.ask(
            question,
            AskOptions(**options),
            conversation_id=conversation,
            new_conversation=conversation is None,
        )
    if as_json:
        print_json(answer_row(answer))
        return
    click.echo(answer.text)
    for warning in answer.warnings:
        click.echo(f"Note: {warning}", err=True)


@click.command()
@click.option(
    "--canary", is_flag=True, help="Measure instead whether a chat model obeys orders in documents."
)
@click.option("--model", "chat_model", help="The chat model for --canary, instead of RAGCORE_CHAT_MODEL.")
@json_option
def doctor(canary: bool, chat_model: str | None, as_json: bool) -> int:
    """Say what works, what does not, and how to mend it."""
    from ragcore.doctor import examine

    with opened_rag() as rag:
        if canary:
            report_canary(rag, chat_model, as_json)
            return 0
        checks = examine(rag)
    for check in checks:
        remedy = f"\n           {check.remedy}" if check.remedy else ""
        say(asdict(check), f"{check.state:10} {check.name}: {check.detail}{remedy}", as_json)
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
        "own_score": answer.own_score,
        "threshold": answer.decision.cutoff,
        "band": answer.decision.band,
        "second_opinion": None if answer.decision.opinion is None else asdict(answer.decision.opinion),
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
        "supported_claims": answer.supported_claims,
        "unsupported": [asdict(one) for one in answer.unsupported],
    }
