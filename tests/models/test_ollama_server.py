"""The server's address, its models, and what its failures say."""

import socket
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from ragcore.errors import ModelMissing, ModelStalled, ModelUnreachable, SettingsError
from ragcore.models import OllamaServer
from ragcore.models.ollama_server import ModelDetails, normalise_host
from ragcore.records import ModelCard
from tests.fake_ollama import FakeOllama, digest_of


@pytest.fixture
def closed_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:5000/", "http://127.0.0.1:5000"),
        ("localhost", "http://localhost:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("192.168.1.7:11434/", "http://192.168.1.7:11434"),
        ("http://box.lan:11434", "http://box.lan:11434"),
        ("http://box.lan", "http://box.lan:80"),
        ("https://ollama.example.org", "https://ollama.example.org:443"),
        ("https://ollama.example.org/proxy/", "https://ollama.example.org:443/proxy"),
        ("[::1]:11434", "http://[::1]:11434"),
        ("[::]", "http://[::1]:11434"),
        (' "127.0.0.1:11434" ', "http://127.0.0.1:11434"),
    ],
)
def test_forms_of_ollama_host(host: str, url: str) -> None:
    assert normalise_host(host) == url


@pytest.mark.parametrize("host", ["localhost:port", "ftp://box", "my box", "http://box:99999"])
def test_host_that_is_no_address(host: str) -> None:
    with pytest.raises(SettingsError, match=r"^OLLAMA_HOST is '.*', which is not an address"):
        OllamaServer(host)


def test_models_of_a_running_server() -> None:
    with FakeOllama({"qwen2.5:7b": "chat", "all-minilm": "embed"}) as fake:
        server = OllamaServer(fake.host)
        assert server.is_reachable()
        assert server.version() == "0.12.3"
        assert server.models() == [
            ModelCard(
                "all-minilm:latest", digest_of("all-minilm"), 1_117_320_768, "bert", "8.0B", is_embedder=True
            ),
            ModelCard("qwen2.5:7b", digest_of("qwen2.5:7b"), 1_117_320_768, "llama", "8.0B"),
        ]
        assert server.show("all-minilm") == ModelDetails(8192, 64, ("embedding",))


def test_untagged_name_is_the_latest_one() -> None:
    with FakeOllama({"foo2": "chat", "foo:7b": "chat"}) as fake:
        server = OllamaServer(fake.host)
        assert server.find("foo2").name == server.find("foo2:latest").name == "foo2:latest"
        with pytest.raises(ModelMissing) as missing:
            server.find("foo")
    assert str(missing.value) == (
        f"Ollama at {fake.host} has no model 'foo'. Run `ollama pull foo`; installed: foo2, foo:7b."
    )


def test_show_of_a_missing_model_lists_what_is_installed() -> None:
    with FakeOllama({}) as fake, pytest.raises(ModelMissing, match=r"pull foo`; installed: none\.$"):
        OllamaServer(fake.host).show("foo")


def test_nothing_listens(closed_port: int) -> None:
    server = OllamaServer(f"127.0.0.1:{closed_port}", in_container=False)
    assert not server.is_reachable()
    for ask in (server.version, server.models, lambda: server.find("llama3"), lambda: server.show("llama3")):
        with pytest.raises(ModelUnreachable) as down:
            ask()
        assert str(down.value) == (
            f"No Ollama answers at http://127.0.0.1:{closed_port}. Start it with `ollama serve`, "
            "or keep using quoting."
        )


def test_nothing_listens_inside_a_container(closed_port: int) -> None:
    with pytest.raises(ModelUnreachable) as down:
        OllamaServer(f"127.0.0.1:{closed_port}", in_container=True).models()
    assert str(down.value).endswith(
        f"set OLLAMA_HOST=http://host.docker.internal:{closed_port} to reach the machine around it."
    )


def test_host_name_that_does_not_resolve() -> None:
    with pytest.raises(ModelUnreachable, match=r"No Ollama answers at http://no-such-host\.invalid:11434"):
        OllamaServer("no-such-host.invalid").models()


def test_server_that_accepts_and_stays_silent() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        server = OllamaServer(f"127.0.0.1:{silent.getsockname()[1]}", answer_timeout_s=0.2)
        begun = time.monotonic()
        assert not server.is_reachable()
        with pytest.raises(ModelStalled, match="gave no answer in time"):
            server.models()
        assert time.monotonic() - begun < 2


def test_another_program_on_the_port() -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>hello</html>")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Other) as other:
        Thread(target=other.serve_forever, args=(0.02,), daemon=True).start()
        server = OllamaServer(f"127.0.0.1:{other.server_address[1]}")
        assert not server.is_reachable()
        with pytest.raises(ModelUnreachable, match="but it is not Ollama"):
            server.version()
        other.shutdown()


def test_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch, closed_port: int) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port}")
    with FakeOllama() as fake:
        assert OllamaServer(fake.host).is_reachable()
        assert OllamaServer(fake.host).find("llama3").name == "llama3:latest"


def test_pull_with_progress_over_all_layers() -> None:
    with FakeOllama({}) as fake:
        server = OllamaServer(fake.host)
        steps = list(server.pull("qwen2.5:1.5b"))
        assert steps[0] == ("pulling manifest", 0, 0)
        assert [step[1:] for step in steps[1:7]] == [
            (0, 1000),
            (500, 1000),
            (1000, 1000),
            (1000, 1024),
            (1012, 1024),
            (1024, 1024),
        ]
        assert steps[-1] == ("success", 1024, 1024)
        assert server.find("qwen2.5:1.5b").name == "qwen2.5:1.5b"


def test_pull_of_a_name_that_the_library_does_not_have() -> None:
    with FakeOllama() as fake, pytest.raises(ModelMissing, match="library has no model 'missing-model'"):
        list(OllamaServer(fake.host).pull("missing-model"))


def test_pull_that_breaks_off() -> None:
    with FakeOllama({}, pull_cut=True) as fake, pytest.raises(ModelStalled, match="broke off"):
        list(OllamaServer(fake.host).pull("llama3"))


def test_pull_that_is_given_up_closes_the_connection() -> None:
    with FakeOllama({}, piece_delay_s=0.1) as fake:
        steps = OllamaServer(fake.host).pull("llama3")
        next(steps)
        steps.close()
        assert fake.wait_for_abandoned()
        assert "llama3" not in fake.models
