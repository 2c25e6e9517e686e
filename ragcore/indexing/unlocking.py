"""Reading an upload that was rejected for want of a password."""

from __future__ import annotations

from ragcore.indexing.ingest import Indexer
from ragcore.records import IngestReport
from ragcore.storage import Uploads


def unlock_upload(uploads: Uploads, indexer: Indexer, upload_id: int, password: str) -> IngestReport:
    """Ingest the upload in this thread: what is queued is stored, and a password never is.

    Raises NotFound when the file is no longer there.
    """
    upload, data = uploads.get(upload_id), uploads.original(upload_id)
    report = indexer.ingest(
        data, upload.file, collection=upload.collection, password=password, **upload.options
    )
    uploads.finish(upload_id, report)
    return report
