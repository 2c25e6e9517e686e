"""How much the plain baseline leaves unsolved in our question sets.

    python -m benchmarks.headroom eval_data/handbook eval_data/policies ...

The baseline is whole-chunk dense retrieval: the product's own reading, chunking (120 tokens) and
bundled embedder, cosine against every chunk of the set's corpus, no database. A hit: the first
chunk holds one of the gold quotes, white space folded, on its page where one is given. Printed are
first-rank hits of the answerable questions by difficulty and category, and the AUROC of the top-1
cosine, answerable against the kinds that are to be refused; counts with Wilson 95 % intervals,
AUROC with a bootstrap interval. ``--misses`` lists the questions behind the counts.

A folder without a corpus and without a set.json (general_knowledge) is asked of every corpus.
Questions with several turns are left out: their last turn alone is not what would be searched.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import binomtest, bootstrap, mannwhitneyu

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.models import Embedder, open_embedder
from ragcore.reading import read_document
from ragcore.records import Chunk, page_at


@dataclass(frozen=True, slots=True)
class Asked:
    """One question after the search. ``rank`` is 1-based; None when no gold chunk exists."""

    question: dict
    rank: int | None
    top_score: float


def read_questions(folder: Path) -> list[dict]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def read_chunks(corpus: Path, embedder: Embedder) -> list[tuple[str, Chunk]]:
    """``(file name, chunk)`` of every file below the folder."""
    chunks = []
    for path in sorted(path for path in corpus.rglob("*") if path.is_file()):
        document = read_document(path.read_bytes(), path.name)
        cut = chunk_document(document, ChunkingConfig(), embedder.count_tokens, embedder.identity.max_tokens)
        chunks += [(path.name, chunk) for chunk in cut]
    return chunks


def holds(file: str, chunk: Chunk, gold: dict) -> bool:
    """Whether the chunk contains the quote, on the page that the gold names."""
    # White space folded but offsets kept: the page of a quote depends on where it stands.
    quote = re.search(r"\s+".join(map(re.escape, gold["quote"].split())), chunk.text)
    if file != gold["document"] or quote is None:
        return False
    return gold.get("page") in (None, page_at(chunk.page_start, chunk.page_offsets, quote.start()))


def ask(
    questions: Sequence[dict], chunks: Sequence[tuple[str, Chunk]], vectors: np.ndarray, embedder: Embedder
) -> list[Asked]:
    """``vectors`` is float32 (n_chunks, dimension) of unit length."""
    scores = embedder.embed_queries([question["question"] for question in questions]) @ vectors.T
    asked = []
    for question, row in zip(questions, scores, strict=True):
        order = np.argsort(-row)
        ranks = (
            rank
            for rank, place in enumerate(order, 1)
            if any(holds(*chunks[place], gold) for gold in question["gold"])
        )
        asked.append(Asked(question, next(ranks, None), float(row[order[0]])))
    return asked


def hit_line(name: str, asked: Sequence[Asked]) -> str:
    hits = sum(one.rank == 1 for one in asked)
    interval = binomtest(hits, len(asked)).proportion_ci(method="wilson")
    lost = sum(one.rank is None for one in asked)
    note = f"  ({lost} with no chunk that holds the whole quote)" if lost else ""
    return f"  {name:24} @1 {hits:3}/{len(asked):<3} [{interval.low:.2f}, {interval.high:.2f}]{note}"


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Chance that an answerable question scores above the other one; ties count half."""
    return float(mannwhitneyu(positive, negative).statistic) / (len(positive) * len(negative))


def auroc_line(name: str, positive: Sequence[float], negative: Sequence[float]) -> str:
    if min(len(positive), len(negative)) < 2:
        return f"  {name:42} AUROC -  n {len(positive)} against {len(negative)}"
    value = auroc(positive, negative)
    interval = bootstrap(
        (positive, negative), auroc, vectorized=False, n_resamples=500, method="percentile", rng=0
    ).confidence_interval
    return (
        f"  {name:42} AUROC {value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"
        f"  n {len(positive)} against {len(negative)}"
    )


def report(name: str, asked: Iterable[Asked]) -> None:
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kind, level = one.question["kind"], one.question["difficulty"]
        groups[kind].append(one)
        groups[f"{kind} {level}"].append(one)
        if kind == "answerable":
            groups[f"  {one.question['category']} {level}"].append(one)
    print(name)
    for group in sorted(groups, key=lambda group: (group.startswith(" "), group)):
        if "answerable" in group or group.startswith(" "):
            print(hit_line(group, groups[group]))
    scores = {group: [one.top_score for one in groups[group]] for group in groups}
    for group in sorted(scores):
        kind, _, only = group.partition(" ")
        alone = bool(only) and len(groups[group]) == len(groups[kind])
        if not alone and not group.startswith((" ", "answerable")):
            for level in ("answerable", "answerable easy", "answerable hard"):
                print(auroc_line(f"{level} / {group}", scores.get(level, []), scores[group]))


def main(arguments: list[str]) -> int:
    folders = [Path(argument) for argument in arguments if argument != "--misses"]
    if not folders:
        print(__doc__, file=sys.stderr)
        return 1
    everywhere = [
        question
        for folder in folders
        if not (folder / "corpus").is_dir() and not (folder / "set.json").is_file()
        for question in read_questions(folder)
    ]
    embedder = open_embedder("all-MiniLM-L6-v2", ollama_host="")
    pooled: list[Asked] = []
    for folder in folders:
        if not (folder / "corpus").is_dir():
            continue
        chunks = read_chunks(folder / "corpus", embedder)
        vectors = embedder.embed_documents([chunk.embedded_text for _, chunk in chunks])
        asked = ask([*read_questions(folder), *everywhere], chunks, vectors, embedder)
        report(f"{folder.name}: {len(chunks)} chunks", asked)
        pooled += asked
        if "--misses" in arguments:
            for one in asked:
                question = one.question
                print(
                    f"    {one.rank or '-':>3} {one.top_score:.2f} {question['id']} "
                    f"{question['category']} {question['difficulty']}: {question['question']}"
                )
    report("all", pooled)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
