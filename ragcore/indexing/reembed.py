"""Embedding a collection anew, by another embedder or with another chunking.

The old chunks and vectors go on serving until the new ones are complete; then one transaction
swaps them. A run that is stopped midway has changed nothing.
"""

from __future__ import annotations

from ragcore.chunking import ChunkingConfig
from ragcore.errors import RagError
from ragcore.indexing.ingest import DocumentEmbedder, index_source
from ragcore.records import CollectionInfo, Progress
from ragcore.storage import IndexWriter, Library, Reindexed

ATTEMPTS = 3
"""How often documents that came or went meanwhile are picked up before giving up."""


def reembed_collection(
    library: Library,
    writer: IndexWriter,
    embedder: DocumentEmbedder,
    collection: str,
    *,
    chunking: ChunkingConfig | None = None,
    progress: Progress | None = None,
) -> CollectionInfo:
    """Chunk and embed every document of the collection again; ``progress`` counts documents.

    Raises NotFound, EmbeddingError, StorageError, and RagError when documents keep changing.
    """
    config = chunking or ChunkingConfig.from_dict(library.collection(collection).chunking)
    done: dict[tuple[int, str], Reindexed] = {}
    for _ in range(ATTEMPTS):
        documents = library.documents(collection)
        for number, document in enumerate(documents):
            if progress:
                progress(number, len(documents))
            key = (document.id, document.sha256)
            if key not in done:
                chunks, vectors = index_source(library.source(document.id), config, embedder)
                done[key] = Reindexed(document.id, document.sha256, chunks, vectors)
        current = [done[(document.id, document.sha256)] for document in documents]
        if writer.replace_index(collection, embedder.identity, config.to_dict(), current):
            if progress:
                progress(len(documents), len(documents))
            return library.collection(collection)
    raise RagError(
        f"Documents kept being added to '{collection}' while it was re-embedded, so nothing was changed. "
        "Let the uploads finish, then run it again."
    )
