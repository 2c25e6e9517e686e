"""The documents page: many files, each indexed once, each with its outcome."""

from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "sample" / "documents"


@pytest.fixture
def app(open_app):
    return open_app().switch_page("pages/documents.py").run()


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.subheader))


def upload(app, *files):
    return app.file_uploader[0].set_value([(name, data, "") for name, data in files]).run()


def guide() -> tuple[str, bytes]:
    return "observatory-guide.pdf", (SAMPLE / "observatory-guide.pdf").read_bytes()


def test_empty_collection_says_what_to_do(app):
    assert "Nothing in “library” yet." in texts(app)
    assert app.button(key="load_sample").label


def test_good_and_bad_files_together(app, rag):
    upload(
        app,
        guide(),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.txt", b"Fee: $5 and $6."),
    )
    assert not app.exception
    assert "**observatory-guide.pdf** indexed: 8 pages" in texts(app)
    assert "**old.doc** rejected." in texts(app)
    assert "**a.txt** indexed: 1 chunk" in texts(app)
    assert [info.file_name for info in rag.library.documents("library")] == ["a.txt", "observatory-guide.pdf"]


def test_later_runs_do_not_index_again(app, rag):
    upload(app, guide())
    (first,) = rag.library.documents("library")
    app.run()
    app.button(key=f"inspect_{first.id}").click().run()
    app.button(key="back_to_documents").click().run()
    (second,) = rag.library.documents("library")
    assert (second.id, second.indexed_at) == (first.id, first.indexed_at)
    assert texts(app).count("**observatory-guide.pdf** indexed") == 1


def test_deleted_document_is_not_indexed_again_by_the_drop_zone(app, rag):
    upload(app, guide())
    (info,) = rag.library.documents("library")
    app.button(key=f"delete_document_{info.id}").click().run()
    assert len(rag.library.documents("library")) == 1
    app.button(key="confirm_delete_document").click().run()
    assert rag.library.documents("library") == []


def test_same_file_again_is_unchanged(app, open_app):
    upload(app, guide())
    other = open_app().switch_page("pages/documents.py").run()
    upload(other, guide())
    assert "**observatory-guide.pdf** unchanged" in texts(other)


def test_inspector_shows_place_tokens_and_what_is_embedded(app, rag):
    rows = "\n".join(
        f"| P-{number} | {number} bar | replace the seal every {number} days |" for number in range(90)
    )
    table = f"# Pumps\n\n## Pressures\n\n| Pump | Limit | Care |\n| --- | --- | --- |\n{rows}\n"
    upload(app, ("pumps.md", table.encode()))
    (info,) = rag.library.documents("library")
    app.button(key=f"inspect_{info.id}").click().run()
    first, second = (chunk for _, chunk in rag.library.chunks("library")[:2])
    assert f"Chunk 1 of {info.chunks} · page 1 · Pumps › Pressures · {first.token_count} tokens" in texts(app)
    html = [element.value for element in app.html]
    assert "| Pump | Limit | Care |" in second.header
    assert any("Embedded above it" in part and "| Pump | Limit | Care |" in part for part in html)


def test_new_collection(app, rag):
    app.text_input(key="new_collection").set_value("manuals")
    app.button(key="begin_collection").click().run()
    upload(app, ("a.txt", b"The pump runs at 40 bar."))
    assert [info.file_name for info in rag.library.documents("manuals")] == ["a.txt"]
    app.switch_page("pages/chat.py").run()
    assert app.selectbox(key="collection").value == "manuals"


def test_file_name_that_is_markup_is_shown_as_it_is(app, rag):
    upload(app, ("![x](http://127.0.0.1:1/leak).txt", b"Plain words about a pump."))
    (info,) = rag.library.documents("library")
    assert "![" not in texts(app).replace(r"\![", "")
    assert info.chunks == 1


def test_files_of_one_collection_do_not_follow_to_the_next(app, rag):
    upload(app, ("a.txt", b"The pump runs at 40 bar."))
    app.text_input(key="new_collection").set_value("manuals")
    app.button(key="begin_collection").click().run()
    app.run()
    assert [info.name for info in rag.library.collections()] == ["library"]


def test_protected_file_with_its_password(app, rag):
    import io

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(guide()[1])))
    writer.encrypt("open sesame", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    upload(app, ("locked.pdf", locked.getvalue()))
    assert "**locked.pdf** rejected." in texts(app)
    app.button(key="clear_uploads").click().run()
    app.text_input(key="file_password").set_value("open sesame").run()
    upload(app, ("locked.pdf", locked.getvalue()))
    assert "**locked.pdf** indexed: 8 pages" in texts(app)
