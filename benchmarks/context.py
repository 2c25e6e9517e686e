"""What a prompt costs and what it holds: the hits alone, or documents put together around them.

    python -m benchmarks.context SPLIT SET_FOLDER ... [--also SET CORPUS ...] [--num-ctx 8192]

SPLIT is calibration (to choose) or test (to report); sets given with --also have no splits of ours and
are asked whole, in a table of their own. No model is asked: the product's own search and gate, and the
very functions that put its prompts together. Tokens of the prompt, median and 95th percentile, by the
estimate that is kept under the window (an upper bound) and, as a ratio to five hits in the same run, by
the embedder's exact count. Share of the answerable questions that have some gold in the prompt, and all
of it, with Wilson 95 % intervals; questions that ask to count or to list in a table apart. Questions that
the gate refuses build no prompt, and count as having no gold in it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from ragcore import AskOptions, Settings, open_rag
from ragcore.answering.context import LIMITS, Limits, assemble
from ragcore.answering.fitting import Context, fit_hits
from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.matching import matches
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.rate import share
from ragcore.evaluation.sets import load_set
from ragcore.lexical.counting import asks_for_all
from ragcore.models.tokens import estimate_prompt_tokens
from ragcore.rag import Rag
from ragcore.records import ChatMessage
from ragcore.storage import DocumentChunks


@dataclass(frozen=True, slots=True)
class Way:
    """A way to put a prompt together."""

    name: str
    top_k: int
    limits: Limits | None = None
    """None: the hits alone."""


BASELINE = Way("hits, top-k 5", 5)
WAYS = (
    Way("hits, top-k 3", 3),
    Way("hits, top-k 4", 4),
    BASELINE,
    Way("hits, top-k 8", 8),
    Way("documents, top-k 3", 3, LIMITS),
    Way("documents, top-k 4", 4, LIMITS),
    Way("documents, top-k 5", 5, LIMITS),
    Way("short ones whole, top-k 5", 5, Limits(opening=False, beside=0)),
    Way("with openings, top-k 5", 5, Limits(beside=0)),
    Way("and beside the best hit, top-k 5", 5, Limits(beside=1)),
    Way("documents of 600, top-k 5", 5, Limits(whole=500, document=600)),
)


@dataclass(frozen=True, slots=True)
class Window:
    num_ctx: int = 8192
    max_reply_tokens: int = 600

    def estimate_tokens(self, messages: Sequence[ChatMessage]) -> int:
        return estimate_prompt_tokens(messages)


@dataclass(frozen=True, slots=True)
class Prompted:
    """One answerable question and what its prompt holds."""

    counts: bool
    estimated: int | None
    """None: refused at the gate."""
    counted: int | None
    golds_in: int = 0
    golds: int = 0


def prompted(
    rag: Rag,
    collection: str,
    questions: Sequence[EvalQuestion],
    window: Window,
    ways: Sequence[Way] = WAYS,
) -> Iterator[dict[str, Prompted]]:
    """For every answerable question what each way makes of it, by name."""
    stored = DocumentChunks(rag.database)
    widest = max(way.top_k for way in ways)
    for question in questions:
        asked = question.question
        counts = asks_for_all(asked)
        answer = rag.start(asked, AskOptions(collection=collection, generator="quote", top_k=widest)).answer
        if not answer.decision.passed:
            yield {way.name: Prompted(counts, None, None, 0, len(question.gold)) for way in ways}
            continue
        made: dict[str, Prompted] = {}
        for way in ways:
            hits = answer.hits[: way.top_k]
            context: Context
            if way.limits is None:
                context = fit_hits(asked, hits, window)
            else:
                documents = stored.around(
                    [hit.chunk_id for hit in hits], whole_up_to=way.limits.whole_up_to(asked, hits)
                )
                context = assemble(asked, hits, documents, window, way.limits)
            exact = sum(rag.embedder.count_tokens([message.content for message in context.messages]))
            held = [any(matches(one.candidate, gold) for one in context.passages) for gold in question.gold]
            made[way.name] = Prompted(counts, context.estimated_tokens, exact, sum(held), len(held))
        yield made


def table(title: str, rows: Sequence[dict[str, Prompted]]) -> None:
    """One row a way; nothing where nothing was asked."""
    if not rows:
        return
    print(f"\n{title}: {len(rows)} answerable questions\n")
    print("| prompt | tokens at most, median | p95 | tokens, ratio | some gold | all gold |")
    print("| --- | --- | --- | --- | --- | --- |")
    base = median([one.counted for row in rows if (one := row[BASELINE.name]).counted] or [1])
    for way in WAYS:
        all_of = [row[way.name] for row in rows]
        sent = [one for one in all_of if one.estimated is not None]
        estimates = [one.estimated for one in sent]
        p95 = quantiles(estimates, n=20, method="inclusive")[-1] if len(estimates) > 1 else float("nan")
        some = share(sum(one.golds_in > 0 for one in all_of), len(all_of))
        every = share(sum(one.golds_in == one.golds for one in all_of), len(all_of))
        ratio = median(one.counted for one in sent) / base
        print(
            f"| {way.name} | {median(estimates):.0f} | {p95:.0f} | {ratio:.2f} | "
            f"{some.k}/{some.n} [{some.low:.2f}, {some.high:.2f}] | "
            f"{every.k}/{every.n} [{every.low:.2f}, {every.high:.2f}] |",
            flush=True,
        )


def tables(title: str, rows: Sequence[dict[str, Prompted]]) -> None:
    table(title, rows)
    table(f"{title}, to count or to list", [row for row in rows if row[BASELINE.name].counts])


def answerable(path: str, split: str | None = None) -> list[EvalQuestion]:
    return [
        one
        for one in load_set(path).questions
        if one.kind == "answerable" and one.gold and split in (None, one.split)
    ]


def index(rag: Rag, corpus: Sequence[Path]) -> str:
    """The collection of a corpus, indexed once."""
    collection = " ".join(str(path) for path in corpus)
    if not rag.library.collections(collection):
        rag.library.create_collection(collection, chunking=ChunkingConfig().to_dict(), kind="eval")
        for report in rag.ingest_paths(map(str, corpus), collection=collection):
            if report.error:
                raise SystemExit(report.error)
    return collection


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("split", choices=["calibration", "test"])
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--also", nargs=2, action="append", default=[], metavar=("SET", "CORPUS"))
    parser.add_argument("--num-ctx", type=int, default=8192)
    given = parser.parse_args(arguments)
    window = Window(given.num_ctx)
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=Path(home))) as rag:
        rows: list[dict[str, Prompted]] = []
        for path in given.sets:
            collection = index(rag, load_set(path).corpus)
            rows += prompted(rag, collection, answerable(path, given.split), window)
        tables(given.split, rows)
        rows = []
        for path, corpus in given.also:
            rows += prompted(rag, index(rag, [Path(corpus)]), answerable(path), window)
        tables("asked whole", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
