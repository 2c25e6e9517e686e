"""Reading, chunking, embedding and storing files, by queue or at once; embedding a collection anew."""

from ragcore.indexing.ingest import Indexer
from ragcore.indexing.queue import UploadQueue
from ragcore.indexing.reembed import reembed_collection
from ragcore.indexing.unlocking import unlock_upload
from ragcore.indexing.walking import FileToRead, files_under
from ragcore.indexing.worker import Worker

__all__ = [
    "FileToRead",
    "Indexer",
    "UploadQueue",
    "Worker",
    "files_under",
    "reembed_collection",
    "unlock_upload",
]
