"""OCR by programs that are installed beside: ocrmypdf, or tesseract alone.

Gives a PDF with an invisible text layer behind its pictures; reading it is done elsewhere. Where
only tesseract is there, pdfium draws the pages, and pypdf lays the text that tesseract found on
them, in place.
"""

from __future__ import annotations

import io
import math
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragcore.errors import NoTextLayer
from ragcore.records import Progress

INSTALL_HINT = (
    "For OCR here, install ocrmypdf or tesseract (Debian, Ubuntu: apt install ocrmypdf; "
    "macOS: brew install ocrmypdf; Windows: the tesseract installer) and try again."
)
_DOTS_PER_INCH = 300
_POINTS_PER_INCH = 72
_MAX_PIXELS = 40_000_000  # an A3 page at 300 dpi has 17 million
# ocrmypdf's own: done, but the result is no PDF/A. None is asked for.
_FINE = (0, 10)


def find_ocr() -> str | None:
    """Path of ``ocrmypdf``, else of ``tesseract``, on the PATH; None where neither is installed."""
    return shutil.which("ocrmypdf") or shutil.which("tesseract")


def add_text_layer(
    data: bytes,
    file_name: str,
    *,
    language: str = "eng",
    timeout_s: float,
    password: str = "",
    pages: Sequence[int] | None = None,
    progress: Progress | None = None,
    folder: str | None = None,
) -> bytes:
    """The PDF with text on those of ``pages`` (physical numbers, default all) that have none.

    The result is not encrypted. ``language`` is tesseract's code of it ("eng", "deu+eng").
    Runs for up to ``timeout_s`` seconds, beside native libraries: call it in a process of its own,
    as ``read_isolated(..., ocr=True)`` does. ``progress`` counts pages, where tesseract is alone.
    Temporary files are made in ``folder`` (by default the system's) and removed.

    Raises NoTextLayer where OCR is not installed, fails or takes too long, and what opening a PDF
    raises.
    """
    program = find_ocr()
    if program is None:
        raise NoTextLayer(f"{file_name} needs OCR. {INSTALL_HINT}")
    data = _unlocked(data, file_name, password)
    with tempfile.TemporaryDirectory(prefix="ocr-", dir=folder) as name:
        job = _Job(file_name, language, Path(name), timeout_s)
        if Path(program).stem == "ocrmypdf":
            return _run_ocrmypdf(program, data, job, pages)
        return _run_tesseract(program, data, job, pages, progress)


class _Job:
    """One file's OCR: what it is called, where it is done, and how much time is left."""

    def __init__(self, file_name: str, language: str, folder: Path, timeout_s: float) -> None:
        self.file_name = file_name
        self.language = language
        self.folder = folder
        self._timeout_s = timeout_s
        self._ends = time.monotonic() + timeout_s

    def run(self, command: Sequence[str]) -> None:
        """Raises NoTextLayer with the last thing that the program said."""
        name = Path(command[0]).stem
        if os.name == "posix":
            # Pages come one by one; tesseract's threads would only get in each other's way.
            command = ["/usr/bin/env", f"TMPDIR={self.folder}", "OMP_THREAD_LIMIT=1", *command]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=max(self._ends - time.monotonic(), 0.01),
            )
        except subprocess.TimeoutExpired as error:
            raise NoTextLayer(
                f"OCR of {self.file_name} was stopped after {self._timeout_s:.0f} s. Split it into smaller "
                "files, or run ocrmypdf on it beforehand."
            ) from error
        except OSError as error:
            raise NoTextLayer(
                f"OCR of {self.file_name} failed: {name} cannot be started ({error})."
            ) from error
        if done.returncode not in _FINE:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            if any("tessdata" in line or "language" in line.lower() for line in said):
                raise NoTextLayer(
                    f"OCR of {self.file_name} failed: tesseract has no data for the language "
                    f"'{self.language}'. Install it (Debian, Ubuntu: apt install tesseract-ocr-...)."
                )
            why = " ".join(said[-1].split())[:200] if said else f"status {done.returncode}"
            raise NoTextLayer(f"OCR of {self.file_name} failed: {name} says “{why}”.")


def _unlocked(data: bytes, file_name: str, password: str) -> bytes:
    """The file without encryption, which ocrmypdf refuses to touch."""
    import pypdf

    from .pdf_pages import DAMAGE, PdfPages

    pdf = PdfPages(data, file_name, password)
    if not pdf.reader.is_encrypted:
        return data
    try:
        stream = io.BytesIO()
        pypdf.PdfWriter(clone_from=pdf.reader).write(stream)
    except DAMAGE as error:
        raise _broken(file_name) from error
    return stream.getvalue()


def _run_ocrmypdf(program: str, data: bytes, job: _Job, pages: Sequence[int] | None) -> bytes:
    source, result = job.folder / "in.pdf", job.folder / "out.pdf"
    source.write_bytes(data)
    only = ["--pages", ",".join(map(str, pages))] if pages is not None else []
    plain = ["--output-type", "pdf", "--optimize", "0", "--quiet"]
    job.run([program, "--skip-text", *plain, "-l", job.language, *only, str(source), str(result)])
    return result.read_bytes()


def _run_tesseract(
    program: str,
    data: bytes,
    job: _Job,
    pages: Sequence[int] | None,
    progress: Progress | None,
) -> bytes:
    import pypdf

    from .pdf_pages import DAMAGE

    layers = job.folder / "layers"
    layers.mkdir()
    _recognise_pages(program, data, job, pages, layers, progress)
    try:
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
        for path in layers.glob("*.pdf"):
            page = writer.pages[int(path.stem) - 1]
            layer = pypdf.PdfReader(path).pages[0]
            page.merge_transformed_page(layer, _upright_to_page(page, layer))
        stream = io.BytesIO()
        writer.write(stream)
    except DAMAGE as error:
        raise _broken(job.file_name) from error
    return stream.getvalue()


def _recognise_pages(
    program: str,
    data: bytes,
    job: _Job,
    pages: Sequence[int] | None,
    layers: Path,
    progress: Progress | None,
) -> None:
    """Writes ``layers/NUMBER.pdf``, the text of a page and nothing else, for each page without any."""
    from .pdfium import open_pdfium

    image = job.folder / "page.pgm"
    with open_pdfium(data, job.file_name) as document:
        numbers = range(1, len(document) + 1) if pages is None else pages
        for done, number in enumerate(numbers, start=1):
            dots = _draw_page(document, number, image)
            if dots:
                options = ["-l", job.language, "--dpi", str(dots), "-c", "textonly_pdf=1", "pdf"]
                job.run([program, str(image), str(layers / str(number)), *options])
            if progress:
                progress(done, len(numbers))


def _draw_page(document: Any, number: int, image: Path) -> int:
    """Draw a page without text as a grey picture (PGM); returns its dots per inch, 0 if it has text."""
    page = document[number - 1]
    try:
        text = page.get_textpage()
        try:
            if text.get_text_range().strip():
                return 0
        finally:
            text.close()
        width, height = page.get_size()
        inches = max(width * height, 1.0) / _POINTS_PER_INCH**2
        dots = max(1, min(_DOTS_PER_INCH, int(math.sqrt(_MAX_PIXELS / inches))))
        bitmap = page.render(scale=dots / _POINTS_PER_INCH, grayscale=True)
        try:
            rows = memoryview(bitmap.buffer).cast("B")
            with image.open("wb") as file:
                file.write(b"P5 %d %d 255\n" % (bitmap.width, bitmap.height))
                for row in range(bitmap.height):
                    file.write(rows[row * bitmap.stride : row * bitmap.stride + bitmap.width])
        finally:
            bitmap.close()
    finally:
        page.close()
    return dots


def _upright_to_page(page: Any, layer: Any) -> tuple[float, float, float, float, float, float]:
    """The matrix from a page as it is seen, its lower left corner at 0, to its own coordinates."""
    box = page.cropbox
    width, height = float(box.width), float(box.height)
    turn = page.rotation % 360
    seen_width = height if turn in (90, 270) else width
    # Pixels are whole, so the layer may be a fraction of a point off.
    scale = seen_width / float(layer.mediabox.width)
    a, b, c, d, e, f = {
        0: (1, 0, 0, 1, 0.0, 0.0),
        90: (0, 1, -1, 0, width, 0.0),
        180: (-1, 0, 0, -1, width, height),
        270: (0, -1, 1, 0, 0.0, height),
    }[turn]
    return (a * scale, b * scale, c * scale, d * scale, e + float(box.left), f + float(box.bottom))


def _broken(file_name: str) -> NoTextLayer:
    return NoTextLayer(f"OCR of {file_name} failed: the file is damaged. Export it again.")
