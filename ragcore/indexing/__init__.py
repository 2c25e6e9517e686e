"""Reading, chunking, embedding and storing files; embedding a collection anew."""

from ragcore.indexing.ingest import Indexer
from ragcore.indexing.reembed import reembed_collection
from ragcore.indexing.walking import FileToRead, files_under

__all__ = ["FileToRead", "Indexer", "files_under", "reembed_collection"]
