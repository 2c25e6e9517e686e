"""Streaming a reply from a server: whole, slow, silent, cut off, abandoned."""

import socket
import time
from contextlib import closing

import pytest

from ragcore.errors import ModelError, ModelMissing, ModelStalled, ModelUnreachable
from ragcore.models import OllamaChat, OllamaServer
from ragcore.records import ChatDelta, ChatMessage
from tests.fake_ollama import FakeOllama, digest_of

MESSAGES = [ChatMessage("system", "Cite your sources."), ChatMessage("user", "How much is the deposit?")]


def chat_with(fake: FakeOllama, model: str = "llama3", **options: float) -> OllamaChat:
    return OllamaChat(OllamaServer(fake.host), model, num_ctx=2048, **options)


def read_until_error(chat: OllamaChat) -> tuple[str, ModelError]:
    text = ""
    with pytest.raises(ModelError) as failed:
        for delta in chat.stream(MESSAGES):
            text = delta.text if delta.replaces else text + delta.text
    return text, failed.value


def test_reply_in_pieces_and_the_final_counts() -> None:
    with FakeOllama(replies=["It is 500 euros [1]."]) as fake:
        deltas = list(chat_with(fake).stream(MESSAGES))
    assert [delta.text for delta in deltas[:-1]] == ["It", " is", " 500", " euros", " [1]."]
    assert deltas[-1] == ChatDelta(done=True, done_reason="stop", prompt_tokens=19, reply_tokens=5)


def test_body_that_is_sent() -> None:
    with FakeOllama() as fake:
        chat = chat_with(fake)
        list(chat.stream(MESSAGES))
        list(chat.stream(MESSAGES, temperature=0.5, seed=7, max_reply_tokens=50))
        first, second = fake.bodies("/api/chat")
    assert first == {
        "model": "llama3",
        "stream": True,
        "think": False,
        "keep_alive": "30m",
        "options": {"num_ctx": 2048, "temperature": 0.0, "seed": 0, "num_predict": 600},
        "messages": [
            {"role": "system", "content": "Cite your sources."},
            {"role": "user", "content": "How much is the deposit?"},
        ],
        "tools": [],
    }
    assert second["options"] == {"num_ctx": 2048, "temperature": 0.5, "seed": 7, "num_predict": 50}
    assert second["keep_alive"] == first["keep_alive"]


def test_prompt_longer_than_the_window_shows_in_the_count() -> None:
    with FakeOllama() as fake:
        chat = chat_with(fake)
        long = [ChatMessage("user", "word " * 4000)]
        *_, final = chat.stream(long)
        assert final.prompt_tokens == 2048
        assert chat.estimate_tokens(long) > 2048


def test_prompt_count_that_the_server_leaves_out() -> None:
    with FakeOllama(report_prompt_tokens=False) as fake:
        *_, final = chat_with(fake).stream(MESSAGES)
    assert final.prompt_tokens is None


def test_reply_cut_at_the_length_limit() -> None:
    with FakeOllama(replies=["one two three four"]) as fake:
        deltas = list(chat_with(fake).stream(MESSAGES, max_reply_tokens=2))
    assert "".join(delta.text for delta in deltas) == "one two"
    assert deltas[-1].done_reason == "length"


def test_reasoning_in_the_reply_and_beside_it() -> None:
    pieces = ["<th", "ink>2+3", " is 5</thi", "nk>\n", "\nAnswer", " 5"]
    with FakeOllama(replies=[pieces], thinking="2+3 is 5") as fake:
        deltas = list(chat_with(fake).stream(MESSAGES))
    assert [delta.text for delta in deltas] == ["Answer", " 5", ""]


def test_only_a_closing_tag_replaces_what_came_before() -> None:
    with FakeOllama(replies=["2+3 is five </think> Answer 5"]) as fake:
        deltas = list(chat_with(fake).stream(MESSAGES))
    text = ""
    for delta in deltas:
        text = delta.text if delta.replaces else text + delta.text
    assert text == "Answer 5"


def test_reply_of_reasoning_alone() -> None:
    with FakeOllama(replies=["<think>and so on and on"], done_reason="length") as fake:
        text, error = read_until_error(chat_with(fake))
    assert text == ""
    assert str(error) == (
        "The model 'llama3' used all 600 tokens of its reply for reasoning. "
        "Raise the reply length or choose another model."
    )


def test_empty_reply() -> None:
    with FakeOllama(replies=[""], thinking="hm") as fake:
        text, error = read_until_error(chat_with(fake))
    assert (text, str(error)[:41]) == ("", "The model 'llama3' gave an empty answer. ")


def test_model_that_loads_longer_than_a_stall_may_last() -> None:
    waited: list[float] = []
    with FakeOllama(first_delay_s=1.3) as fake:
        chat = chat_with(fake, first_token_timeout_s=10, stall_timeout_s=0.5)
        deltas = list(chat.stream(MESSAGES, on_wait=waited.append))
    assert deltas[-1].done
    assert waited == [pytest.approx(1.0, abs=0.25)]


def test_first_token_that_never_comes() -> None:
    with FakeOllama(stall_after=0) as fake:
        begun = time.monotonic()
        text, error = read_until_error(chat_with(fake, first_token_timeout_s=0.3))
        assert time.monotonic() - begun < 2
        assert fake.wait_for_abandoned()
    assert isinstance(error, ModelStalled)
    assert (text, str(error)[:62]) == ("", "The model 'llama3' did not begin to answer within 0.3 s. If it")


def test_silence_midway() -> None:
    with FakeOllama(replies=["one two three"], stall_after=2) as fake:
        text, error = read_until_error(chat_with(fake, stall_timeout_s=0.3))
        assert fake.wait_for_abandoned()
    assert isinstance(error, ModelStalled)
    assert (text, str(error)) == (
        "one two",
        "The model 'llama3' stopped midway: nothing came for 0.3 s.",
    )


def test_pauses_that_together_exceed_the_stall_limit() -> None:
    with FakeOllama(replies=["one two three four"], piece_delay_s=0.2) as fake:
        deltas = list(chat_with(fake, stall_timeout_s=0.5).stream(MESSAGES))
    assert "".join(delta.text for delta in deltas) == "one two three four"


@pytest.mark.parametrize("sent", [1, 3])
def test_connection_cut_before_the_end(sent: int) -> None:
    words = ["one", " two", " three"]
    with FakeOllama(replies=[words], cut_after=sent) as fake:
        text, error = read_until_error(chat_with(fake))
    assert isinstance(error, ModelStalled)
    assert text == "".join(words[:sent])
    assert str(error) == "The answer of the model 'llama3' stopped midway: the connection broke."
    assert fake.abandoned == 0


def test_stream_that_ends_without_its_last_object() -> None:
    with FakeOllama(replies=["one two"], send_done=False) as fake:
        text, error = read_until_error(chat_with(fake))
    assert (text, type(error)) == ("one two", ModelStalled)
    assert "stopped midway" in str(error)


def test_connection_cut_with_a_possible_tag_held_back() -> None:
    with FakeOllama(replies=[["if a", " <"]], cut_after=2) as fake:
        text, _ = read_until_error(chat_with(fake))
    assert text == "if a <"


def test_error_line_midway() -> None:
    with FakeOllama(replies=["one two"], error_after=1) as fake:
        text, error = read_until_error(chat_with(fake))
    assert (text, type(error)) == ("one", ModelError)
    assert str(error) == (
        f"The model 'llama3' failed at {fake.host}: an error was encountered while running the model"
    )


def test_reader_that_leaves_midway_stops_the_server() -> None:
    with FakeOllama(replies=["word " * 200], piece_delay_s=0.05) as fake:
        stream = chat_with(fake).stream(MESSAGES)
        assert next(stream).text == "word"
        stream.close()
        assert fake.wait_for_abandoned()


def test_reader_that_gives_up_while_the_model_loads() -> None:
    class GivenUp(Exception):
        pass

    def give_up(_: float) -> None:
        raise GivenUp

    with FakeOllama(first_delay_s=60) as fake:
        with pytest.raises(GivenUp):
            next(chat_with(fake).stream(MESSAGES, on_wait=give_up))
        assert fake.wait_for_abandoned()


def test_model_that_is_not_installed() -> None:
    with FakeOllama() as fake:
        text, error = read_until_error(chat_with(fake, "foo"))
    assert isinstance(error, ModelMissing)
    assert (text, str(error)) == (
        "",
        f"Ollama at {fake.host} has no model 'foo'. Run `ollama pull foo`; "
        "installed: llama3, nomic-embed-text.",
    )


def test_server_error_with_a_message() -> None:
    with FakeOllama(chat_error=(500, "model requires more system memory (9.1 GiB)")) as fake:
        _, error = read_until_error(chat_with(fake))
    assert str(error) == (
        f"The model 'llama3' failed at {fake.host}: model requires more system memory (9.1 GiB)"
    )


def test_embedding_model_asked_to_chat() -> None:
    with FakeOllama() as fake:
        _, error = read_until_error(chat_with(fake, "nomic-embed-text"))
    assert str(error).endswith('"nomic-embed-text" does not support chat')


def test_no_server() -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    chat = OllamaChat(OllamaServer(f"127.0.0.1:{port}", in_container=False), "llama3", num_ctx=2048)
    text, error = read_until_error(chat)
    assert isinstance(error, ModelUnreachable)
    assert (text, str(error)[:38]) == ("", "No Ollama answers at http://127.0.0.1:")


def test_digest_is_the_servers() -> None:
    with FakeOllama() as fake:
        assert chat_with(fake).digest == digest_of("llama3")
