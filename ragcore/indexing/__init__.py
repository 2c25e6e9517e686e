"""Reading, chunking, embedding and storing files, by queue or at once; embedding a collection anew."""

from ragcore.indexing.contextual import ContextPrice, ContextWriter
from ragcore.indexing.ingest import Indexer
from ragcore.indexing.queue import JobKind, JobQueue, UploadQueue
from ragcore.indexing.reembed import price_contexts, reembed_collection
from ragcore.indexing.unlocking import unlock_upload
from ragcore.indexing.upload_work import UploadWork
from ragcore.indexing.walking import FileToRead, files_under
from ragcore.indexing.worker import Worker

__all__ = [
    "ContextPrice",
    "ContextWriter",
    "FileToRead",
    "Indexer",
    "JobKind",
    "JobQueue",
    "UploadQueue",
    "UploadWork",
    "Worker",
    "files_under",
    "price_contexts",
    "reembed_collection",
    "unlock_upload",
]
