"""A small Ollama server for tests: the real wire format, answers by script.

It speaks Ollama's HTTP API (paths, field names, newline-delimited JSON, error bodies) on a free
port of 127.0.0.1, so the real client, real sockets and real timeouts are under test.

    with FakeOllama(replies=["It is 500 euros [1]."]) as ollama:
        chat = OllamaChat(OllamaServer(ollama.host), "llama3", num_ctx=4096)
        ...
        path, body = ollama.requests[-1]

Everything that can be given to the constructor can be changed while it runs.
"""

from __future__ import annotations

import json
import math
import re
import select
import socket
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | Sequence[str]
"""One reply: a text (streamed word by word) or the exact pieces to stream."""

CREATED_AT = "2026-01-02T03:04:05.678901Z"


class FakeOllama:
    """Context manager. ``host`` is its address, ``requests`` what it was sent, as (path, body)."""

    def __init__(
        self,
        models: Mapping[str, str] | None = None,
        replies: Sequence[Reply] | Callable[[dict[str, Any]], Reply] = ("The answer.",),
        *,
        first_delay_s: float = 0.0,
        piece_delay_s: float = 0.0,
        stall_after: int | None = None,
        cut_after: int | None = None,
        error_after: int | None = None,
        send_done: bool = True,
        chat_error: tuple[int, str] | None = None,
        thinking: str = "",
        done_reason: str = "stop",
        report_prompt_tokens: bool = True,
        dimension: int = 64,
        max_embed_words: int | None = None,
        nan_texts: Sequence[str] = (),
        nan_recovers: bool = False,
        vectors: Callable[[list[str]], list[Any]] | None = None,
        embed_error: tuple[int, str] | None = None,
        context_length: int = 8192,
        pull_cut: bool = False,
        parameter_size: str = "8.0B",
    ) -> None:
        """Script the server.

        models: name -> "chat" or "embed"; a name without a tag is ``:latest``.
        replies: used in turn, the last one again and again; or a function of the request body.
        first_delay_s: silence before the first byte, as while a model is loading.
        piece_delay_s: pause between pieces.
        stall_after, cut_after, error_after: after so many pieces be silent for ever, close the
            connection, or send an ``{"error": ...}`` line.
        chat_error, embed_error: answer with this status and message.
        send_done: False ends the stream properly, but without its last object.
        thinking: sent in ``message.thinking`` before the reply.
        report_prompt_tokens: False leaves ``prompt_eval_count`` out, as for a cached prompt.
        dimension: width of the vectors (words hashed into so many places, unit length).
        max_embed_words: a text with more words fails the whole batch with 400.
        nan_texts: a text that contains one of these fails the whole batch with 500;
            nan_recovers: unless it is sent alone.
        vectors: makes the vectors instead, for wrong widths and counts.
        context_length: what ``/api/show`` tells; also the largest window of a chat.
        pull_cut: close the connection in the middle of a pull.
        parameter_size: of every model, as ``/api/tags`` tells it.
        """
        self.models = dict(models if models is not None else {"llama3": "chat", "nomic-embed-text": "embed"})
        self.replies = replies
        self.first_delay_s = first_delay_s
        self.piece_delay_s = piece_delay_s
        self.stall_after = stall_after
        self.cut_after = cut_after
        self.error_after = error_after
        self.send_done = send_done
        self.chat_error = chat_error
        self.thinking = thinking
        self.done_reason = done_reason
        self.report_prompt_tokens = report_prompt_tokens
        self.dimension = dimension
        self.max_embed_words = max_embed_words
        self.nan_texts = nan_texts
        self.nan_recovers = nan_recovers
        self.vectors = vectors
        self.embed_error = embed_error
        self.context_length = context_length
        self.pull_cut = pull_cut
        self.parameter_size = parameter_size
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.loaded: list[str] = []
        """Models used so far, as ``/api/ps`` lists them."""
        self.abandoned = 0
        """Streams whose reader closed the connection before the end."""
        self.chats = 0
        self.stopping = threading.Event()
        self.lock = threading.Lock()

    def __enter__(self) -> FakeOllama:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        self.host = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def bodies(self, path: str) -> list[dict[str, Any]]:
        """The bodies of all requests to one path, in order."""
        return [body for asked, body in self.requests if asked == path]

    def wait_for_abandoned(self, count: int = 1, timeout_s: float = 5.0) -> bool:
        """Whether so many readers went away, waiting for it."""
        end = time.monotonic() + timeout_s
        while self.abandoned < count and time.monotonic() < end:
            time.sleep(0.01)
        return self.abandoned >= count

    def next_reply(self, body: dict[str, Any]) -> list[str]:
        with self.lock:
            turn, self.chats = self.chats, self.chats + 1
        reply = (
            self.replies(body) if callable(self.replies) else self.replies[min(turn, len(self.replies) - 1)]
        )
        return re.findall(r"\s*\S+\s*$|\s*\S+", reply) if isinstance(reply, str) else list(reply)

    def find(self, name: str) -> str | None:
        """The installed name that was meant, or None."""
        for known in self.models:
            if name.removesuffix(":latest") == known.removesuffix(":latest"):
                return known
        return None

    def embed(self, text: str) -> list[float]:
        """Words hashed into ``dimension`` places: texts that share words are alike."""
        counts = [0.0] * self.dimension
        for word in re.findall(r"\w+", text.lower()) or ["?"]:
            counts[zlib.crc32(word.encode()) % self.dimension] += 1.0
        norm = math.sqrt(sum(value * value for value in counts))
        return [value / norm for value in counts]


def digest_of(name: str) -> str:
    """The digest that the fake server gives for a model: 64 hexadecimal digits."""
    return f"{zlib.crc32(name.removesuffix(':latest').encode()):08x}" * 8


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeOllama

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader that goes away is part of the script."""


class _ReaderGone(Exception):
    """The other side closed the connection."""


class _Cut(Exception):
    """This side did."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    @property
    def fake(self) -> FakeOllama:
        return self.server.fake

    def do_GET(self) -> None:
        self.fake.requests.append((self.path, {}))
        if self.path == "/api/version":
            self._json({"version": "0.12.3"})
        elif self.path == "/api/tags":
            self._json({"models": [self._card(name) for name in self.fake.models]})
        elif self.path == "/api/ps":
            expiry = {"expires_at": CREATED_AT, "size_vram": 0, "context_length": self.fake.context_length}
            self._json({"models": [self._card(name) | expiry for name in self.fake.loaded]})
        else:
            self._json({"error": "404 page not found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.fake.requests.append((self.path, body))
        routes = {"/api/show": self._show, "/api/chat": self._chat, "/api/embed": self._embed}
        try:
            if self.path == "/api/pull":
                self._pull(body)
            elif self.path not in routes:
                self._json({"error": "404 page not found"}, 404)
            elif (name := self.fake.find(body.get("model", ""))) is None:
                self._json({"error": f"model '{body.get('model', '')}' not found"}, 404)
            else:
                routes[self.path](name, body)
        except _Cut:
            self.close_connection = True
        except (_ReaderGone, BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            with self.fake.lock:
                self.fake.abandoned += 1

    def _show(self, name: str, body: dict[str, Any]) -> None:
        embeds = self.fake.models[name] == "embed"
        architecture = "bert" if embeds else "llama"
        info = {
            "general.architecture": architecture,
            f"{architecture}.context_length": self.fake.context_length,
            f"{architecture}.embedding_length": self.fake.dimension,
        }
        self._json(
            {
                "modelfile": "",
                "parameters": "",
                "template": "",
                "details": self._card(name)["details"],
                "model_info": info,
                "capabilities": ["embedding"] if embeds else ["completion"],
                "modified_at": CREATED_AT,
            }
        )

    def _chat(self, name: str, body: dict[str, Any]) -> None:
        fake = self.fake
        if fake.models[name] == "embed":
            return self._json({"error": f'"{name}" does not support chat'}, 400)
        if fake.chat_error is not None:
            return self._json({"error": fake.chat_error[1]}, fake.chat_error[0])
        self._load(name)
        options = body.get("options") or {}
        window = min(int(options.get("num_ctx", 4096)), fake.context_length)
        prompt_tokens = sum(math.ceil(len(message["content"]) / 4) + 4 for message in body["messages"])
        pieces = fake.next_reply(body)
        limit = int(options.get("num_predict", -1))
        reason = fake.done_reason
        if 0 <= limit < len(pieces):
            pieces, reason = pieces[:limit], "length"
        final = {
            "done_reason": reason,
            "total_duration": 1_000_000,
            "load_duration": 1_000,
            "prompt_eval_duration": 1_000,
            "eval_count": len(pieces),
            "eval_duration": 1_000,
        }
        if fake.report_prompt_tokens:
            # A longer prompt is cut without a word; only this count tells.
            final["prompt_eval_count"] = min(window, prompt_tokens)
        if body.get("stream") is False:
            message = {"role": "assistant", "content": "".join(pieces)}
            return self._json(
                {"model": name, "created_at": CREATED_AT, "message": message, "done": True} | final
            )
        self._begin_stream()
        if fake.thinking:
            self._line(self._part(name, "", thinking=fake.thinking))
        for index, piece in enumerate(pieces):
            self._misbehave(index)
            if index:
                self._wait(fake.piece_delay_s)
            self._line(self._part(name, piece))
        self._misbehave(len(pieces))
        if fake.send_done:
            self._line(self._part(name, "") | {"done": True} | final)
        self._end_stream()

    def _misbehave(self, sent: int) -> None:
        fake = self.fake
        if fake.stall_after == sent:
            self._wait(math.inf)
        if fake.cut_after == sent:
            self.connection.shutdown(socket.SHUT_RDWR)
            raise _Cut
        if fake.error_after == sent:
            self._line({"error": "an error was encountered while running the model"})

    def _part(self, name: str, content: str, **extra: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": content, **extra}
        return {"model": name, "created_at": CREATED_AT, "message": message, "done": False}

    def _embed(self, name: str, body: dict[str, Any]) -> None:
        fake = self.fake
        texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
        if fake.models[name] != "embed":
            return self._json({"error": f'"{name}" does not support embeddings'}, 400)
        if fake.embed_error is not None:
            return self._json({"error": fake.embed_error[1]}, fake.embed_error[0])
        self._load(name)
        if fake.max_embed_words is not None and any(
            len(text.split()) > fake.max_embed_words for text in texts
        ):
            if body.get("truncate") is False:
                return self._json({"error": "the input length exceeds the context length"}, 400)
            texts = [" ".join(text.split()[: fake.max_embed_words]) for text in texts]
        alone = fake.nan_recovers and len(texts) == 1
        if not alone and any(bad in text for bad in fake.nan_texts for text in texts):
            return self._json({"error": "failed to encode response: json: unsupported value: NaN"}, 500)
        vectors = fake.vectors(texts) if fake.vectors else [fake.embed(text) for text in texts]
        self._json(
            {
                "model": name,
                "embeddings": vectors,
                "total_duration": 1_000_000,
                "load_duration": 1_000,
                "prompt_eval_count": sum(len(text.split()) for text in texts),
            }
        )

    def _pull(self, body: dict[str, Any]) -> None:
        name = body.get("model", "")
        self._begin_stream()
        self._line({"status": "pulling manifest"})
        if "missing" in name:
            self._line({"error": "pull model manifest: file does not exist"})
            return self._end_stream()
        for digest, total in (("sha256:aaaa", 1000), ("sha256:bbbb", 24)):
            for completed in (None, total // 2, total):
                line = {"status": f"pulling {digest[7:]}", "digest": digest, "total": total}
                self._wait(self.fake.piece_delay_s)
                self._line(line if completed is None else line | {"completed": completed})
            if self.fake.pull_cut:
                self.connection.shutdown(socket.SHUT_RDWR)
                raise _Cut
        self.fake.models[name] = "embed" if "embed" in name else "chat"
        for status in ("verifying sha256 digest", "writing manifest", "success"):
            self._line({"status": status})
        self._end_stream()

    def _card(self, name: str) -> dict[str, Any]:
        full = name if ":" in name else f"{name}:latest"
        family = "bert" if self.fake.models.get(name) == "embed" else "llama"
        return {
            "name": full,
            "model": full,
            "modified_at": CREATED_AT,
            "size": 1_117_320_768,
            "digest": digest_of(name),
            "details": {
                "parent_model": "",
                "format": "gguf",
                "family": family,
                "families": [family],
                "parameter_size": self.fake.parameter_size,
                "quantization_level": "Q4_K_M",
            },
        }

    def _load(self, name: str) -> None:
        self._wait(self.fake.first_delay_s)
        if name not in self.fake.loaded:
            self.fake.loaded.append(name)

    def _wait(self, seconds: float) -> None:
        """Sleep, but notice a reader that goes away, as the real server does."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.fake.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], min(left, 0.02))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise _ReaderGone

    def _json(self, reply: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _line(self, part: dict[str, Any]) -> None:
        self._wait(0.0)
        data = json.dumps(part, ensure_ascii=False).encode() + b"\n"
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
