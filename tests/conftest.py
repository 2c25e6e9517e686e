"""What every test shares: whether a real browser is there."""

import os
import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests marked ``browser`` skip without one, and fail where one is required (CI)."""
    if item.get_closest_marker("browser") is None or find_browser():
        return
    missing = f"no browser found (looked for {', '.join(BROWSERS)} on the PATH)"
    if os.environ.get("PLUMBLINE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{missing}, and PLUMBLINE_REQUIRE_BROWSER=1 asks for one", pytrace=False)
    pytest.skip(f"{missing}; install Chromium to run this test")


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Path of the installed Chromium or Chrome, for playwright's ``executable_path``."""
    path = find_browser()
    assert path, "ask for browser_path only in tests marked 'browser'"
    return path


@pytest.fixture(scope="session")
def server_home(tmp_path_factory: pytest.TempPathFactory):
    """The data folder of the one embedded Postgres that all tests share."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def server_url(server_home) -> str:
    """SQLAlchemy URL of the embedded server's own database, with the schema in it as a template."""
    from ragcore.storage import open_database

    database = open_database(None, server_home)
    url = database.engine.url.render_as_string(hide_password=False)
    database.close()
    return url


@pytest.fixture
def database_url(server_url: str):
    """URL of a fresh, migrated database; dropped after the test."""
    import uuid

    from sqlalchemy import create_engine, make_url, text

    name = f"test_{uuid.uuid4().hex[:12]}"
    admin = create_engine(server_url, isolation_level="AUTOCOMMIT")
    maintenance = create_engine(make_url(server_url).set(database="template1"), isolation_level="AUTOCOMMIT")
    with maintenance.connect() as connection:
        connection.execute(text(f"create database {name} template postgres"))
    yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    with admin.connect() as connection:
        connection.execute(text(f"drop database {name} with (force)"))
    admin.dispose()
    maintenance.dispose()


@pytest.fixture
def database(database_url: str, server_home):
    """An open Database of the test's own."""
    from ragcore.storage import open_database

    opened = open_database(database_url, server_home)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def embedder():
    """The real embedding model, loaded once for all tests."""
    from ragcore.models import open_embedder

    return open_embedder("all-MiniLM-L6-v2", ollama_host="127.0.0.1:9")


@pytest.fixture
def open_test_rag(database_url: str, server_home, embedder):
    """Opens a Rag on the test's own database; ``ollama_host`` and other settings may be given."""
    from ragcore import Settings, open_rag

    opened = []

    def opener(**settings):
        rag = open_rag(
            Settings(
                **{
                    "home": server_home,
                    "database_url": database_url,
                    "ollama_host": "127.0.0.1:9",
                    **settings,
                }
            )
        )
        # The same loaded model for every test; which model it is is under test elsewhere.
        rag._embedder = embedder
        opened.append(rag)
        return rag

    yield opener
    for rag in opened:
        rag.close()
