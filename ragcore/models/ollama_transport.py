"""Patience with a model server, per phase: connecting, the first token, between tokens.

httpx has one read timeout for all reads. A short one kills a model that is still loading, a long
one hangs on a server that died midway. Here the limits sit where the bytes are read, in the
caller's own thread: no helper thread is left behind, and closing the response closes the
connection, upon which Ollama stops generating.

Proxies of the environment are not used: the server is this machine or one named on purpose.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

_SLICE_S = 1.0
_WRITE_S = 30.0

OnWait = Callable[[float], None]
"""Called about once a second with the seconds waited for the first token."""

CONNECT_ERRORS = (httpcore.ConnectError, httpcore.ConnectTimeout)
TIMEOUTS = (httpcore.ReadTimeout, httpcore.WriteTimeout)
TRANSPORT_ERRORS = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError)


@dataclass(slots=True)
class Patience:
    """Limits of one request, in seconds. The reader sets ``started`` at the first sign of an answer."""

    connect_s: float = 1.0
    first_s: float = 300.0
    between_s: float = 60.0
    on_wait: OnWait | None = None
    started: bool = False


class PatientTransport(httpx.BaseTransport):
    """An httpx transport whose reads follow a ``Patience``. One request at a time.

    Lets the errors of httpcore through (``TRANSPORT_ERRORS``).
    """

    def __init__(self, patience: Patience, *, secure: bool) -> None:
        # Building a TLS context reads every certificate there is, so only where one is needed.
        context: ssl.SSLContext | None = httpx.create_ssl_context() if secure else None
        self._pool = httpcore.ConnectionPool(
            ssl_context=context, max_connections=1, network_backend=_PatientBackend(patience)
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        response = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
            )
        )
        assert isinstance(response.stream, Iterable)
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


class _PatientBackend(httpcore.NetworkBackend):
    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(
            host, port, self._patience.connect_s, local_address, socket_options
        )
        return _PatientStream(stream, self._patience)

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _PatientStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, patience: Patience) -> None:
        self._stream = stream
        self._patience = patience
        self._sent_at = time.monotonic()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Wait in slices, so that ``on_wait`` can show a notice, or raise to give up."""
        patience = self._patience
        since = time.monotonic() if patience.started else self._sent_at
        limit = patience.between_s if patience.started else patience.first_s
        while True:
            left = limit - (time.monotonic() - since)
            if left <= 0:
                raise httpcore.ReadTimeout(f"nothing was read for {limit:g} s")
            try:
                return self._stream.read(max_bytes, min(left, _SLICE_S))
            except httpcore.ReadTimeout:
                if patience.on_wait is not None and not patience.started:
                    patience.on_wait(time.monotonic() - since)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _WRITE_S)
        self._sent_at = time.monotonic()

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        # A handshake takes several round trips, hence more than one connect.
        secured = self._stream.start_tls(ssl_context, server_hostname, 5 * self._patience.connect_s)
        return _PatientStream(secured, self._patience)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
