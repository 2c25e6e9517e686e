"""Postgres and pgvector: everything that is kept, and all SQL."""

from ragcore.storage.calibrations import Calibration, Calibrations, CutoffInForce, profile_of
from ragcore.storage.chunk_contexts import ChunkContexts
from ragcore.storage.collections import Collections
from ragcore.storage.database import Database, open_database
from ragcore.storage.document_chunks import DocumentChunks
from ragcore.storage.evaluations import EvalResult, EvalRun, Evaluations
from ragcore.storage.glossaries import Glossaries
from ragcore.storage.hand_grades import GRADES, HandGrade, standing_grades
from ragcore.storage.history import History
from ragcore.storage.index_writer import IndexWriter, NewDocument, Reindexed
from ragcore.storage.library import Library
from ragcore.storage.queued_runs import QueuedRuns, RunProgress
from ragcore.storage.scores import ScoreRow, Scores
from ragcore.storage.search import Search
from ragcore.storage.traces import Traces
from ragcore.storage.uploads import Uploads

__all__ = [
    "GRADES",
    "Calibration",
    "Calibrations",
    "ChunkContexts",
    "Collections",
    "CutoffInForce",
    "Database",
    "DocumentChunks",
    "EvalResult",
    "EvalRun",
    "Evaluations",
    "Glossaries",
    "HandGrade",
    "History",
    "IndexWriter",
    "Library",
    "NewDocument",
    "QueuedRuns",
    "Reindexed",
    "RunProgress",
    "ScoreRow",
    "Scores",
    "Search",
    "Traces",
    "Uploads",
    "open_database",
    "profile_of",
    "standing_grades",
]
