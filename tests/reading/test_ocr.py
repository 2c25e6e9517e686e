"""OCR of pages without text: by the real programs where they are installed, else by stand-ins that
speak their command line (they recognise nothing, they only put down words of their own)."""

import io
import shutil
import sys
from pathlib import Path

import pypdf
import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont
from pypdf.generic import RectangleObject

from ragcore import errors
from ragcore.reading import ReadingLimits, add_text_layer, find_ocr, read_document, read_isolated

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="tesseract is not on the PATH (apt install tesseract-ocr)"
)
needs_ocrmypdf = pytest.mark.skipif(
    shutil.which("ocrmypdf") is None, reason="ocrmypdf is not on the PATH (apt install ocrmypdf)"
)
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are scripts with a #! line")

FAKE_TESSERACT = """#!{python}
# Stands for tesseract: IMAGE OUT -l LANG --dpi N -c textonly_pdf=1 pdf. Puts one word an inch from
# the left and the upper edge of what the image shows.
import sys
from fpdf import FPDF

image, out, _, language, _, dpi, _, text_only, config = sys.argv[1:]
assert (text_only, config) == ("textonly_pdf=1", "pdf"), sys.argv
if language != "eng":
    sys.exit("Error opening data file /usr/share/tessdata/%s.traineddata" % language)
with open(image, "rb") as file:
    kind, width, height, most = file.readline().split()
    assert (kind, most) == (b"P5", b"255")
    assert len(file.read()) == int(width) * int(height)
size = [int(side) / int(dpi) * 72 for side in (width, height)]
pdf = FPDF(unit="pt", format=size)
pdf.add_page()
pdf.set_font("helvetica", "", 12)
pdf.text(72, 72, "recognised")
pdf.output(out + ".pdf")
"""

FAKE_OCRMYPDF = """#!{python}
# Stands for ocrmypdf: writes its own command line onto the pages that --pages names.
import sys
import pypdf
from fpdf import FPDF
import io

*options, source, result = sys.argv[1:]
writer = pypdf.PdfWriter(clone_from=source)
for number in options[options.index("--pages") + 1].split(","):
    pdf = FPDF(unit="pt", format=(595, 842))
    pdf.add_page()
    pdf.set_font("helvetica", "", 8)
    pdf.text(50, 50, " ".join(options))
    layer = pypdf.PdfReader(io.BytesIO(bytes(pdf.output()))).pages[0]
    writer.pages[int(number) - 1].merge_page(layer)
writer.write(result)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts programs on a PATH that holds nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(script.replace("{python}", sys.executable), encoding="utf-8")
        path.chmod(0o755)
        return path

    return put


@pytest.fixture
def only_tesseract(tmp_path, monkeypatch):
    """The real tesseract, with no ocrmypdf beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "tesseract").symlink_to(shutil.which("tesseract"))
    monkeypatch.setenv("PATH", str(folder))


def _picture(text: str) -> Image.Image:
    image = Image.new("L", (1654, 2339), 255)  # A4 at 200 dots per inch
    ImageDraw.Draw(image).text((200, 300), text, fill=0, font=ImageFont.load_default(60))
    return image


def _scan(*pages: str) -> bytes:
    """A page for each text; those that begin with "scan:" are pictures."""
    pdf = FPDF()
    pdf.set_font("helvetica", "", 12)
    for text in pages:
        pdf.add_page()
        if text.startswith("scan:"):
            pdf.image(_picture(text.removeprefix("scan:")), 0, 0, 210, 297)
        elif text:
            pdf.text(20, 20, text)
    return bytes(pdf.output())


def _texts(document) -> list[str]:
    return [page.text for page in document.pages]


# --- the real programs ---------------------------------------------------------


@needs_tesseract
def test_scanned_page_among_others_with_the_real_tesseract(only_tesseract):
    told = []
    document = read_isolated(
        _scan("typed first", "scan:The invoice number is 4711", "typed last", "scan:"),
        "scan.pdf",
        ocr=True,
        progress=lambda done, total: told.append((done, total)),
    )
    assert _texts(document) == ["typed first", "The invoice number is 4711", "typed last", ""]
    assert document.empty_pages == (4,)
    assert document.warnings == (
        "The text of page 2 comes from OCR and can hold misread words.",
        "OCR found no text on page 4.",
    )
    assert told[-1] == (6, 6)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@needs_ocrmypdf
def test_scanned_pdf_with_the_real_ocrmypdf():
    assert Path(find_ocr()).name == "ocrmypdf"
    document = read_isolated(_scan("scan:The invoice number is 4711", "typed"), "scan.pdf", ocr=True)
    assert _texts(document) == ["The invoice number is 4711", "typed"]
    assert document.warnings == ("The text of page 1 comes from OCR and can hold misread words.",)


@needs_tesseract
def test_language_without_data(only_tesseract):
    with pytest.raises(errors.NoTextLayer) as caught:
        add_text_layer(_scan("scan:Text"), "scan.pdf", language="xyz", timeout_s=30)
    assert str(caught.value) == (
        "OCR of scan.pdf failed: tesseract has no data for the language 'xyz'. "
        "Install it (Debian, Ubuntu: apt install tesseract-ocr-...)."
    )


# --- stand-ins -----------------------------------------------------------------


@posix_only
def test_fake_tesseract_reads_a_scanned_pdf_with_a_password(install):
    install("tesseract", FAKE_TESSERACT)
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(_scan("scan:x", "typed")))
    writer.encrypt("open sesame", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    document = read_isolated(stream.getvalue(), "scan.pdf", password="open sesame", ocr=True)
    assert _texts(document) == ["recognised", "typed"]


@posix_only
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_fake_tesseract_text_lies_where_it_is_seen(install, turn):
    install("tesseract", FAKE_TESSERACT)
    pdf = FPDF(unit="pt", format=(400, 600))
    pdf.add_page()
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(bytes(pdf.output())))
    # A page whose visible part begins at (50, 100).
    writer.pages[0].mediabox = writer.pages[0].cropbox = RectangleObject((50, 100, 450, 700))
    writer.pages[0].rotate(turn)
    stream = io.BytesIO()
    writer.write(stream)
    layered = pypdf.PdfReader(
        io.BytesIO(add_text_layer(stream.getvalue(), "turned.pdf", timeout_s=30))
    ).pages[0]
    places = []
    layered.extract_text(
        visitor_text=lambda text, cm, tm, *_: places.append((cm, tm)) if "recognised" in text else None
    )
    ((cm, tm),) = places
    x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
    y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
    # An inch from the left and the upper edge, as the page is seen.
    expected = {0: (122, 628), 90: (122, 172), 180: (378, 172), 270: (378, 628)}[turn]
    assert (x, y) == pytest.approx(expected, abs=0.5)


@posix_only
def test_fake_ocrmypdf_is_preferred_and_gets_the_pages_without_text(install):
    install("tesseract", FAKE_TESSERACT)
    install("ocrmypdf", FAKE_OCRMYPDF)
    document = read_isolated(_scan("typed", "scan:x", "scan:y"), "scan.pdf", ocr=True, ocr_language="eng")
    command = "--skip-text --output-type pdf --optimize 0 --quiet -l eng --pages 2,3"
    assert _texts(document) == ["typed", command, command]


@posix_only
def test_fake_ocrmypdf_that_fails(install):
    install(
        "ocrmypdf", "#!/bin/sh\necho 'first line' >&2\necho 'Input file is not a valid PDF' >&2\nexit 2\n"
    )
    with pytest.raises(errors.NoTextLayer) as caught:
        read_isolated(_scan("scan:x"), "scan.pdf", ocr=True)
    assert str(caught.value) == ("OCR of scan.pdf failed: ocrmypdf says “Input file is not a valid PDF”.")


@posix_only
def test_fake_ocrmypdf_that_fails_costs_no_typed_page(install):
    install("ocrmypdf", "#!/bin/sh\nexit 15\n")
    document = read_isolated(_scan("typed", "scan:x"), "scan.pdf", ocr=True)
    assert _texts(document) == ["typed", ""]
    assert document.warnings == (
        "Page 2 has no text layer; it needs OCR (ocrmypdf adds one).",
        "OCR of scan.pdf failed: ocrmypdf says “status 15”.",
    )


@posix_only
def test_fake_ocrmypdf_that_hangs(install):
    sleep = shutil.which("sleep", path="/bin:/usr/bin")
    install("ocrmypdf", f"#!/bin/sh\nexec {sleep} 600\n")
    with pytest.raises(errors.NoTextLayer) as caught:
        read_isolated(_scan("scan:x"), "scan.pdf", ocr=True, limits=ReadingLimits(max_ocr_page_seconds=1.0))
    assert str(caught.value) == (
        "OCR of scan.pdf was stopped after 1 s. Split it into smaller files, or run ocrmypdf on it beforehand."
    )


@posix_only
def test_cancel_amid_ocr_ends_the_program_too(install, tmp_path):
    started = tmp_path / "started"
    sleep = shutil.which("sleep", path="/bin:/usr/bin")
    install("ocrmypdf", f"#!/bin/sh\necho $$ > {started}\nexec {sleep} 600\n")
    with pytest.raises(errors.Cancelled):
        read_isolated(_scan("scan:x"), "scan.pdf", ocr=True, cancelled=lambda: _holds_a_number(started))
    import psutil

    pid = int(started.read_text())
    gone = not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert gone


def _holds_a_number(path: Path) -> bool:
    return path.exists() and path.read_text().strip().isdigit()


# --- none installed, none wanted -----------------------------------------------


def test_no_program_for_ocr(install):
    assert find_ocr() is None
    with pytest.raises(errors.NoTextLayer) as caught:
        read_isolated(_scan("scan:x"), "scan.pdf", ocr=True)
    assert str(caught.value) == (
        "scan.pdf has no text layer (its page is a picture or empty); it needs OCR. "
        "The program ocrmypdf adds a text layer. For OCR here, install ocrmypdf or tesseract (Debian, Ubuntu: "
        "apt install ocrmypdf; macOS: brew install ocrmypdf; Windows: the tesseract installer) and try again."
    )
    document = read_isolated(_scan("typed", "scan:x"), "scan.pdf", ocr=True)
    assert _texts(document) == ["typed", ""]
    assert document.warnings[-1].startswith("For OCR here, install ocrmypdf or tesseract")


def test_ocr_is_not_run_unasked(install):
    install("ocrmypdf", "#!/bin/sh\nexit 15\n")
    data = _scan("typed", "scan:x")
    assert read_isolated(data, "scan.pdf") == read_document(data, "scan.pdf")


def test_pdf_with_text_on_every_page_needs_no_ocr(install):
    install("ocrmypdf", "#!/bin/sh\nexit 15\n")
    data = _scan("typed", "more")
    assert read_isolated(data, "a.pdf", ocr=True) == read_document(data, "a.pdf")
