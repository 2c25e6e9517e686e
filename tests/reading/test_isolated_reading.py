"""Reading in a child process: the same result, pages over a limit cut off, and no process left over."""

import io
import logging
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import psutil
import pypdf
import pytest
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

from ragcore import errors
from ragcore.reading import ReadingLimits, read_document, read_isolated
from tests.builders import pdf_of

ROOT = Path(__file__).parents[2]
# Pages are read in milliseconds; the rest is for a busy machine.
QUICK = ReadingLimits(max_page_seconds=2.0)
MANY_OPERATORS = b"BT /F1 12 Tf " + b"1 1 Td " * 3_000 + b"ET"
SLOW = b"/X Do " * 4_000
"""With MANY_OPERATORS as the form X: 12 million operators, though the page itself has few."""


def _text(words: bytes) -> bytes:
    return b"BT /F1 12 Tf 72 700 Td (%b) Tj ET" % words


def _pdf(*contents: bytes, form: bytes = b"", packed: bytes = b"") -> bytes:
    """A page for each content stream, which may draw the form X; ``packed`` is one that is deflated
    already, the second page."""
    streams = [zlib.compress(content) for content in contents]
    if packed:
        streams.insert(1, packed)
    stream = b"/Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream"
    packed_form = zlib.compress(form)
    kids = b" ".join(b"%d 0 R" % (5 + 2 * index) for index in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(streams)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> >> "
        + stream % (len(packed_form), packed_form),
    ]
    for index, content in enumerate(streams):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources "
            b"<< /Font << /F1 3 0 R >> /XObject << /X 4 0 R >> >> >>" % (6 + 2 * index)
        )
        objects.append(b"<< " + stream % (len(content), content))
    return pdf_of(objects)


def _texts(document) -> list[str]:
    return [page.text for page in document.pages]


@pytest.fixture(autouse=True)
def no_process_is_left_over():
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


# --- the same result -----------------------------------------------------------


def test_pdf_with_headings_bookmarks_labels_and_running_headers(make_pdf):
    pages = [
        [
            "Handbook of the Works",
            "",
            (f"{number} Rules for {word}", 18, "B"),
            "",
            *(f"The {place} sentence on {word} says so." for place in ("first", "second", "third", "last")),
        ]
        for number, word in enumerate(("travel", "meals", "phones", "keys", "cars"), start=1)
    ]
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(*pages, title="The Rules")))
    writer.add_outline_item(title="3 Rules for phones", page_number=2)
    writer.set_page_label(0, 1, style="/r")
    stream = io.BytesIO()
    writer.write(stream)
    expected = read_document(stream.getvalue(), "folder/rules.pdf")
    assert read_isolated(stream.getvalue(), "folder/rules.pdf") == expected
    assert expected.pages[2].headings[0].explicit is True
    assert expected.pages[0].label == "i"
    assert expected.warnings == (
        "Running headers and footers were left out after their first occurrence: “Handbook of the Works”.",
    )


def test_pages_of_more_than_one_reader(make_pdf):
    data = make_pdf(*([f"This is page {number} of many."] for number in range(1, 121)))
    document = read_isolated(data, "a.pdf")
    assert _texts(document) == [f"This is page {number} of many." for number in range(1, 121)]
    assert document == read_document(data, "a.pdf")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("notes.md", "# Größe\n\nSome “text” 😀 here.".encode()),
        ("a.txt", "naïve".encode("utf-16")),
        ("table.csv", b"part,limit\nZX-9,40 kg\n"),
        ("page.html", b"<html><title>T</title><body><h1>Head</h1><p>Body</p></body></html>"),
    ],
)
def test_files_that_are_no_pdf(name, data):
    assert read_isolated(data, name) == read_document(data, name)


def test_word_document(make_docx):
    data = make_docx("<w:p><w:r><w:t>Clause one.</w:t></w:r></w:p>")
    assert read_isolated(data, "a.docx") == read_document(data, "a.docx")


def test_filled_form_over_a_cut_off_page():
    """The radio groups told before the cut are known to the process that goes on after it."""
    writer = pypdf.PdfWriter(
        clone_from=io.BytesIO(_pdf(_text(b"one"), SLOW, _text(b"three"), form=MANY_OPERATORS))
    )
    group = writer._add_object(
        DictionaryObject(
            {
                NameObject("/FT"): NameObject("/Btn"),
                NameObject("/Ff"): NumberObject(1 << 15),
                NameObject("/T"): TextStringObject("colour"),
                NameObject("/V"): NameObject("/red"),
            }
        )
    )
    for index in (0, 2):
        widget = DictionaryObject(
            {NameObject("/Subtype"): NameObject("/Widget"), NameObject("/Parent"): group}
        )
        writer.pages[index][NameObject("/Annots")] = ArrayObject([writer._add_object(widget)])
    stream = io.BytesIO()
    writer.write(stream)
    document = read_isolated(stream.getvalue(), "a.pdf", limits=QUICK)
    assert _texts(document) == ["one\n\ncolour: red", "", "three"]


# --- passwords and refusals ----------------------------------------------------


def _locked(make_pdf) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(["secret rule"])))
    writer.encrypt("open sesame", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_encrypted_pdf_with_its_password(make_pdf):
    assert _texts(read_isolated(_locked(make_pdf), "a.pdf", password="open sesame")) == ["secret rule"]


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("", "a.pdf is protected by a password. Give its password, or save an unprotected copy."),
        (
            "no",
            "a.pdf does not open with the password given. Give its password, or save an unprotected copy.",
        ),
    ],
)
def test_encrypted_pdf_without_its_password(make_pdf, password, message):
    with pytest.raises(errors.PasswordProtected) as caught:
        read_isolated(_locked(make_pdf), "a.pdf", password=password)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.txt", b"", errors.EmptyFile),
        ("a.xyz", b"text", errors.UnsupportedFile),
        ("a.pdf", b"%PDF-1.7\nnothing", errors.BrokenFile),
        ("a.docx", b"PK\x03\x04 torn", errors.BrokenFile),
    ],
)
def test_refusal_crosses_the_border_as_it_is(name, data, error):
    with pytest.raises(error) as here:
        read_document(data, name)
    with pytest.raises(error) as there:
        read_isolated(data, name)
    assert str(there.value) == str(here.value)
    assert type(there.value) is type(here.value)


def test_scanned_pdf(make_pdf):
    with pytest.raises(errors.NoTextLayer, match=r"^a\.pdf has no text layer"):
        read_isolated(make_pdf([]), "a.pdf")


def test_file_over_the_limit_of_bytes_starts_no_process():
    with pytest.raises(errors.FileTooLarge, match="more than the 10 bytes"):
        read_isolated(b"x" * 11, "a.txt", limits=ReadingLimits(max_bytes=10))


# --- limits --------------------------------------------------------------------


def test_pages_that_take_too_long_are_cut_off_by_number():
    data = _pdf(_text(b"one"), SLOW, _text(b"three"), SLOW, SLOW, _text(b"six"), form=MANY_OPERATORS)
    document = read_isolated(data, "a.pdf", limits=ReadingLimits(max_page_seconds=1.0))
    assert _texts(document) == ["one", "", "three", "", "", "six"]
    assert document.empty_pages == (2, 4, 5)
    assert document.warnings == ("Pages 2, 4-5 were left out: each took longer than 1 s.",)


def test_page_that_takes_too_much_memory_is_cut_off_by_number():
    string_of_60_mb = b"BT /F1 12 Tf 72 700 Td (" + b"a" * 60_000_000 + b") Tj ET"
    data = _pdf(_text(b"one"), string_of_60_mb, _text(b"three"))
    limits = ReadingLimits(max_memory_bytes=200 * 1024 * 1024, max_page_seconds=60.0)
    document = read_isolated(data, "a.pdf", limits=limits)
    assert _texts(document) == ["one", "", "three"]
    assert document.empty_pages == (2,)
    assert document.warnings == ("Page 2 was left out: it needed more than 200 MB of memory.",)


def test_page_that_inflates_to_a_gigabyte():
    deflate = zlib.compressobj()
    block = deflate.compress(b"0 0 m 1 1 l S BT (x) Tj ET " * 40_000) + deflate.flush(zlib.Z_FULL_FLUSH)
    # Blocks after a full flush depend on nothing before them, so they can be repeated.
    bomb = block[:2] + block[2:] * 1_000
    document = read_isolated(
        _pdf(_text(b"one"), _text(b"three"), packed=bomb),
        "a.pdf",
        limits=ReadingLimits(max_memory_bytes=300 * 1024 * 1024),
    )
    assert _texts(document) == ["one", "", "three"]
    assert document.warnings == ("Page 2 was left out: it held too complex a drawing.",)


def test_every_page_takes_too_long():
    with pytest.raises(errors.FileTooLarge) as caught:
        read_isolated(_pdf(SLOW, form=MANY_OPERATORS), "plan.pdf", limits=ReadingLimits(max_page_seconds=0.5))
    assert str(caught.value) == (
        "plan.pdf has no text that can be read; page 1 took longer than 0.5 s. Export it anew."
    )


def test_whole_file_takes_too_long():
    data = _pdf(_text(b"one"), SLOW, form=MANY_OPERATORS)
    with pytest.raises(errors.FileTooLarge) as caught:
        read_isolated(data, "plan.pdf", limits=ReadingLimits(max_seconds=1.5))
    assert str(caught.value) == (
        "plan.pdf takes too long to read: 1 of 2 pages in 2 seconds. Split it into smaller files."
    )


def test_text_file_that_needs_too_much_memory():
    with pytest.raises(errors.FileTooLarge) as caught:
        read_isolated(b"word " * 8_000_000, "a.txt", limits=ReadingLimits(max_memory_bytes=60 * 1024 * 1024))
    assert str(caught.value) == (
        "a.txt needs more than 60 MB of memory to be read. Split it into smaller files."
    )


# --- progress, cancelling, death -----------------------------------------------


def test_progress_counts_every_page_once_also_over_a_cut():
    told = []
    data = _pdf(_text(b"one"), SLOW, _text(b"three"), form=MANY_OPERATORS)
    read_isolated(data, "a.pdf", limits=QUICK, progress=lambda done, total: told.append((done, total)))
    assert [total for _, total in told] == [3] * len(told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert sorted({done for done, _ in told}) == [0, 1, 2, 3]


def test_progress_of_a_file_without_pages():
    told = []
    read_isolated(b"text", "a.txt", progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 1)]


def test_cancel_amid_a_page_ends_at_once():
    reached: list[float] = []
    data = _pdf(_text(b"one"), SLOW, form=MANY_OPERATORS)

    def note(done: int, _total: int) -> None:
        if done == 1:
            reached.append(time.monotonic())

    with pytest.raises(errors.Cancelled, match=r"^Reading a\.pdf was cancelled\.$"):
        read_isolated(data, "a.pdf", progress=note, cancelled=lambda: bool(reached))
    assert time.monotonic() - reached[0] < 2.0


def test_error_in_the_callers_progress_leaves_no_process():
    def fail(_done: int, _total: int) -> None:
        raise KeyError("from the page")

    with pytest.raises(KeyError, match="from the page"):
        read_isolated(_pdf(_text(b"one"), SLOW, form=MANY_OPERATORS), "a.pdf", progress=fail)


def test_child_that_is_killed_midway():
    def kill(done: int, _total: int) -> None:
        if done == 1:
            for child in psutil.Process().children():
                if "worker_process" in " ".join(child.cmdline()):
                    child.kill()

    with pytest.raises(errors.BrokenFile) as caught:
        read_isolated(_pdf(_text(b"one"), SLOW, form=MANY_OPERATORS), "a.pdf", progress=kill)
    assert str(caught.value) == (
        "a.pdf cannot be read: the process that read it ended without a word after 1 of 2 pages (signal 9). "
        "The file may be damaged, or the machine short of memory."
    )


def test_child_that_cannot_start(monkeypatch, caplog):
    monkeypatch.setattr("ragcore.reading.child_process._PROGRAM", "import no_such_module")
    with caplog.at_level(logging.ERROR), pytest.raises(errors.BrokenFile, match=r"^a\.txt cannot be read"):
        read_isolated(b"text", "a.txt")
    assert "No module named 'no_such_module'" in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a thing of POSIX")
def test_parent_that_is_killed_leaves_no_child(tmp_path):
    path = tmp_path / "slow.pdf"
    path.write_bytes(_pdf(SLOW, form=MANY_OPERATORS))
    program = (
        "import sys, pathlib; from ragcore.reading import read_isolated\n"
        "read_isolated(pathlib.Path(sys.argv[1]).read_bytes(), 'slow.pdf',"
        " progress=lambda done, total: print('opened', flush=True))"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert parent.stdout.readline() == "opened\n"
    (child,) = psutil.Process(parent.pid).children()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    # An orphan would work on for half a minute.
    gone, _ = psutil.wait_procs([child], timeout=5)
    assert gone or child.status() == psutil.STATUS_ZOMBIE
    assert list(tmp_path.iterdir()) == [path]


def test_child_loads_neither_the_model_nor_the_database():
    program = "import sys, ragcore.reading.worker_process; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    heavy = {"torch", "numpy", "streamlit", "sqlalchemy", "sentence_transformers", "pypdf", "psutil"}
    assert heavy & set(done.stdout.split()) == set()
