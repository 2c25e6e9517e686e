"""The expander on the documents page: how a collection is cut, and cutting it in another way."""

import pytest

from tests.fake_ollama import FakeOllama

TWO = (
    b"# Notes\n\n## Sundry\n\nA beehive holds one queen and thousands of worker bees. The bees turn nectar into honey. "
    b"A beekeeper takes the honey in summer. Income tax is declared once a year at the tax office. "
    b"The tax office sends an assessment of the tax. An objection can be filed against the assessment.\n"
)


@pytest.fixture
def app(open_app, rag):
    def open_documents(**hosts):
        rag.ingest(TWO, "notes.md")
        return open_app(**hosts).switch_page("pages/documents.py").run()

    return open_documents


def texts(app):
    return "\n".join(
        element.value for element in (*app.markdown, *app.caption, *app.success, *app.info, *app.error)
    )


def key(rag, name):
    return f"cut_{name}_{rag.library.collection('library').id}"


def chunks(rag):
    return [chunk.text for _, chunk in rag.library.chunks("library")]


def test_present_settings_in_words(app, rag):
    page = app()
    assert (
        "Cut at headings, paragraphs and sentences, into chunks of at most 120 tokens without overlap."
        in texts(page)
    )
    assert "These are the present settings." in texts(page)
    assert not [button for button in page.button if button.label == "Cut anew"]


def test_cutting_anew_where_the_subject_changes(app, rag):
    page = app()
    assert len(chunks(rag)) == 1
    page.selectbox(key=key(rag, "strategy")).set_value("semantic").run()
    assert "sentences are embedded once more" in texts(page)
    (button,) = [button for button in page.button if button.label == "Cut anew"]
    button.click().run()
    assert not page.exception
    assert "Cut anew into 2 chunks." in texts(page)
    assert [text.split()[-1] for text in chunks(rag)] == ["summer.", "assessment."]
    assert "Cut at headings and where the subject changes" in texts(page)


def test_overlap_stays_below_half_of_a_smaller_chunk(app, rag):
    page = app()
    page.number_input(key=key(rag, "overlap")).set_value(55).run()
    page.number_input(key=key(rag, "size")).set_value(40).run()
    assert not page.exception
    assert page.number_input(key=key(rag, "overlap")).value == 19


def test_contextual_tells_its_price_before_it_is_cut(app, rag):
    with FakeOllama(replies=["Notes on bees and taxes."]) as ollama:
        page = app(ollama=ollama.host)
        page.selectbox(key=key(rag, "strategy")).set_value("contextual").run()
        assert not [button for button in page.button if button.label == "Cut anew"]
        page.button(key=key(rag, "measure")).click().run()
        assert "Every chunk has its context already (1 in all)" in texts(page)
        (button,) = [button for button in page.button if button.label == "Cut anew"]
        button.click().run()
        assert not page.exception
        assert len(ollama.bodies("/api/chat")) == 1
    headers = [chunk.header.split("\n")[0] for _, chunk in rag.library.chunks("library")]
    assert headers == ["Context: Notes on bees and taxes."]


def test_contextual_without_a_model_says_so(app, rag):
    page = app()
    page.selectbox(key=key(rag, "strategy")).set_value("contextual").run()
    page.button(key=key(rag, "measure")).click().run()
    assert "needs a chat model to write contexts" in texts(page)
    assert not [button for button in page.button if button.label == "Cut anew"]
