"""The one place where text is cleaned before anything hashes, cuts, embeds or stores it.

What it guards against: NUL and other control characters (Postgres refuses NUL), lone
surrogates (no encoder takes them), typographic ligatures and other presentation forms that no
question is typed with, soft hyphens, and words cut at line ends. It does not use NFKC on the
whole text: that would turn 10² into 102 and ½ into 1⁄2. Compatibility forms are folded only
where they are another way of drawing the same letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_SURROGATE = re.compile("[\ud800-\udfff]")
_NEWLINES = re.compile("\r\n?|[\x0b\x85\u2028]")
_PARAGRAPH_SEPARATORS = re.compile("[\x0c\u2029]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_HYPHENS = re.compile("[\u2010\u2011]")
# Soft hyphens also stand at line ends, where they mark a cut word: the line break goes with them.
_SOFT_HYPHEN = re.compile("\u00ad(?:[ \t]*\n[ \t]*(?=[^\\W\\d_]))?")
# Other C0 and C1 controls, zero width space and word joiner, BOM, direction overrides (a file could
# show other words than it holds), invisible tag characters (hidden instructions), noncharacters.
_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069"
    "\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f]"
)
# Letters in another dress: Dutch ij, Kangxi radicals (a common mistake of PDF fonts), the Latin and
# Hebrew ligatures, Arabic presentation forms, full-width and half-width forms. Not the full-width
# ！，：；？, by which Chinese and Japanese sentences are told apart.
_PRESENTATION_FORMS = re.compile(
    "[\u0132\u0133\u2f00-\u2fd5\ufb00-\ufb4f\ufb50-\ufdcf\ufdf0-\ufdfc\ufe70-\ufefc"
    "\uff02-\uff0b\uff0d-\uff19\uff1c-\uff1e\uff20-\uff9f]"
)
# Tried only where a run begins: else a line of 100,000 letters or blanks is scanned from each of them.
_CUT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)-[ \t]*\n[ \t]*([^\W\d_]+(?:-[^\W\d_]+)*)")
_TRAILING_SPACE = re.compile(r"(?<![ \t])[ \t]+(?=\n|$)")
_BLANK_LINES = re.compile(r"\n{3,}")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_PRIVATE_OR_REPLACEMENT = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U000ffffd\U00100000-\U0010fffd]")

_MAX_NAME_CHARACTERS = 200
_MAX_PATH_CHARACTERS = 500


def clean_text(text: str) -> str:
    """Text that every later step can take.

    Paragraphs are separated by exactly one blank line, lines by ``\\n``, and no line ends in a
    blank. Words cut at a line end are joined (``reim-\\nbursement``), codes are not
    (``AB-\\n1234`` stays as it is). Idempotent.
    """
    return tidy_lines(join_cut_words(clean_characters(text)))


def clean_characters(text: str) -> str:
    """``text`` with every single character made fit; lines and blanks stay where they are."""
    text = repair_surrogates(text)
    text = _NEWLINES.sub("\n", text)
    text = _PARAGRAPH_SEPARATORS.sub("\n\n", text)
    text = _SOFT_HYPHEN.sub("", text)
    text = _DROPPED.sub("", text)
    text = _SPACES.sub(" ", text)
    text = _HYPHENS.sub("-", text)
    text = _PRESENTATION_FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return unicodedata.normalize("NFC", text)


def repair_surrogates(text: str) -> str:
    """Surrogate pairs become the character they stand for, lone ones U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def tidy_lines(text: str) -> str:
    """No blanks at line ends, never more than one blank line, none at either end of the text."""
    text = _TRAILING_SPACE.sub("", text)
    return _BLANK_LINES.sub("\n\n", text).strip("\n")


def join_cut_words(text: str, counts: Counter[str] | None = None) -> str:
    """Joins words that were cut at the end of a line or a page column.

    ``counts`` are the words of the whole document (``word_counts``), by default those of
    ``text``: where they hold the hyphenated word more often than the joined one, the hyphen was
    the author's (``well-\\nknown``) and only the line break goes.
    """
    if "-" not in text:
        return text
    known = word_counts(text) if counts is None else counts

    def joined(match: re.Match[str]) -> str:
        first, second = match[1], match[2]
        if not (first[-1].islower() and second[0].islower()):
            return match[0]
        with_hyphen = known[f"{first}-{second}".casefold()]
        without = known[f"{first}{second}".casefold()]
        # "state-\nof-the-art": a word that goes on with hyphens had one here, too.
        keep = with_hyphen > without or (with_hyphen == without and "-" in second)
        return f"{first}-{second}" if keep else f"{first}{second}"

    while (shorter := _CUT_WORD.sub(joined, text)) != text:
        text = shorter
    return text


def word_counts(text: str) -> Counter[str]:
    """How often each word occurs, inner hyphens included, case folded."""
    # One by one: a list of all words of a long document takes ten times its memory.
    return Counter(word[0].casefold() for word in re.finditer(r"[^\W\d_]+(?:-[^\W\d_]+)*", text))


def control_count(text: str) -> int:
    """How many control characters cleaning will drop from ``text``."""
    return len(_CONTROL.findall(text))


def unreadable_share(text: str) -> float:
    """Share of the visible characters, 0 to 1, that are private use or U+FFFD: glyphs without a meaning."""
    visible = sum(1 for character in text if not character.isspace())
    return len(_PRIVATE_OR_REPLACEMENT.findall(text)) / visible if visible else 0.0


def has_text(text: str) -> bool:
    """Whether there is a letter, a digit or a glyph that stands for one."""
    return any(character.isalnum() or unicodedata.category(character) in ("Co", "So") for character in text)


def clean_name(file_name: str) -> str:
    """The name under which a file is shown and cited; never a path, never empty.

    ``../a/Plan [v2]: x.pdf`` becomes ``Plan (v2)- x.pdf``: square brackets and colons are what a
    citation ``[file:page]`` is made of, so a name must not hold them.
    """
    name = clean_characters(file_name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    name = name.translate({ord("["): "(", ord("]"): ")", ord(":"): "-"})
    name = " ".join(name.split())
    if not name.strip(". "):
        return "document"
    if len(name) > _MAX_NAME_CHARACTERS:
        stem, dot, extension = name.rpartition(".")
        tail = f"{dot}{extension}" if stem and len(extension) <= 10 else ""
        name = name[: _MAX_NAME_CHARACTERS - len(tail)].rstrip() + tail
    return name


def clean_path(file_name: str) -> str:
    """The name of a file below a folder, ``2025/dues.pdf``, each part as ``clean_name`` has it.

    A path that starts at the root or climbs (``../dues.pdf``) says where a file lay, not which one
    it is: only its last part is kept. Over 500 characters, leading folders go.
    """
    parts = clean_characters(file_name).split("/")
    if not parts[0] or ".." in parts:
        return clean_name(file_name)
    names = [clean_name(part) for part in parts if part.strip(". ")]
    while len(names) > 1 and len("/".join(names)) > _MAX_PATH_CHARACTERS:
        del names[0]
    return "/".join(names) or clean_name("")
