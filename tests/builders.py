"""Small records that several tests need."""

from typing import Any

from ragcore.records import Candidate, Passage


def candidate(text: str, **fields: Any) -> Candidate:
    """A candidate on page 3 of terms.pdf, unless the fields say otherwise."""
    defaults = {
        "chunk_id": 1,
        "document_id": 1,
        "file": "terms.pdf",
        "paged": True,
        "page_start": 3,
        "page_end": fields.get("page_start", 3),
        "page_label": None,
        "page_offsets": (),
        "section": (),
        "header": "",
        "score": 0.5,
    }
    return Candidate(text=text, **{**defaults, **fields})


def passage(number: int, text: str, **fields: Any) -> Passage:
    """A passage under a number, its chunk id the same number."""
    return Passage(number, candidate(text, **{"chunk_id": number, **fields}))
