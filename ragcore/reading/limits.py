"""How much of one file is read before it is refused.

Limits are counted while reading: what a file says about its own sizes is not trusted.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from ragcore.errors import FileTooLarge, InputError


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The bounds that one file has to stay within. Every value is inclusive."""

    max_bytes: int = 200 * 1024 * 1024
    max_pages: int = 5000
    max_page_operations: int = 1_000_000
    """Drawing operators and operands of one PDF page: text has some 10,000, a map a million, which
    takes about three seconds."""
    max_inflated_bytes: int = 500 * 1024 * 1024
    """Bytes that a zip container (.docx) may unpack to, counted while unpacking."""
    max_zip_entries: int = 10_000
    max_zip_ratio: float = 200.0
    """Inflated bytes for each packed byte; looked at only above one inflated megabyte."""
    max_characters: int = 50_000_000
    """Characters of text that one document may hold after cleaning."""
    max_seconds: float = 300.0
    """Time for one file. Looked at between two pages, and at any moment in a process of its own."""
    max_page_seconds: float = 20.0
    """Time for one PDF page; what takes longer is left out. Only in a process of its own."""
    max_memory_bytes: int = 2 * 1024**3
    """Memory of the process that reads one file. Only in a process of its own."""
    max_ocr_page_seconds: float = 60.0
    """Time for OCR, for each page that needs it; OCR has no part in ``max_seconds``."""


DEFAULT_LIMITS = ReadingLimits()


def limits_from(assignments: Iterable[str]) -> ReadingLimits:
    """Limits from ``name=value`` pairs, the others at their defaults.

    Raises InputError for an unknown name or a value that is not a positive number.
    """
    known = {field.name: field.type for field in fields(ReadingLimits)}
    changes: dict[str, float] = {}
    for assignment in assignments:
        name, _, value = (part.strip() for part in assignment.partition("="))
        if name not in known:
            raise InputError(f"There is no limit '{name}'. Limits are: {', '.join(known)}.")
        try:
            number = float(value) if known[name] == "float" else int(value)
        except ValueError:
            number = 0
        if number <= 0:
            raise InputError(f"The limit {name} is '{value}'; write a positive number, as in {name}=100.")
        changes[name] = number
    return replace(DEFAULT_LIMITS, **changes)


@dataclass(slots=True)
class Deadline:
    """Stops the reading of one file when its time is used up."""

    file_name: str
    max_seconds: float
    started: float = field(default_factory=time.monotonic)

    def check(self, done: int, total: int) -> None:
        """Raises FileTooLarge when ``max_seconds`` have passed; ``done`` of ``total`` pages are read.

        ``total`` 0: the file has no pages, or they are not counted yet.
        """
        if time.monotonic() - self.started > self.max_seconds:
            pages = f"{done} of {total} pages in" if total else "it is not done after"
            raise FileTooLarge(
                f"{self.file_name} takes too long to read: {pages} {self.max_seconds:.0f} seconds. "
                "Split it into smaller files."
            )


def human_size(byte_count: float) -> str:
    """``209715200`` as ``200 MB``."""
    size = float(byte_count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


def check_size(file_name: str, byte_count: int, limits: ReadingLimits) -> None:
    """Raises FileTooLarge for a file of more than ``limits.max_bytes`` bytes."""
    if byte_count > limits.max_bytes:
        raise FileTooLarge(
            f"{file_name} has {human_size(byte_count)}, more than the {human_size(limits.max_bytes)} "
            "that one file may have. Split it into smaller files."
        )
