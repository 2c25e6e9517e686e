"""Embedding by an Ollama server, through ``/api/embed`` alone.

The older ``/api/embeddings`` returns vectors that are not normalised and must not be mixed in.
Truncation is switched off: a text that is too long is an error that names it, never a vector of
its first half.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import ollama

from ragcore.errors import EmbeddingError
from ragcore.models.embedding import Embedder, quoted
from ragcore.models.ollama_server import FAILURES, OllamaServer
from ragcore.models.profiles import profile_for
from ragcore.models.sentence_transformer import bundled_counter
from ragcore.models.tokens import TokenCounter, estimate_wordpieces
from ragcore.records import EmbedderIdentity

_LARGEST_WINDOW = 2048
"""More costs memory for nothing: chunks are a few hundred tokens."""

_TOO_LONG = re.compile(r"(input|context|prompt).*(length|too (large|long))|exceed", re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|unsupported value", re.IGNORECASE)


class OllamaEmbedder(Embedder):
    """``ollama:NAME``. Needs the server from its first use on."""

    batch_size = 32

    def __init__(
        self,
        server: OllamaServer,
        model: str,
        *,
        keep_alive: str = "30m",
        first_answer_timeout_s: float = 300.0,
    ) -> None:
        name = f"ollama:{model}"
        super().__init__(name, profile_for(name))
        self._server = server
        self._model = model
        self._keep_alive = keep_alive
        self._first_answer_s = first_answer_timeout_s
        self._max_tokens = self.profile.max_tokens
        self._counter: TokenCounter | None = None

    def _describe(self) -> EmbedderIdentity:
        digest = self._server.find(self._model).digest
        context_length = self._server.show(self._model).context_length or self.profile.max_tokens
        self._max_tokens = min(self.profile.max_tokens, context_length, _LARGEST_WINDOW)
        # The width is taken from a vector: what the server says of a model's layers may differ.
        probe = self._encode(["width"])
        if len(probe) != 1 or not probe[0]:
            raise EmbeddingError(
                f"Ollama's model '{self._model}' returned no vector. Is it an embedding model?"
            )
        return EmbedderIdentity(
            model=self.name,
            digest=digest,
            dimension=len(probe[0]),
            query_prefix=self.profile.query_prefix,
            document_prefix=self.profile.document_prefix,
            max_tokens=self._max_tokens,
        )

    def _count(self, prefixed: list[str]) -> list[int]:
        """Exact for families with BERT's English vocabulary, else an upper estimate."""
        counter = self._token_counter()
        if counter is None:
            return [estimate_wordpieces(text) for text in prefixed]
        return counter.count(prefixed)

    def _token_counter(self) -> TokenCounter | None:
        if not self.profile.bert_vocabulary:
            return None
        with self._lock:
            if self._counter is None:
                self._counter = bundled_counter()
        return self._counter

    def _encode(self, prefixed: list[str]) -> Sequence[Sequence[float]]:
        try:
            return self._request(prefixed)
        except ollama.ResponseError as error:
            too_long, not_a_number = _TOO_LONG.search(error.error), _NOT_A_NUMBER.search(error.error)
            if not too_long and not not_a_number:
                raise self._server.explain(error, self._model) from error
            if len(prefixed) > 1:
                # One text fails the whole batch; halving finds it.
                middle = len(prefixed) // 2
                return [*self._encode(prefixed[:middle]), *self._encode(prefixed[middle:])]
            if too_long:
                raise EmbeddingError(
                    f"The text {self._quoted(prefixed[0])} is longer than the {self._max_tokens} tokens that "
                    f"{self.name} reads. Split or shorten it."
                ) from error
            return self._once_more(prefixed)
        except FAILURES as error:
            raise self._server.explain(error, self._model) from error

    def _once_more(self, prefixed: list[str]) -> Sequence[Sequence[float]]:
        """NaN comes and goes with what shares the batch, so a single text gets a second chance."""
        try:
            return self._request(prefixed)
        except FAILURES as error:
            raise EmbeddingError(
                f"{self.name} finds no finite vector for the text {self._quoted(prefixed[0])}. "
                "Leave it out, or use another embedding model."
            ) from error

    def _request(self, prefixed: list[str]) -> Sequence[Sequence[float]]:
        patience = self._server.patience(self._first_answer_s, self._first_answer_s)
        with self._server.client(patience) as client:
            # The same options on every call: another num_ctx would reload the model.
            reply = client.embed(
                self._model,
                prefixed,
                truncate=False,
                options={"num_ctx": self._max_tokens},
                keep_alive=self._keep_alive,
            )
        return reply.embeddings

    def _quoted(self, prefixed: str) -> str:
        for prefix in (self.profile.query_prefix, self.profile.document_prefix):
            if prefix and prefixed.startswith(prefix):
                return quoted(prefixed.removeprefix(prefix))
        return quoted(prefixed)
