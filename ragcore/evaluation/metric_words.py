"""What the metrics of the command line are called on a page, and which stand for a run.

A share has no unit and lies between 0 and 1; times are in milliseconds, prompts in tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ragcore.evaluation.rate import Rate


@dataclass(frozen=True, slots=True)
class MetricWords:
    """``label`` stands on a page, ``meaning`` in its help; ``better`` says which way is good."""

    label: str
    meaning: str
    better: Literal["higher", "lower"] = "higher"
    unit: str = ""


METRICS: dict[str, MetricWords] = {
    "hit_rate@1": MetricWords(
        "Gold first", "Answerable questions whose first hit holds gold (hit rate@1, also called recall@1)."
    ),
    "hit_rate@3": MetricWords(
        "Gold in the first 3", "Answerable questions with gold among the first 3 hits (hit rate@3)."
    ),
    "hit_rate@5": MetricWords(
        "Gold in the first 5", "Answerable questions with gold among the first 5 hits (hit rate@5)."
    ),
    "mrr": MetricWords("MRR", "Mean of 1 / rank of the first gold, 0 where none was found."),
    "false_refusal": MetricWords("False refusals", "Answerable questions that were refused.", "lower"),
    "general_knowledge_passed": MetricWords(
        "General knowledge passed",
        "Questions that no document answers and that were not refused all the same.",
        "lower",
    ),
    "missing_info_passed": MetricWords(
        "Missing info passed",
        "Questions on the documents' subject, whose answer they do not hold, that were not refused.",
        "lower",
    ),
    "auroc_general_knowledge": MetricWords(
        "AUROC, general knowledge",
        "Chance that an answerable question scores above one of general knowledge; 0.5 is none.",
    ),
    "auroc_missing_info": MetricWords(
        "AUROC, missing info",
        "Chance that an answerable question scores above one whose answer is missing; 0.5 is none.",
    ),
    "follow_up_hit@1": MetricWords("Follow-up: gold first", "Follow-ups whose first hit holds gold."),
    "chain_hit@1": MetricWords("Chains: gold first at every turn", "Chains of turns of which none missed."),
    "follow_up_leak": MetricWords(
        "Off-topic follow-ups passed", "Off-topic follow-ups that were not refused.", "lower"
    ),
    "answer_right": MetricWords(
        "Answers right", "Answerable questions whose answer holds every fact; ungraded ones are left out."
    ),
    "refusal_right": MetricWords("Refusals right", "Questions to be refused that were."),
    "citation_right": MetricWords("Citations right", "Cited answers that name the file and page of gold."),
    "claim_cited": MetricWords("Claims cited", "Sentences of answers that carry a citation."),
    "claim_supported": MetricWords(
        "Claims supported", "Sentences of a model, of those shown, that the check found in the passages."
    ),
    "claim_struck": MetricWords(
        "Claims struck", "Sentences of a model that were left out: no passage supports them.", "lower"
    ),
    "injection_obeyed": MetricWords(
        "Injections obeyed", "Attacks whose word or behaviour can be seen in the answer.", "lower"
    ),
    "injection_answer_right": MetricWords(
        "Right beside an injection", "Questions beside an attack that got the honest answer.", "higher"
    ),
    "retrieve_ms_p50": MetricWords("Search time", "Median time of a search.", "lower", "ms"),
    "answer_ms_p50": MetricWords("Answer time", "Median time to the end of an answer.", "lower", "ms"),
    "prompt_tokens_p50": MetricWords("Prompt", "Median length of a prompt.", "lower", "tokens"),
}

HEADLINES: dict[str, tuple[str, ...]] = {
    "retrieval": ("hit_rate@1", "hit_rate@5", "auroc_missing_info"),
    "refusal": ("false_refusal", "general_knowledge_passed", "missing_info_passed"),
    "followups": ("follow_up_hit@1", "chain_hit@1", "follow_up_leak"),
    "answers": ("answer_right", "refusal_right", "citation_right"),
}
"""By stage, the figures that stand for a run in a list, the first of them before all."""


def words_of(metric: str) -> MetricWords:
    """A metric without words of its own is called by its name."""
    return METRICS.get(metric) or MetricWords(metric.replace("_", " "), "")


def is_share(metric: str) -> bool:
    """Whether it lies between 0 and 1, so that it can stand on one axis with others."""
    return not words_of(metric).unit


def headline(stage: str, metrics: Mapping[str, Rate]) -> dict[str, Rate]:
    """The figures that stand for a run, those of its stage that it has; else its first ones."""
    found = {name: metrics[name] for name in HEADLINES.get(stage, ()) if name in metrics}
    return found or dict(list(metrics.items())[:3])


def stored_rates(metrics: Mapping[str, Mapping[str, Any]]) -> dict[str, Rate]:
    """The metrics as a run's row holds them, NAME -> {value, k, n, low, high}."""
    return {name: Rate(**rate) for name, rate in metrics.items()}


def figure(metric: str, rate: Rate) -> str:
    """``0.62``, ``12 ms``, or ``not measured``."""
    if rate.value is None:
        return "not measured"
    unit = words_of(metric).unit
    return f"{rate.value:,.0f} {unit}" if unit else f"{rate.value:.2f}"


def interval(metric: str, rate: Rate) -> str:
    """``0.55 to 0.69``; empty where there is none."""
    if rate.low is None or rate.high is None:
        return ""
    form = "{:,.0f}" if words_of(metric).unit else "{:.2f}"
    return f"{form.format(rate.low)} to {form.format(rate.high)}"


def size(rate: Rate) -> str:
    """``79/128`` for counted questions, else ``n = 128``."""
    return f"n = {rate.n}" if rate.k is None else f"{rate.k}/{rate.n}"
