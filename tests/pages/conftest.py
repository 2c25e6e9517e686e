"""The app as Streamlit runs it, on a database of the test's own and without any Ollama."""

import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from sqlalchemy import create_engine, make_url, text
from streamlit.testing.v1 import AppTest

from ragcore.rag import open_rag
from ragcore.settings import Settings

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample" / "documents"
NOBODY = "127.0.0.1:9"
"""An address at which no Ollama answers: the discard port."""


def create_database(server_url: str, template: str) -> str:
    """A new database on the server, a copy of the template; returns its URL."""
    name = f"pages_{uuid.uuid4().hex[:12]}"
    admin = create_engine(make_url(server_url).set(database="template1"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"create database {name} template {template}"))
    admin.dispose()
    return make_url(server_url).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def sample_library(server_url: str, server_home: Path) -> str:
    """Name of a database that holds the sample documents; tests get copies of it."""
    url = create_database(server_url, "postgres")
    with open_rag(Settings(home=server_home, database_url=url, ollama_host=NOBODY)) as rag:
        reports = list(rag.ingest_paths([str(SAMPLE)]))
    assert [report.status for report in reports] == ["indexed"] * 3
    return make_url(url).database


@pytest.fixture
def library_url(request, database_url: str, server_url: str) -> str:
    """An empty library, or a copy of the sample for tests that use ``app_with_sample``."""
    if "app_with_sample" not in request.fixturenames:
        return database_url
    return create_database(server_url, request.getfixturevalue("sample_library"))


@pytest.fixture
def open_app(library_url: str, server_home: Path, monkeypatch) -> Callable[..., AppTest]:
    """Opens the app, each time as a new browser session on the same library."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RAGCORE_DATABASE_URL", library_url)
    monkeypatch.setenv("RAGCORE_HOME", str(server_home))
    monkeypatch.setenv("OLLAMA_HOST", NOBODY)
    monkeypatch.delenv("RAGCORE_CHAT_MODEL", raising=False)
    monkeypatch.delenv("RAGCORE_EMBEDDER", raising=False)

    def open_(*, ollama: str = NOBODY, **query: str) -> AppTest:
        monkeypatch.setenv("OLLAMA_HOST", ollama)
        app = AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=120)
        app.query_params.update(query)
        return app.run()

    yield open_
    st.cache_resource.clear()


@pytest.fixture
def app_with_sample(open_app) -> AppTest:
    """The app over the sample documents."""
    return open_app()


@pytest.fixture
def rag(open_app):
    """The same library, seen from behind the pages."""
    with open_rag(Settings.from_environment()) as opened:
        yield opened


@pytest.fixture
def when_indexed(rag) -> Callable[[AppTest], AppTest]:
    """Runs the page again once no upload is pending, as its fragments do in a browser."""

    def wait_and_run(app: AppTest) -> AppTest:
        deadline = time.monotonic() + 120
        while rag.uploads.list(pending_only=True):
            assert time.monotonic() < deadline, "an upload does not end"
            time.sleep(0.05)
        return app.run()

    return wait_and_run
