"""The corpora that sets are asked of, each a collection of its own, indexed once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ragcore.chunking import ChunkingConfig
from ragcore.errors import InputError
from ragcore.indexing import Indexer, files_under
from ragcore.records import Progress
from ragcore.storage import Library


def index_corpus(
    indexer: Indexer,
    library: Library,
    paths: Sequence[Path],
    chunking: ChunkingConfig,
    embedder: str,
    progress: Progress | None = None,
) -> str:
    """Index the files under ``paths`` and return the collection's name, which is made of their contents.

    A corpus that has been indexed before costs the reading of its bytes. ``progress`` is called
    with files done and in all, and at every step of a file; what it raises ends the indexing.
    Raises InputError, naming the file, when one of them cannot be indexed: figures on half a corpus
    would be worth nothing.
    """
    files = [(file.name, file.path.read_bytes()) for file in files_under(paths)]
    if not files:
        raise InputError(f"The corpus {', '.join(map(str, paths))} holds no files.")
    digest = hashlib.sha256(repr((sorted(asdict(chunking).items()), embedder)).encode())
    for name, data in files:
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    collection = f"eval-{digest.hexdigest()[:12]}"
    info = library.create_collection(collection, chunking=chunking.to_dict(), kind="eval")
    if info.documents == len({hashlib.sha256(data).digest() for _, data in files}):
        return collection
    for number, (name, data) in enumerate(files):

        def step(*_: object, done: int = number) -> None:
            if progress:
                progress(done, len(files))

        step()
        report = indexer.ingest(data, name, collection=collection, progress=step)
        if report.error is not None:
            raise InputError(f"The corpus cannot be used: {report.error}")
    return collection
