"""What holds when a set's documents are one part in fifty: hits, refusals and time among 3,000 sections more.

    python -m benchmarks.larger_corpus SPLIT SET_FOLDER ... [--sections 3000] [--general SET_FOLDER]

SPLIT is calibration or test. Each set is asked of its own corpus, then of its corpus beside a
generated archive of policies: invented sites, years, fees, offices and deadlines, by a fixed seed.
By the product's own indexing, search and gate, with granularities and search modes as the library has
them. Time is the database's search, as a ratio to the small corpus in the same run.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ragcore import AskOptions, Settings, open_rag
from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.matching import gold_rank
from ragcore.evaluation.rate import share
from ragcore.evaluation.sets import load_set
from ragcore.rag import Rag

SITES = (
    "Harrow depot,Lindow office,Saltby yard,Merrow plant,Ennor harbour,Tilbrook mill,Kestrel House,Aske works,"
    "Quarrington store,Fallow Bridge,Orme laboratory,Penhallow quay,Ravensworth hub,Stour gate,Ulver workshop,"
    "Varne terminal,Wexcombe centre,Yarrow annexe,Zennor station,Brackley wharf"
).split(",")
SUBJECTS = (
    "Parking permits,Locker keys,Visitor badges,Bicycle stores,Canteen vouchers,Meeting rooms,Travel advances,"
    "Tool loans,Uniform cleaning,Night work,Stand-by pay,Training days,Language courses,Jury service,Moving house,"
    "Blood donation,Eye tests,Safety boots,Fire wardens,First aiders,Lost property,Waste paper,Heating hours,"
    "Window cleaning,Plant watering,Telephone lists,Stationery orders,Courier parcels,Archive boxes,Photo permits"
).split(",")
OFFICES = (
    "the facilities clerk,the site steward,the personnel desk,the works council,the duty manager,the stores keeper,"
    "the payroll office,the safety officer,the gate house,the deputy head"
).split(",")
MONTHS = "January,February,March,April,May,June,July,August,September,October,November,December".split(",")


@dataclass(frozen=True, slots=True)
class Asked:
    kind: str
    rank: int | None
    passed: bool
    milliseconds: float


def archive(sections: int, seed: int = 3000) -> Iterator[tuple[str, bytes]]:
    """Markdown files of 50 sections each: name and bytes."""
    chance = random.Random(seed)
    made = 0
    while made < sections:
        year = 1990 + made // 50 % 35
        lines = [f"# Policy archive {year}, part {made // 50 + 1}"]
        for _ in range(min(50, sections - made)):
            subject, site = chance.choice(SUBJECTS), chance.choice(SITES)
            office, other = chance.sample(OFFICES, 2)
            lines.append(
                f"## {subject} at {site}, {year}\n\n"
                f"Requests for {subject.lower()} are made to {office} by {chance.randint(1, 28)} "
                f"{chance.choice(MONTHS)}. Each request costs {chance.randint(2, 95)} crowns and is answered within "
                f"{chance.randint(2, 30)} days. Up to {chance.randint(2, 60)} people of {site} may take part in a "
                f"year; those with more than {chance.randint(1, 9)} years of service come first. Complaints go to "
                f"{other}, form {chance.choice('ABCDEFGH')}-{chance.randint(100, 999)}."
            )
            made += 1
        yield f"archive-{made // 50:03d}.md", "\n\n".join(lines).encode()


def index(rag: Rag, collection: str, granularity: str, corpus: Sequence[Path], more: int) -> int:
    """Index the corpus and ``more`` sections beside it; the number of chunks."""
    rag.library.create_collection(collection, chunking=ChunkingConfig(granularity=granularity).to_dict())
    reports = list(rag.ingest_paths(map(str, corpus), collection=collection))
    if more:
        reports += [rag.ingest(data, name, collection=collection) for name, data in archive(more)]
    for report in reports:
        if report.error:
            raise SystemExit(report.error)
    return sum(report.chunks for report in reports)


def ask_all(rag: Rag, collection: str, questions: Sequence, mode: str) -> list[Asked]:
    asked = []
    for question in questions:
        started = time.perf_counter()
        answer = rag.start(
            question.question, AskOptions(collection=collection, generator="quote", mode=mode)
        ).answer
        milliseconds = (time.perf_counter() - started) * 1000
        rank = gold_rank(answer.hits, question) if question.gold else None
        asked.append(Asked(question.kind, rank, answer.decision.passed, milliseconds))
    return asked


def cells(asked: Sequence[Asked]) -> list[str]:
    def rate(k: int, n: int) -> str:
        found = share(k, n)
        return f"{k}/{n}" + (f" [{found.low:.2f}, {found.high:.2f}]" if n else "")

    answerable = [one for one in asked if one.kind == "answerable"]
    general = [one for one in asked if one.kind == "general_knowledge"]
    missing = [one for one in asked if one.kind == "missing_info"]
    return [
        rate(sum(one.rank == 1 for one in answerable), len(answerable)),
        rate(sum(one.rank is not None for one in answerable), len(answerable)),
        rate(sum(not one.passed for one in answerable), len(answerable)),
        rate(sum(one.passed for one in general), len(general)),
        rate(sum(one.passed for one in missing), len(missing)),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("split", choices=["calibration", "test"])
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--sections", type=int, default=3000)
    parser.add_argument("--general", default="eval_data/general_knowledge", help="asked of every corpus too")
    given = parser.parse_args(arguments)
    print(
        "| granularity, search | corpus | chunks | first | first five | refused | general passed | missing passed | time |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=Path(home))) as rag:
        for granularity, mode in (("chunk", "dense"), ("sentence", "dense"), ("sentence", "hybrid")):
            first = None
            for more in (0, given.sections):
                asked: list[Asked] = []
                chunks = 0
                for path in given.sets:
                    own = load_set(path)
                    questions = [*own.questions, *load_set(given.general).questions]
                    wanted = [
                        one
                        for one in questions
                        if one.split == given.split
                        and one.kind in ("answerable", "general_knowledge", "missing_info")
                    ]
                    collection = f"{own.name}-{granularity}-{more}"
                    if not rag.library.collections(collection):
                        index(rag, collection, granularity, own.corpus, more)
                    chunks += rag.library.collection(collection).chunks
                    asked += ask_all(rag, collection, wanted, mode)
                took = median(one.milliseconds for one in asked)
                first = first or took
                size = "own" if not more else f"with {more:,} more"
                row = [f"{granularity}, {mode}", size, f"{chunks:,}", *cells(asked), f"{took / first:.1f}"]
                print("| " + " | ".join(row) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
