"""Commands of the bench: eval run, list, compare; calibrate. The others are in modules of their own."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import asdict
from typing import Any

import click

from ragcore.commands.exporting import export, import_grades
from ragcore.commands.output import json_option, opened_rag, print_json, say
from ragcore.commands.reporting import make_missing_set, report
from ragcore.commands.run_options import config_options, run_config
from ragcore.errors import InputError
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.runs import Summary
from ragcore.rag import Rag

STAGES = ("retrieval", "refusal", "followups", "answers")
HEADLINES = (
    "hit_rate@1",
    "answer_right",
    "refusal_right",
    "false_refusal",
    "follow_up_hit@1",
    "missing_info_passed",
)
"""Which figure stands for a run in the list: the first of these that it has."""


@click.group("eval")
def evaluate() -> None:
    """Measure: run question sets, compare runs, export results."""


evaluate.add_command(report)
evaluate.add_command(export)
evaluate.add_command(import_grades)
evaluate.add_command(make_missing_set)


@evaluate.command("run")
@click.argument("sets", nargs=-1)
@click.option("--stage", type=click.Choice(STAGES), default="retrieval", show_default=True)
@config_options
@click.option("--name", default="", help="A name for the run.")
@click.option("--resume", type=int, help="Go on with a run that was stopped, instead of beginning one.")
@json_option
def run(
    sets: tuple[str, ...], stage: str, name: str, resume: int | None, as_json: bool, **options: Any
) -> int:
    """Ask the questions of SETS and measure."""
    if (resume is None) == (not sets):
        raise InputError("Name the question sets to run, or give --resume with the number of a run.")
    with opened_rag() as rag:
        run_id = resume or rag.bench.begin(run_config(sets, stage, options), name=name)
        summary = _carry_out(rag, run_id, as_json)
        stored = rag.evaluations.run(run_id)
    _print_summary(summary, stored.question_set, stored.stage, as_json)
    if summary.status != "complete":
        click.echo(
            f"Stopped after {summary.done} of {summary.total}; go on with `eval run --resume {run_id}`.",
            err=True,
        )
    return 0 if summary.status == "complete" else 1


@evaluate.command("list")
@json_option
def list_runs(as_json: bool) -> None:
    """The runs, newest first."""
    with opened_rag() as rag:
        runs = rag.evaluations.runs()
    for one in runs:
        row = {**asdict(one), "created_at": one.created_at.isoformat()}
        headline = next(((name, one.metrics[name]) for name in HEADLINES if name in one.metrics), None)
        figure = (
            f"{headline[0]} {headline[1]['value']:.3f}"
            if headline and headline[1]["value"] is not None
            else ""
        )
        say(row, f"{one.id:5} {one.status:10} {one.name} ({one.done}/{one.questions}) {figure}", as_json)


@evaluate.command("compare")
@click.argument("a", type=int)
@click.argument("b", type=int)
@json_option
def compare(a: int, b: int, as_json: bool) -> None:
    """Run B against run A, question by question."""
    with opened_rag() as rag:
        comparison = rag.bench.compare(a, b)
    row = {
        **asdict(comparison),
        "wins": comparison.wins,
        "losses": comparison.losses,
        "sentence": comparison.sentence,
    }
    if as_json:
        print_json(row)
        return
    click.echo(comparison.sentence)
    for word, ids in (("found", comparison.won), ("lost", comparison.lost)):
        for question in ids:
            click.echo(f"  {word:6} {question}")


@click.command()
@click.argument("sets", nargs=-1, required=True)
@config_options
@click.option("--target", type=float, help="At most this share of false refusals, such as 0.02.")
@click.option("--price", type=float, help="How many refusals one wrong answer costs.")
@click.option("--apply", is_flag=True, help="Put the suggested cutoff in force for this profile.")
@json_option
def calibrate(
    sets: tuple[str, ...],
    target: float | None,
    price: float | None,
    apply: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the cutoff that the scores of SETS suggest."""
    if target is not None and price is not None:
        raise InputError("Give --target or --price, not both.")
    config = run_config(sets, "refusal", options)
    with opened_rag() as rag:
        found, floor = rag.bench.calibrate(config)
        chosen = found.suggestion
        if target is not None:
            chosen = found.by_target(target)
        elif price is not None:
            chosen = found.by_price(price)
        floor_at = floor.suggestion.cutoff if floor else None
        stored = rag.bench.store_calibration(config, chosen, floor_at, apply=apply)
    row = {
        "calibration": stored.id,
        "cutoff": chosen.cutoff,
        "reason": chosen.reason,
        "window": found.window.sentence,
        "follow_up_floor": floor_at,
        "floor_reason": floor.suggestion.reason if floor else None,
        "counts": stored.counts,
        "applied": apply,
    }
    if as_json:
        print_json(row)
        return
    click.echo(f"Suggested cutoff {chosen.cutoff:.4g}. {chosen.reason}\n{found.window.sentence}")
    for split, rates in (("calibration", chosen.calibration), ("test", chosen.test)):
        passed = "".join(f", {kind} passed {rate}" for kind, rate in rates.passed.items())
        click.echo(f"  {split:11} answerable refused {rates.false_refusal}{passed}")
    if floor is not None:
        click.echo(f"Follow-up floor {floor_at:.4g}. {floor.suggestion.reason}")
    click.echo("In force now." if apply else "Not in force; add --apply to use it.")


def _carry_out(rag: Rag, run_id: int, as_json: bool) -> Summary:
    total = rag.evaluations.run(run_id).questions
    bar = click.progressbar(length=total, label=f"Run {run_id}", file=sys.stderr, show_pos=True)
    with bar, closing(rag.bench.carry_out(run_id)) as outcomes:
        bar.update(rag.evaluations.run(run_id).done)
        try:
            for outcome in outcomes:
                if as_json:
                    print_json(_row(outcome))
                bar.update(1)
        except KeyboardInterrupt:
            # What has been measured is stored; the caller says how to go on.
            outcomes.close()
    return rag.bench.summary(run_id)


def _row(outcome: Outcome) -> dict[str, Any]:
    return {name: value for name, value in outcome.as_dict().items() if name != "hits"}


def _print_summary(summary: Summary, sets: str, stage: str, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "run": summary.run_id,
                "set": sets,
                "stage": stage,
                "status": summary.status,
                "seconds": summary.seconds,
                "metrics": {name: rate.as_dict() for name, rate in summary.metrics.items()},
                "failures": summary.failures,
            }
        )
        return
    click.echo(
        f"Run {summary.run_id}: {sets}, {stage}, {summary.done} of {summary.total}, {summary.seconds:.1f} s"
    )
    for name, rate in summary.metrics.items():
        click.echo(f"  {name:26} {rate}")
    if summary.failures:
        click.echo("  failed at: " + ", ".join(f"{stage} {n}" for stage, n in summary.failures.items()))
