"""Which chat model answers: the one asked for, the preferred one, the first there is, or none."""

from __future__ import annotations

from typing import Any, Literal

from ragcore.errors import ModelMissing, ModelUnreachable
from ragcore.models.chat import OllamaChat
from ragcore.models.ollama_server import OllamaServer
from ragcore.records import ModelCard


class ChatModels:
    """The chat models of a server, all used with the same window and the same patience."""

    def __init__(self, server: OllamaServer, *, preferred: str | None, **settings: Any) -> None:
        """``settings`` go to every OllamaChat: num_ctx, max_reply_tokens, keep_alive, time-outs."""
        self._server = server
        self._preferred = preferred
        self._settings = settings

    def available(self) -> list[ModelCard]:
        """The chat models that the server has; empty when it does not answer."""
        try:
            return self._installed()
        except ModelUnreachable:
            return []

    def choose(self, generator: Literal["auto", "ollama", "quote"], wanted: str | None) -> OllamaChat | None:
        """The model to use, or None for quoting.

        ``auto`` uses a model if there is one; ``ollama`` insists, and raises ModelUnreachable or
        ModelMissing when there is none.
        """
        if generator == "quote":
            return None
        name = wanted or self._preferred
        installed = self.available() if generator == "auto" else self._installed()
        if not installed and generator == "auto":
            return None
        if not installed and not name:
            raise ModelMissing(
                f"Ollama at {self._server.url} has no chat model. Run `ollama pull qwen2.5:7b`, "
                "or keep using quoting."
            )
        name = name or installed[0].name
        card = next((card for card in installed if card.name in (name, f"{name}:latest")), None)
        return OllamaChat(self._server, name, billions=card.billions if card else None, **self._settings)

    def _installed(self) -> list[ModelCard]:
        return [card for card in self._server.models() if not card.is_embedder]
