"""Reading what is written in disguise: invisible characters, look-alike letters, encodings.

``readings`` gives the other ways in which a text can be read. Whether one of them says anything is
for others to decide. Pure.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator
from string import ascii_letters
from urllib.parse import unquote

_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]")  # fmt: skip
INVISIBLE_RUN = re.compile(
    "[\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]{4,}|(?:\\w[\u200b-\u200d\u2060-\u2064]){4,}"
)
"""Many invisible characters, or one between the letters of a word again and again. Scripts such as Persian
and emoji need single ones."""
_LOOKALIKES = str.maketrans(
    "аеорсхуіјѕһԁԛԝАЕОРСХВНКМТІЈЅαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyijshdqwAEOPCXBHKMTIJSaeiknoptuxABEZHIKMNOPTYX",
)
_ROT13 = str.maketrans({letter: codecs.encode(letter, "rot13") for letter in ascii_letters})
_LEET = str.maketrans("4310578$@!", "aeiostbsai")
_LEET_WORD = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457])\w{4,}\b", re.IGNORECASE)
_SPACED = re.compile(r"\b(?:\w ){4,}\w\b")
_SINGLE_SIGNS = re.compile(r"(?<![^\s\0])(?:[^\s\0] ){2,}[^\s\0](?![^\s\0])")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{24,}={0,2}(?![\w+/])")
_HEX = re.compile(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){16,}(?!\w)")
_PERCENT = re.compile(r"(?:[^\s%]*%[0-9A-Fa-f]{2}){5,}\S*")


def visible(text: str) -> str:
    """The text without invisible characters, compatibility forms folded."""
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))


def readings(text: str) -> Iterator[tuple[str, str]]:
    """``(how, reading)`` for every disguise that the text may be in; the plain reading is not among them."""
    seen = visible(text)
    if INVISIBLE_RUN.search(text):
        yield "invisible characters", seen
    folded = seen.translate(_LOOKALIKES)
    if folded != seen:
        yield "look-alike letters", folded
    if len(_LEET_WORD.findall(seen)) >= 3:
        yield "digits for letters", seen.translate(_LEET)
    if _SPACED.search(seen):
        yield "spaced letters", _joined(seen)
    if "%" in seen and (match := _PERCENT.search(seen)):
        yield "percent signs", unquote(match[0])
    yield from (("base64", decoded) for run in _BASE64.findall(seen) if (decoded := _base64(run)))
    yield from (("hexadecimal", decoded) for run in _HEX.findall(seen) if (decoded := _hex(run)))
    yield "rot13", seen.translate(_ROT13)
    yield "letters in reverse", seen[::-1]


def _joined(text: str) -> str:
    """Letters with a blank between them pulled together; two blanks were a space."""
    wide = re.sub(r" {2,}", "\0", text)
    return _SINGLE_SIGNS.sub(lambda run: run[0].replace(" ", ""), wide).replace("\0", " ")


def _base64(run: str) -> str:
    try:
        return _printable(base64.b64decode(run + "=" * (-len(run) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _hex(run: str) -> str:
    return _printable(bytes.fromhex(re.sub(r"[ :]", "", run)))


def _printable(data: bytes) -> str:
    """The text of the bytes, if it is one with words in it; else empty."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() and " " in text else ""
