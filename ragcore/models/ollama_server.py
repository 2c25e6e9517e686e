"""One Ollama server: where it is, what it has, and what its failures mean.

Every call to Ollama, here and in the chat and embedding modules, goes through ``client`` and has
its failures explained by ``explain``: one set of limits, one set of sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import ollama
from pydantic import ValidationError

from ragcore.errors import ModelError, ModelMissing, ModelStalled, ModelUnreachable, SettingsError
from ragcore.models.ollama_transport import (
    CONNECT_ERRORS,
    TIMEOUTS,
    TRANSPORT_ERRORS,
    Patience,
    PatientTransport,
)
from ragcore.models.profiles import profile_for
from ragcore.records import ModelCard

DEFAULT_PORT = 11434
FAILURES = (
    ollama.ResponseError,
    ConnectionError,
    httpx.HTTPError,
    ValidationError,
    json.JSONDecodeError,
    *TRANSPORT_ERRORS,
)
"""What the client and its transport raise; ``explain`` turns it into an error of ours."""

_EMBEDDING_FAMILIES = frozenset({"bert", "nomic-bert", "nomic-bert-moe", "xlm-roberta", "jina-bert-v2"})
_CONTAINER_MARKERS = (Path("/.dockerenv"), Path("/run/.containerenv"))


@dataclass(frozen=True, slots=True)
class ModelDetails:
    """What ``/api/show`` tells about a model; None where it does not."""

    context_length: int | None
    embedding_length: int | None
    capabilities: tuple[str, ...]


class OllamaServer:
    """A server by its address. Nothing is asked before the first call; safe between threads."""

    def __init__(
        self,
        host: str = "",
        *,
        connect_timeout_s: float = 1.0,
        answer_timeout_s: float = 10.0,
        in_container: bool | None = None,
    ) -> None:
        """``host`` as OLLAMA_HOST is written; ``in_container`` None finds out.

        Raises SettingsError for an address that cannot be one.
        """
        self.url = normalise_host(host)
        self._connect_s = connect_timeout_s
        self._answer_s = answer_timeout_s
        self._in_container = in_container

    def patience(self, first_s: float | None = None, between_s: float | None = None) -> Patience:
        return Patience(self._connect_s, first_s or self._answer_s, between_s or self._answer_s)

    @contextmanager
    def client(self, patience: Patience | None = None) -> Iterator[ollama.Client]:
        """A client for one call. Leaving the block closes its connection, whatever it was doing."""
        transport = PatientTransport(patience or self.patience(), secure=self.url.startswith("https:"))
        with ollama.Client(self.url, transport=transport, trust_env=False) as client:
            yield client

    def is_reachable(self) -> bool:
        try:
            self.version()
        except ModelError:
            return False
        return True

    def version(self) -> str:
        """Raises ModelUnreachable when nothing answers, or something that is not Ollama."""
        transport = PatientTransport(self.patience(), secure=self.url.startswith("https:"))
        try:
            with httpx.Client(transport=transport, trust_env=False) as client:
                reply = client.get(f"{self.url}/api/version")
                return str(reply.raise_for_status().json()["version"])
        except (httpx.HTTPStatusError, ValueError, KeyError, TypeError) as error:
            raise ModelUnreachable(
                f"Something answers at {self.url}, but it is not Ollama. Check OLLAMA_HOST."
            ) from error
        except FAILURES as error:
            raise self.explain(error) from error

    def models(self) -> list[ModelCard]:
        """What is installed, by name. Raises ModelUnreachable."""
        try:
            with self.client() as client:
                listed = client.list().models
        except FAILURES as error:
            raise self.explain(error) from error
        cards = [_card(model) for model in listed if model.model]
        return sorted(cards, key=lambda card: card.name)

    def find(self, name: str) -> ModelCard:
        """The installed model of that name; ``foo`` is ``foo:latest``. Raises ModelMissing."""
        installed = self.models()
        for card in installed:
            if card.name == name or card.name == f"{name}:latest":
                return card
        raise self._missing(name, installed)

    def show(self, name: str) -> ModelDetails:
        """Limits and abilities of an installed model. Raises ModelMissing, ModelUnreachable."""
        try:
            with self.client() as client:
                shown = client.show(name)
        except FAILURES as error:
            raise self.explain(error, name) from error
        info = shown.modelinfo or {}
        architecture = info.get("general.architecture", "")
        return ModelDetails(
            context_length=info.get(f"{architecture}.context_length"),
            embedding_length=info.get(f"{architecture}.embedding_length"),
            capabilities=tuple(shown.capabilities or ()),
        )

    def pull(self, name: str) -> Iterator[tuple[str, int, int]]:
        """Download a model: ``(status, bytes done, bytes in all)``, summed over its layers.

        The total grows as layers become known and is 0 before. Closing the iterator stops the
        download; pulling again resumes it. Raises ModelMissing for a name that the library does
        not have, ModelUnreachable and ModelStalled.
        """
        done: dict[str, int] = {}
        total: dict[str, int] = {}
        status = ""
        # Checking the digest of a large layer sends nothing for minutes.
        patience = self.patience(first_s=120, between_s=600)
        try:
            with self.client(patience) as client, closing(client.pull(name, stream=True)) as parts:
                for part in parts:
                    patience.started = True
                    status = part.status or ""
                    if part.digest:
                        total[part.digest] = part.total or total.get(part.digest, 0)
                        done[part.digest] = part.completed or done.get(part.digest, 0)
                    yield status, sum(done.values()), sum(total.values())
        except ollama.ResponseError as error:
            if "file does not exist" in error.error or error.status_code == 404:
                raise ModelMissing(
                    f"Ollama's library has no model '{name}'. Check the spelling at ollama.com/library."
                ) from error
            raise ModelError(f"Ollama at {self.url} could not pull '{name}': {error.error}") from error
        except FAILURES as error:
            raise self.explain(error, name) from error
        if status != "success":
            raise ModelStalled(f"The download of '{name}' stopped midway. Pull it again to resume.")

    def explain(self, error: Exception, model: str = "") -> ModelError:
        """The error of ours, with a sentence for the user, for one of ``FAILURES``."""
        # The client turns a refused connection into Python's own error where it does not stream.
        if isinstance(error, (ConnectionError, *CONNECT_ERRORS)):
            return ModelUnreachable(
                f"No Ollama answers at {self.url}. Start it with `ollama serve`, or keep using quoting."
                + self._container_hint()
            )
        subject = f"The model '{model}'" if model else "Ollama"
        if isinstance(error, ollama.ResponseError):
            if error.status_code == 404 and model:
                return self._missing(model, None)
            return ModelError(f"{subject} failed at {self.url}: {error.error.strip() or error.status_code}")
        if isinstance(error, TIMEOUTS):
            return ModelStalled(
                f"{subject} gave no answer in time at {self.url}. Try again, or a smaller model."
            )
        if isinstance(error, ValidationError | json.JSONDecodeError):
            return ModelError(f"{self.url} sent a reply that is not Ollama's. Check OLLAMA_HOST.")
        return ModelStalled(f"The connection to Ollama at {self.url} broke off. Check that it still runs.")

    def _missing(self, model: str, installed: list[ModelCard] | None) -> ModelMissing:
        if installed is None:
            try:
                installed = self.models()
            except ModelError:
                # The server is going away; the first failure is the one to tell.
                installed = []
        names = ", ".join(card.name.removesuffix(":latest") for card in installed) or "none"
        return ModelMissing(
            f"Ollama at {self.url} has no model '{model}'. Run `ollama pull {model}`; installed: {names}."
        )

    def _container_hint(self) -> str:
        inside = self._in_container
        if inside is None:
            inside = any(marker.exists() for marker in _CONTAINER_MARKERS)
        parts = urlsplit(self.url)
        if not inside or parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            return ""
        return (
            " Inside a container this address is the container itself: set "
            f"OLLAMA_HOST=http://host.docker.internal:{parts.port} to reach the machine around it."
        )


def normalise_host(host: str) -> str:
    """``scheme://host:port`` from any form that Ollama itself accepts in OLLAMA_HOST.

    Without a scheme the port is 11434; with one it is 80 or 443, as in Ollama's own client. An
    address to listen on (0.0.0.0, ::) becomes the loopback one. Raises SettingsError.
    """
    text = host.strip().strip("\"'").strip()
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "http", text
    scheme = scheme.lower()
    default = DEFAULT_PORT if not separator else {"http": 80, "https": 443}.get(scheme, 0)
    try:
        parts = urlsplit(f"//{rest}")
        name, port = parts.hostname or "127.0.0.1", parts.port or default
    except ValueError as error:
        raise _bad_host(host) from error
    if scheme not in ("http", "https") or not port or any(character.isspace() for character in rest):
        raise _bad_host(host)
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    return f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}{parts.path.rstrip('/')}"


def _bad_host(host: str) -> SettingsError:
    return SettingsError(f"OLLAMA_HOST is '{host}', which is not an address. Write it as 127.0.0.1:11434.")


def _card(model: ollama.ListResponse.Model) -> ModelCard:
    name = model.model or ""
    family = (model.details and model.details.family) or ""
    # Asking each model for its capabilities would take one request a model on every page.
    known = not profile_for(f"ollama:{name}").warning
    return ModelCard(
        name=name,
        digest=model.digest or "",
        size_bytes=int(model.size or 0),
        family=family,
        parameters=(model.details and model.details.parameter_size) or "",
        is_embedder=known or family in _EMBEDDING_FAMILIES or "embed" in name,
    )
