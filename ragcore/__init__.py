"""Plumbline's library: answers over your own documents, with a measured gate.

    with open_rag() as rag:
        rag.ingest(data, "terms.pdf")
        print(rag.ask("How long is the notice period?").text)

Importing it does no work; ``open_rag`` does.
"""

from __future__ import annotations

from typing import Any

from ragcore.errors import RagError
from ragcore.records import Answer, AskOptions, Candidate, Citation, GateDecision, IngestReport
from ragcore.settings import Settings

__all__ = [
    "Answer",
    "AskOptions",
    "Candidate",
    "Citation",
    "GateDecision",
    "IngestReport",
    "Rag",
    "RagError",
    "Settings",
    "open_rag",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # The wiring imports SQLAlchemy and numpy; only who opens a Rag should wait for them.
    if name in ("Rag", "open_rag"):
        from ragcore import rag

        return getattr(rag, name)
    raise AttributeError(f"module 'ragcore' has no attribute '{name}'")
