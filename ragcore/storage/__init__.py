"""Postgres and pgvector: everything that is kept, and all SQL."""

from ragcore.storage.calibrations import Calibration, Calibrations, CutoffInForce, profile_of
from ragcore.storage.collections import Collections
from ragcore.storage.database import Database, open_database
from ragcore.storage.evaluations import GRADES, EvalResult, EvalRun, Evaluations, HandGrade
from ragcore.storage.history import History
from ragcore.storage.index_writer import IndexWriter, NewDocument, Reindexed
from ragcore.storage.library import Library
from ragcore.storage.search import Search
from ragcore.storage.traces import Traces
from ragcore.storage.uploads import Uploads

__all__ = [
    "GRADES",
    "Calibration",
    "Calibrations",
    "Collections",
    "CutoffInForce",
    "Database",
    "EvalResult",
    "EvalRun",
    "Evaluations",
    "HandGrade",
    "History",
    "IndexWriter",
    "Library",
    "NewDocument",
    "Reindexed",
    "Search",
    "Traces",
    "Uploads",
    "open_database",
    "profile_of",
]
