"""Builders of small real files. Each fixture gives a function that returns bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence

import docx
import pytest
from fpdf import FPDF

from tests.builders import pdf_of

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NAMESPACES = (
    f'xmlns:w="{_W}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
    'wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
_OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """``make_pdf(["line", ...], ["line", ...])``: a page for each list, lines 6 mm apart in 11 pt.

    An empty string leaves a blank line; a tuple ``(text, size, style)`` sets the type; a tuple
    ``(x, y, text)`` of millimetres stands anywhere.
    """

    def build(*pages: Sequence[object], title: str = "") -> bytes:
        pdf = FPDF()
        if title:
            pdf.set_title(title)
        for lines in pages:
            pdf.add_page()
            y = 20.0
            for line in lines:
                text, size, style, x = str(line), 11, "", 20.0
                at = y
                if isinstance(line, tuple) and isinstance(line[0], str):
                    text, size, style = line
                elif isinstance(line, tuple):
                    x, at, text = line
                pdf.set_font("helvetica", style, size)
                if text:
                    pdf.text(x, at, text)
                if not (isinstance(line, tuple) and not isinstance(line[0], str)):
                    y += 6
        return bytes(pdf.output())

    return build


@pytest.fixture
def make_raw_pdf() -> Callable[..., bytes]:
    """``make_raw_pdf(content, font)``: one page with this content stream, written by hand."""

    def build(content: bytes, to_unicode: bytes = b"") -> bytes:
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding "
            + (b"/ToUnicode 6 0 R >>" if to_unicode else b">>"),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(to_unicode), to_unicode),
        ]
        return pdf_of(objects)

    return build


@pytest.fixture
def word_bytes() -> Callable[..., bytes]:
    """The bytes of a python-docx document."""

    def build(document: docx.document.Document) -> bytes:
        stream = io.BytesIO()
        document.save(stream)
        return stream.getvalue()

    return build


@pytest.fixture
def make_docx() -> Callable[..., bytes]:
    """``make_docx(body, styles=..., numbering=..., footnotes=..., headers=[...])`` of raw XML."""

    def build(
        body: str,
        *,
        styles: str = "",
        numbering: str = "",
        footnotes: str = "",
        headers: Sequence[str] = (),
        main_type: str = f"{_OFFICE}.document.main+xml",
        extra: dict[str, bytes] | None = None,
    ) -> bytes:
        parts: dict[str, tuple[str, str, str]] = {}
        if styles:
            parts["styles"] = ("styles", f"<w:styles {_NAMESPACES}>{styles}</w:styles>", "styles")
        if numbering:
            text = f"<w:numbering {_NAMESPACES}>{numbering}</w:numbering>"
            parts["numbering"] = ("numbering", text, "numbering")
        if footnotes:
            text = f"<w:footnotes {_NAMESPACES}>{footnotes}</w:footnotes>"
            parts["footnotes"] = ("footnotes", text, "footnotes")
        for index, header in enumerate(headers, start=1):
            parts[f"header{index}"] = ("header", f"<w:hdr {_NAMESPACES}>{header}</w:hdr>", "header")
        types = "".join(
            f'<Override PartName="/word/{name}.xml" ContentType="{_OFFICE}.{kind}+xml"/>'
            for name, (kind, _, _) in parts.items()
        )
        relations = "".join(
            f'<Relationship Id="{name}" Type="{_RELATION}/{kind}" Target="{name}.xml"/>'
            for name, (_, _, kind) in parts.items()
        )
        xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        package = "http://schemas.openxmlformats.org/package/2006"
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as container:
            container.writestr(
                "[Content_Types].xml",
                f'{xml}<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
                '"application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Override PartName="/word/document.xml" ContentType="{main_type}"/>{types}</Types>',
            )
            container.writestr(
                "_rels/.rels",
                f'{xml}<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
                f'Type="{_RELATION}/officeDocument" Target="word/document.xml"/></Relationships>',
            )
            container.writestr(
                "word/_rels/document.xml.rels",
                f'{xml}<Relationships xmlns="{package}/relationships">{relations}</Relationships>',
            )
            container.writestr(
                "word/document.xml",
                f"{xml}<w:document {_NAMESPACES}><w:body>{body}</w:body></w:document>",
            )
            for name, (_, text, _) in parts.items():
                container.writestr(f"word/{name}.xml", xml + text)
            for name, content in (extra or {}).items():
                container.writestr(name, content)
        return stream.getvalue()

    return build
