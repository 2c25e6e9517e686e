"""Does a short form fit a long one, letter by letter?

After Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in
biomedical text" (Pacific Symposium on Biocomputing 2003): every letter of the short form must be
found in the long one, in order, the first at the beginning of a word. Stricter than theirs in one
thing, since wrong entries spoil searches: each word that gives letters gives its first one, and
what does not follow from initials alone has a price, of which short abbreviations can pay little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

FUNCTION_WORDS = frozenset(
    "a an and at by for from in of on or per the to with & de des du et la le les und der die das von "
    "für y el".split()
)
_NUMBER_WORDS = {
    "1": ("one", "first", "single"),
    "2": ("two", "second", "double", "dual"),
    "3": ("three", "third", "triple"),
    "4": ("four", "fourth"),
    "5": ("five", "fifth"),
    "6": ("six", "sixth"),
    "7": ("seven", "seventh"),
    "8": ("eight", "eighth"),
    "9": ("nine", "ninth"),
}
_PARTS = re.compile(r"[\w&]+(?:['’]\w+)*")
_SKIPPED_WORD = 2
_INNER_LETTER = 1
_INNER_LETTER_AT_THE_END = 2
"""Of the last word: SWT hardly is "swift water", where DNA is "deoxyribonucleic acid"."""
TOO_MUCH = 99


def folded(text: str) -> str:
    """Without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def allowed_price(short: str) -> int:
    """How far an abbreviation may be from the bare initials: not at all with two letters."""
    return min(2, max(0, len(_letters(short)) - 2))


def price(short: str, words: Sequence[str]) -> int:
    """0 where the initials of ``words`` spell ``short``, more the worse it fits, TOO_MUCH if it does not.

    The first and the last word must each give a letter; of, and, the may be passed over.
    """
    letters = _letters(short)
    parts = tuple(
        (folded(part), part_number == 0)
        for word in words
        for part_number, part in enumerate(_PARTS.findall(word))
    )
    if not letters or not parts or not _begins(letters[0][0], parts[0][0]):
        return TOO_MUCH

    @cache
    def least(letter: int, part: int) -> int:
        if letter == len(letters):
            # Further parts of the last hyphenated word may stay silent, a further word may not.
            return 0 if all(not begins for _, begins in parts[part:]) else TOO_MUCH
        if part == len(parts):
            return TOO_MUCH
        text, begins_word = parts[part]
        skip = 0 if text in FUNCTION_WORDS else _SKIPPED_WORD if begins_word else _INNER_LETTER
        best = skip + least(letter, part + 1) if part else TOO_MUCH
        inner = _INNER_LETTER_AT_THE_END if part == len(parts) - 1 else _INNER_LETTER
        at = len(text)
        cost = 0
        for taken in range(letter, len(letters)):
            character, is_lower = letters[taken]
            if taken == letter:
                if not _begins(character, text):
                    break
                at = 1
            else:
                found = text.find(character, at)
                if found < 0:
                    break
                at = found + 1
                cost += 0 if is_lower or character.isdigit() else inner
            best = min(best, cost + least(taken + 1, part + 1))
        return best

    return min(least(0, 0), TOO_MUCH)


def _letters(short: str) -> list[tuple[str, bool]]:
    """The characters to be found, folded, and whether each is a small letter among capitals."""
    capitals = any(character.isupper() for character in short)
    return [
        (plain, capitals and character.islower())
        for character in short
        if character.isalnum() or character == "&"
        for plain in folded(character)
    ]


def _begins(character: str, part: str) -> bool:
    if character == "&":
        return part in ("&", "and", "et", "und")
    return part.startswith(character) or part in _NUMBER_WORDS.get(character, ())
