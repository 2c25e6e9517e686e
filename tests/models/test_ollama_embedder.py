"""Embedding by a server: prefixes, limits, and vectors that are not to be trusted."""

import socket
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ragcore.errors import EmbeddingError, ModelError, ModelMissing, ModelUnreachable, SettingsError
from ragcore.models import Embedder, open_embedder
from ragcore.records import EmbedderIdentity
from tests.fake_ollama import FakeOllama, digest_of


def nomic(fake: FakeOllama) -> Embedder:
    return open_embedder("ollama:nomic-embed-text", ollama_host=fake.host)


def test_identity_with_prefixes_digest_and_width() -> None:
    with FakeOllama() as fake:
        assert nomic(fake).identity == EmbedderIdentity(
            model="ollama:nomic-embed-text",
            digest=digest_of("nomic-embed-text"),
            dimension=64,
            query_prefix="search_query: ",
            document_prefix="search_document: ",
            max_tokens=2048,
        )


def test_latest_tag_is_the_same_model() -> None:
    with FakeOllama() as fake:
        tagged = open_embedder("ollama:nomic-embed-text:latest", ollama_host=fake.host)
        assert tagged.identity == nomic(fake).identity


def test_limit_is_the_smaller_of_the_models_and_the_servers() -> None:
    with FakeOllama({"all-minilm": "embed", "house": "embed"}, context_length=512) as fake:
        assert open_embedder("ollama:all-minilm", ollama_host=fake.host).identity.max_tokens == 256
        assert open_embedder("ollama:house", ollama_host=fake.host).identity.max_tokens == 512


def test_prefixes_and_options_in_the_bodies_sent() -> None:
    with FakeOllama() as fake:
        embedder = nomic(fake)
        embedder.embed_queries(["the rent"])
        embedder.embed_documents(["the rent is due", "a deposit"])
        *_, question, documents = fake.bodies("/api/embed")
    fixed = {
        "model": "nomic-embed-text",
        "truncate": False,
        "options": {"num_ctx": 2048},
        "keep_alive": "30m",
    }
    assert question == fixed | {"input": ["search_query: the rent"]}
    assert documents == fixed | {"input": ["search_document: a deposit", "search_document: the rent is due"]}


def test_model_without_prefixes_gets_none() -> None:
    with FakeOllama({"all-minilm": "embed"}) as fake:
        open_embedder("ollama:all-minilm", ollama_host=fake.host).embed_queries(["the rent"])
        assert fake.bodies("/api/embed")[-1]["input"] == ["the rent"]


def test_batches_of_32_in_the_order_given() -> None:
    with FakeOllama() as fake:
        embedder = nomic(fake)
        texts = [f"item{n} " + "word " * ((n * 5) % 9) for n in range(70)]
        done: list[tuple[int, int]] = []
        vectors = embedder.embed_documents(texts, lambda *at: done.append(at))
        sizes = [len(body["input"]) for body in fake.bodies("/api/embed")]
        assert sizes == [1, 32, 32, 6]
        assert done == [(32, 70), (64, 70), (70, 70)]
        for n in (0, 33, 69):
            assert vectors[n] == pytest.approx(fake.embed("search_document: " + texts[n]), abs=1e-6)


def test_vectors_that_are_not_normalised() -> None:
    with FakeOllama(vectors=lambda texts: [[3.0, 4.0] for _ in texts]) as fake:
        vectors = nomic(fake).embed_documents(["a", "b"])
    assert vectors == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8]]))
    assert vectors.dtype == np.float32


def test_no_texts() -> None:
    with FakeOllama() as fake:
        assert nomic(fake).embed_documents([]).shape == (0, 64)


def test_tokens_are_counted_exactly_for_a_bert_vocabulary() -> None:
    with FakeOllama() as fake:
        # [CLS] search _ document : the deposit is 500 euros . [SEP]
        assert nomic(fake).count_tokens(["The deposit is 500 euros."]) == [12]


def test_tokens_are_estimated_for_an_unknown_vocabulary() -> None:
    with FakeOllama({"house": "embed"}) as fake:
        # deposit 3, digits 3 -> 6, 5 % more -> 7, and 2 special ones
        assert open_embedder("ollama:house", ollama_host=fake.host).count_tokens(["deposit 500"]) == [9]


def test_text_over_the_limit_is_refused_before_it_is_sent() -> None:
    with FakeOllama({"all-minilm": "embed"}) as fake:
        embedder = open_embedder("ollama:all-minilm", ollama_host=fake.host)
        with pytest.raises(EmbeddingError, match=r"has 302 tokens, but ollama:all-minilm reads at most 256"):
            embedder.embed_documents(["word " * 300])
        assert len(fake.bodies("/api/embed")) == 1


def test_text_that_the_server_finds_too_long_is_found_and_named() -> None:
    with FakeOllama(max_embed_words=10) as fake:
        embedder = nomic(fake)
        texts = [f"short {n}" for n in range(31)]
        long = "The landlord " + "really " * 12 + "insists"
        with pytest.raises(EmbeddingError) as refused:
            embedder.embed_documents([*texts, long])
        assert str(refused.value) == (
            "The text “The landlord really really really really really really reall…” is longer than the "
            "2048 tokens that ollama:nomic-embed-text reads. Split or shorten it."
        )
        assert all(body["truncate"] is False for body in fake.bodies("/api/embed"))
        assert embedder.embed_documents(texts).shape == (31, 64)


def test_nan_in_one_text_of_a_batch_is_found_and_named() -> None:
    with FakeOllama(nan_texts=["cursed"]) as fake, pytest.raises(EmbeddingError) as refused:
        nomic(fake).embed_documents([f"fine {n}" for n in range(20)] + ["the cursed one"])
    assert str(refused.value) == (
        "ollama:nomic-embed-text finds no finite vector for the text “the cursed one”. "
        "Leave it out, or use another embedding model."
    )


def test_nan_that_goes_away_when_the_text_is_sent_alone() -> None:
    with FakeOllama(nan_texts=["cursed"], nan_recovers=True) as fake:
        texts = [f"fine {n}" for n in range(20)] + ["the cursed one"]
        vectors = nomic(fake).embed_documents(texts)
        assert vectors[20] == pytest.approx(fake.embed("search_document: the cursed one"), abs=1e-6)


BAD_VECTORS: dict[str, tuple[Callable[[list[float]], Any], str]] = {
    "wrong width": (lambda row: row[:-1], "returned 63 numbers instead of 64 for the text “bad”"),
    "zeros": (lambda row: [0.0] * len(row), "returned a zero vector for the text “bad”"),
    "NaN": (lambda row: [float("nan"), *row[1:]], "returned numbers that are not finite for the text “bad”"),
    "infinity": (lambda row: [float("inf"), *row[1:]], "numbers that are not finite for the text “bad”"),
}


@pytest.mark.parametrize(("spoil", "message"), BAD_VECTORS.values(), ids=BAD_VECTORS.keys())
def test_unusable_vector_names_its_text(spoil: Callable[[list[float]], Any], message: str) -> None:
    with FakeOllama() as fake:
        embedder = nomic(fake)
        assert embedder.identity.dimension == 64
        fake.vectors = lambda texts: [
            spoil(fake.embed(text)) if "bad" in text else fake.embed(text) for text in texts
        ]
        with pytest.raises(EmbeddingError, match=message):
            embedder.embed_documents(["good", "bad", "better"])


def test_fewer_vectors_than_texts() -> None:
    with FakeOllama() as fake:
        embedder = nomic(fake)
        assert embedder.identity.dimension == 64
        fake.vectors = lambda texts: [fake.embed(text) for text in texts[1:]]
        with pytest.raises(EmbeddingError, match="returned 1 vectors for 2 texts, the first of them “one”"):
            embedder.embed_documents(["one", "two"])


@pytest.mark.parametrize("vectors", [[], [[]]])
def test_server_that_returns_no_vector(vectors: list[Any]) -> None:
    with FakeOllama(vectors=lambda _: vectors) as fake, pytest.raises(EmbeddingError, match="no vector"):
        _ = nomic(fake).identity


def test_null_in_a_vector() -> None:
    broken = FakeOllama(vectors=lambda texts: [[None, 1.0] for _ in texts])
    with broken as fake, pytest.raises(ModelError, match="sent a reply that is not Ollama's"):
        _ = nomic(fake).identity


def test_chat_model_asked_to_embed() -> None:
    with FakeOllama() as fake, pytest.raises(ModelError, match="does not support embeddings"):
        _ = open_embedder("ollama:llama3", ollama_host=fake.host).identity


def test_model_that_is_not_installed() -> None:
    with FakeOllama({"llama3": "chat"}) as fake, pytest.raises(ModelMissing) as missing:
        nomic(fake).embed_queries(["rent"])
    assert "Run `ollama pull nomic-embed-text`; installed: llama3." in str(missing.value)


def test_no_server_at_first_then_one() -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    embedder = open_embedder("ollama:nomic-embed-text", ollama_host=f"127.0.0.1:{port}")
    for ask in (lambda: embedder.identity, lambda: embedder.embed_queries(["a"])):
        with pytest.raises(ModelUnreachable, match="No Ollama answers"):
            ask()


@pytest.mark.parametrize("name", ["", "  ", "ollama:", "ollama: "])
def test_name_that_is_empty(name: str) -> None:
    with pytest.raises(SettingsError, match="does not name an embedding model"):
        open_embedder(name, ollama_host="")
