"""The composition root: settings in, a wired ``Rag`` out.

Pages, command line and notebooks talk to a ``Rag`` and to the records it returns. It opens the
database at once and the embedding model when it is first needed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ragcore.answering import Turn
from ragcore.chunking import ChunkingConfig
from ragcore.indexing import (
    ContextPrice,
    UploadWork,
    Worker,
    files_under,
    price_contexts,
    reembed_collection,
    unlock_upload,
)
from ragcore.indexing.ingest import StageProgress
from ragcore.models import profile_for
from ragcore.reading import ReadingLimits, find_ocr
from ragcore.records import Answer, AskOptions, CollectionInfo, IngestReport, ModelCard, Progress
from ragcore.settings import Settings
from ragcore.storage import (
    CutoffInForce,
    open_database,
)
from ragcore.wiring import Wiring

DEFAULT_COLLECTION = "library"


def open_rag(settings: Settings | None = None, *, limits: ReadingLimits | None = None) -> Rag:
    """Open the database (starting the embedded one if none is named) and wire everything to it.

    ``limits`` bound what is read of one file.

    Raises SettingsError and StorageError. Close it, or use it as a context manager.
    """
    settings = settings or Settings.from_environment()
    return Rag(settings, open_database(settings.database_url, settings.home), limits=limits)


class Rag(Wiring):
    """Questions over documents. Safe to share between threads."""

    def __enter__(self) -> Rag:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the database connections back; the embedded server stops with its last process."""
        self.database.close()

    def default_cutoff(self, granularity: str) -> float:
        """The cutoff of the embedder's profile, in force until a calibration replaces it."""
        return profile_for(self.settings.embedder).cutoff_for(granularity)

    def cutoff(self, collection: str) -> CutoffInForce:
        """The cutoff for a collection: calibrated for its profile, or the default; and whether it is stale."""
        found = [info for info in self.library.collections(collection) if info.embedder is not None]
        if not found:
            return CutoffInForce(self.default_cutoff(ChunkingConfig().granularity), None, "")
        default = self.default_cutoff(found[0].chunking.get("granularity", "chunk"))
        return self.calibrations.in_force(found[0], self.embedder.identity, default)

    def floor(self, collection: str) -> float:
        """What a follow-up's own words have to reach: applied with the cutoff, or the embedder's default."""
        applied = self.cutoff(collection).calibration
        if applied is not None and applied.follow_up_floor is not None:
            return applied.follow_up_floor
        found = self.library.collections(collection)
        granularity = found[0].chunking.get("granularity", "chunk") if found else ChunkingConfig().granularity
        return profile_for(self.settings.embedder).floor_for(granularity)

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
        """A worker for uploads and evaluations on this database; start it in a thread or run it in this one."""
        uploads = UploadWork(self.uploads, self.queue, lambda: self._indexer)
        kinds = [uploads.kind, self.run_queue.kind]
        return Worker(self.database, kinds, chore=self.collections.delete_expired)

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
        stage: StageProgress | None = None,
    ) -> CollectionInfo:
        """Embed a collection anew with the embedder in use; the old vectors serve until it is done.

        ``chunking`` cuts it in another way, now and for files to come. ``progress`` counts documents,
        ``stage`` what is done within one.
        """
        return reembed_collection(
            self.library,
            self._writer,
            self.embedder,
            collection,
            chunking=chunking,
            progress=progress,
            contexts=self._contexts,
            stage=stage,
        )

    def price_contexts(self, collection: str, chunking: ChunkingConfig) -> ContextPrice:
        """What the contexts of the contextual strategy will cost, measured on a few that are kept.

        Raises NotFound, and ModelError when no chat model can be asked.
        """
        return price_contexts(self.library, self.embedder, self._contexts, collection, chunking)

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
        replaces: int | None = None,
    ) -> Turn:
        """Search, decide at the gate and commit the trace; iterate the turn to generate.

        ``replaces``: the message whose answer this one is to take the place of; it is not leaned on.
        """
        return self._pipeline.start(
            question,
            options or AskOptions(),
            conversation_id=conversation_id,
            new_conversation=new_conversation,
            replaces=replaces,
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

    def chat_models(self) -> list[ModelCard]:
        """The chat models that Ollama has; empty when it does not answer."""
        return self.chats.available()
