"""Markdown out of untrusted text: what a question or a document says stays text, in one cell or line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

_MARKS = regex.compile(r"[\\`*\[\]|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])")
"""What marks up inside of a line; an underscore amid a word, as in hit_rate, does not."""
_OPENING = regex.compile(
    r"^(?:\#(?=\#*(?:\s|$))|=(?==*\s*$)|[+-](?=[\s+-]|$)|(?<number>\d+)(?=[.)](?:\s|$)))"
)
"""What marks up a whole line, at its beginning: headings, rules, items of lists."""
_MENTION = regex.compile(r"(?<![\p{L}\p{N}])@|@(?=[\w-]+\.)")
_SPACE = regex.compile(r"[\s\p{Cc}\u2028\u2029]+")
_HIDDEN = regex.compile(r"[\u202a-\u202e\u2066-\u2069]")


def escaped(text: object) -> str:
    """One line that every renderer shows as it was written: no mark-up, no tag, no end of a cell.

    White space and control characters become one blank. Marks that reorder text are left out,
    for they would reorder the words around as well.
    """
    line = _SPACE.sub(" ", _HIDDEN.sub("", str(text))).strip()
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # Renderers make links of bare addresses; with the colon or full stop as an entity they do not.
    line = regex.sub(r"(?i)\b(https?|ftp|mailto):", r"\1&#58;", line)
    line = regex.sub(r"(?i)\bwww\.", "www&#46;", line)
    line = _MARKS.sub(r"\\\g<0>", _MENTION.sub("&#64;", line))
    return _OPENING.sub(lambda m: f"{m[0]}\\" if m["number"] else f"\\{m[0]}", line)


def shortened(text: str, length: int) -> str:
    """The beginning of a text on one line, at most so many characters, cut between words."""
    line = _SPACE.sub(" ", text).strip()
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[length // 2 :] else cut} …".replace("  …", " …")


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; heads and cells are escaped. Rows have as many cells as there are heads."""
    lines = [heads, *rows]
    shown = ["| " + " | ".join(escaped(cell) for cell in line) + " |" for line in lines]
    return "\n".join([shown[0], "| " + " | ".join("---" for _ in heads) + " |", *shown[1:]])
