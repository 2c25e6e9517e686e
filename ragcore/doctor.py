"""What works, what does not, and how to mend it: for ``doctor`` and the Status page."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import Literal

from ragcore.errors import RagError
from ragcore.models import profile_for
from ragcore.rag import Rag
from ragcore.storage.database import describe


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``remedy`` is empty when nothing needs to be done."""

    name: str
    state: Literal["ok", "warning", "failed"]
    detail: str
    remedy: str = ""


def examine(rag: Rag) -> list[Check]:
    """Look at the database, the embedder, Ollama and every collection."""
    return [_database(rag), _embedder(rag), _ollama(rag), *_collections(rag)]


def package_versions() -> dict[str, str]:
    """Python and the packages that shape answers."""
    packages = (
        "streamlit",
        "sqlalchemy",
        "psycopg",
        "pgvector",
        "sentence-transformers",
        "torch",
        "ollama",
        "pypdf",
    )
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _database(rag: Rag) -> Check:
    try:
        found = rag.database.versions()
    except RagError as error:
        return Check("Database", "failed", str(error), "Start it, then reload this page.")
    kind = f"embedded, in {rag.settings.home}" if rag.database.embedded else describe(rag.database.engine)
    return Check(
        "Database",
        "ok",
        f"Postgres {found['postgres']}, pgvector {found['pgvector']}, schema {found['schema']} ({kind})",
    )


def _embedder(rag: Rag) -> Check:
    try:
        identity = rag.embedder.identity
        rag.embedder.embed_queries(["Is the embedder working?"])
    except RagError as error:
        return Check("Embedder", "failed", str(error), "Set RAGCORE_EMBEDDER to a model that is here.")
    detail = (
        f"{identity.model}, {identity.dimension} dimensions, reads {identity.max_tokens} tokens, "
        f"digest {identity.digest[:12]}"
    )
    profile = profile_for(rag.settings.embedder)
    if profile.warning:
        return Check("Embedder", "warning", detail, profile.warning)
    return Check("Embedder", "ok", detail)


def _ollama(rag: Rag) -> Check:
    try:
        running = rag.ollama.version()
        chat_models = [card.name for card in rag.ollama.models() if not card.is_embedder]
    except RagError as error:
        return Check(
            "Ollama",
            "warning",
            f"{error} Answers are quoted from the documents meanwhile.",
            "Install Ollama from ollama.com, run `ollama serve`, then `ollama pull qwen2.5:7b`.",
        )
    where = f"Ollama {running} at {rag.ollama.url}"
    if not chat_models:
        return Check(
            "Ollama",
            "warning",
            f"{where} has no chat model; answers are quoted.",
            "Run `ollama pull qwen2.5:7b`.",
        )
    if rag.settings.chat_model:
        try:
            rag.ollama.find(rag.settings.chat_model)
        except RagError as error:
            return Check("Ollama", "failed", str(error), "Pull it, or change RAGCORE_CHAT_MODEL.")
    return Check("Ollama", "ok", f"{where} with {', '.join(chat_models)}")


def _collections(rag: Rag) -> list[Check]:
    checks = []
    for info in rag.library.collections():
        if info.kind == "session":
            continue  # nobody else's business, and gone soon
        detail = f"{info.documents} documents, {info.chunks} chunks"
        if info.embedder is not None and rag._embedder is not None and rag.needs_reembedding(info):
            checks.append(
                Check(
                    f"Collection {info.name}",
                    "failed",
                    f"{detail}, indexed by {info.embedder.model}, not by the embedder in use",
                    f"Run `python -m ragcore reembed --collection {info.name}`.",
                )
            )
        elif rag._embedder is None:
            checks.append(Check(f"Collection {info.name}", "ok", detail))
        else:
            checks.append(_cutoff(rag, info.name, detail))
    return checks


def _cutoff(rag: Rag, collection: str, detail: str) -> Check:
    """A collection that can be searched, with the cutoff that its questions have to reach."""
    in_force = rag.cutoff(collection)
    detail = f"{detail}, cutoff {in_force.cutoff:.3g}"
    if in_force.calibration is None:
        return Check(f"Collection {collection}", "ok", f"{detail} (the embedder's default)")
    detail = f"{detail}, measured on {in_force.calibration.question_set}"
    if not in_force.stale:
        return Check(f"Collection {collection}", "ok", detail)
    return Check(
        f"Collection {collection}",
        "warning",
        f"{detail}. {in_force.stale}",
        f"Measure again: `python -m ragcore calibrate SET --collection {collection} --apply`.",
    )
