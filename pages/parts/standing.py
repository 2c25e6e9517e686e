"""Whether what an answer cites is still in the library, or only in the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragcore.rag import Rag
from ragcore.records import Message


@dataclass(frozen=True, slots=True)
class Standing:
    """Of one cited document. ``media_type`` is None when this version of it is gone."""

    media_type: str | None = None
    replaced: bool = False
    """Gone, but another document of its name is there."""

    @property
    def is_pdf(self) -> bool:
        return self.media_type == "application/pdf"

    @property
    def mark(self) -> str:
        """What the citation is marked with; empty while the document stands as it was cited."""
        if self.media_type is not None:
            return ""
        return "from an earlier version" if self.replaced else "no longer in the library"

    @property
    def explanation(self) -> str:
        if self.media_type is not None:
            return ""
        if self.replaced:
            return "The document has been replaced since. This is the passage as it was when it was quoted."
        return "The document has been deleted since. This is the passage as it was when it was quoted."


def standings(rag: Rag, messages: Sequence[Message]) -> dict[int, Standing]:
    """How the documents stand that a conversation cites or came close to, by document id."""
    named: dict[int, tuple[str, str]] = {}
    for message in messages:
        trace = message.trace or {}
        collection = (trace.get("profile") or {}).get("collection", "")
        for passage in trace.get("passages", []):
            named[passage["document_id"]] = (collection, passage["file"])
        for citation in message.citations:
            named[citation.document_id] = (collection, citation.file)
    present = rag.library.present(named) if named else {}
    gone: dict[str, set[str]] = {}
    for document_id, (collection, name) in named.items():
        if document_id not in present:
            gone.setdefault(collection, set()).add(name)
    in_use = {(c, name) for c, names in gone.items() for name in rag.library.names_in_use(c, names)}
    return {
        document_id: Standing(present.get(document_id), document_id not in present and place in in_use)
        for document_id, place in named.items()
    }
