"""What two processes say to each other over a pipe: frames of a kind, a length and a payload.

JSON and raw bytes only. Nothing is unpickled: a process that reads foreign files may have been
taken over by one.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from typing import Any, BinaryIO, NamedTuple

from ragcore.records import Heading, Page, SourceDocument

REQUEST, FILE, KNOWN_PAGE, GO = b"Q", b"F", b"K", b"G"
"""From the parent: the task as JSON, the file, pages read before, and that this was all."""
OPENED, PAGE, DOCUMENT, STEP, ERROR = b"O", b"P", b"D", b"S", b"E"
"""From the child: the number of pages, a page, the whole document, a step of OCR, a RagError. (And FILE.)"""

OUT_OF_MEMORY = 77
"""Exit status of a child that met its limit of memory."""

_HEAD = struct.Struct(">cQ")
_NUMBER = struct.Struct(">I")


class Frame(NamedTuple):
    kind: bytes
    payload: bytes

    def json(self) -> Any:
        return json.loads(self.payload)


def write_frame(stream: BinaryIO, kind: bytes, payload: bytes = b"") -> None:
    stream.write(_HEAD.pack(kind, len(payload)))
    stream.write(payload)


def write_json(stream: BinaryIO, kind: bytes, value: Any) -> None:
    write_frame(stream, kind, json.dumps(value).encode("ascii"))


def read_frame(stream: BinaryIO) -> Frame | None:
    """The next frame; None where the other side has closed the pipe, even amid a frame."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    payload = stream.read(length)
    return Frame(kind, payload) if len(payload) == length else None


def page_payload(number: int, reading: Any) -> bytes:
    """A page's number and a ``PageReading``, in a form that can be handed on unopened."""
    return _NUMBER.pack(number) + json.dumps(reading.to_json()).encode("ascii")


def page_number(payload: bytes) -> int:
    return _NUMBER.unpack_from(payload)[0]


def page_json(payload: bytes) -> dict[str, Any]:
    return json.loads(payload[_NUMBER.size :])


def document_json(document: SourceDocument) -> dict[str, Any]:
    return dataclasses.asdict(document)


def document_from_json(value: dict[str, Any]) -> SourceDocument:
    pages = tuple(
        Page(**{**page, "headings": tuple(Heading(**heading) for heading in page["headings"])})
        for page in value["pages"]
    )
    return SourceDocument(
        **{
            **value,
            "pages": pages,
            "warnings": tuple(value["warnings"]),
            "empty_pages": tuple(value["empty_pages"]),
            "suspect_pages": tuple(value["suspect_pages"]),
        }
    )
