"""Text from answers and documents -> Markdown that Streamlit shows without doing anything else.

Streamlit reads ``$`` as maths, loads images, draws diagrams (which load images too), and knows
short codes and colours (``:smile:``, ``:red[...]``). An answer may hold any of these, by accident or
because a document asked for it. What is stored stays as it was written; what is drawn, here or by
whoever opens an exported Markdown file, passes through here.

``safe_markdown`` keeps emphasis, lists, tables and code; ``plain`` keeps nothing. In both, a link
is shown as it was written, and only its visible http(s) address can be clicked: it leads to exactly
what is read.
"""

from __future__ import annotations

import re

_WORD_JOINER = "\u2060"

_INLINE = re.compile(
    r"""
    [\\<>&$~`]                     # maths, HTML, entities, strike-through, a lone quote of code
    | !(?=\[)                      # images
    | \](?=[(\[:{])                # links, and definitions that would make one elsewhere
    """,
    re.VERBOSE,
)
_ADDRESS = re.compile(r"((?<![\w@])(?:https?://|www\.)[^\s*]*)", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[!-,:-@\[-`{}~]")
"""Of an address, all but what it is parted by (``- . /``) and what parts the cells of a table."""
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks with which an address could be made to look like another: they are left out."""
_COLONS = re.compile(r":(?:[\w+/-]*:)+|:(?=[^\W\d]|[\w+/-]*[\[{])")
"""Short codes in a chain, coloured text and other directives, which need no brackets: ``:red``."""
_SIGNS = re.compile(r"(?<!\S)(?:-|\\[<>~])(?=(?:-\\>|\\>|-|=)(?!\S))")
"""What Streamlit draws as an arrow, a dash or a comparison sign, between blanks: ``->``, ``--``, ``>=``."""
_PICTURES = re.compile(r"(?<=:)(?=material_\w|streamlit\\?:)")
"""What it draws as an icon or as its logo when all escapes have been read."""
_FENCE = re.compile(r"^ *(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_HEADING = re.compile(r"^((?:\s|>|[-+*]\s|[0-9]{1,9}[.)]\s)*)#{1,6}(?=\s)")
_RULE = re.compile(r"^ {0,3}([-=])(?=[-= ]*$)")
_TABLE_RULE = re.compile(r"^ {0,3}[|: -]*-[|: -]*$")
_LIST_ITEM = re.compile(r"^\s*([-+*]|[0-9]{1,9}[.)])\s")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^|]+?)(?<!`)\1(?!`)")


def plain(text: str) -> str:
    """Markdown that shows ``text`` as it is, every character literally; line breaks are kept."""
    return "  \n".join(_literal_within(line.strip()) for line in text.splitlines())


def plain_line(text: str) -> str:
    """The same on one line: for labels, titles and messages."""
    return _literal_within(" ".join(text.split()))


def portable(text: str) -> str:
    """As ``plain``, for a file: nobody but Streamlit needs to be kept from drawing arrows and dashes."""
    return plain(text).replace(_WORD_JOINER, "")


def answer_markdown(text: str, *, refused: bool = False, quote: bool = False) -> str:
    """An answer by who wrote it: our own refusal, the documents word for word, or a model."""
    if refused:
        return plain(text)
    return quoted(text) if quote else safe_markdown(text)


def sentence(text: str) -> str:
    """The same on one line, but with commands in backticks shown as code: for our own messages."""
    pieces = _CODE_SPAN.split(" ".join(text.split()))
    # The pattern has two groups, so what was split apart comes as text, backticks, code, text, ...
    out = [_literal_within(pieces[0])]
    for ticks, code, after in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        out += [f"{ticks}{code}{ticks}", _literal_within(after)]
    return "".join(out)


def quoted(text: str) -> str:
    """The same as a block quotation, paragraph by paragraph."""
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    return "\n>\n".join(f"> {plain_line(part)}" for part in paragraphs)


def safe_markdown(text: str) -> str:
    """Markdown with its harmless formatting; all else is shown literally.

    Code spans stay on one line and code blocks begin at the margin, so that no reading of lists,
    quotations or tables can take for text what was left untouched here as code.
    """
    out: list[str] = []
    fence = ""
    in_list = False
    for line in _REORDERING.sub("", text).splitlines():
        found = _FENCE.match(line)
        if fence:
            closes = found and found[1].startswith(fence) and not found[2].strip()
            out.append(fence if closes else line)
            fence = "" if closes else fence
        elif found:
            fence = found[1]
            out += ["", fence + _language(found[2].strip())]
        else:
            # Outside lists an indented line would be a code block, with our escapes in sight.
            in_list = in_list or bool(_LIST_ITEM.match(line))
            out.append(_line(line if in_list else line.lstrip()))
    if fence:
        out.append(fence)
    return "\n".join(out).strip("\n")


def _language(info: str) -> str:
    """What the block is coloured as. Called mermaid, it would be drawn, with the pictures it names."""
    language = re.match(r"\w*", info, re.ASCII)[0]  # type: ignore[index]
    return "" if language.lower() == "mermaid" else language


def _line(line: str) -> str:
    """One line outside code blocks. Headings become small ones: an answer is not a page."""
    if _TABLE_RULE.match(line) and "|" in line:
        return line
    if _RULE.match(line):
        return _RULE.sub(r"\\\1", line)
    line = _HEADING.sub(r"\1#####", line)
    pieces: list[str] = []
    end = 0
    for span in _CODE_SPAN.finditer(line):
        pieces += [_inline(line[end : span.start()]), span.group()]
        end = span.end()
    return "".join([*pieces, _inline(line[end:])])


def _inline(text: str, literal: bool = False) -> str:
    """Addresses apart: there an escape would be read as a part of the address, unless it begins with
    one. Then Streamlit makes a link of what is left when all escapes have been read."""
    pieces = _ADDRESS.split(_REORDERING.sub("", text))
    for number, piece in enumerate(pieces):
        pieces[number] = _escaped_address(piece, literal) if number % 2 else _escaped(piece, literal)
    return "".join(pieces)


def _escaped(text: str, literal: bool) -> str:
    escaped = _INLINE.sub(r"\\\g<0>", text)
    # Every colon of a chain: Streamlit looks for short codes again after the escapes are read.
    escaped = _COLONS.sub(lambda match: match.group().replace(":", "\\:"), escaped)
    # Before anything else, :material/home: becomes :material_home:, but not with an escape in it.
    escaped = _PICTURES.sub(_WORD_JOINER, escaped.replace(":material/", r":material\/"))
    if not literal:
        return escaped
    return _SIGNS.sub(rf"\g<0>{_WORD_JOINER}", re.sub(r"[*_|]", r"\\\g<0>", escaped))


def _escaped_address(address: str, literal: bool) -> str:
    escaped = _PUNCTUATION.sub(r"\\\g<0>", address)
    escaped = re.sub(r"^(www)\.", r"\1\\.", escaped, flags=re.IGNORECASE)
    escaped = escaped.replace(":material/", r":material\/")
    return escaped.replace("|", "\\|") if literal else escaped


def _literal_within(text: str) -> str:
    text = _inline(text, literal=True)
    text = re.sub(r"^[#+=-]", r"\\\g<0>", text)
    return re.sub(r"^([0-9]{1,9})(?=[.)])", r"\1\\", text)
