"""Embedding a collection anew, by another embedder or with another chunking.

The old chunks and vectors go on serving until the new ones are complete; then one transaction
swaps them. A run that is stopped midway has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.errors import RagError
from ragcore.indexing.contextual import ContextPrice, ContextWriter, CutDocument
from ragcore.indexing.ingest import DocumentEmbedder, StageProgress, index_source
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
    contexts: ContextWriter | None = None,
    stage: StageProgress | None = None,
) -> CollectionInfo:
    """Chunk and embed every document of the collection again; ``progress`` counts documents.

    ``contexts`` serves the contextual strategy; ``stage`` is told how far each document is. Raises
    NotFound, EmbeddingError, ModelError where contexts cannot be written, StorageError, and RagError
    when documents keep changing.
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
                report = _of_stage(stage)
                chunks, vectors = index_source(
                    library.source(document.id),
                    config,
                    embedder,
                    report("embedding"),
                    contexts=contexts
                    and contexts.adder(
                        collection, document.sha256, config, embedder.count_tokens, report("writing contexts")
                    ),
                )
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


def price_contexts(
    library: Library,
    embedder: DocumentEmbedder,
    contexts: ContextWriter,
    collection: str,
    config: ChunkingConfig,
) -> ContextPrice:
    """What the contexts of the collection's documents will cost, measured on a few that are kept.

    Raises NotFound, and ModelError when no chat model can be asked.
    """
    return contexts.price(
        CutDocument(
            collection,
            document.sha256,
            source := library.source(document.id),
            chunk_document(source, config, embedder.count_tokens, embedder.identity.max_tokens),
        )
        for document in library.documents(collection)
    )


def _of_stage(stage: StageProgress | None) -> Callable[[str], Progress | None]:
    """The progress of one stage by its name."""
    return lambda name: (lambda done, total: stage(name, done, total)) if stage else None
