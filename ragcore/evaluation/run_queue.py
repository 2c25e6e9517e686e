"""Evaluation runs in the background: queued from a page, carried out by a worker.

Every result is committed as it comes, so a run whose worker was stopped or killed is taken up again
with the questions that are left.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ragcore.errors import Cancelled, RagError
from ragcore.evaluation.bench import Bench
from ragcore.evaluation.run_config import RunConfig, default_name, questions_expected
from ragcore.indexing import JobKind, JobQueue
from ragcore.storage import Database, Library, QueuedRuns, RunProgress

QUEUE = "evaluations"
TASK = "evaluate"
NOTE_EVERY_S = 0.5

log = logging.getLogger(__name__)


class RunQueue:
    """Starts, stops and resumes runs; their work is done wherever a worker is."""

    def __init__(self, database: Database, library: Library, bench: Callable[[], Bench]) -> None:
        """``bench`` is called when a worker takes up the first run: it may load the embedding model."""
        self._library = library
        self._runs = QueuedRuns(database)
        self._jobs = JobQueue(database, QUEUE, TASK)
        self._bench = bench

    def start(self, config: RunConfig, name: str = "") -> int:
        """Queue a run and return its id at once; its corpora are indexed by the worker.

        Raises InputError for a set that is missing or empty, a corpus that is not there, and a stage
        or split without questions; NotFound for a collection. What shows only later (a file that
        cannot be indexed, a model that does not answer) ends the run as failed, with its sentence.
        """
        if config.collection is not None:
            self._library.collection(config.collection)
        config = replace(
            config,
            sets=tuple(_absolute(path) for path in config.sets),
            corpora=tuple(_absolute(path) for path in config.corpora),
        )
        sets, questions = questions_expected(config)
        return self._runs.add(
            name=name.strip() or default_name(sets, config),
            question_set=", ".join(sets),
            stage=config.stage,
            config=config.as_dict(),
            questions=questions,
            enqueue=self._jobs.enqueue,
        )

    def resume(self, run_id: int) -> None:
        """Queue a cancelled or failed run again; what has a result is not asked again.

        Raises NotFound, and InputError for a run that is not stopped.
        """
        self._runs.resume(run_id, self._jobs.enqueue)

    def cancel(self, run_id: int) -> None:
        """Stop a run: at once while it waits, otherwise after the present question."""
        self._runs.cancel(run_id)

    def progress(self, run_id: int) -> RunProgress:
        """How far a run is, whoever carries it out. Raises NotFound."""
        return self._runs.progress(run_id)

    @property
    def kind(self) -> JobKind:
        """What a worker needs to work this queue."""
        return JobKind(QUEUE, TASK, self._carry_out)

    def _carry_out(self, run_id: int, stopping: threading.Event) -> None:
        if not self._runs.begin(run_id):
            return
        try:
            report = _Reporter(self._runs, run_id, stopping)
            with closing(self._bench().carry_out(run_id, indexing=report)) as outcomes:
                for _ in outcomes:
                    if stopping.is_set():
                        raise _Stopping
        except _Stopping:
            self._runs.requeue(run_id, self._jobs.enqueue)
        except Cancelled:
            self._runs.end(run_id, "cancelled")
        except RagError as error:
            self._runs.end(run_id, "failed", error=str(error))
        except Exception as error:  # a fault of ours must not leave the run hanging
            log.exception("evaluation run %s failed", run_id)
            self._runs.end(
                run_id,
                "failed",
                error=f"Run {run_id} could not go on ({type(error).__name__}). Resume it; if it happens "
                "again, please report it with the worker's log.",
            )


class _Stopping(Exception):
    """The worker is to stop; the run goes back to the queue."""


class _Reporter:
    """Notes how many files are indexed, at most twice a second, and hears that it is to stop."""

    def __init__(self, runs: QueuedRuns, run_id: int, stopping: threading.Event) -> None:
        self._runs = runs
        self._run_id = run_id
        self._stopping = stopping
        self._noted = 0.0

    def __call__(self, done: int, total: int) -> None:
        if self._stopping.is_set():
            raise _Stopping
        if (now := time.monotonic()) - self._noted < NOTE_EVERY_S:
            return
        self._noted = now
        if self._runs.note(self._run_id, "indexing", done, total):
            raise Cancelled("The run was cancelled.")


def _absolute(path: str) -> str:
    """As a worker finds it that was started in another folder."""
    return str(Path(path).expanduser().resolve())
