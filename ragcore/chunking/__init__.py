"""Pages -> chunks: where a document is cut, and what stands above each piece.

``chunk_document`` is pure; it is told how to count tokens. ``sentences`` is the one place that
says where a sentence ends, for cutting here and for quoting elsewhere.
"""

from ragcore.chunking.chunker import chunk_document, document_text
from ragcore.chunking.config import ChunkingConfig

__all__ = ["ChunkingConfig", "chunk_document", "document_text"]
