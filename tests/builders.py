"""Small records that several tests need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragcore.answering.citations import WrittenText, references, with_plain_references
from ragcore.answering.claims import split
from ragcore.records import Candidate, Citation, Passage


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


def pdf_of(objects: Sequence[bytes]) -> bytes:
    """A PDF file of these object bodies, numbered from 1; the first is the catalogue."""
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


@dataclass
class Cited:
    text: str
    citations: list[Citation]
    unknown: int


def cited_text(reply: str, passages: Sequence[Passage]) -> Cited:
    """The reply with the citations that it names itself."""
    by_number = {one.number: one for one in passages}
    written, unknown = WrittenText(), 0
    for sentence in split(with_plain_references(reply, passages)):
        numbers, never_sent = references(sentence, by_number)
        unknown += never_sent
        written.add(sentence, [by_number[number] for number in numbers])
    return Cited(written.text.strip(), written.citations, unknown)
