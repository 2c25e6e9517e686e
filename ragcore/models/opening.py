"""From the name of an embedder, as a user writes it, to the embedder."""

from __future__ import annotations

from ragcore.errors import SettingsError
from ragcore.models.embedding import Embedder
from ragcore.models.ollama_embedding import OllamaEmbedder
from ragcore.models.ollama_server import OllamaServer
from ragcore.models.sentence_transformer import BUNDLED_MODEL, BundledEmbedder, SentenceTransformerEmbedder


def open_embedder(name: str, *, ollama_host: str) -> Embedder:
    """``all-MiniLM-L6-v2`` (bundled), ``ollama:NAME``, or a sentence-transformers folder or name.

    Nothing is loaded or asked yet; a missing model or server shows at the first use.
    Raises SettingsError for an empty name.
    """
    name = name.strip()
    if name.startswith("ollama:"):
        model = name.removeprefix("ollama:").strip().removesuffix(":latest")
        if model:
            return OllamaEmbedder(OllamaServer(ollama_host), model)
    elif name.removeprefix("sentence-transformers/").lower() == BUNDLED_MODEL.lower():
        return BundledEmbedder()
    elif name:
        return SentenceTransformerEmbedder(name)
    raise SettingsError(
        f"'{name}' does not name an embedding model. Use {BUNDLED_MODEL}, ollama:nomic-embed-text, "
        "or the folder of a sentence-transformers model."
    )
