"""What gets a vector, and how two rankings are joined: hits, gate and cost of every combination.

    python -m benchmarks.granularity SPLIT SET_FOLDER ... [--also SET CORPUS ...]

SPLIT is calibration (to choose) or test (to report); sets given with --also have no splits of ours and
are asked whole, in a table of their own. By the product's own indexing and search on a database of its
own. First rank and first five with Wilson 95 % intervals, wins and losses at first rank against whole
chunks searched by vectors alone (McNemar's exact test); how many missing-info questions score below
every answerable one; rows and bytes of vectors a chunk; processor time of indexing and time of a search,
as ratios to whole chunks in the same run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from scipy.stats import binomtest

from ragcore import AskOptions, Settings, open_rag
from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.matching import gold_rank
from ragcore.evaluation.rate import share
from ragcore.evaluation.sets import load_set
from ragcore.rag import Rag

GRANULARITIES = ("chunk", "late", "sentence")
SEARCHES = (("dense", "weighted"), ("hybrid", "rrf"), ("hybrid", "weighted"))
KINDS = ("answerable", "missing_info", "general_knowledge")


@dataclass(slots=True)
class Measured:
    ranks: list[int | None] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    milliseconds: list[float] = field(default_factory=list)


def index(rag: Rag, name: str, granularity: str, corpus: Sequence[Path]) -> tuple[str, float]:
    """The collection of a corpus at a granularity, and the processor seconds that indexing it took."""
    collection = f"{name}-{granularity}"
    if rag.library.collections(collection):
        return collection, 0.0
    rag.library.create_collection(collection, chunking=ChunkingConfig(granularity=granularity).to_dict())
    started = time.process_time()
    for report in rag.ingest_paths(map(str, corpus), collection=collection):
        if report.error:
            raise SystemExit(report.error)
    return collection, time.process_time() - started


def table(rag: Rag, asked: Sequence[tuple[str, Sequence[Path], Sequence]]) -> None:
    """One row a combination. ``asked`` holds corpus name, its files, and the questions."""
    print(
        "| vectors, search | first rank | first five | wins, losses, p | below all answerable | rows | index | search |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    first: Measured | None = None
    seconds: dict[str, float] = {}
    for granularity in GRANULARITIES:
        indexed = [index(rag, name, granularity, corpus) for name, corpus, _ in asked]
        seconds[granularity] = sum(took for _, took in indexed)
        chunks, rows = rag.library.vector_counts(list(dict(indexed)))
        for mode, fusion in SEARCHES:
            measured = Measured()
            for (collection, _), (_, _, questions) in zip(indexed, asked, strict=True):
                options = AskOptions(collection=collection, generator="quote", mode=mode, fusion=fusion)
                for question in questions:
                    answer = rag.start(question.question, options).answer
                    measured.scores[question.kind].append(answer.decision.top_score or 0.0)
                    measured.milliseconds.append(answer.timings["retrieve_ms"])
                    if question.kind == "answerable":
                        measured.ranks.append(gold_rank(answer.hits, question))
            first = first or measured
            cells = [
                f"{granularity}, {mode if fusion == 'weighted' else fusion}",
                *hits(measured.ranks),
                compared(measured.ranks, first.ranks),
                below(measured.scores),
                f"{rows / chunks:.1f}",
                f"{seconds[granularity] / seconds['chunk']:.1f}" if seconds["chunk"] else "",
                f"{median(measured.milliseconds) / median(first.milliseconds):.1f}",
            ]
            print("| " + " | ".join(cells) + " |", flush=True)


def hits(ranks: Sequence[int | None]) -> list[str]:
    cells = []
    for most in (1, 5):
        found = share(sum(rank is not None and rank <= most for rank in ranks), len(ranks))
        cells.append(f"{found.k}/{found.n} [{found.low:.2f}, {found.high:.2f}]")
    return cells


def compared(ranks: Sequence[int | None], baseline: Sequence[int | None]) -> str:
    pairs = list(zip(ranks, baseline, strict=True))
    wins = sum(one == 1 and other != 1 for one, other in pairs)
    losses = sum(one != 1 and other == 1 for one, other in pairs)
    p = binomtest(wins, wins + losses, 0.5).pvalue if wins + losses else 1.0
    return f"+{wins} -{losses}, {p:.2g}"


def below(scores: dict[str, list[float]]) -> str:
    lowest = min(scores["answerable"])
    counts = [
        f"{kind} {sum(score < lowest for score in scores[kind])}/{len(scores[kind])}"
        for kind in KINDS[1:]
        if scores[kind]
    ]
    return f"{lowest:.2f}: {', '.join(counts)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("split", choices=["calibration", "test"])
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--also", nargs="+", default=[], metavar="SET CORPUS")
    given = parser.parse_args(arguments)
    if len(given.also) % 2:
        parser.error("--also takes pairs of a set and its corpus")
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=Path(home))) as rag:
        rag.embedder.embed_queries(["Loading the model is no part of any time."])
        own = [load_set(path) for path in given.sets]
        table(
            rag,
            [
                (
                    one.name,
                    one.corpus,
                    [q for q in one.questions if q.split == given.split and q.kind in KINDS],
                )
                for one in own
                if one.corpus
            ],
        )
        if given.also:
            pairs = list(zip(given.also[::2], given.also[1::2], strict=True))
            print()
            table(
                rag,
                [
                    (
                        f"also-{Path(corpus).stem}",
                        [Path(corpus)],
                        [q for q in load_set(path).questions if q.kind in KINDS],
                    )
                    for path, corpus in pairs
                ],
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
