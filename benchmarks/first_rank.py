"""First-rank hits of whole-chunk dense retrieval on question sets with expected substrings.

    python benchmarks/first_rank.py CORPUS QUESTIONS [CORPUS QUESTIONS ...]

CORPUS is a file or a folder, QUESTIONS a JSON array of {question, expectedSubstrings}. A hit: the
chunk at that rank contains any of the substrings, case and white space folded (a leading ". " of
a substring, an artefact of its splitter, is dropped). Uses the product's own reading, chunking,
embedding and search on a database of its own, and prints counts with Wilson 95 % intervals.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

from ragcore import AskOptions, Settings, open_rag
from ragcore.rag import Rag

RANKS = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Score:
    rank: int | None
    top_score: float


def folded(text: str) -> str:
    return " ".join(text.split()).casefold().removeprefix(". ")


def ask_all(rag: Rag, collection: str, questions: list[dict]) -> list[Score]:
    scores = []
    for entry in questions:
        turn = rag.start(
            entry["question"], AskOptions(collection=collection, generator="quote", top_k=max(RANKS))
        )
        hits = turn.answer.hits
        expected = [folded(substring) for substring in entry["expectedSubstrings"]]
        ranks = [
            n
            for n, hit in enumerate(hits, 1)
            if any(e in folded(f"{hit.header} {hit.text}") for e in expected)
        ]
        scores.append(Score(min(ranks, default=None), hits[0].score))
    return scores


def line(name: str, scores: list[Score]) -> str:
    cells = []
    for rank in RANKS:
        hits = sum(score.rank is not None and score.rank <= rank for score in scores)
        interval = binomtest(hits, len(scores)).proportion_ci(method="wilson")
        cells.append(f"@{rank} {hits}/{len(scores)} [{interval.low:.3f}, {interval.high:.3f}]")
    tops = sorted(score.top_score for score in scores)
    return f"{name:24} {'  '.join(cells)}  top-1 {tops[0]:.2f}-{tops[-1]:.2f}"


def main(arguments: list[str]) -> int:
    if not arguments or len(arguments) % 2:
        print(__doc__, file=sys.stderr)
        return 1
    pooled: list[Score] = []
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=Path(home))) as rag:
        for number, (corpus, questions) in enumerate(zip(arguments[::2], arguments[1::2], strict=True)):
            collection = f"corpus-{number}"
            for report in rag.ingest_paths([corpus], collection=collection):
                print(
                    f"{report.status}: {report.file}, {report.chunks} chunks {report.error or ''}",
                    file=sys.stderr,
                )
            entries = json.loads(Path(questions).read_text(encoding="utf-8"))
            started = time.perf_counter()
            scores = ask_all(rag, collection, entries)
            seconds = time.perf_counter() - started
            print(line(Path(questions).stem, scores), f" {seconds:.1f} s")
            pooled += scores
    print(line("all", pooled))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
