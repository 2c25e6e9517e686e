"""Opening, migrating, and never holding a connection for nothing."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from ragcore.errors import StorageError
from ragcore.storage import Database, open_database
from ragcore.storage.evaluation_tables import Base


def test_migrations_give_exactly_the_tables_that_the_code_declares(database: Database) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def ours(_object, name, kind, _reflected, _compared):
        # The job queue's tables are its library's.
        return not (kind == "table" and name.startswith("procrastinate_"))

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "include_object": ours})
        assert compare_metadata(context, Base.metadata) == []


def test_two_threads_migrate_one_empty_database(server_url: str, server_home: Path) -> None:
    admin = create_engine(server_url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text("drop database if exists racing"))
        connection.execute(text("create database racing template template0"))
    url = make_url(server_url).set(database="racing").render_as_string(hide_password=False)
    found: list[str] = []

    def open_it() -> None:
        opened = open_database(url, server_home)
        found.append(opened.versions()["schema"])
        opened.close()

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1
    with admin.connect() as connection:
        connection.execute(text("drop database racing with (force)"))
    admin.dispose()


def test_migrated_by_a_newer_version(database: Database, database_url: str, server_home: Path) -> None:
    with database.session() as session:
        session.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(StorageError, match="newer version of this program"):
        open_database(database_url, server_home)


def test_nothing_answers_at_the_address(tmp_path: Path) -> None:
    with pytest.raises(
        StorageError, match=r"127\.0\.0\.1:9 could not be opened.*RAGCORE_DATABASE_URL"
    ) as caught:
        open_database("postgresql://me:secret@127.0.0.1:9/x", tmp_path)
    assert "secret" not in str(caught.value)


def test_sessions_leave_nothing_idle_in_a_transaction(database: Database) -> None:
    with database.session() as session:
        session.execute(text("select 1"))
    with pytest.raises(ZeroDivisionError), database.session() as session:
        session.execute(text("select 1"))
        raise ZeroDivisionError
    with database.session() as session:
        idle = session.execute(
            text(
                "select count(*) from pg_stat_activity where datname = current_database() "
                "and state like 'idle in transaction%' and pid <> pg_backend_pid()"
            )
        ).scalar_one()
    assert idle == 0


def test_pool_survives_a_restart_of_its_connections(database: Database) -> None:
    with database.session() as session:
        session.execute(text("select 1"))
    admin = create_engine(database.engine.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(
            text("select pg_terminate_backend(pid) from pg_stat_activity where datname = :name"),
            {"name": database.engine.url.database},
        )
    admin.dispose()
    with database.session() as session:
        assert session.execute(text("select 2")).scalar_one() == 2
