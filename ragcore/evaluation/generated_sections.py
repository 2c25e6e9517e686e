"""A file of two authors: sections a program writes between markers, and all around them a person's text.

    <!-- generated: NAME -->
    ... replaced at every writing ...
    <!-- end generated -->

A marker stands alone on its line. Everything outside of the pairs is kept byte for byte.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import regex

from ragcore.errors import InputError

END = b"<!-- end generated -->"
_MARKER = regex.compile(
    rb"^(?:<!-- generated: (?P<name>[a-z][a-z0-9-]*) -->|(?P<end><!-- end generated -->))[ \t]*\r?$",
    regex.MULTILINE,
)


def merged(existing: bytes | None, sections: Mapping[str, str], file: str) -> bytes:
    """The file with its generated sections replaced; a new one where there was none or an empty one.

    Raises InputError, naming ``file`` and the marker, unless every section stands in it exactly
    once, begun and ended: then it cannot be told what a person wrote.
    """
    if existing is None or not existing.strip():
        blocks = [_start(name) + b"\n" + _body(text, b"\n") + END for name, text in sections.items()]
        return b"\n\n".join(blocks) + b"\n"
    found = _found(existing, file)
    missing = [name for name in sections if name not in found]
    unknown = [name for name in found if name not in sections]
    if missing or unknown:
        where = (
            f"lost the markers of its section '{missing[0]}'" if missing else f"has a marker '{unknown[0]}'"
        )
        raise _damaged(file, where)
    parts, kept_from = [], 0
    for name, (start, end) in found.items():
        # As the line of the marker ends: an editor may have saved the file with others.
        newline = b"\r\n" if existing[:start].endswith(b"\r\n") else b"\n"
        parts += [existing[kept_from:start], _body(sections[name], newline)]
        kept_from = end
    return b"".join([*parts, existing[kept_from:]])


def read_or_none(file: Path) -> bytes | None:
    """The bytes of a file, None where there is none. Raises InputError where it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from error


def replace_file(file: Path, data: bytes) -> None:
    """Write the file whole or not at all. Raises InputError where it cannot be written."""
    try:
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}-", delete=False) as fresh:
            fresh.write(data)
        os.chmod(fresh.name, mode)
        os.replace(fresh.name, file)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.") from error


def _found(existing: bytes, file: str) -> dict[str, tuple[int, int]]:
    """By name, the span between the markers of each section, in the order of the file."""
    found: dict[str, tuple[int, int]] = {}
    open_name: str | None = None
    begun = 0
    for marker in _MARKER.finditer(existing):
        if marker["end"]:
            if open_name is None:
                raise _damaged(file, "has an end marker without a beginning")
            found[open_name] = (begun, marker.start())
            open_name = None
            continue
        name = marker["name"].decode("ascii")
        if open_name is not None:
            raise _damaged(file, f"has no end marker for its section '{open_name}'")
        if name in found:
            raise _damaged(file, f"has its section '{name}' twice")
        open_name, begun = name, min(marker.end() + 1, len(existing))
    if open_name is not None:
        raise _damaged(file, f"has no end marker for its section '{open_name}'")
    return found


def _start(name: str) -> bytes:
    return f"<!-- generated: {name} -->".encode("ascii")


def _body(text: str, newline: bytes) -> bytes:
    """A generated text without a line that would be read as a marker."""
    data = text.strip("\n").encode("utf-8", errors="replace") + b"\n"
    if _MARKER.search(data):
        raise ValueError("a generated section contains a marker: its text was not escaped")
    return data.replace(b"\n", newline)


def _damaged(file: str, what: str) -> InputError:
    return InputError(
        f"{file} was left as it is: it {what}. Mend the marker lines, or write to another folder with --out."
    )
