"""What the model was given: the choice in the sidebar, the receipt, and the chip of what was no hit."""

import re
from html import escape

from pages.parts import prompt_context
from tests.fake_ollama import FakeOllama

HUMIDITY = "At what humidity must the dome be closed?"


def html(app):
    return "\n".join(element.value for element in app.html)


def chunk(number, chunk_id, document_id, file):
    return {
        "number": number,
        "chunk_id": chunk_id,
        "document_id": document_id,
        "file": file,
        "location": f"§ {chunk_id}",
    }


def traced(context):
    """A trace with two hits, one in each document, and this context."""
    return {
        "passages": [chunk(1, 12, 1, "a.md"), chunk(2, 21, 2, "b.md")],
        "prompt": {"context": context},
    }


def test_rows_say_what_was_in_the_prompt_and_why() -> None:
    context = {
        "from": "documents",
        "counts": True,
        "passages": [
            *({"number": n, "chunk_id": 10 + n, "why": "hit" if n == 2 else "whole"} for n in (1, 2, 3, 4)),
            {"number": 5, "chunk_id": 20, "why": "opening"},
            {"number": 6, "chunk_id": 21, "why": "hit"},
            {"number": 7, "chunk_id": 22, "why": "neighbour"},
        ],
        "added": [
            *(chunk(n, 10 + n, 1, "a.md") for n in (1, 3, 4)),
            chunk(5, 20, 2, "b.md"),
            chunk(7, 22, 2, "b.md"),
        ],
        "left_out": [{"file": "c.md", "location": f"§ {n}"} for n in range(12)],
        "whole": ["a.md"],
        "cut": ["b.md"],
    }
    rows = dict(prompt_context.rows(traced(context)))
    assert rows["In the prompt"] == (
        "a.md, whole: found [2], the rest [1, 3-4]\nb.md: found [6], its opening [5], beside them [7]"
    )
    assert rows["Not given whole"] == "b.md: there was no room, so a number or a list may be incomplete"
    assert rows["Left out"].splitlines() == [f"c.md:§ {n}" for n in range(10)] + ["and 2 more"]


def test_rows_of_hits_alone_and_of_older_traces() -> None:
    hits = {
        "from": "hits",
        "counts": False,
        "passages": [],
        "added": [],
        "left_out": [],
        "whole": [],
        "cut": [],
    }
    assert prompt_context.rows(traced(hits)) == prompt_context.rows(traced(None)) == []
    assert prompt_context.rows({"passages": [], "prompt": {}}) == prompt_context.added(None) == []


def test_whole_documents_are_chosen_in_the_sidebar_and_shown_in_the_receipt(
    app_with_sample, open_app, rag
) -> None:
    assert app_with_sample.selectbox(key="context").disabled, "quoting reads what was found"

    def reply(body):
        """The last passage, word for word."""
        prompt = body["messages"][1]["content"]
        passages = prompt[: prompt.rindex(" end\n")].rsplit("\n", 1)[0]
        number, words = re.findall(r"^\[(\d+)\] [^\n]*\n((?:(?!^\[\d+\] ).)*)", passages, re.M | re.S)[-1]
        return f"{' '.join(words.split())} [{number}]"

    with FakeOllama(replies=reply) as ollama:
        app = open_app(ollama=ollama.host)
        assert app.selectbox(key="context").value == "hits"
        app.selectbox(key="context").set_value("documents").run()
        assert app.segmented_control(key="prompt").value == "auto"
        app.segmented_control(key="prompt").set_value("small").run()
        # What the last passage says is no answer, and would be struck.
        app.selectbox(key="unsupported").set_value("show").run()
        app.chat_input(key="question_box").set_value(HUMIDITY).run()
        assert not app.exception
        (info,) = rag.history.conversations()
        message = rag.history.messages(info.id)[-1]
    assert message.trace["profile"]["context"] == "documents"
    (citation,) = [
        one for one in message.citations if one.passage == len(message.trace["prompt"]["context"]["passages"])
    ][:1]
    (added,) = [one for one in prompt_context.added(message.trace) if one["chunk_id"] == citation.chunk_id]
    assert escape(added["text"].strip().splitlines()[-1]) in html(app), "the chip shows the whole passage"
    shown = html(app).split("<dt>In the prompt</dt><dd>")[1].split("</dd>")[0]
    assert shown.startswith("observatory-guide.pdf") and "found [" in shown
    assert "<dt>Rules for the model</dt><dd>those for small models</dd>" in html(app)
    assert ("beside them [" in shown) or ("the rest [" in shown)
