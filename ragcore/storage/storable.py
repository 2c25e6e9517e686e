"""The one gate between Python's strings and Postgres, which takes neither NUL nor half characters.

What is read from files is clean already; questions, titles, names and a model's reply come from
elsewhere. They are repaired here, in every parameter and in JSON, instead of failing a turn.
"""

from __future__ import annotations

import json
from typing import Any

from psycopg import Connection
from psycopg.types.string import StrDumper, StrDumperUnknown


def storable(text: str) -> str:
    """``text`` with NUL and lone surrogates as U+FFFD, and surrogate pairs as their character."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def storable_json(value: Any) -> str:
    """``value`` as JSON that ``jsonb`` takes. Raises ValueError for NaN and infinity."""
    return json.dumps(_repaired(value), ensure_ascii=False, allow_nan=False)


def register_storable_text(connection: Connection) -> None:
    """Send every string parameter of this connection through ``storable``."""
    # In this order: the one that leaves the type to the server is psycopg's default, and stays it.
    connection.adapters.register_dumper(str, _TextDumper)
    connection.adapters.register_dumper(str, _UnknownDumper)


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(key): _repaired(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_repaired(item) for item in value]
    return value


class _TextDumper(StrDumper):
    def dump(self, obj: str) -> bytes:
        return super().dump(storable(obj))


class _UnknownDumper(StrDumperUnknown):
    def dump(self, obj: str) -> bytes:
        return super().dump(storable(obj))
