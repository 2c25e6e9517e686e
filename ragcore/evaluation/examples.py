"""Examples for the report: single questions with all that came of them, spread over the kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragcore.evaluation.markdown import escaped, shortened, table
from ragcore.evaluation.outcome import Outcome
from ragcore.storage import EvalResult

_EXCERPT = 200
_ANSWER = 1200


def examples(results: Sequence[EvalResult], count: int, stage: str) -> str:
    """At most ``count`` of them; good ones in turn of kind, failing ones in turn of failure stage."""
    if stage == "retrieval":
        # There only what has gold is judged: a question to be refused can neither fail nor succeed.
        results = [one for one in results if one.outcome["expected"] == "answer"]
    chosen = _spread(results, count)
    if not chosen:
        return "There are none."
    shown = "\n\n".join(_example(Outcome.from_dict(one.outcome), one.question) for one in chosen)
    return f"{len(chosen)} of {len(results)}.\n\n{shown}"


def _spread(results: Sequence[EvalResult], count: int) -> list[EvalResult]:
    """In turn from each failure stage and kind, in the order of the run: no choice by looks."""
    groups: dict[tuple[str, str], list[EvalResult]] = {}
    for one in results:
        groups.setdefault((one.failure_stage or "", one.kind), []).append(one)
    ranked = [
        (number, place, one) for place, own in enumerate(groups.values()) for number, one in enumerate(own)
    ]
    ranked.sort(key=lambda item: item[:2])
    return [one for _, _, one in ranked[:count]]


def _example(outcome: Outcome, question: Mapping[str, Any]) -> str:
    turns = question.get("turns") or [outcome.question]
    facts = [
        f"- kind: {escaped(' · '.join(filter(None, (outcome.kind, outcome.category, outcome.difficulty))))}",
        f"- expected: {'an answer' if outcome.expected == 'answer' else 'a refusal'}",
        *(f"- gold: {_gold(gold)}" for gold in question.get("gold") or ()),
        *([] if question.get("gold") else ["- gold: none"]),
        *([f"- facts: {_facts(question['facts'])}"] if question.get("facts") else []),
        f"- what happened: {_happened(outcome)}",
        f"- failure stage: {escaped(outcome.failure_stage or 'none')}",
    ]
    if outcome.verdict is not None:
        facts.append(
            f"- verdict: {escaped(outcome.verdict)}. {escaped(outcome.verdict_reason)}".rstrip(". ") + "."
        )
    if outcome.answer:
        facts.append(f"- answer: {escaped(shortened(outcome.answer, _ANSWER))}")
    if outcome.citations:
        facts.append(f"- citations: {'; '.join(map(_citation, outcome.citations))}")
    if outcome.error:
        facts.append(f"- error: {escaped(shortened(outcome.error, _ANSWER))}")
    parts = [f"### {escaped(outcome.id)}", *(f"> {escaped(turn)}" for turn in turns), "\n".join(facts)]
    if outcome.hits:
        heads = ["rank", "gold", "score", "place", "passage"]
        parts.append(table(heads, (_hit(rank, hit) for rank, hit in enumerate(outcome.hits, 1))))
    else:
        parts.append("Nothing was retrieved.")
    return "\n\n".join(parts)


def _happened(outcome: Outcome) -> str:
    if outcome.error:
        return "it failed with an error"
    said = []
    if outcome.refused is not None:
        at = f" at stage {escaped(outcome.refusal_stage)}" if outcome.refusal_stage else ""
        said.append(f"refused{at}" if outcome.refused else "not refused")
    if outcome.top_score is not None and outcome.cutoff is not None:
        said.append(f"best score {outcome.top_score:.3f}, cutoff {outcome.cutoff:.4g}")
    if outcome.expected == "answer":
        said.append("gold not found" if outcome.rank is None else f"gold at rank {outcome.rank}")
    return "; ".join(said) or "nothing was measured"


def _gold(gold: Mapping[str, Any]) -> str:
    place = f"page {gold['page']}" if gold.get("page") else gold.get("section") or ""
    where = ", ".join(filter(None, (gold.get("document") or "any document", place)))
    quote = gold.get("quote") or ""
    return escaped(f"{where}: “{shortened(quote, _EXCERPT)}”" if quote else where)


def _facts(groups: Sequence[Sequence[str]]) -> str:
    return escaped("; ".join(" or ".join(group) for group in groups))


def _citation(citation: Mapping[str, Any]) -> str:
    place = citation.get("location") or citation.get("page") or ""
    return escaped(f"[{citation.get('file')}:{place}] “{shortened(citation.get('quote') or '', _EXCERPT)}”")


def _hit(rank: int, hit: Mapping[str, Any]) -> tuple[object, ...]:
    first, last = hit["page_start"], hit["page_end"]
    pages = f"page {first}" if first == last else f"pages {first} to {last}"
    # A stored hit does not say whether its document has pages; of the kinds that are read only PDFs do.
    paged = hit["file"].casefold().endswith(".pdf")
    place = ", ".join(filter(None, (hit["file"], pages if paged else "", hit["section"])))
    return rank, "gold" if hit["gold"] else "", f"{hit['score']:.3f}", place, shortened(hit["text"], _EXCERPT)
