"""What a Rag is made of: every part of the library, wired to the others.

The database is opened by whoever builds it; the embedding model is loaded when it is first needed.
"""

from __future__ import annotations

import threading
from functools import cached_property

from ragcore.answering import Pipeline
from ragcore.evaluation.bench import Bench
from ragcore.evaluation.hand_grading import HandGrading
from ragcore.evaluation.question_sets import QuestionSets
from ragcore.evaluation.results_browser import ResultsBrowser
from ragcore.evaluation.run_queue import RunQueue
from ragcore.evaluation.thresholds import Thresholds
from ragcore.indexing import ContextWriter, Indexer, UploadQueue
from ragcore.models import AnswerJudge, ChatModels, Embedder, OllamaChat, OllamaServer, open_embedder
from ragcore.reading import ReadingLimits
from ragcore.records import AskOptions, Opinion, SecondOpinionSource
from ragcore.retrieval import Abbreviations, Retrieval, Retriever, signals_opinion
from ragcore.settings import Settings
from ragcore.storage import (
    Calibrations,
    ChunkContexts,
    Collections,
    Database,
    DocumentChunks,
    Evaluations,
    Glossaries,
    History,
    IndexWriter,
    Library,
    Scores,
    Search,
    Traces,
    Uploads,
)
from ragcore.viewing import SourceViews


class Wiring:
    """The parts of the library on one database. Safe to share between threads."""

    def __init__(
        self, settings: Settings, database: Database, *, limits: ReadingLimits | None = None
    ) -> None:
        self.settings = settings
        self.limits = limits or ReadingLimits()
        self.database = database
        self.library = Library(database)
        self.views = SourceViews(self.library)
        self.collections = Collections(database)
        self.abbreviations = Abbreviations(Glossaries(database))
        self.history = History(database)
        self.traces = Traces(database)
        self.evaluations = Evaluations(database)
        self.grading = HandGrading(self.evaluations)
        self.results = ResultsBrowser(evaluations=self.evaluations, traces=self.traces)
        self.calibrations = Calibrations(database)
        self.uploads = Uploads(database)
        self.queue = UploadQueue(database, self.uploads)
        self.question_sets = QuestionSets(settings.home)
        self.run_queue = RunQueue(database, self.library, lambda: self.bench)
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
        self.judge = AnswerJudge()
        self._writer = IndexWriter(database)
        self._search = Search(database)
        self._loading = threading.RLock()
        self._embedder: Embedder | None = None

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
            choose_chat=self._choose_chat,
        )

    @cached_property
    def thresholds(self) -> Thresholds:
        """Cutoffs chosen by the scores of stored runs; asks nothing again."""
        return Thresholds(
            evaluations=self.evaluations,
            scores=Scores(self.database),
            calibrations=self.calibrations,
            library=self.library,
            search=lambda question, collection: self._pipeline.search(question, collection=collection),
        )

    @cached_property
    def _indexer(self) -> Indexer:
        return Indexer(self.library, self._writer, self.embedder, limits=self.limits, contexts=self._contexts)

    @cached_property
    def _contexts(self) -> ContextWriter:
        return ContextWriter(ChunkContexts(self.database), lambda: self.chats.choose("ollama", None))

    @cached_property
    def _pipeline(self) -> Pipeline:
        return Pipeline(
            retriever=Retriever(self._search, self.embedder, self.abbreviations),
            chunks=DocumentChunks(self.database),
            embedder=self.embedder,
            traces=self.traces,
            history=self.history,
            choose_chat=self._choose_chat,
            cutoff_of=lambda collection: self.cutoff(collection).cutoff,
            floor_of=self.floor,
            opinion_of=self._opinion_of,
            judge=self.judge.log_odds,
        )

    def _choose_chat(self, options: AskOptions) -> OllamaChat | None:
        return self.chats.choose(options.generator, options.chat_model)

    def _opinion_of(self, collection: str, found: Retrieval, asked: SecondOpinionSource) -> Opinion | None:
        return signals_opinion(
            found,
            self.embedder.identity,
            self.library.collection(collection).chunking.get("granularity", "chunk"),
            enforced=asked != "off",
            token_vectors=self.embedder.token_vectors,
            judge=self.judge.log_odds if asked == "judge" else None,
        )
