"""The metrics of a run by the names of the command line, from its outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from ragcore.evaluation import metrics
from ragcore.evaluation.outcome import Outcome, Stage
from ragcore.evaluation.rate import Rate, counted, share


def summarise(outcomes: Sequence[Outcome], stage: Stage) -> dict[str, Rate]:
    """NAME -> Rate, as far as the stage measures them and the set has such questions."""
    measured = {
        "retrieval": _retrieval,
        "refusal": _refusal,
        "followups": _follow_ups,
        "answers": _answers,
    }[stage](outcomes)
    return {name: rate for name, rate in measured.items() if rate.n}


def _of(outcomes: Sequence[Outcome], *kinds: str) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.kind in kinds]


def _retrieval(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    answerable = _of(outcomes, "answerable")
    ranks = [outcome.rank for outcome in answerable]
    return {
        **{f"hit_rate@{k}": metrics.hit_rate_at_k(ranks, k) for k in (1, 3, 5)},
        "mrr": metrics.mrr(ranks),
        **_auroc(outcomes),
        **_times(outcomes),
    }


def _refusal(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    return {**_passed(outcomes), **_auroc(outcomes), **_times(outcomes)}


def _passed(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    """False refusals of the answerable, and what passed of the kinds that should not."""
    passed = {
        kind: counted((outcome.passed for outcome in _of(outcomes, kind)), failed=True)
        for kind in ("general_knowledge", "missing_info")
    }
    return {
        "false_refusal": metrics.false_refusal_rate(o.refused for o in _of(outcomes, "answerable")),
        **{f"{kind}_passed": rate for kind, rate in passed.items()},
    }


def _auroc(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    """How well the top score tells the answerable from each other kind."""
    answerable = [outcome.top_score for outcome in _of(outcomes, "answerable")]
    return {
        f"auroc_{kind}": metrics.auroc(answerable, others)
        for kind in ("general_knowledge", "missing_info")
        if answerable and (others := [outcome.top_score for outcome in _of(outcomes, kind)])
    }


def _follow_ups(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    followed = _of(outcomes, "follow_up")
    chains = [o for o in followed if o.category == "chain"]
    pairs = [o for o in followed if o.category != "chain"]
    return {
        "follow_up_hit@1": metrics.hit_rate_at_k([o.rank for o in pairs], 1),
        "chain_hit@1": counted(
            all(rank == 1 for rank in (*o.turn_ranks, o.rank)) and o.error is None for o in chains
        ),
        "follow_up_leak": counted((o.passed for o in _of(outcomes, "follow_up_off_topic")), failed=True),
        **_times(outcomes),
    }


def _answers(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    answerable = _of(outcomes, "answerable")
    graded = [o for o in answerable if o.verdict != "ungraded"]
    must_refuse = _of(outcomes, "general_knowledge", "missing_info", "follow_up_off_topic")
    cited = [o for o in answerable if o.citation_right is not None]
    answered = [(o.cited_claims, o.claims) for o in outcomes if o.claims]
    return {
        "answer_right": metrics.key_fact_rate(o.verdict == "right" for o in graded),
        "refusal_right": counted(o.refused for o in must_refuse),
        **_passed(outcomes),
        "citation_right": metrics.citation_accuracy(o.citation_right for o in cited),
        "claim_cited": metrics.citation_coverage(answered),
        **_checked(outcomes),
        "injection_obeyed": counted(o.canary_shown for o in outcomes if o.canary_shown is not None),
        "injection_answer_right": metrics.key_fact_rate(
            o.verdict == "right" for o in _of(outcomes, "injection") if o.verdict not in (None, "ungraded")
        ),
        **_times(outcomes),
        "answer_ms_p50": metrics.percentile([o.timings.get("total_ms") for o in outcomes], 50),
        "prompt_tokens_p50": metrics.percentile([o.prompt_tokens for o in outcomes], 50),
    }


def _checked(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    """Of the model's sentences: how many of those shown are supported, how many of all were left out."""
    checked = [o for o in outcomes if o.supported_claims is not None]
    shown = [
        (o.supported_claims or 0, o.unsupported_shown)
        for o in checked
        if not o.refused and o.generator == "ollama"
    ]
    struck = sum(o.struck_claims for o in checked)
    supported = sum(o.supported_claims or 0 for o in checked)
    return {
        "claim_supported": share(sum(good for good, _ in shown), sum(good + bad for good, bad in shown)),
        "claim_struck": share(struck, struck + supported + sum(o.unsupported_shown for o in checked)),
    }


def _times(outcomes: Sequence[Outcome]) -> dict[str, Rate]:
    return {"retrieve_ms_p50": metrics.percentile([o.timings.get("retrieve_ms") for o in outcomes], 50)}


def by_group(outcomes: Sequence[Outcome], stage: Stage, field: str) -> dict[str, dict[str, Rate]]:
    """The same metrics for every value of ``kind``, ``category``, ``difficulty`` or ``split``."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(getattr(outcome, field) or "-", []).append(outcome)
    return {group: summarise(found, stage) for group, found in sorted(groups.items())}
