"""Where the environment is read, and nowhere else.

Five variables name what differs from machine to machine (a ``.env`` file in the working
directory is read too; the real environment wins). Everything else is a field here with its
default, changed in the pages, on the command line or by the code that opens a ``Rag``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ragcore.errors import SettingsError

DEFAULT_EMBEDDER = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class Settings:
    """How one ``Rag`` is wired."""

    home: Path = field(default_factory=lambda: _default_home())
    """Folder of the embedded database; used only when ``database_url`` is None."""
    database_url: str | None = None
    """A Postgres 15+ with pgvector 0.8+; None starts the embedded one under ``home``."""
    ollama_host: str = "http://127.0.0.1:11434"
    chat_model: str | None = None
    """None: the first chat model that Ollama has."""
    embedder: str = DEFAULT_EMBEDDER
    num_ctx: int = 8192
    """Context window in tokens, sent on every call and never changed (a change reloads the model)."""
    max_reply_tokens: int = 600
    keep_alive: str = "30m"
    first_token_timeout_s: float = 300.0
    """A cold 7-billion model on a laptop needs minutes to load before its first token."""
    stall_timeout_s: float = 60.0

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the five variables.

        Raises SettingsError for a database URL that is not a Postgres one.
        """
        if environ is None:
            from dotenv import dotenv_values

            stored = {key: value for key, value in dotenv_values(".env").items() if value is not None}
            environ = {**stored, **os.environ}
        value = {key: environ.get(key, "").strip() for key in _VARIABLES}
        defaults = cls(
            home=Path(value["RAGCORE_HOME"]).expanduser() if value["RAGCORE_HOME"] else _default_home()
        )
        return cls(
            home=defaults.home,
            database_url=_postgres_url(value["RAGCORE_DATABASE_URL"]),
            ollama_host=value["OLLAMA_HOST"] or defaults.ollama_host,
            chat_model=value["RAGCORE_CHAT_MODEL"] or None,
            embedder=value["RAGCORE_EMBEDDER"] or defaults.embedder,
        )


_VARIABLES = ("RAGCORE_HOME", "RAGCORE_DATABASE_URL", "OLLAMA_HOST", "RAGCORE_CHAT_MODEL", "RAGCORE_EMBEDDER")


def _default_home() -> Path:
    from platformdirs import user_data_path

    return user_data_path("plumbline", appauthor=False)


def _postgres_url(url: str) -> str | None:
    if not url:
        return None
    scheme = urlsplit(url).scheme.split("+")[0]
    if scheme not in ("postgres", "postgresql"):
        raise SettingsError(
            f"RAGCORE_DATABASE_URL is '{url.split('@')[-1]}', which is not a Postgres address. "
            "Write postgresql://user:password@host:5432/database, or leave it empty for the embedded database."
        )
    return url
