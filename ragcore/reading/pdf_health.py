"""How good the text layer of a PDF is, page by page. Promises no repair, only says what is seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from .cleaning import unreadable_share

_MIN_LETTERS = 40
_MIN_SPACE_SHARE = 0.06
_LONGEST_WORD = 40
_SPLIT_SHARE = 0.5
_UNREADABLE_SHARE = 0.01
_WORD = re.compile(r"[^\W\d_]+")
# Scripts that are written without spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def page_ranges(numbers: Iterable[int]) -> str:
    """``[3, 7, 8, 9]`` as ``3, 7-9``."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def named_pages(numbers: Sequence[int]) -> str:
    """``page 3`` or ``pages 3, 7-9``."""
    return f"{'page' if len(numbers) == 1 else 'pages'} {page_ranges(numbers)}"


def words_are_glued(text: str) -> bool:
    """Blanks are missing: hardly any between so many letters, or a word of over 40 letters."""
    if _UNSPACED.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    if letters < _MIN_LETTERS:
        return False
    blanks = sum(character.isspace() for character in text)
    if blanks < _MIN_SPACE_SHARE * len(text):
        return True
    # Identifiers and addresses are long, too, but hold digits or punctuation.
    return any(len(word) > _LONGEST_WORD for word in text.split() if _WORD.fullmatch(word.strip(".,;:!?()")))


def words_are_split(text: str) -> bool:
    """Blanks stand within words: most words are single letters."""
    words = _WORD.findall(text)
    if _UNSPACED.search(text) or sum(map(len, words)) < _MIN_LETTERS / 2:
        return False
    return sum(1 for word in words if len(word) == 1) > _SPLIT_SHARE * len(words)


def unreadable(text: str) -> bool:
    """More than 1 % of the characters have no meaning."""
    return unreadable_share(text) > _UNREADABLE_SHARE


_FAULTS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (words_are_glued, "the text layer looks glued (blanks between words are missing)"),
    (words_are_split, "the text layer looks torn (blanks within words)"),
    (unreadable, "more than 1 % of the characters have no meaning (a damaged font)"),
)


def page_faults(pages: Sequence[tuple[int, str]]) -> tuple[list[str], tuple[int, ...]]:
    """One sentence for each fault that any page shows, and the numbers of all pages that show one.

    ``pages`` are (number, clean text).
    """
    warnings: list[str] = []
    suspect: set[int] = set()
    for shows, what in _FAULTS:
        numbers = [number for number, text in pages if shows(text)]
        suspect.update(numbers)
        if numbers:
            warnings.append(
                f"On {named_pages(numbers)} {what}; searching there may miss words. "
                "A new PDF or OCR (ocrmypdf --redo-ocr) helps."
            )
    return warnings, tuple(sorted(suspect))
