"""What a run has to say about itself so that it can be made again: code, data, models, machine."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from ragcore.answering.prompts import STANDALONE_HASH, prompt_for
from ragcore.models import OllamaChat
from ragcore.records import EmbedderIdentity, PromptFor

PACKAGES = ("torch", "sentence-transformers", "sqlalchemy", "pgvector", "pypdf", "ollama", "numpy", "scipy")


def provenance(
    *,
    embedder: EmbedderIdentity,
    corpora: dict[str, str],
    sets: dict[str, str],
    chat: OllamaChat | None,
    prompt: PromptFor,
) -> dict[str, Any]:
    """``corpora`` and ``sets`` are names with content hashes; ``chat`` is the model that answers, if any does."""
    return {
        "git": _git(),
        "embedder": asdict(embedder),
        "corpora": corpora,
        "sets": sets,
        "chat_model": {"name": chat.model, "digest": chat.digest} if chat else None,
        "prompt_hash": prompt_for(prompt, chat.billions).hash if chat else None,
        "standalone_prompt_hash": STANDALONE_HASH,
        "packages": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "processors": os.cpu_count(),
            "memory_gib": round(psutil.virtual_memory().total / 2**30),
        },
    }


def _git() -> dict[str, Any] | None:
    """Commit and dirty flag of the checkout this code stands in; None outside of one."""
    folder = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10
        )
        return done.stdout.strip()

    try:
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return None
