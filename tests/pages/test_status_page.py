"""The status page: what works, what does not, and mending it."""

import pytest

from ragcore.rag import open_rag
from ragcore.records import EmbedderIdentity
from ragcore.settings import Settings
from tests.fake_ollama import FakeOllama


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption))


def open_status(open_app, **options):
    return open_app(**options).switch_page("pages/status.py").run()


def test_without_ollama_it_says_how_to_get_it(open_app):
    app = open_status(open_app)
    assert not app.exception
    assert "1 of 3 needs a look." in texts(app)
    assert "`ollama pull qwen2.5:7b`" in texts(app)


def test_with_a_model_everything_works(open_app):
    with FakeOllama() as ollama:
        app = open_status(open_app, ollama=ollama.host)
    assert "Everything works." in texts(app)
    assert "llama3:latest" in app.dataframe[0].value["Model"].tolist()


def test_pull(open_app):
    with FakeOllama(models={}) as ollama:
        app = open_status(open_app, ollama=ollama.host)
        app.text_input(key="model_to_pull").set_value("qwen2.5:7b")
        next(button for button in app.button if button.label == "Pull").click().run()
        assert "qwen2.5:7b is here." in app.success[0].value
        assert "qwen2.5:7b" in ollama.models


def test_pull_of_a_model_that_does_not_exist(open_app):
    with FakeOllama() as ollama:
        app = open_status(open_app, ollama=ollama.host)
        app.text_input(key="model_to_pull").set_value("missing")
        next(button for button in app.button if button.label == "Pull").click().run()
    assert "no model 'missing'" in app.error[0].value
    assert not app.exception


def test_collection_of_another_embedder_is_embedded_anew_by_a_button(app_with_sample, open_app):
    with open_rag(Settings.from_environment()) as rag:
        other = EmbedderIdentity("other-model", "0" * 64, 384)
        with rag.database.session() as session:
            from sqlalchemy import update

            from ragcore.storage.tables import EmbedderRow

            session.execute(update(EmbedderRow).values(model=other.model, digest=other.digest))
        app = open_status(open_app)
        assert "indexed by other-model" in texts(app)
        (info,) = rag.library.collections()
        app.button(key=f"reembed_{info.id}").click().run()
        assert rag.library.collection("library").embedder.model == "all-MiniLM-L6-v2"
    assert "indexed by other-model" not in texts(app)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://nobody@127.0.0.1/x", "not a Postgres address"),
        ("postgresql://nobody@127.0.0.1:9/x", "127.0.0.1:9"),
    ],
)
def test_database_that_cannot_be_opened(open_app, monkeypatch, url, words):
    open_app()
    monkeypatch.setenv("RAGCORE_DATABASE_URL", url)
    app = open_app()
    assert words in app.error[0].value
    assert not app.exception
    assert len(app.chat_input) == 0
