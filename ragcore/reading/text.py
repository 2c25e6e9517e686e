"""Plain text files."""

from __future__ import annotations

from ragcore.errors import EmptyFile
from ragcore.records import Heading, Page, SourceDocument

from .blocks import choose_title
from .cleaning import clean_text, control_count
from .encodings import decode_text
from .headings import TextLine, find_headings
from .sniffing import MEDIA_TYPES


def read_text(data: bytes, file_name: str) -> SourceDocument:
    """One unpaged page; ``#`` lines are explicit headings, others are guessed.

    Raises EmptyFile when there are no letters or digits, UnsupportedFile when it is not text.
    """
    raw, warnings = decode_text(data, file_name)
    warnings += control_warnings(raw)
    text = clean_text(raw)
    require_text(text, file_name)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    headings = tuple(
        Heading(
            starts[found.first],
            starts[found.last] + len(lines[found.last]),
            found.level,
            found.title,
            found.explicit,
        )
        for found in find_headings([TextLine(line) for line in lines])
    )
    page = Page(1, text, headings=headings)
    title = choose_title([page], file_name)
    return SourceDocument(file_name, MEDIA_TYPES["text"], title, (page,), paged=False, warnings=warnings)


def require_text(text: str, file_name: str) -> None:
    """Raises EmptyFile for a text without a single letter or digit."""
    if not any(character.isalnum() for character in text):
        raise EmptyFile(f"{file_name} contains no text.")


def control_warnings(raw: str) -> tuple[str, ...]:
    """What to say about the control characters that cleaning drops from ``raw``."""
    count = control_count(raw)
    return (f"{count} control characters were removed from the text.",) if count else ()
