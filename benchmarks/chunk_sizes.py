"""First-rank and first-five hits by chunk size and header, on one split of our question sets.

    python -m benchmarks.chunk_sizes SPLIT SET_FOLDER ...

SPLIT is calibration (to choose) or test (to report). Whole-chunk dense retrieval by the product's
own reading, chunking and bundled embedder, no database; a hit as in benchmarks/headroom.py. The
first configuration printed is the default; the others are compared with it question by question
(wins and losses at first rank, McNemar's exact test).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from scipy.stats import binomtest

from benchmarks.headroom import Asked, ask, read_questions
from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.models import Embedder, open_embedder
from ragcore.reading import read_document
from ragcore.records import SourceDocument

SIZES = (64, 90, 120, 160, 200, 250)
DEFAULT = ChunkingConfig()


def configurations() -> list[ChunkingConfig]:
    others = [replace(DEFAULT, max_tokens=size) for size in SIZES if size != DEFAULT.max_tokens]
    headers = [replace(DEFAULT, header=header) for header in ("on", "off") if header != DEFAULT.header]
    return [
        DEFAULT,
        *others,
        *headers,
        replace(DEFAULT, overlap_tokens=30),
        replace(DEFAULT, strategy="fixed"),
    ]


def measure(
    config: ChunkingConfig, sets: list[tuple[list[SourceDocument], list[dict]]], embedder: Embedder
) -> tuple[list[Asked], int]:
    """What every question found, and the number of chunks."""
    asked: list[Asked] = []
    count = 0
    for documents, questions in sets:
        chunks = [
            (document.file_name, chunk)
            for document in documents
            for chunk in chunk_document(document, config, embedder.count_tokens, embedder.identity.max_tokens)
        ]
        count += len(chunks)
        asked += ask(
            questions, chunks, embedder.embed_documents([c.embedded_text for _, c in chunks]), embedder
        )
    return asked, count


def hits(asked: list[Asked], rank: int) -> list[bool]:
    return [one.rank is not None and one.rank <= rank for one in asked]


def line(config: ChunkingConfig, asked: list[Asked], chunks: int, default: list[Asked]) -> str:
    cells = []
    for rank in (1, 5):
        found = hits(asked, rank)
        interval = binomtest(sum(found), len(found)).proportion_ci(method="wilson")
        cells.append(f"@{rank} {sum(found):3}/{len(found)} [{interval.low:.2f}, {interval.high:.2f}]")
    pairs = list(zip(hits(asked, 1), hits(default, 1), strict=True))
    wins, losses = pairs.count((True, False)), pairs.count((False, True))
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    name = f"{config.strategy} {config.max_tokens}, overlap {config.overlap_tokens}, header {config.header}"
    return f"{name:42} {chunks:5} chunks  {'  '.join(cells)}  +{wins} -{losses} p {p:.2f}"


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] not in ("calibration", "test"):
        print(__doc__, file=sys.stderr)
        return 1
    split, *folders = arguments
    embedder = open_embedder("all-MiniLM-L6-v2", ollama_host="")
    sets = []
    for folder in map(Path, folders):
        files = sorted(path for path in (folder / "corpus").rglob("*") if path.is_file())
        documents = [read_document(path.read_bytes(), path.name) for path in files]
        questions = [
            q
            for q in read_questions(folder)
            if q["kind"] == "answerable" and q["split"] == split and q["gold"]
        ]
        sets.append((documents, questions))
    default: list[Asked] = []
    for config in configurations():
        asked, count = measure(config, sets, embedder)
        default = default or asked
        print(line(config, asked, count, default), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
