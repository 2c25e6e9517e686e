"""Postgres and pgvector: everything that is kept, and all SQL."""

from ragcore.storage.collections import Collections
from ragcore.storage.database import Database, open_database
from ragcore.storage.history import History
from ragcore.storage.index_writer import IndexWriter, NewDocument, Reindexed
from ragcore.storage.library import Library
from ragcore.storage.search import Search
from ragcore.storage.traces import Traces
from ragcore.storage.uploads import Uploads

__all__ = [
    "Collections",
    "Database",
    "History",
    "IndexWriter",
    "Library",
    "NewDocument",
    "Reindexed",
    "Search",
    "Traces",
    "Uploads",
    "open_database",
]
