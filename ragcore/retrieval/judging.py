"""What the answer judge makes of a retrieval: does one of the sentences that were found say the answer?

The likeliest of many sentences is often one of another subject that has the form of an answer. So each loses by
how far it stands behind the best match: what search puts first is what it is asked about (EXPERIMENTS.md,
2026-12-01, the judge asked about what would be shown).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragcore.lexical.lexemes import lexemes
from ragcore.lexical.tables import head_above, on_one_line
from ragcore.records import Candidate
from ragcore.retrieval.fusion import fused, lexical_weight

LogOddsOf = Callable[[str, Sequence[str]], Sequence[float]]
"""How likely each text says the answer to a question, in log-odds: an AnswerJudge's ``log_odds``."""

SENTENCES = 10
"""So many sentences are read, the best by the order of search."""
DISTANCE_WEIGHT = 10.0
"""Log-odds lost for a score of 1 behind the best sentence. 5 and 20 did about as well on calibration."""


def judged(question: str, candidates: Sequence[Candidate], judge: LogOddsOf) -> float:
    """Log-odds of the likeliest sentence of at least one candidate, less what it loses by its distance."""
    weight = lexical_weight(lexemes(question))
    found = sorted(
        (
            (fused(score, hit.coverage, weight), hit, start, end)
            for hit in candidates
            for score, start, end in _spans(hit)
        ),
        key=lambda one: -one[0],
    )[:SENTENCES]
    odds = judge(question, [judged_text(hit, start, end) for _, hit, start, end in found])
    best = found[0][0]
    return float(
        max(one - DISTANCE_WEIGHT * (best - score) for one, (score, *_) in zip(odds, found, strict=True))
    )


def _spans(hit: Candidate) -> list[tuple[float, int, int]]:
    """Score and place of each sentence; of the whole text where sentences have no vectors."""
    return [(one.score, one.start, one.end) for one in hit.evidence] or [(hit.score, 0, len(hit.text))]


def judged_text(hit: Candidate, start: int, end: int) -> str:
    """A piece of a candidate as a judge reads it: under the path of its headings; a table's row read out."""
    said = hit.text[start:end].strip()
    if "\n" not in said:
        said = on_one_line(said, head_above(hit.text, start, hit.header))
    return judged_words(said, hit.section)


def judged_words(said: str, section: Sequence[str]) -> str:
    """Words of a document as a judge reads them: under the path of their headings."""
    return f"{' > '.join(section)}\n{said}".strip()
