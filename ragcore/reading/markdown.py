"""Markdown files, parsed as CommonMark with tables.

The text stays as the author wrote it; parsing only tells where the headings are, so that a
``# comment`` in a code fence is none.
"""

from __future__ import annotations

import itertools
import re

from ragcore.errors import EmptyFile
from ragcore.records import Heading, Page, SourceDocument

from .blocks import choose_title
from .cleaning import clean_characters, tidy_lines
from .encodings import decode_text
from .sniffing import MEDIA_TYPES
from .text import control_warnings, require_text

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
# What a line of YAML looks like: a key, a list item, a comment, something indented, nothing.
_YAML_LINE = re.compile(r"^(?:[\w\"'][^:\n]*:(?:\s.*)?|\s*-(?:\s.*)?|\s*#.*|\s+.*|[\]}],?|)$")
# A title in quotes, folded over the indented lines below it, or plain up to a comment.
_YAML_TITLE = re.compile(
    r"""^title:[ \t]*(?:'(?P<single>(?:[^'\n]|'')*)'|"(?P<double>(?:[^"\\\n]|\\.)*)"
    |[>|][-+]?[ \t]*\n(?P<folded>(?:[ \t]+\S.*\n?)+)|(?P<plain>\S.*?)(?=[ \t]+\#|[ \t]*$))""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)


def read_markdown(data: bytes, file_name: str) -> SourceDocument:
    """One unpaged page. Front matter (at the very beginning, closed) gives the title and goes.

    Raises EmptyFile when there are no letters or digits, UnsupportedFile when it is not text.
    """
    raw, warnings = decode_text(data, file_name)
    warnings += control_warnings(raw)
    body, front_matter = split_front_matter(clean_characters(raw))
    text = tidy_lines(body)
    front_title = _front_title(front_matter)
    if not text.strip() and front_matter:
        raise EmptyFile(f"{file_name} contains nothing but front matter.")
    require_text(text, file_name)
    page = Page(1, text, headings=markdown_headings(text))
    title = choose_title([page], file_name, front_title)
    return SourceDocument(file_name, MEDIA_TYPES["markdown"], title, (page,), paged=False, warnings=warnings)


def split_front_matter(text: str) -> tuple[str, str]:
    """``(body, front matter)``; an opening ``---`` that is never closed is an ordinary rule."""
    match = _FRONT_MATTER.match(text)
    if not match or not all(_YAML_LINE.match(line) for line in match[1].split("\n")):
        return text, ""
    return text[match.end() :], match[1]


def _front_title(front_matter: str) -> str:
    """The title in front matter, as YAML quotes it; empty without one."""
    match = _YAML_TITLE.search(front_matter)
    if match is None:
        return ""
    if match["single"] is not None:
        return match["single"].replace("''", "'")
    if match["double"] is not None:
        return re.sub(r'\\(["\\])', r"\1", match["double"])
    return " ".join((match["folded"] or match["plain"]).split())


def markdown_headings(text: str) -> tuple[Heading, ...]:
    """ATX and setext headings at the top level, with offsets into ``text``.

    The underline of a setext heading belongs to its range. Headings inside quotes and list
    items are part of those, not sections.
    """
    from markdown_it import MarkdownIt

    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    headings = []
    for token, inline in itertools.pairwise(tokens):
        if token.type != "heading_open" or token.level != 0 or token.map is None:
            continue
        title = " ".join(_plain(inline).split())
        if not title:
            continue
        first, after = token.map
        headings.append(Heading(starts[first], starts[after] - 1, int(token.tag[1:]), title))
    return tuple(headings)


def _plain(inline) -> str:
    """The words of an inline token, without emphasis marks and link targets."""
    parts = []
    for child in inline.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(child.content)
    return "".join(parts)
