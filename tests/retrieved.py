"""What a search could have found, made by hand."""

from ragcore.records import Candidate, Evidence, ExpandedQuestion
from ragcore.retrieval import Retrieval

SHOP = "Keys are cut in the shop. A lost key is reported at once."
FEES = "A lost key costs £15. A lost badge is replaced."


def hit(number, text, scores, section=(), coverage=0.0):
    """A candidate whose sentences, parted after a full stop, have these cosines."""
    spans, start = [], 0
    for sentence in text.split(". "):
        spans.append((start, min(len(text), start + len(sentence) + 1)))
        start += len(sentence) + 2
    evidence = [Evidence(a, b, score) for (a, b), score in zip(spans, scores, strict=True)]
    evidence.sort(key=lambda one: -one.score)
    return Candidate(
        number, 1, "mill.md", False, 1, 1, None, ((0, 1),), tuple(section), "", text,
        max(scores, default=0.5), coverage, tuple(evidence),
    )  # fmt: skip


def found(question, candidates, frequencies=None, chunks=0):
    return Retrieval(
        ExpandedQuestion(question, question),
        tuple(candidates),
        1.0,
        max((one.score for one in candidates), default=None),
        frequencies or {},
        chunks,
    )
