"""What was noticed while a PDF was read, as sentences for its user."""

from __future__ import annotations

from collections.abc import Sequence

from .limits import ReadingLimits, human_size
from .page_log import PageFailure, PageReading
from .pdf_health import named_pages

_MAX_NAMED_LINES = 5


def failed(readings: Sequence[PageReading], failure: PageFailure) -> list[int]:
    """The numbers of the pages that failed in this way."""
    return [number for number, reading in enumerate(readings, start=1) if reading.failure == failure]


def cut_off_pages(readings: Sequence[PageReading], limits: ReadingLimits) -> list[tuple[list[int], str]]:
    """Pages that went over a limit, and which, by limit: ``([7, 9], "took longer than 20 s")``."""
    reasons: tuple[tuple[PageFailure, str], ...] = (
        ("too complex", "held too complex a drawing"),
        ("too slow", f"took longer than {limits.max_page_seconds:g} s"),
        ("too big", f"needed more than {human_size(limits.max_memory_bytes)} of memory"),
    )
    found = [(failed(readings, failure), reason) for failure, reason in reasons]
    return [(numbers, reason) for numbers, reason in found if numbers]


def cut_off_notes(cut_off: Sequence[tuple[list[int], str]]) -> list[str]:
    return [
        f"{named_pages(numbers).capitalize()} "
        f"{'was left out: it' if len(numbers) == 1 else 'were left out: each'} {reason}."
        for numbers, reason in cut_off
    ]


def blank_notes(blank: Sequence[int], recognised: frozenset[int]) -> list[str]:
    """Of pages without text, and of those whose text comes from OCR (``recognised``: OCR was tried)."""
    notes = []
    if needy := [number for number in blank if number not in recognised]:
        verb, pronoun = ("has", "it needs") if len(needy) == 1 else ("have", "they need")
        notes.append(
            f"{named_pages(needy).capitalize()} {verb} no text layer; {pronoun} OCR (ocrmypdf adds one)."
        )
    if read_by_ocr := sorted(recognised - set(blank)):
        notes.append(f"The text of {named_pages(read_by_ocr)} comes from OCR and can hold misread words.")
    if in_vain := sorted(recognised & set(blank)):
        notes.append(f"OCR found no text on {named_pages(in_vain)}.")
    return notes


def other_notes(readings: Sequence[PageReading], furniture: Sequence[str], data: bytes) -> list[str]:
    """Of damage, and of what was changed on the way. ``furniture`` are the headers left out."""
    notes = []
    if unreadable := failed(readings, "unreadable"):
        notes.append(f"{named_pages(unreadable).capitalize()} could not be read (damaged).")
    if forms := [number for number, reading in enumerate(readings, start=1) if reading.form_broken]:
        notes.append(f"Form fields on {named_pages(forms)} could not be read (damaged).")
    if b"%%EOF" not in data[-2048:]:
        notes.append("The file does not end as a PDF should; pages may be missing.")
    if controls := sum(reading.controls for reading in readings):
        notes.append(f"{controls} control characters were removed from the text.")
    if columns := [number for number, reading in enumerate(readings, start=1) if reading.columns]:
        notes.append(f"On {named_pages(columns)} two columns were taken apart; the reading order is a guess.")
    if furniture:
        named = "; ".join(f"“{line}”" for line in furniture[:_MAX_NAMED_LINES])
        notes.append(f"Running headers and footers were left out after their first occurrence: {named}.")
    return notes
