"""Files that are not read: one error with one or two sentences each."""

import io
import zipfile

import pytest

from ragcore import errors
from ragcore.reading import ACCEPTED, ReadingLimits, read_document


def _zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in files.items():
            container.writestr(name, content)
    return stream.getvalue()


def _ole(stream_name: str) -> bytes:
    return (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 500 + stream_name.encode("utf-16-le") + b"\x00" * 90
    )


def _office(main_type: str) -> bytes:
    return _zip({"[Content_Types].xml": f'<Types><Override ContentType="{main_type}"/></Types>'.encode()})


@pytest.mark.parametrize(
    ("data", "name", "kind", "words"),
    [
        (b"", "a.pdf", errors.EmptyFile, "0 bytes"),
        (b"", "a.docx", errors.EmptyFile, "0 bytes"),
        (b"  \n\t ", "a.txt", errors.EmptyFile, "no text"),
        (b"\xef\xbb\xbf", "a.md", errors.EmptyFile, "no text"),
        (b"---\ntitle: x\n---\n", "a.md", errors.EmptyFile, "front matter"),
        (_ole("WordDocument"), "a.doc", errors.UnsupportedFile, ".docx"),
        (_ole("WordDocument"), "a.docx", errors.UnsupportedFile, "old Word format"),
        (_ole("EncryptedPackage"), "a.docx", errors.PasswordProtected, "password"),
        (_ole("Workbook"), "a.xls", errors.UnsupportedFile, "Excel"),
        (_ole("PowerPoint Document"), "a.ppt", errors.UnsupportedFile, "PDF"),
        (b"{\\rtf1 hi}", "a.docx", errors.UnsupportedFile, "RTF"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "a.png", errors.UnsupportedFile, "OCR"),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 50, "scan.pdf", errors.UnsupportedFile, "OCR"),
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "a.pdf", errors.BrokenFile, "web page"),
        (b"hello", "a.pdf", errors.BrokenFile, "not a PDF"),
        (b"hello", "a.docx", errors.BrokenFile, "not a Word document"),
        (b"PK\x03\x04 broken zip", "a.docx", errors.BrokenFile, "damaged"),
        (_zip({"a.txt": b"hi"}), "a.zip", errors.UnsupportedFile, "ZIP archive"),
        (_zip({"a.txt": b"hi"}), "a.docx", errors.UnsupportedFile, "ZIP archive"),
        (
            _zip({"mimetype": b"application/vnd.oasis.opendocument.text"}),
            "a.odt",
            errors.UnsupportedFile,
            ".odt",
        ),
        (_zip({"mimetype": b"application/epub+zip"}), "a.epub", errors.UnsupportedFile, "EPUB"),
        (
            _office("application/vnd.ms-word.document.macroEnabled.main+xml"),
            "a.docm",
            errors.UnsupportedFile,
            "macros",
        ),
        (
            _office("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
            "a.docx",
            errors.UnsupportedFile,
            "Excel",
        ),
        (
            _office("application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"),
            "a.pptx",
            errors.UnsupportedFile,
            "PowerPoint",
        ),
        (b"MZ\x90\x00" + b"\x00" * 50, "a.exe", errors.UnsupportedFile, "program"),
        (b"print(1)", "a.py", errors.UnsupportedFile, ".py files are not read"),
        (bytes(range(256)) * 8, "a.txt", errors.UnsupportedFile, "does not contain text"),
        (b"%PDF-1.7 and nothing else", "a.pdf", errors.BrokenFile, "damaged"),
    ],
)
def test_file_that_is_not_read(data, name, kind, words):
    with pytest.raises(kind) as caught:
        read_document(data, f"folder/{name}")
    message = str(caught.value)
    assert type(caught.value) is kind
    assert message.startswith(name)
    assert words in message
    assert "\n" not in message
    assert len(message) < 260


def test_accepted_extensions_are_named():
    assert ACCEPTED[".pdf"] == "PDF"
    assert ACCEPTED[".docx"] == "Word"
    assert set(ACCEPTED) == {".pdf", ".docx", ".md", ".markdown", ".txt", ".html", ".htm", ".csv", ".tsv"}


def test_pdf_under_the_name_of_a_word_document(make_pdf):
    document = read_document(make_pdf(["Fees are due in May."]), "a.docx")
    assert document.media_type == "application/pdf"
    assert document.pages[0].text == "Fees are due in May."
    assert document.warnings == ("a.docx is a PDF file and was read as one.",)


def test_upper_case_extension():
    assert read_document(b"# Fees\n\nDue in May.", "A.MD").media_type == "text/markdown"


def test_no_extension_is_plain_text():
    assert read_document(b"Fees are due in May.", "README").media_type == "text/plain"


def test_too_many_bytes():
    with pytest.raises(errors.FileTooLarge, match=r"a\.txt has 11 bytes, more than the 10 bytes"):
        read_document(b"hello world", "a.txt", limits=ReadingLimits(max_bytes=10))


def test_too_many_characters():
    with pytest.raises(errors.FileTooLarge, match="more than 5 characters"):
        read_document(b"hello world", "a.txt", limits=ReadingLimits(max_characters=5))


def test_zip_bomb_is_refused_while_unpacking(make_docx):
    data = make_docx("<w:p/>", extra={"word/media/x.bin": b"\x00" * 30_000_000})
    with pytest.raises(errors.FileTooLarge, match="more than 200 times its size"):
        read_document(data, "a.docx")


def test_zip_whose_directory_lies_about_the_size(make_docx):
    data = bytearray(make_docx("<w:p/>", extra={"word/media/x.bin": b"\x00" * 30_000_000}))
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/media/x.bin"))
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    with pytest.raises(errors.FileRejected):
        read_document(bytes(data), "a.docx")


def test_inflated_bytes_are_bounded(make_docx):
    data = make_docx("<w:p/>", extra={"word/media/x.bin": bytes(range(256)) * 8000})
    with pytest.raises(errors.FileTooLarge, match="unpacks to more than 1 MB"):
        read_document(data, "a.docx", limits=ReadingLimits(max_inflated_bytes=1 << 20, max_zip_ratio=1e9))


def test_too_many_entries(make_docx):
    data = make_docx("<w:p/>", extra={f"x{number}": b"" for number in range(30)})
    with pytest.raises(errors.FileTooLarge, match="holds 34 entries, more than the 20"):
        read_document(data, "a.docx", limits=ReadingLimits(max_zip_entries=20))
