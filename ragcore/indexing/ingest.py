"""One file: bytes -> pages -> chunks -> vectors -> one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.errors import Cancelled, EmptyFile, InputError, RagError
from ragcore.indexing.contextual import AddContexts, ContextWriter
from ragcore.indexing.vectors import KnownVectors, SpanEmbedder, embed_chunks
from ragcore.reading import ReadingLimits, clean_path, detect_language, read_isolated
from ragcore.records import (
    Chunk,
    DocumentInfo,
    EmbedderIdentity,
    IngestReport,
    Progress,
    SourceDocument,
    SpanVectors,
)
from ragcore.storage import IndexWriter, Library, NewDocument

StageProgress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``; stages are reading, writing contexts, embedding and storing."""

UNKNOWN_NOTED = 0.1
"""Share of unknown words from which a file is said to be hard to find."""


class DocumentEmbedder(SpanEmbedder, Protocol):
    def unknown_share(self, texts: Sequence[str]) -> float: ...


class Indexer:
    """Brings files into a collection, or says in one sentence why not."""

    def __init__(
        self,
        library: Library,
        writer: IndexWriter,
        embedder: DocumentEmbedder,
        *,
        limits: ReadingLimits | None = None,
        contexts: ContextWriter | None = None,
    ) -> None:
        self._library = library
        self._writer = writer
        self._embedder = embedder
        self._limits = limits or ReadingLimits()
        self._contexts = contexts

    @property
    def embedder_identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    def models_of(self, config: ChunkingConfig) -> str:
        """Names the models on which the index of such a collection depends. Raises ModelError."""
        # All of the identity: with another prefix the same weights make another vector space.
        embedder = repr(self._embedder.identity)
        if config.strategy != "contextual" or self._contexts is None:
            return embedder
        return f"{embedder} {self._contexts.model_digest()}"

    def ingest(
        self,
        data: bytes,
        file_name: str,
        *,
        collection: str,
        password: str = "",
        ocr: bool = False,
        progress: StageProgress | None = None,
    ) -> IngestReport:
        """Index one file. A failure is a report with status ``rejected``, and nothing is stored.

        The same bytes are ``unchanged`` and cost nothing, under another name too; new bytes under
        a known name replace the old document. ``ocr`` gives pages without text a text layer where
        an OCR program is installed. Raises Cancelled when ``progress`` does.
        """
        name = clean_path(file_name)
        try:
            return self._ingest(data, name, collection, password, ocr, progress or _silent)
        except Cancelled:
            raise
        except RagError as error:
            return IngestReport(name, "rejected", error=str(error))

    def _ingest(
        self,
        data: bytes,
        name: str,
        collection: str,
        password: str,
        ocr: bool,
        progress: StageProgress,
    ) -> IngestReport:
        sha256 = hashlib.sha256(data).hexdigest()
        same = self._library.documents(collection, sha256=sha256)
        if same:
            return self._unchanged(name, same)
        known = [d for d in self._library.documents(collection, file_name=name) if d.file_name == name]
        progress("reading", 0, 1)
        # In a process of its own: a page that hangs or eats memory must not take the app with it.
        source = read_isolated(
            data,
            name,
            password=password,
            limits=self._limits,
            progress=lambda done, total: progress("reading", done, total),
            ocr=ocr,
        )
        # The reader knows base names only; the path below a walked folder is part of ours.
        source = replace(source, file_name=name, language=detect_language(source.pages))
        config = ChunkingConfig.from_dict(self._library.collection(collection).chunking)
        chunks, vectors = index_source(
            source,
            config,
            self._embedder,
            lambda done, total: progress("embedding", done, total),
            known=self._writer.known_vectors,
            contexts=self._contexts
            and self._contexts.adder(
                collection,
                sha256,
                config,
                self._embedder.count_tokens,
                lambda *n: progress("writing contexts", *n),
            ),
        )
        unknown = self._embedder.unknown_share([page.text for page in source.pages])
        if unknown > UNKNOWN_NOTED:
            note = (
                f"The embedding model {self._embedder.identity.model} does not know {unknown:.0%} of the words "
                "(a script it was not trained on, or emoji): this file will hardly be found. Choose another "
                "model (RAGCORE_EMBEDDER) and re-embed."
            )
            source = replace(source, warnings=(*source.warnings, note))
        progress("storing", 0, 1)
        document_id = self._writer.save_document(
            collection, self._embedder.identity, NewDocument(source, sha256, data, chunks, vectors)
        )
        progress("storing", 1, 1)
        return IngestReport(
            name,
            "replaced" if known else "indexed",
            document_id,
            len(source.pages),
            len(chunks),
            source.warnings,
        )

    def _unchanged(self, name: str, same: list[DocumentInfo]) -> IngestReport:
        """The bytes are there already: under this name, or under another, which then has two."""
        document = next((d for d in same if d.file_name == name), same[0])
        warnings = document.warnings
        if document.file_name != name:
            self._writer.add_name(document.id, name)
            warnings = (f"The same file as '{document.file_name}'; kept once, under both names.", *warnings)
        return IngestReport(name, "unchanged", document.id, document.pages, document.chunks, warnings)


def index_source(
    source: SourceDocument,
    config: ChunkingConfig,
    embedder: DocumentEmbedder,
    progress: Progress | None = None,
    *,
    known: KnownVectors | None = None,
    contexts: AddContexts | None = None,
) -> tuple[list[Chunk], SpanVectors]:
    """Chunk and embed a document that has been read; text that ``known`` finds is not embedded again.

    ``progress`` counts chunks, the known ones included; before that, with the semantic strategy, the
    sentences that are compared. ``contexts`` is asked by the contextual strategy alone. Raises EmptyFile
    when nothing is left to index, EmbeddingError, and ModelError where contexts cannot be written.
    """
    chunks = chunk_document(
        source,
        config,
        embedder.count_tokens,
        embedder.identity.max_tokens,
        embed=lambda texts: embedder.embed_documents(texts, progress),
    )
    if not chunks:
        raise EmptyFile(f"'{source.file_name}' has no text that could be indexed.")
    if config.strategy == "contextual":
        if contexts is None:
            raise InputError(
                "The contextual strategy needs a chat model to write contexts, and none is set up here."
            )
        chunks = contexts(source, chunks)
    return chunks, embed_chunks(chunks, source.title, config.granularity, embedder, progress, known=known)


def _silent(_stage: str, _done: int, _total: int) -> None:
    return None
