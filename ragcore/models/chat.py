"""Answers from a chat model on an Ollama server, piece by piece.

This module knows the wire and its failures. It knows no prompt and no document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import ollama

from ragcore.errors import ModelError, ModelStalled
from ragcore.models.ollama_server import FAILURES, OllamaServer
from ragcore.models.ollama_transport import TIMEOUTS, OnWait, Patience
from ragcore.models.reasoning import ReasoningFilter
from ragcore.models.tokens import estimate_prompt_tokens
from ragcore.records import ChatDelta, ChatMessage


class OllamaChat:
    """One chat model with a fixed window. Holds no connection between calls; safe between threads."""

    def __init__(
        self,
        server: OllamaServer,
        model: str,
        *,
        num_ctx: int,
        billions: float | None = None,
        keep_alive: str = "30m",
        max_reply_tokens: int = 600,
        first_token_timeout_s: float = 300.0,
        stall_timeout_s: float = 60.0,
    ) -> None:
        """``billions``: its parameters in thousand millions, as far as the server says."""
        self.model = model
        self.billions = billions
        self.num_ctx = num_ctx
        self.max_reply_tokens = max_reply_tokens
        self._server = server
        self._keep_alive = keep_alive
        self._first_token_s = first_token_timeout_s
        self._stall_s = stall_timeout_s

    @property
    def digest(self) -> str:
        """Digest of the model as the server has it now. Raises ModelMissing, ModelUnreachable."""
        return self._server.find(self.model).digest

    def estimate_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Upper estimate of the prompt in tokens, to be kept under num_ctx less the reply."""
        return estimate_prompt_tokens(messages)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        max_reply_tokens: int | None = None,
        on_wait: OnWait | None = None,
    ) -> Iterator[ChatDelta]:
        """The reply as it comes, without the model's reasoning; the last delta is ``done``.

        A delta with ``replaces`` takes the place of all text before it. ``on_wait(seconds)`` is
        called about once a second until the server begins to answer (it may be loading the
        model). Closing the iterator closes the connection, and the server stops generating.

        Raises ModelUnreachable, ModelMissing, ModelStalled (too late, or broken off midway, after
        the text that came) and ModelError (the server's own failure, or a reply without text).
        """
        limit = max_reply_tokens or self.max_reply_tokens
        patience = self._server.patience(self._first_token_s, self._stall_s)
        patience.on_wait = on_wait
        reasoning = ReasoningFilter()
        answered = False
        final: ollama.ChatResponse | None = None
        failure: Exception | None = None
        with self._server.client(patience) as client:
            parts = client.chat(
                self.model,
                [{"role": message.role, "content": message.content} for message in messages],
                stream=True,
                # Reasoning would use up the reply's tokens; models without it ignore this.
                think=False,
                # All of them on every call: another num_ctx would reload the model.
                options={
                    "num_ctx": self.num_ctx,
                    "temperature": temperature,
                    "seed": seed,
                    "num_predict": limit,
                },
                keep_alive=self._keep_alive,
            )
            with closing(parts):
                received = _received(parts, patience)
                while final is None:
                    try:
                        part = next(received, None)
                    except FAILURES as error:
                        failure = error
                        break
                    if part is None:
                        break
                    text, replaces = reasoning.feed(part.message.content or "")
                    answered = bool(text) if replaces else answered or bool(text)
                    if text or replaces:
                        yield ChatDelta(text=text, replaces=replaces)
                    if part.done:
                        final = part
        text, replaces = reasoning.finish()
        answered = bool(text) if replaces else answered or bool(text)
        if text or replaces:
            yield ChatDelta(text=text, replaces=replaces)
        if final is None:
            raise self._stopped(failure, patience) from failure
        if not answered:
            raise self._wordless(final, limit)
        yield ChatDelta(
            done=True,
            done_reason=final.done_reason or "",
            # A prompt that was cached whole is reported as 0 or not at all.
            prompt_tokens=final.prompt_eval_count or None,
            reply_tokens=final.eval_count or None,
        )

    def _stopped(self, failure: Exception | None, patience: Patience) -> ModelError:
        explained = self._server.explain(failure, self.model) if failure else None
        if explained and not isinstance(explained, ModelStalled):
            return explained
        if isinstance(failure, TIMEOUTS):
            if patience.started:
                return ModelStalled(
                    f"The model '{self.model}' stopped midway: nothing came for {self._stall_s:g} s."
                )
            return ModelStalled(
                f"The model '{self.model}' did not begin to answer within {self._first_token_s:g} s. "
                "If it was still loading, ask again; else choose a smaller model."
            )
        if not patience.started and explained:
            return explained
        return ModelStalled(f"The answer of the model '{self.model}' stopped midway: the connection broke.")

    def _wordless(self, final: ollama.ChatResponse, limit: int) -> ModelError:
        if final.done_reason == "length":
            return ModelError(
                f"The model '{self.model}' used all {limit} tokens of its reply for reasoning. "
                "Raise the reply length or choose another model."
            )
        return ModelError(f"The model '{self.model}' gave an empty answer. Ask again or choose another.")


def _received(parts: Iterator[ollama.ChatResponse], patience: Patience) -> Iterator[ollama.ChatResponse]:
    for part in parts:
        patience.started = True
        yield part
