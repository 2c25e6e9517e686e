"""First-rank and first-five hits by strategy of cutting, and the seeds' experiments made again.

    python -m benchmarks.chunkers SPLIT SET_FOLDER ... [--ollama HOST --model NAME]

SPLIT is calibration (to choose) or test (to report). Dense retrieval by the product's own reading,
chunking and bundled embedder, no database; a hit as in benchmarks/headroom.py. Every configuration is
searched twice: by a vector a chunk, and by a chunk's best sentence (the product's granularity
"sentence"). The first configuration is the default; the others are compared with it question by
question (wins and losses at first rank, McNemar's exact test). Unstructured documents are the same
ones with their headings ignored: lines of text like any other, as in the seeds' heading bug. Time is
the processor time of cutting and embedding a thousand chunks, by a vector a chunk, as a ratio to the
default in the same run. With a model, the contextual strategy is measured too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from scipy.stats import binomtest

from benchmarks.headroom import holds, read_questions
from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.indexing.contextual import ContextWriter, CutDocument
from ragcore.indexing.vectors import embed_chunks
from ragcore.models import Embedder, OllamaChat, OllamaServer, open_embedder
from ragcore.reading import read_document
from ragcore.records import Chunk, SourceDocument

DEFAULT = ChunkingConfig()
EMBEDDER = "all-MiniLM-L6-v2"
_SEEDS_SIZE = 190
"""About 800 characters, which the seeds tried instead of 500."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of cutting, by its name in the table."""

    name: str
    config: ChunkingConfig
    headings: bool = True
    """False: as if reading had found none, the seeds' heading bug."""


@dataclass(slots=True)
class Kept:
    """Contexts in memory, with the two methods of storage.ChunkContexts; sentences' vectors too."""

    contexts: dict[bytes, str] = field(default_factory=dict)
    vectors: dict[bytes, np.ndarray] = field(default_factory=dict)

    def known(self, _collection: str, _sha256: str, keys: Sequence[bytes]) -> dict[bytes, str]:
        return {key: self.contexts[key] for key in keys if key in self.contexts}

    def add(self, _collection: str, _sha256: str, key: bytes, context: str, _model: str) -> None:
        self.contexts[key] = context


@dataclass(frozen=True, slots=True)
class Measured:
    ranks: dict[str, list[int | None]]
    """By granularity, for every question in order."""
    chunks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Part:
    documents: list[SourceDocument]
    questions: list[dict]


def ways(with_model: bool) -> list[Way]:
    return [
        Way("recursive 120", DEFAULT),
        Way("fixed 120", replace(DEFAULT, strategy="fixed")),
        Way("semantic 120", replace(DEFAULT, strategy="semantic")),
        Way("semantic 190", replace(DEFAULT, strategy="semantic", max_tokens=_SEEDS_SIZE)),
        *(
            [Way("contextual 160", replace(DEFAULT, strategy="contextual", max_tokens=160))]
            if with_model
            else []
        ),
        Way("recursive 190 (800 characters)", replace(DEFAULT, max_tokens=_SEEDS_SIZE)),
        Way("recursive 120, header on", replace(DEFAULT, header="on")),
        Way("recursive 120, header off", replace(DEFAULT, header="off")),
        Way("recursive 120, headings ignored", DEFAULT, headings=False),
        Way("recursive 120, headings ignored, header off", replace(DEFAULT, header="off"), headings=False),
    ]


def measure(
    way: Way, parts: Sequence[Part], embedder: Embedder, kept: Kept, chat: OllamaChat | None
) -> Measured:
    ranks: dict[str, list[int | None]] = {"chunk": [], "sentence": []}
    count, seconds = 0, 0.0
    for part in parts:
        asked = embedder.embed_queries([question["question"] for question in part.questions])
        chunks: list[tuple[str, Chunk]] = []
        scores: dict[str, list[np.ndarray]] = {"chunk": [], "sentence": []}
        for document in part.documents:
            begun = time.process_time()
            cut = _cut(way, document, embedder, kept, chat)
            whole = embedder.embed_documents([chunk.embedded_text for chunk in cut])
            seconds += time.process_time() - begun
            chunks += [(document.file_name, chunk) for chunk in cut]
            scores["chunk"].append(asked @ whole.T)
            scores["sentence"].append(_best_sentences(asked, cut, document.title, embedder, kept))
        count += len(chunks)
        for granularity, found in scores.items():
            ranks[granularity] += _ranks(part.questions, chunks, np.concatenate(found, axis=1))
    return Measured(ranks, count, seconds)


def _cut(
    way: Way, document: SourceDocument, embedder: Embedder, kept: Kept, chat: OllamaChat | None
) -> list[Chunk]:
    if not way.headings:
        pages = tuple(replace(page, headings=()) for page in document.pages)
        document = replace(document, pages=pages)
    count = embedder.count_tokens
    cut = chunk_document(document, way.config, count, embedder.identity.max_tokens, embedder.embed_documents)
    if way.config.strategy != "contextual":
        return cut
    return ContextWriter(kept, lambda: chat).add(CutDocument("", "", document, cut), way.config, count)


def _best_sentences(
    asked: np.ndarray, chunks: Sequence[Chunk], title: str, embedder: Embedder, kept: Kept
) -> np.ndarray:
    """(n_questions, n_chunks). A sentence that another configuration has embedded is not embedded again."""

    def known(_identity: object, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        return {key: kept.vectors[key] for key in keys if key in kept.vectors}

    found = embed_chunks(chunks, title, "sentence", embedder, known=known)
    kept.vectors |= dict(zip(found.keys, found.vectors, strict=True))
    scores = np.full((len(asked), len(chunks)), -np.inf, dtype=np.float32)
    np.maximum.at(scores, (slice(None), list(found.chunks)), asked @ found.vectors.T)
    return scores


def _ranks(questions: list[dict], chunks: list[tuple[str, Chunk]], scores: np.ndarray) -> list[int | None]:
    ranks = []
    for question, row in zip(questions, scores, strict=True):
        order = np.argsort(-row, kind="stable")
        held = (
            rank
            for rank, place in enumerate(order, 1)
            if any(holds(*chunks[place], gold) for gold in question["gold"])
        )
        ranks.append(next(held, None))
    return ranks


def line(name: str, granularity: str, one: Measured, default: Measured) -> str:
    def hits(measured: Measured, most: int) -> list[bool]:
        return [rank is not None and rank <= most for rank in measured.ranks[granularity]]

    cells = []
    for most in (1, 5):
        found = hits(one, most)
        interval = binomtest(sum(found), len(found)).proportion_ci(method="wilson")
        cells.append(f"{sum(found)}/{len(found)} [{interval.low:.2f}, {interval.high:.2f}]")
    pairs = list(zip(hits(one, 1), hits(default, 1), strict=True))
    wins, losses = pairs.count((True, False)), pairs.count((False, True))
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    ratio = (one.seconds / one.chunks) / (default.seconds / default.chunks)
    return (
        f"| {name} | {granularity} | {one.chunks} | {' | '.join(cells)} "
        f"| +{wins} -{losses}, {p:.2f} | {ratio:.1f} |"
    )


def read(folder: Path, split: str) -> Part:
    files = sorted(path for path in (folder / "corpus").rglob("*") if path.is_file())
    questions = [
        question
        for question in read_questions(folder)
        if question["kind"] == "answerable" and question["split"] == split and question["gold"]
    ]
    return Part([read_document(path.read_bytes(), path.name) for path in files], questions)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Hits by strategy of cutting.")
    parser.add_argument("split", choices=["calibration", "test"])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--ollama", default="")
    parser.add_argument("--model")
    given = parser.parse_args(arguments)
    chat = OllamaChat(OllamaServer(given.ollama), given.model, num_ctx=4096) if given.model else None
    embedder = open_embedder(EMBEDDER, ollama_host="")
    embedder.embed_documents(["So that loading is not in the first time."])
    parts = [read(folder, given.split) for folder in given.folders]
    print("| cut | searched by | chunks | first rank | first five | +/-, p | time |")
    print("|" + " --- |" * 7)
    kept = Kept()
    default: Measured | None = None
    for way in ways(chat is not None):
        one = measure(way, parts, embedder, kept, chat)
        default = default or one
        for granularity in one.ranks:
            print(line(way.name, granularity, one, default), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
