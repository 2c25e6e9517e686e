"""The interface of every embedder, and the checks that no vector passes around.

An adapter says who it is, counts tokens and encodes a batch. This module adds the prefixes,
refuses text that the model would cut, sorts by length, restores the order, and makes sure that
what comes back is as many finite vectors of the right width as went in, of unit length.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from ragcore.errors import EmbeddingError
from ragcore.models.profiles import Profile
from ragcore.models.tokens import TokenCounter
from ragcore.records import EmbedderIdentity, Progress

_SMALLEST_NORM = 1e-12

MOST_UNKNOWN = 0.5
"""A text with a larger share of unknown words is compared by little else than their number."""


class Embedder(ABC):
    """Text -> unit vectors. Nothing is loaded or asked before the first use.

    Safe to share between threads. The lock is held for one batch at a time, so a question waits
    for one batch of a running ingest and not for all of it.
    """

    batch_size = 16

    def __init__(self, name: str, profile: Profile) -> None:
        self.name = name
        self.profile = profile
        self._lock = threading.RLock()
        self._identity: EmbedderIdentity | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """What makes this vector space. The first use may load the model or ask the server.

        Raises ModelMissing, ModelUnreachable or EmbeddingError.
        """
        with self._lock:
            if self._identity is None:
                self._identity = self._describe()
            return self._identity

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a document: its prefix and the special tokens included."""
        prefix = self.identity.document_prefix
        return self._count([prefix + text for text in _as_list(texts)])

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """Questions -> float32 (n, dimension) of unit length; (0, dimension) for no text.

        Raises EmbeddingError, naming the text, for one that is empty or too long, that consists of
        words unknown to the model, or whose vector is unusable; ModelMissing and ModelUnreachable
        as ``identity`` does.
        """
        texts = _as_list(texts)
        for text in texts:
            if self.unknown_share([text]) > MOST_UNKNOWN:
                raise EmbeddingError(
                    f"{self.name} does not know the words of {quoted(text)}, so nothing can be compared with them. "
                    "Ask in a language it was trained on, or choose another embedding model (RAGCORE_EMBEDDER)."
                )
        return self._embed(texts, self.identity.query_prefix, None, "question")

    def embed_documents(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray:
        """Passages -> float32 (n, dimension) of unit length, in the order given.

        ``progress(done, total)`` is called after each batch. Raises as ``embed_queries`` does.
        """
        return self._embed(_as_list(texts), self.identity.document_prefix, progress)

    def embed_spans(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[tuple[tuple[int, int], ...]]],
        progress: Progress | None = None,
    ) -> list[np.ndarray]:
        """For each text the vectors of parts of it, pooled from one pass over the whole text.

        ``spans[i]`` holds for every wanted vector the character spans whose tokens are averaged;
        returns float32 (len(spans[i]), dimension) of unit length for each text. A part without a
        token is pooled over the whole text. Raises EmbeddingError where a model gives no vectors of
        its tokens, and as ``embed_queries`` does.
        """
        raise EmbeddingError(
            f"{self.name} gives no vectors of single tokens, which the granularity 'late' is made of; "
            "use 'sentence' or 'chunk', or a model that runs in this process."
        )

    def token_vectors(self, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray]] | None:
        """For each text its tokens' vectors, float32 (n_tokens, dimension), and where they stand.

        The places are character offsets, int (n_tokens, 2); both equal for special tokens. No prefix is
        put before a text, and what the model would not read is left out. None where a model gives no
        vectors of its tokens.
        """
        return None

    def _embed(
        self, texts: list[str], prefix: str, progress: Progress | None, noun: str = "text"
    ) -> np.ndarray:
        identity = self.identity
        vectors = np.empty((len(texts), identity.dimension), dtype=np.float32)
        for text in texts:
            _refuse_unreadable(text)
        prefixed = [prefix + text for text in texts]
        lengths = self._count(prefixed)
        for text, length in zip(texts, lengths, strict=True):
            if length > identity.max_tokens:
                raise EmbeddingError(
                    f"The {noun} {quoted(text)} has {length} tokens, but {identity.model} reads at most "
                    f"{identity.max_tokens}. Split or shorten it."
                )
        # Alike lengths share a batch: hardly any padding, and faster by a quarter.
        order = sorted(range(len(texts)), key=lengths.__getitem__)
        for start in range(0, len(order), self.batch_size):
            places = order[start : start + self.batch_size]
            with self._lock:
                encoded = self._encode([prefixed[place] for place in places])
            vectors[places] = unit_vectors(encoded, [texts[place] for place in places], identity)
            if progress is not None:
                progress(start + len(places), len(order))
        return vectors

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Share of the texts' tokens, 0 to 1, that the model takes for one and the same unknown word.

        Emoji and scripts that it was not trained on. 0 where its vocabulary is not at hand.
        """
        texts = [text for text in _as_list(texts) if text.strip()]
        counter = self._token_counter()
        return counter.unknown_share(texts) if counter is not None and texts else 0.0

    def _token_counter(self) -> TokenCounter | None:
        """The model's own vocabulary, if there is one at hand."""
        return None

    @abstractmethod
    def _describe(self) -> EmbedderIdentity:
        """Called once, under the lock."""

    @abstractmethod
    def _count(self, prefixed: list[str]) -> list[int]:
        """Tokens of each text as it stands, special tokens included."""

    @abstractmethod
    def _encode(self, prefixed: list[str]) -> Sequence[Sequence[float]] | np.ndarray:
        """One batch, called under the lock. What it returns is not trusted."""


def quoted(text: str) -> str:
    """The first 60 characters on one line, to name a text in an error."""
    line = " ".join(text.split())
    return f"“{line[:60]}…”" if len(line) > 60 else f"“{line}”"


def _as_list(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise TypeError("expected a sequence of texts, got one string")
    return list(texts)


def _refuse_unreadable(text: str) -> None:
    if not text.strip():
        raise EmbeddingError("An empty text cannot be embedded.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = text.encode("utf-8", "replace").decode("utf-8")
        raise EmbeddingError(
            f"The text {quoted(shown)} holds half of a character (U+{ord(text[error.start]):04X}) "
            "and cannot be embedded. Clean it first."
        ) from error


def unit_vectors(
    encoded: Sequence[Sequence[float]] | np.ndarray, texts: list[str], identity: EmbedderIdentity
) -> np.ndarray:
    """Check a batch against its texts and scale it to unit length, float32 (n, dimension)."""
    if len(encoded) != len(texts):
        raise EmbeddingError(
            f"{identity.model} returned {len(encoded)} vectors for {len(texts)} texts, "
            f"the first of them {quoted(texts[0])}."
        )
    for row, text in zip(encoded, texts, strict=True):
        if len(row) != identity.dimension:
            raise EmbeddingError(
                f"{identity.model} returned {len(row)} numbers instead of {identity.dimension} "
                f"for the text {quoted(text)}. If the model was changed, open it again and re-embed."
            )
    rows = np.asarray(encoded, dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1)
    # One NaN or infinity anywhere in a row makes its norm NaN or infinite.
    unusable = np.flatnonzero(~np.isfinite(norms) | (norms < _SMALLEST_NORM))
    if unusable.size:
        what = "a zero vector" if norms[unusable[0]] < _SMALLEST_NORM else "numbers that are not finite"
        raise EmbeddingError(f"{identity.model} returned {what} for the text {quoted(texts[unusable[0]])}.")
    return (rows / norms[:, None]).astype(np.float32)
