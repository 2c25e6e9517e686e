"""Pages -> chunks: where a document is cut, and what stands above each piece.

``chunk_document`` is pure; it is told how to count tokens and, for one strategy, how to embed. ``sentences`` is the one place that
says where a sentence ends, for cutting here and for quoting elsewhere.
"""

from ragcore.chunking.chunker import chunk_document, document_text
from ragcore.chunking.config import ChunkingConfig, Granularity
from ragcore.chunking.contextual import tidy_context, with_contexts
from ragcore.chunking.evidence import evidence_spans, under_headings

__all__ = [
    "ChunkingConfig",
    "Granularity",
    "chunk_document",
    "document_text",
    "evidence_spans",
    "tidy_context",
    "under_headings",
    "with_contexts",
]
