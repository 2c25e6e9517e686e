"""Opening the database: engine, migrations, and the one way to get a session.

Every unit of work is ``with database.session() as session:``, reading ones too: it commits or
rolls back at the end, so no connection is ever left idle in a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from pgvector.psycopg import register_vector
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DataError, DBAPIError, OperationalError
from sqlalchemy.orm import Session, sessionmaker

from ragcore.errors import StorageError
from ragcore.storage.embedded_server import start_embedded_server
from ragcore.storage.storable import register_storable_text, storable_json

MINIMUM_POSTGRES = 15
MINIMUM_PGVECTOR = (0, 8)

_MIGRATION_LOCK = 7_305_519_002
"""Any fixed number: the advisory lock that two processes opening at once queue for."""


class Database:
    """An engine with its pool, migrated to the newest schema. Close it when done."""

    def __init__(self, engine: Engine, *, embedded: bool) -> None:
        self.engine = engine
        self.embedded = embedded
        self._sessions = sessionmaker(engine, expire_on_commit=False)
        self._closed = False

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One unit of work: committed at the end, rolled back on any exception.

        Raises StorageError when the server has gone, and for a value that it cannot take; after ``close`` too.
        """
        if self._closed:
            raise StorageError("The database has been closed. Open it again.")
        try:
            with self._sessions.begin() as session:
                yield session
        except OperationalError as error:
            raise StorageError(
                f"The database at {describe(self.engine)} did not answer ({_first_line(error)}). "
                "Check that it is running, then try again."
            ) from error
        except DataError as error:
            raise StorageError(
                f"The database cannot take one of the values ({_first_line(error)}). Give a smaller or another one."
            ) from error

    def versions(self) -> dict[str, str]:
        """The server's and the extension's version, and the schema revision."""
        with self.session() as session:
            return {
                "postgres": session.execute(text("show server_version")).scalar_one(),
                "pgvector": session.execute(
                    text("select extversion from pg_extension where extname = 'vector'")
                ).scalar_one(),
                "schema": session.execute(text("select version_num from alembic_version")).scalar_one(),
            }

    @property
    def conninfo(self) -> str:
        """The address as the driver writes it, for the job queue's own connections."""
        return self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def close(self) -> None:
        self._closed = True
        self.engine.dispose()


def open_database(url: str | None, home: Path) -> Database:
    """Connect (or start the embedded server), bring the schema up to date, return a Database.

    Raises StorageError with one sentence when the server cannot be reached, is too old, lacks
    pgvector, or was migrated by a newer version of this program.
    """
    embedded = url is None
    address = start_embedded_server(home) if url is None else _with_driver(url)
    _migrate(address)
    engine = _engine(address)
    # After the migration, which creates the extension whose types are registered here.
    event.listen(engine, "connect", lambda connection, _record: _adapt(connection))
    return Database(engine, embedded=embedded)


def _adapt(connection: psycopg.Connection) -> None:
    register_vector(connection)
    register_storable_text(connection)


def describe(engine: Engine) -> str:
    """The server's address without its password."""
    return engine.url.render_as_string(hide_password=True)


def _engine(address: str) -> Engine:
    return create_engine(
        address,
        pool_pre_ping=True,
        json_serializer=storable_json,
        connect_args={
            "connect_timeout": 10,
            "application_name": "plumbline",
            "options": "-c idle_in_transaction_session_timeout=60000",
        },
    )


def _with_driver(url: str) -> str:
    return "postgresql+psycopg://" + url.partition("://")[2]


def _migrate(address: str) -> None:
    engine = _engine(address)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            _check_server(connection)
            _upgrade(connection)
    except DBAPIError as error:
        shown = urlsplit(address)
        where = (
            "the embedded database" if "host=" in shown.query else f"{shown.hostname}:{shown.port or 5432}"
        )
        raise StorageError(
            f"Postgres at {where} could not be opened ({_first_line(error)}). "
            "Check that it is running and that RAGCORE_DATABASE_URL is right."
        ) from error
    finally:
        engine.dispose()


def _check_server(connection: Connection) -> None:
    version = int(connection.execute(text("show server_version_num")).scalar_one()) // 10_000
    if version < MINIMUM_POSTGRES:
        raise StorageError(f"This is Postgres {version}; {MINIMUM_POSTGRES} or newer is needed.")
    found = connection.execute(
        text("select default_version from pg_available_extensions where name = 'vector'")
    ).scalar_one_or_none()
    if found is None:
        raise StorageError(
            "This Postgres has no pgvector extension. Install it on the server (package "
            "postgresql-NN-pgvector), or use the image in docker-compose.yml."
        )
    if tuple(int(part) for part in found.split(".")[:2]) < MINIMUM_PGVECTOR:
        raise StorageError(f"This server has pgvector {found}; 0.8 or newer is needed.")


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(
            f"The database was migrated by a newer version of this program ({error}). Update the program."
        ) from error


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
