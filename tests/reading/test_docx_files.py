"""Word documents: order, tables, lists, headings, changes, notes, boxes, margins."""

import datetime

import docx
import pytest

from ragcore import errors
from ragcore.reading import read_document


def _text(data: bytes) -> str:
    return read_document(data, "a.docx").pages[0].text


def _headings(document):
    page = document.pages[0]
    return [(h.level, h.title, h.explicit, page.text[h.start : h.end]) for h in page.headings]


def p(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content if content.startswith('<') else p(content)}</w:tc>"


def table(*rows: str) -> str:
    return "<w:tbl><w:tblPr/>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


# --- order and tables -----------------------------------------------------------


def test_table_stands_between_its_paragraphs(word_bytes):
    document = docx.Document()
    document.add_heading("Lamps", 1)
    document.add_paragraph("A")
    grid = document.add_table(rows=2, cols=2)
    for (row, column), text in {(0, 0): "Part", (0, 1): "Limit", (1, 0): "ZX-9", (1, 1): "40 kg"}.items():
        grid.cell(row, column).text = text
    document.add_paragraph("B")
    assert _text(word_bytes(document)) == "Lamps\n\nA\n\nPart: ZX-9; Limit: 40 kg\n\nB"


def test_word_document_is_one_unpaged_page(word_bytes):
    document = docx.Document()
    document.core_properties.title = "The Lamp Guide"
    document.core_properties.modified = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    document.add_heading("Lamps", 1)
    document.add_paragraph("All about lamps.")
    read = read_document(word_bytes(document), "x/lamps.docx")
    assert (read.file_name, read.title, read.paged, len(read.pages)) == (
        "lamps.docx",
        "The Lamp Guide",
        False,
        1,
    )
    assert _headings(read) == [(1, "Lamps", True, "Lamps")]


def test_title_style_then_first_heading_then_stem(word_bytes):
    document = docx.Document()
    document.add_paragraph("All about lamps and their many uses in the house.")
    assert read_document(word_bytes(document), "lamps.docx").title == "lamps"
    document.add_heading("Shades", 1)
    assert read_document(word_bytes(document), "lamps.docx").title == "Shades"
    document.add_heading("The Lamp Book", 0)
    assert read_document(word_bytes(document), "lamps.docx").title == "The Lamp Book"


def test_list_of_names_and_values_is_no_header(make_docx):
    rows = table(cell("Name") + cell("Anna Berg"), cell("Town") + cell("Ulm"), cell("Job") + cell("Cook"))
    assert _text(make_docx(rows)) == "Name | Anna Berg\nTown | Ulm\nJob | Cook"


def test_table_whose_header_row_is_marked(make_docx):
    rows = (
        "<w:tbl><w:tblPr/><w:tr><w:trPr><w:tblHeader/></w:trPr>"
        + cell("Role") + cell("Owner") + "</w:tr><w:tr>" + cell("Editor") + cell("Kim") + "</w:tr></w:tbl>"
    )  # fmt: skip
    assert _text(make_docx(rows)) == "Role: Editor; Owner: Kim"


def test_table_whose_style_sets_the_first_row_apart(word_bytes):
    document = docx.Document()
    grid = document.add_table(rows=2, cols=2, style="Light Grid Accent 1")
    for (row, column), text in {(0, 0): "Role", (0, 1): "Owner", (1, 0): "Editor", (1, 1): "Kim"}.items():
        grid.cell(row, column).text = text
    assert _text(word_bytes(document)) == "Role: Editor; Owner: Kim"


def test_merged_cells_come_once(word_bytes):
    document = docx.Document()
    grid = document.add_table(rows=3, cols=3)
    texts = ["Part", "Limit", "Note", "ZX-9", "40 kg", "new", "ZX-8", "50 kg", "old"]
    for index, text in enumerate(texts):
        grid.cell(index // 3, index % 3).text = text
    grid.cell(1, 2).text = ""
    grid.cell(2, 2).text = ""
    grid.cell(1, 1).merge(grid.cell(1, 2))
    grid.cell(1, 0).merge(grid.cell(2, 0)).text = "ZX-9"
    assert _text(word_bytes(document)) == "Part | Limit | Note\nPart: ZX-9; Limit: 40 kg\nLimit: 50 kg"


def test_nested_table_keeps_its_text(make_docx):
    inner = table(cell("Colour") + cell("Code"), cell("red") + cell("17"))
    outer = table(cell("Part") + cell("Detail"), cell("ZX-9") + cell(p("See 4:") + inner + p("")))
    assert _text(make_docx(outer)) == "Part: ZX-9; Detail: See 4: Colour: red; Code: 17"


def test_frame_of_one_cell_is_ordinary_text(make_docx):
    style = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    body = table(cell(p("Note", '<w:pStyle w:val="H1"/>') + p("Mind the step.")))
    document = read_document(make_docx(body, styles=style), "a.docx")
    assert document.pages[0].text == "Note\n\nMind the step."
    assert _headings(document) == [(1, "Note", True, "Note")]


# --- wrappers ---------------------------------------------------------------------


def test_content_controls_fields_links_and_smart_tags(make_docx):
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = (
        "<w:sdt><w:sdtContent>" + p("In a control.") + "</w:sdtContent></w:sdt><w:p>"
        + "<w:sdt><w:sdtContent>" + run.format("one ") + "</w:sdtContent></w:sdt>"
        + '<w:fldSimple w:instr=" REF x ">' + run.format("two ") + "</w:fldSimple>"
        + "<w:smartTag>" + run.format("three ") + "</w:smartTag>"
        + "<w:hyperlink>" + run.format("four") + "</w:hyperlink>"
        + '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> DATE </w:instrText></w:r>'
        + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + run.format(" five")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )  # fmt: skip
    assert _text(make_docx(body)) == "In a control.\n\none two three four five"


def test_cell_in_a_content_control_keeps_its_column(make_docx):
    controlled = "<w:sdt><w:sdtContent>" + cell("ZX-9") + "</w:sdtContent></w:sdt>"
    assert _text(make_docx(table(cell("Part") + cell("Limit"), controlled + cell("40 kg")))) == (
        "Part: ZX-9; Limit: 40 kg"
    )


def test_text_box_comes_once_behind_its_paragraph(make_docx):
    box = "<w:txbxContent>" + p("Box text") + "</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Anchor</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>"
        f"<wps:wsp><wps:txbx>{box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape>"
        f"<v:textbox>{box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        + p("After")
    )
    assert _text(make_docx(body)) == "Anchor\n\nBox text\n\nAfter"


def test_old_text_box_without_alternatives(make_docx):
    body = (
        "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>" + p("Old box")
        + "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
    )  # fmt: skip
    assert _text(make_docx(body)) == "Old box"


def test_breaks_tabs_hyphens_symbols_and_hidden_text(make_docx):
    body = (
        "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>AB</w:t><w:noBreakHyphen/><w:t>12</w:t>"
        "<w:softHyphen/><w:t>34 </w:t><w:sym w:font='Wingdings' w:char='F0FE'/></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>"
    )
    document = read_document(make_docx(body), "a.docx")
    assert document.pages[0].text == "a\nb\tAB-1234 ☒"
    assert document.warnings == ("The document contains hidden text, which was left out.",)


# --- tracked changes ----------------------------------------------------------------


def test_tracked_changes_are_read_as_accepted(make_docx):
    body = (
        '<w:p><w:r><w:t xml:space="preserve">Fee is </w:t></w:r><w:del><w:r><w:delText>200</w:delText></w:r></w:del>'
        "<w:ins><w:r><w:t>250</w:t></w:r></w:ins><w:r><w:t xml:space='preserve'> euro.</w:t></w:r></w:p>"
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t xml:space='preserve'>One </w:t></w:r></w:p>"
        + p("paragraph.") + "<w:moveFrom>" + p("moved") + "</w:moveFrom>"
        + table(cell("a") + cell("b"), "<w:trPr><w:del/></w:trPr>" + cell("gone") + cell("gone"))
    )  # fmt: skip
    document = read_document(make_docx(body), "a.docx")
    assert document.pages[0].text == "Fee is 250 euro.\n\nOne paragraph.\n\na | b"
    assert document.warnings == (
        "The document contains tracked changes; it was read as if all were accepted.",
    )


# --- headings -------------------------------------------------------------------------


STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="N"/>
  <w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Klausel"><w:name w:val="Klausel"/><w:basedOn w:val="Basis"/></w:style>
<w:style w:type="paragraph" w:styleId="Basis"><w:name w:val="Basis"/><w:basedOn w:val="Klausel"/>
  <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="X"><w:name w:val="Überschrift 3"/></w:style>
<w:style w:type="paragraph" w:styleId="Lead"><w:name w:val="Lead"/><w:basedOn w:val="berschrift1"/>
  <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
"""


def test_headings_by_outline_level_in_any_language(make_docx):
    def styled(text, style):
        return p(text, f'<w:pStyle w:val="{style}"/>')

    body = (
        styled("Gebühren 1", "TOC1") + styled("Gebühren", "berschrift1") + p("Text")
        + styled("Mahnung", "Klausel") + styled("Frist", "X") + styled("Vorspann", "Lead")
        + p("Eigene Ebene", '<w:outlineLvl w:val="3"/>') + styled("Kein Titel", "unknown")
    )  # fmt: skip
    document = read_document(make_docx(body, styles=STYLES), "a.docx")
    assert _headings(document) == [
        (1, "Gebühren", True, "Gebühren"),
        (2, "Mahnung", True, "Mahnung"),
        (3, "Frist", True, "Frist"),
        (4, "Eigene Ebene", True, "Eigene Ebene"),
    ]
    assert document.pages[0].text.startswith("Gebühren\n\nText\n\nMahnung")


def test_bold_lines_are_guessed_where_no_heading_is_marked(make_docx):
    bold = "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{}</w:t></w:r></w:p>"
    text = p("The rooms are cleaned every day between ten and noon, except on Sundays and holidays.")
    document = read_document(
        make_docx(bold.format("House rules") + text + bold.format("Late fees") + text), "a.docx"
    )
    assert [(title, explicit) for _, title, explicit, _ in _headings(document)] == [
        ("House rules", False),
        ("Late fees", False),
    ]


# --- numbering ---------------------------------------------------------------------------


def _level(index, fmt, pattern, extra=""):
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/>{extra}'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    + _level(0, "decimal", "%1.") + _level(1, "decimal", "%1.%2") + _level(2, "lowerLetter", "(%3)")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="1">'
    + _level(0, "bullet", "\uf0b7") + _level(1, "bullet", "o")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="2">'
    + _level(0, "upperRoman", "Art. %1", '<w:pStyle w:val="Art"/>') + _level(1, "decimal", "%1.%2", "<w:isLgl/>")
    + "</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
    '</w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>'
)  # fmt: skip


def item(text, number, level=0):
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_numbers_are_counted_by_level_and_restart(make_docx):
    body = (
        item("one", 1) + item("sub", 1, 1) + item("letter", 1, 2) + item("sub", 1, 1) + p("between")
        + item("two", 1) + item("sub", 1, 1) + item("again", 3) + item("more", 3)
    )  # fmt: skip
    assert _text(make_docx(body, numbering=NUMBERING)) == (
        "1. one\n1.1 sub\n(a) letter\n1.2 sub\n\nbetween\n\n2. two\n2.1 sub\n1. again\n2. more"
    )


def test_bullets(make_docx):
    body = p("Bring:") + item("a pen", 2) + item("blue", 2, 1) + item("paper", 2) + item("no list", 0)
    assert _text(make_docx(body, numbering=NUMBERING)) == "Bring:\n\n- a pen\n  - blue\n- paper\n\nno list"


def test_numbered_headings_through_their_style(make_docx):
    styles = (
        '<w:style w:type="paragraph" w:styleId="Art"><w:name w:val="heading 1"/>'
        '<w:pPr><w:numPr><w:numId w:val="4"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    )
    article = '<w:pStyle w:val="Art"/>'
    body = p("Scope", article) + p("Fees", article) + item("Due in May.", 4, 1) + item("Paid in euro.", 4, 1)
    document = read_document(make_docx(body, styles=styles, numbering=NUMBERING), "a.docx")
    assert document.pages[0].text == "Art. I Scope\n\nArt. II Fees\n\n2.1 Due in May.\n2.2 Paid in euro."
    assert [title for _, title, _, _ in _headings(document)] == ["Art. I Scope", "Art. II Fees"]


@pytest.mark.parametrize(
    ("number", "style", "text"),
    [
        (4, "decimal", "4"),
        (4, "decimalZero", "04"),
        (1994, "upperRoman", "MCMXCIV"),
        (4, "lowerRoman", "iv"),
        (28, "lowerLetter", "bb"),
        (26, "upperLetter", "Z"),
        (12, "ordinal", "12th"),
        (22, "ordinal", "22nd"),
        (5, "none", ""),
        (5, "chicago", "5"),
    ],
)
def test_number_formats(number, style, text):
    from ragcore.reading.docx_numbering import formatted

    assert formatted(number, style) == text


# --- notes, headers ---------------------------------------------------------------------


def test_footnote_stands_at_its_mark(make_docx):
    notes = (
        '<w:footnote w:type="separator" w:id="0">' + p("---") + "</w:footnote>"
        '<w:footnote w:id="2">' + p("Plus VAT of 19 %.") + "</w:footnote>"
    )
    body = (
        "<w:p><w:r><w:t>The fee</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:t xml:space='preserve'> is due.</w:t></w:r></w:p>"
    )
    assert _text(make_docx(body, footnotes=notes)) == "The fee [Plus VAT of 19 %.] is due."


def test_header_comes_once_at_the_beginning(make_docx):
    page_number = '<w:p><w:r><w:t>Page </w:t></w:r><w:fldSimple w:instr=" PAGE "><w:r><w:t>3</w:t></w:r></w:fldSimple></w:p>'
    reference = '<w:sectPr><w:headerReference w:type="default" r:id="header{}"/></w:sectPr>'
    body = p("Text", reference.format(1)) + p("More") + reference.format(2)
    data = make_docx(body, headers=[p("ACME QX-77") + page_number, p("ACME QX-77")])
    document = read_document(data, "a.docx")
    assert document.pages[0].text == "ACME QX-77\n\nText\n\nMore"


def test_document_without_text(word_bytes):
    with pytest.raises(errors.EmptyFile, match="contains no text"):
        read_document(word_bytes(docx.Document()), "a.docx")


@pytest.mark.parametrize("body", ["<w:p><w:r>", "<w:p/></w:body></w:document><x/>", "\x01"])
def test_damaged_xml(make_docx, body):
    with pytest.raises(errors.BrokenFile, match=r"a\.docx is a damaged Word document"):
        read_document(make_docx(body), "a.docx")


def test_relationship_to_a_picture_that_is_not_there(make_docx):
    import io
    import zipfile

    source = zipfile.ZipFile(io.BytesIO(make_docx(p("Fees are due."), headers=[p("ACME")])))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            broken = b'<Relationship Id="r9" Type="http://x/image" Target="../NULL"/></Relationships>'
            target.writestr(name, source.read(name).replace(b"</Relationships>", broken))
    assert _text(stream.getvalue()) == "Fees are due."


def test_xml_entities_are_not_expanded(make_docx):
    import io
    import zipfile

    source = zipfile.ZipFile(io.BytesIO(make_docx(p("Fee &amp; tax"))))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/document.xml":
                content = content.replace(
                    b"<w:document", b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname">]><w:document', 1
                ).replace(b"tax", b"tax&a;")
            target.writestr(name, content)
    assert _text(stream.getvalue()) == "Fee & tax"
