"""What the gate does at a cutoff, on one split of our question sets.

    python -m benchmarks.gate SPLIT SET_FOLDER ... [--cutoff 0.25]

Counts with Wilson 95 % intervals: answerable questions refused (false refusals), and questions of
each other kind that pass to the model (leaks past the gate). Whole-chunk dense retrieval as in
benchmarks/headroom.py; a folder without a corpus is asked of every corpus.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from scipy.stats import binomtest

from benchmarks.headroom import ask, read_chunks, read_questions
from ragcore.models import open_embedder


def rate(count: int, total: int) -> str:
    interval = binomtest(count, total).proportion_ci(method="wilson")
    return f"{count:3}/{total:<3} [{interval.low:.3f}, {interval.high:.3f}]"


def main(arguments: list[str]) -> int:
    cutoff = 0.25
    if "--cutoff" in arguments:
        place = arguments.index("--cutoff")
        cutoff = float(arguments[place + 1])
        arguments = arguments[:place] + arguments[place + 2 :]
    if len(arguments) < 2 or arguments[0] not in ("calibration", "test"):
        print(__doc__, file=sys.stderr)
        return 1
    split, folders = arguments[0], [Path(argument) for argument in arguments[1:]]
    embedder = open_embedder("all-MiniLM-L6-v2", ollama_host="")
    everywhere = [q for folder in folders if not (folder / "corpus").is_dir() for q in read_questions(folder)]
    scores: dict[str, list[float]] = defaultdict(list)
    for folder in folders:
        if not (folder / "corpus").is_dir():
            continue
        chunks = read_chunks(folder / "corpus", embedder)
        vectors = embedder.embed_documents([chunk.embedded_text for _, chunk in chunks])
        questions = [q for q in [*read_questions(folder), *everywhere] if q["split"] == split]
        for one in ask(questions, chunks, vectors, embedder):
            kind = one.question["kind"]
            scores[kind if kind != "missing_info" else f"missing_info {one.question['difficulty']}"].append(
                one.top_score
            )
    print(f"{split}, cutoff {cutoff:g}")
    for kind, found in sorted(scores.items()):
        below = sum(score < cutoff for score in found)
        count, word = (below, "refused") if kind == "answerable" else (len(found) - below, "passed")
        print(f"  {kind:20} {word:8} {rate(count, len(found))}  scores {min(found):.2f} to {max(found):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
