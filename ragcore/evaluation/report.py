"""The report of a run: Markdown with figures, beside which a person may write.

Everything comes from stored results, so that writing it again asks nothing anew and gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragcore.errors import InputError
from ragcore.evaluation import figures
from ragcore.evaluation.agreement import Agreement, agreement
from ragcore.evaluation.automatic_grade import automatic_grade
from ragcore.evaluation.examples import examples
from ragcore.evaluation.generated_sections import merged, read_or_none, replace_file
from ragcore.evaluation.markdown import escaped, table
from ragcore.evaluation.outcome import Outcome, failures
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.summary import by_group, summarise
from ragcore.storage import EvalResult, EvalRun, HandGrade

REPORT = "report.md"
FIGURES = "figures"
GOOD, FAILING = 5, 10
_DRAWN = {
    "scores.png": ("Score distributions by kind of question, with the cutoff", figures.score_distributions),
    "ranks.png": ("Rank of the first passage with gold", figures.hits_by_rank),
    "failures.png": ("Failures by stage", figures.failures_by_stage),
}


def write_report(
    folder: Path, run: EvalRun, results: Sequence[EvalResult], grades: Mapping[int, Sequence[HandGrade]]
) -> Path:
    """Write ``folder/report.md`` and ``folder/figures/*.png``; returns the path of the report.

    In a report that is there already only what stands between the markers is replaced. ``grades``
    are those in force by result id. Raises InputError for a run without results, for a folder that
    cannot be written, and for a report whose markers are damaged; nothing is written then.
    """
    if not results:
        raise InputError(f"Run {run.id} has no results yet; go on with `eval run --resume {run.id}`.")
    outcomes = [Outcome.from_dict(result.outcome) for result in results]
    file = folder / REPORT
    drawn = {name: png for name, (_, draw) in _DRAWN.items() if (png := draw(outcomes)) is not None}
    sections = _sections(run, results, outcomes, grades, drawn)
    content = merged(read_or_none(file), sections, str(file))
    try:
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    for name, png in drawn.items():
        replace_file(folder / FIGURES / name, png)
    replace_file(file, content)
    return file


def _sections(
    run: EvalRun,
    results: Sequence[EvalResult],
    outcomes: Sequence[Outcome],
    grades: Mapping[int, Sequence[HandGrade]],
    drawn: Mapping[str, bytes],
) -> dict[str, str]:
    """The generated sections by name, always the same names."""
    stage = run.stage
    pictures = [f"![{_DRAWN[name][0]}]({FIGURES}/{name})" for name in drawn]
    good = [r for r in results if r.failure_stage is None]
    bad = [r for r in results if r.failure_stage is not None]
    return {
        "headline": _headline(run, outcomes),
        "provenance": _titled("Provenance", table(["what", "value"], _flat(run.provenance))),
        "configuration": _titled("Configuration", table(["setting", "value"], _flat(run.config))),
        **{
            f"by-{field}": _titled(f"By {field}", _groups(by_group(outcomes, stage, field)))
            for field in ("kind", "category", "difficulty")
        },
        "failures": _titled("Failures by stage", _failures(outcomes)),
        "figures": _titled("Figures", "\n\n".join(pictures) or "There is nothing to draw."),
        "good-examples": _titled("Good examples", examples(good, GOOD, stage)),
        "failing-examples": _titled("Failing examples", examples(bad, FAILING, stage)),
        "agreement": _titled("Agreement with hand grades", _agreements(results, grades)),
    }


def _titled(title: str, text: str) -> str:
    return f"## {title}\n\n{text}"


def _headline(run: EvalRun, outcomes: Sequence[Outcome]) -> str:
    stopped = "" if len(outcomes) == run.questions else " The run is not complete."
    return "\n\n".join(
        [
            f"# Run {run.id}: {escaped(run.name)}",
            f"Stage {escaped(run.stage)}, question set {escaped(run.question_set)}: {len(outcomes)} of "
            f"{run.questions} questions, status {escaped(run.status)}, {run.seconds:.1f} s, begun "
            f"{run.created_at:%Y-%m-%d %H:%M %Z}.{stopped}".replace(" .", "."),
            table(["metric", "value", "95 % interval", "k/n"], _rows(summarise(outcomes, run.stage))),
            "Shares have Wilson intervals; means, percentiles and AUROC a bootstrap over questions. "
            "Where k/n gives n alone, the number is no share of counted questions.",
        ]
    )


def _rows(metrics: Mapping[str, Rate]) -> Iterator[tuple[str, str, str, str]]:
    for name, rate in metrics.items():
        form = "{:.0f}" if name.endswith(("_p50", "_p95")) else "{:.3f}"
        unit = " ms" if "_ms_" in name else ""
        value = "not measured" if rate.value is None else form.format(rate.value) + unit
        interval = (
            "none" if rate.low is None or rate.high is None else
            f"{form.format(rate.low)} to {form.format(rate.high)}{unit}"
        )  # fmt: skip
        yield name, value, interval, f"n = {rate.n}" if rate.k is None else f"{rate.k}/{rate.n}"


def _groups(groups: Mapping[str, Mapping[str, Rate]]) -> str:
    rows = [
        (group if number == 0 else "", *row)
        for group, metrics in groups.items()
        for number, row in enumerate(_rows(metrics))
    ]
    return table(["group", "metric", "value", "95 % interval", "k/n"], rows)


def _failures(outcomes: Sequence[Outcome]) -> str:
    counts = failures(outcomes)
    if not counts:
        return f"No question of {len(outcomes)} went wrong."
    rows = [
        (stage, f"{k}/{len(outcomes)}", _kinds(outcomes, stage))
        for stage, k in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return table(["first stage that went wrong", "k/n", "by kind"], rows)


def _kinds(outcomes: Sequence[Outcome], stage: str) -> str:
    kinds = [outcome.kind for outcome in outcomes if outcome.failure_stage == stage]
    return ", ".join(f"{kind} {kinds.count(kind)}" for kind in dict.fromkeys(kinds))


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """``{"git": {"commit": ...}}`` as rows ``git.commit``; by name, for JSON columns keep no order."""
    for key, value in sorted(values.items()):
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, (list, tuple)) and value:
            yield f"{prefix}{key}", ", ".join(map(str, value))
        else:
            yield f"{prefix}{key}", "none" if value is None or value in ("", (), [], {}) else str(value)


def _agreements(results: Sequence[EvalResult], grades: Mapping[int, Sequence[HandGrade]]) -> str:
    """One part a grader: two graders' grades of the same answer are not thrown together."""
    by_grader: dict[str, dict[str, str]] = {}
    for result in results:
        for given in grades.get(result.id, ()):
            if given.grade is not None:
                by_grader.setdefault(given.grader, {})[result.question_id] = given.grade
    if not by_grader:
        return "No answer of this run has been graded by hand."
    automatic = {
        result.question_id: label
        for result in results
        if (label := automatic_grade(Outcome.from_dict(result.outcome)))
    }
    return "\n\n".join(
        f"### {escaped(grader)}\n\n{_agreement(agreement(_both(automatic, hand), hand))}"
        for grader, hand in sorted(by_grader.items())
    )


def _both(automatic: Mapping[str, str], hand: Mapping[str, str]) -> dict[str, str]:
    """The automatic grades of what the person graded: nobody was asked about the others."""
    return {key: label for key, label in automatic.items() if key in hand}


def _agreement(found: Agreement) -> str:
    lines = []
    if found.n:
        kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
        interval = "" if found.low is None else f" (95 % interval {found.low:.2f} to {found.high:.2f})"
        lines.append(f"{found.agreed}/{found.n} grades are the same; Cohen's kappa {kappa}{interval}.")
    if found.note:
        lines.append(escaped(found.note))
    if found.left_out:
        lines.append(f"{found.left_out} without an automatic or a hand grade are left out.")
    if found.n:
        rows = [(label, *counts) for label, counts in zip(found.labels, found.table, strict=True)]
        lines.append(table(["automatic \\ by hand", *found.labels], rows))
    if found.differences:
        rows = [(one.id, one.automatic, one.hand) for one in found.differences]
        lines.append(table(["graded differently", "automatic", "by hand"], rows))
    return "\n\n".join(lines)
