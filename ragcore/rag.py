"""The composition root: settings in, a wired ``Rag`` out.

Pages, command line and notebooks talk to a ``Rag`` and to the records it returns. It opens the
database at once and the embedding model when it is first needed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cached_property

from ragcore.answering import Pipeline, Turn
from ragcore.chunking import ChunkingConfig, document_text
from ragcore.errors import NotFound
from ragcore.evaluation.bench import Bench
from ragcore.indexing import Indexer, UploadQueue, Worker, files_under, reembed_collection, unlock_upload
from ragcore.indexing.ingest import StageProgress
from ragcore.models import ChatModels, Embedder, OllamaServer, open_embedder, profile_for
from ragcore.reading import ReadingLimits, find_ocr
from ragcore.reading.page_view import PageView, view_page
from ragcore.reading.quote_match import find_quote, text_around
from ragcore.records import Answer, AskOptions, CollectionInfo, IngestReport, ModelCard, Progress
from ragcore.retrieval import DenseRetriever
from ragcore.settings import Settings
from ragcore.storage import (
    Calibrations,
    Collections,
    CutoffInForce,
    Database,
    Evaluations,
    History,
    IndexWriter,
    Library,
    Search,
    Traces,
    Uploads,
    open_database,
)

DEFAULT_COLLECTION = "library"


def open_rag(settings: Settings | None = None, *, limits: ReadingLimits | None = None) -> Rag:
    """Open the database (starting the embedded one if none is named) and wire everything to it.

    ``limits`` bound what is read of one file.

    Raises SettingsError and StorageError. Close it, or use it as a context manager.
    """
    settings = settings or Settings.from_environment()
    return Rag(settings, open_database(settings.database_url, settings.home), limits=limits)


class Rag:
    """Questions over documents. Safe to share between threads."""

    def __init__(
        self, settings: Settings, database: Database, *, limits: ReadingLimits | None = None
    ) -> None:
        self.settings = settings
        self.limits = limits or ReadingLimits()
        self.database = database
        self.library = Library(database)
        self.collections = Collections(database)
        self.history = History(database)
        self.traces = Traces(database)
        self.evaluations = Evaluations(database)
        self.calibrations = Calibrations(database)
        self.uploads = Uploads(database)
        self.queue = UploadQueue(database, self.uploads)
        self.ollama = OllamaServer(settings.ollama_host)
        self.chats = ChatModels(
            self.ollama,
            preferred=settings.chat_model,
            num_ctx=settings.num_ctx,
            max_reply_tokens=settings.max_reply_tokens,
            keep_alive=settings.keep_alive,
            first_token_timeout_s=settings.first_token_timeout_s,
            stall_timeout_s=settings.stall_timeout_s,
        )
        self._writer = IndexWriter(database)
        self._search = Search(database)
        self._loading = threading.RLock()
        self._embedder: Embedder | None = None

    def __enter__(self) -> Rag:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the database connections back; the embedded server stops with its last process."""
        self.database.close()

    @property
    def embedder(self) -> Embedder:
        """The embedding model, loaded once. Raises ModelError with the way out when it cannot be."""
        with self._loading:
            if self._embedder is None:
                self._embedder = open_embedder(self.settings.embedder, ollama_host=self.settings.ollama_host)
            return self._embedder

    @property
    def embedder_loaded(self) -> bool:
        """Whether the embedding model is in memory already; the first use takes some seconds."""
        return self._embedder is not None

    @property
    def default_cutoff(self) -> float:
        """The cutoff of the embedder's profile, in force until a calibration replaces it."""
        return profile_for(self.settings.embedder).default_cutoff

    def cutoff(self, collection: str) -> CutoffInForce:
        """The cutoff for a collection: calibrated for its profile, or the default; and whether it is stale."""
        found = [info for info in self.library.collections(collection) if info.embedder is not None]
        if not found:
            return CutoffInForce(self.default_cutoff, None, "")
        return self.calibrations.in_force(found[0], self.embedder.identity, self.default_cutoff)

    # --- indexing ---

    def ingest(
        self,
        data: bytes,
        file_name: str,
        *,
        collection: str = DEFAULT_COLLECTION,
        password: str = "",
        ocr: bool = False,
        progress: StageProgress | None = None,
    ) -> IngestReport:
        """Index one file's bytes; a failure is a ``rejected`` report. Creates the collection if needed."""
        self.library.create_collection(collection, chunking=ChunkingConfig().to_dict())
        return self._indexer.ingest(
            data, file_name, collection=collection, password=password, ocr=ocr, progress=progress
        )

    def upload(
        self,
        data: bytes,
        file_name: str,
        *,
        collection: str = DEFAULT_COLLECTION,
        kind: str = "library",
        ocr: bool = False,
    ) -> int:
        """Put a file in the queue and return at once; the id of the upload. Some worker ingests it."""
        self.library.create_collection(collection, chunking=ChunkingConfig().to_dict(), kind=kind)
        return self.queue.add(data, file_name, collection=collection, options={"ocr": ocr})

    def unlock(self, upload_id: int, password: str) -> IngestReport:
        """Read a rejected upload with its password, here and now. Raises NotFound."""
        return unlock_upload(self.uploads, self._indexer, upload_id, password)

    @property
    def ocr_tool(self) -> str | None:
        """Path of the program that reads scanned pages; None where none is installed."""
        return find_ocr()

    def worker(self) -> Worker:
        """A worker on this database; start it in a thread or run it in this one."""
        return Worker(
            self.database,
            collections=self.collections,
            uploads=self.uploads,
            queue=self.queue,
            indexer=lambda: self._indexer,
        )

    def ingest_paths(
        self,
        paths: Iterable[str],
        *,
        collection: str = DEFAULT_COLLECTION,
        password: str = "",
        ocr: bool = False,
        progress: StageProgress | None = None,
    ) -> Iterable[IngestReport]:
        """Index files and folders, a report a file. Raises NotFound for a path that is not there."""
        for file in list(files_under(paths)):
            try:
                data = file.path.read_bytes()
            except OSError as error:
                yield IngestReport(
                    file.name, "rejected", error=f"'{file.name}' cannot be read: {error.strerror}."
                )
                continue
            yield self.ingest(
                data, file.name, collection=collection, password=password, ocr=ocr, progress=progress
            )

    def reembed(
        self,
        collection: str = DEFAULT_COLLECTION,
        *,
        chunking: ChunkingConfig | None = None,
        progress: Progress | None = None,
    ) -> CollectionInfo:
        """Embed a collection anew with the embedder in use; the old vectors serve until it is done."""
        return reembed_collection(
            self.library, self._writer, self.embedder, collection, chunking=chunking, progress=progress
        )

    def needs_reembedding(self, collection: CollectionInfo) -> bool:
        """Whether the collection's vectors are from another embedder than the one in use."""
        return collection.embedder is not None and collection.embedder != self.embedder.identity

    # --- asking ---

    def start(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        conversation_id: int | None = None,
        new_conversation: bool = False,
    ) -> Turn:
        """Search, decide at the gate and commit the trace; iterate the turn to generate."""
        return self._pipeline.start(
            question,
            options or AskOptions(),
            conversation_id=conversation_id,
            new_conversation=new_conversation,
        )

    def ask(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        conversation_id: int | None = None,
        new_conversation: bool = False,
    ) -> Answer:
        """Ask and wait for the whole answer."""
        return self.start(
            question, options, conversation_id=conversation_id, new_conversation=new_conversation
        ).run()

    # --- reading on ---

    def page_view(self, document_id: int, page: int, *, quote: str = "", password: str = "") -> PageView:
        """A PDF's page as a picture with the quote highlighted.

        Raises NotFound when the document has been replaced or deleted, PasswordProtected and
        BrokenFile.
        """
        name = self.library.source_name(document_id)
        return view_page(
            self.library.original(document_id), page, quote=quote, password=password, file_name=name
        )

    def text_view(self, document_id: int, quote: str) -> tuple[str, str, str]:
        """The text around a quote of a document: before, the quote, after. Raises NotFound."""
        text = document_text(self.library.source(document_id).pages)
        found = find_quote(text, quote)
        if found is None:
            raise NotFound("The quote is not in the document as it is now.")
        return text_around(text, *found)

    def chat_models(self) -> list[ModelCard]:
        """The chat models that Ollama has; empty when it does not answer."""
        return self.chats.available()

    # --- wiring ---

    @cached_property
    def bench(self) -> Bench:
        """Evaluation runs, comparison and calibration, through the same code as the chat."""
        return Bench(
            pipeline=self._pipeline,
            indexer=self._indexer,
            library=self.library,
            history=self.history,
            evaluations=self.evaluations,
            calibrations=self.calibrations,
            chat_digest=self._chat_digest,
        )

    def _chat_digest(self, options: AskOptions) -> dict[str, str] | None:
        chat = self.chats.choose(options.generator, options.chat_model)
        return {"name": chat.model, "digest": chat.digest} if chat else None

    @cached_property
    def _indexer(self) -> Indexer:
        return Indexer(self.library, self._writer, self.embedder, limits=self.limits)

    @cached_property
    def _pipeline(self) -> Pipeline:
        return Pipeline(
            retriever=DenseRetriever(self._search, self.embedder),
            embedder=self.embedder,
            traces=self.traces,
            history=self.history,
            choose_chat=lambda options: self.chats.choose(options.generator, options.chat_model),
            cutoff_of=lambda collection: self.cutoff(collection).cutoff,
        )
