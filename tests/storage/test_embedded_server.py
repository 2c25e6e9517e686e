"""The embedded server: start, settings, and every way in which its folder can be unusable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from ragcore.errors import StorageError
from ragcore.storage import open_database
from ragcore.storage.embedded_server import start_embedded_server

MIGRATIONS = Path(__file__).parents[2] / "ragcore" / "storage" / "migrations" / "versions"


def test_settings_are_in_force_and_written_once(server_home: Path, server_url: str) -> None:
    start_embedded_server(server_home)
    config = (server_home / "postgres" / "postgresql.conf").read_text(encoding="utf-8")
    assert config.count("# --- plumbline ---") == 1
    database = open_database(None, server_home)
    with database.session() as session:
        assert session.execute(text("show shared_buffers")).scalar_one() != "128MB"
        assert session.execute(text("show idle_in_transaction_session_timeout")).scalar_one() == "1min"
    database.close()


def test_data_folder_of_another_major_version(tmp_path: Path) -> None:
    folder = tmp_path / "postgres"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("14\n")
    with pytest.raises(StorageError, match=r"was made by Postgres 14.*brings\s+Postgres 18.*RAGCORE_HOME"):
        open_database(None, tmp_path)
    assert (folder / "PG_VERSION").read_text() == "14\n"


def test_data_folder_with_foreign_files(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(StorageError, match="holds files but no Postgres database"):
        open_database(None, tmp_path)


def test_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(StorageError, match="cannot be made"):
        open_database(None, tmp_path / "home")


def test_stale_lock_with_the_number_of_a_living_process_of_another_kind(tmp_path: Path) -> None:
    start_and_end = (
        "import sys; from pathlib import Path; from ragcore.storage import open_database; "
        "open_database(None, Path(sys.argv[1])).close()"
    )
    subprocess.run([sys.executable, "-c", start_and_end, str(tmp_path)], check=True, timeout=60)
    lock = tmp_path / "postgres" / "postmaster.pid"
    assert not lock.exists(), "the last process that leaves stops the server"
    # What a power cut leaves behind: the file, with a number that another program has by now.
    lock.write_text(
        f"{os.getpid()}\n{tmp_path}/postgres\n1700000000\n5432\n{tmp_path}/postgres\n\n  1 2\nready\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", start_and_end, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_two_processes_open_a_new_folder_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ragcore.storage import open_database; "
        "d = open_database(None, Path(sys.argv[1])); print(d.versions()['schema']); d.close()"
    )
    newest = max(file.name[:4] for file in MIGRATIONS.glob("0*.py"))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    results = [process.communicate(timeout=90) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], results
    assert {out.strip() for out, _ in results} == {newest}
