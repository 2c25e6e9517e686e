"""The documents page: many files, each indexed once, each with its outcome."""

import io
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

SAMPLE = Path(__file__).parents[2] / "sample" / "documents"


@pytest.fixture
def app(open_app):
    return open_app().switch_page("pages/documents.py").run()


def texts(app):
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.subheader))


@pytest.fixture
def upload(when_indexed):
    """Drops files into the drop zone, and waits until all are through the queue."""

    def upload_(app, *files):
        app.file_uploader[0].set_value([(name, data, "") for name, data in files]).run()
        return when_indexed(app)

    return upload_


def guide() -> tuple[str, bytes]:
    return "observatory-guide.pdf", (SAMPLE / "observatory-guide.pdf").read_bytes()


def test_empty_collection_says_what_to_do(app):
    assert "Nothing in “library” yet." in texts(app)
    assert app.button(key="load_sample").label


def test_good_and_bad_files_together(app, rag, upload):
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


def test_later_runs_do_not_index_again(app, rag, upload):
    upload(app, guide())
    (first,) = rag.library.documents("library")
    app.run()
    app.button(key=f"inspect_{first.id}").click().run()
    app.button(key="back_to_documents").click().run()
    (second,) = rag.library.documents("library")
    assert (second.id, second.indexed_at) == (first.id, first.indexed_at)
    assert texts(app).count("**observatory-guide.pdf** indexed") == 1


def test_deleted_document_is_not_indexed_again_by_the_drop_zone(app, rag, upload):
    upload(app, guide())
    (info,) = rag.library.documents("library")
    app.button(key=f"delete_document_{info.id}").click().run()
    assert len(rag.library.documents("library")) == 1
    app.button(key="confirm_delete_document").click().run()
    assert rag.library.documents("library") == []


def test_same_file_again_is_unchanged(app, open_app, upload):
    upload(app, guide())
    other = open_app().switch_page("pages/documents.py").run()
    upload(other, guide())
    assert "**observatory-guide.pdf** unchanged" in texts(other)


def test_inspector_shows_place_tokens_and_what_is_embedded(app, rag, upload):
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


def test_new_collection(app, rag, upload):
    app.text_input(key="new_collection").set_value("manuals")
    app.button(key="begin_collection").click().run()
    upload(app, ("a.txt", b"The pump runs at 40 bar."))
    assert [info.file_name for info in rag.library.documents("manuals")] == ["a.txt"]
    app.switch_page("pages/chat.py").run()
    assert app.selectbox(key="collection").value == "manuals"


def test_file_name_that_is_markup_is_shown_as_it_is(app, rag, upload):
    upload(app, ("![x](http://127.0.0.1:1/leak).txt", b"Plain words about a pump."))
    (info,) = rag.library.documents("library")
    assert "![" not in texts(app).replace(r"\![", "")
    assert info.chunks == 1


def test_files_of_one_collection_do_not_follow_to_the_next(app, rag, upload):
    upload(app, ("a.txt", b"The pump runs at 40 bar."))
    app.text_input(key="new_collection").set_value("manuals")
    app.button(key="begin_collection").click().run()
    app.run()
    assert [info.name for info in rag.library.collections()] == ["library"]


def locked_guide() -> tuple[str, bytes]:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(guide()[1])))
    writer.encrypt("open sesame", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    return "locked.pdf", locked.getvalue()


def test_protected_file_is_opened_on_its_line(app, rag, upload):
    upload(app, locked_guide())
    assert "**locked.pdf** rejected. It is protected by a password." in texts(app)
    (waiting,) = rag.uploads.list("library")
    box, button = f"password_{waiting.id}", f"unlock_button_{waiting.id}"
    app.text_input(key=box).set_value("wrong")
    app.button(key=button).click().run()
    assert "**locked.pdf** rejected." in texts(app)
    assert rag.library.documents("library") == []
    app.text_input(key=box).set_value("open sesame")
    app.button(key=button).click().run()
    assert not app.exception
    assert "**locked.pdf** indexed: 8 pages" in texts(app)
    (done,) = rag.uploads.list("library")
    assert (done.status, done.options) == ("indexed", {"ocr": False})
    assert [info.file_name for info in rag.library.documents("library")] == ["locked.pdf"]


def test_word_file_with_a_password_is_not_asked_for_it(app, rag, upload):
    from pages.parts.upload_line import needs_password

    upload(app, ("a password.docx", b"PK\x03\x04 no archive"), ("password.pdf", b"%PDF-1.7 nothing"))
    assert [needs_password(u) for u in rag.uploads.list("library")] == [False, False]
    assert [upload.status for upload in rag.uploads.list("library")] == ["rejected", "rejected"]


def test_rejected_file_is_tried_again_and_cleared(app, rag, upload, when_indexed):
    upload(app, ("empty.txt", b"  "))
    (first,) = rag.uploads.list("library")
    app.button(key=f"retry_{first.id}").click().run()
    when_indexed(app)
    assert [(u.status, u.attempts) for u in rag.uploads.list("library")] == [("rejected", 2)]
    app.button(key="clear_uploads").click().run()
    assert "empty.txt" not in texts(app)
    assert rag.uploads.list("library") == []


def test_waiting_files_are_shown_on_every_page_and_cancelled(app, rag, when_indexed):
    long = "\n\n".join(f"# Berth {n}\n\nBerth {n} costs {n * 3} crowns a night." for n in range(4000))
    app.file_uploader[0].set_value([("long.md", long.encode(), ""), ("next.txt", b"Wait for me.", "")]).run()
    for page in ("pages/chat.py", "pages/status.py", "pages/documents.py"):
        app.switch_page(page).run()
        assert any("long.md" in caption.value for caption in app.sidebar.caption)
    app.button(key="cancel_all_uploads").click().run()
    when_indexed(app)
    assert [u.status for u in rag.uploads.list("library")] == ["cancelled", "cancelled"]
    assert "**next.txt** cancelled." in texts(app)
    assert rag.library.documents("library") == []
    assert not any("long.md" in caption.value for caption in app.sidebar.caption)


def test_outcomes_of_others_are_not_listed_but_rejections_are(app, open_app, rag, upload):
    upload(app, ("a.txt", b"The pump runs at 40 bar."), ("empty.txt", b"  "))
    assert "**a.txt** indexed" in texts(app)
    other = open_app().switch_page("pages/documents.py").run()
    assert "**a.txt** indexed" not in texts(other)
    assert "**empty.txt** rejected." in texts(other)
