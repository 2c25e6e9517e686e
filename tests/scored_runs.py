"""A stored run whose scores are known, as a run of the bench leaves it."""

from collections.abc import Sequence

from ragcore.chunking import ChunkingConfig
from ragcore.evaluation.outcome import Outcome
from ragcore.evaluation.run_config import RunConfig
from ragcore.rag import Rag

Scored = tuple[str, str, float | None]
"""Kind, split, score."""

SCORES: list[Scored] = [
    ("answerable", "calibration", 0.30),
    ("answerable", "calibration", 0.40),
    ("answerable", "calibration", 0.60),
    ("answerable", "test", 0.24),
    ("answerable", "test", 0.50),
    ("answerable", "test", None),
    ("general_knowledge", "calibration", 0.10),
    ("general_knowledge", "calibration", 0.26),
    ("general_knowledge", "test", 0.05),
    ("general_knowledge", "test", 0.35),
    ("missing_info", "calibration", 0.45),
    ("missing_info", "test", 0.28),
]
FOLLOW_UPS: list[Scored] = [
    ("follow_up", "calibration", 0.20),
    ("follow_up", "calibration", 0.50),
    ("follow_up", "test", 0.12),
    ("follow_up_off_topic", "calibration", 0.06),
    ("follow_up_off_topic", "calibration", 0.10),
    ("follow_up_off_topic", "test", 0.15),
]


def index_ferry(rag: Rag, collection: str = "ferry") -> None:
    """A small collection with vectors of whole chunks, whose default cutoff is 0.25."""
    rag.library.create_collection(collection, chunking=ChunkingConfig(granularity="chunk").to_dict())
    rag.ingest(
        b"# Terms\n\n## Tickets\n\nA day ticket for the island ferry costs 14 crowns.\n",
        "ferry.md",
        collection=collection,
    )


def store_run(
    rag: Rag,
    scores: Sequence[Scored] = SCORES,
    *,
    collection: str,
    stage: str = "refusal",
    name: str = "ferry",
) -> int:
    """A complete run of an existing collection; its questions are called q-0, q-1, ..."""
    info = rag.library.collection(collection)
    config = RunConfig((name,), collection=collection, stage=stage)
    embedder = info.embedder
    run_id = rag.evaluations.begin(
        name=name,
        question_set=name,
        stage=stage,
        config=config.as_dict(),
        provenance={
            "embedder": {
                "model": embedder.model,
                "digest": embedder.digest,
                "dimension": embedder.dimension,
                "query_prefix": embedder.query_prefix,
                "document_prefix": embedder.document_prefix,
                "max_tokens": embedder.max_tokens,
            },
            "corpora": {collection: info.content_hash},
            "chat_model": None,
            "prompt_hash": "",
        },
        questions=len(scores),
    )
    for number, (kind, split, score) in enumerate(scores):
        rag.evaluations.save_result(run_id, _result(f"q-{number}", kind, split, score, collection, name))
    rag.evaluations.finish(run_id, "complete", metrics={}, seconds=1.0)
    return run_id


def _result(key: str, kind: str, split: str, score: float | None, collection: str, name: str) -> dict:
    question = f"Question {key} <b>bold</b>?"
    outcome = Outcome(
        id=key,
        kind=kind,
        category="plain",
        difficulty="easy",
        split=split,
        question=question,
        expected="answer" if kind in ("answerable", "follow_up") else "refuse",
        top_score=score,
        hits=(
            {
                "file": "ferry.md",
                "page_start": 2,
                "page_end": 2,
                "section": "Terms › Dogs",
                "score": score,
                "text": f"Evidence of {key} with <script>alert(1)</script>.",
                "chunk_id": 1,
                "gold": True,
            },
        )
        if score is not None
        else (),
    )
    return {
        "question_id": key,
        "kind": kind,
        "category": "plain",
        "split": split,
        "question": {
            "set": name,
            "collection": collection,
            "turns": [question],
            "gold": [],
            "facts": [],
            "note": "",
        },
        "outcome": outcome.as_dict(),
        "score": score,
        "verdict": None,
        "failure_stage": None,
        "trace_id": None,
    }
