"""PDF files: pages, labels, locks, damage, forms, bookmarks, columns and the health of the text."""

import io
import time

import pypdf
import pytest
from fpdf import FPDF
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

from ragcore import errors
from ragcore.reading import ReadingLimits, read_document

PARAGRAPH = [
    "Every member of staff may claim the cost of travel to a customer,",
    "provided the journey was approved before it was begun and the",
    "receipts are handed in within thirty days after the return.",
]


def _headings(document):
    return [
        (page.number, h.level, h.title, h.explicit, page.text[h.start : h.end])
        for page in document.pages
        for h in page.headings
    ]


def _write(writer: pypdf.PdfWriter) -> bytes:
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _writer(data: bytes) -> pypdf.PdfWriter:
    return pypdf.PdfWriter(clone_from=io.BytesIO(data))


# --- pages ---------------------------------------------------------------------


def test_pages_are_physical_and_start_at_one(make_pdf):
    document = read_document(make_pdf(["first"], ["second"], ["third"]), "dir/a.pdf")
    assert [(page.number, page.text, page.label) for page in document.pages] == [
        (1, "first", None),
        (2, "second", None),
        (3, "third", None),
    ]
    assert document.paged is True
    assert document.file_name == "a.pdf"
    assert document.warnings == ()


def test_printed_label_is_kept_only_where_it_differs(make_pdf):
    writer = _writer(make_pdf(["preface"], ["one"], ["two"]))
    writer.set_page_label(0, 0, style="/r")
    writer.set_page_label(1, 2, style="/D", start=2)
    document = read_document(_write(writer), "a.pdf")
    assert [page.label for page in document.pages] == ["i", None, None]


def test_paragraphs_are_told_by_the_gap(make_pdf):
    document = read_document(make_pdf([*PARAGRAPH, "", *PARAGRAPH]), "a.pdf")
    paragraph = "\n".join(PARAGRAPH)
    assert document.pages[0].text == f"{paragraph}\n\n{paragraph}"


def test_word_cut_at_a_line_end_and_code_at_a_line_end(make_pdf):
    document = read_document(make_pdf(["The reim-", "bursement of part AB-", "1234 is due."]), "a.pdf")
    assert document.pages[0].text == "The reimbursement\nof part AB-\n1234 is due."


def test_title_from_metadata_unless_it_is_senseless(make_pdf):
    lines = [("Travel Rules", 20, "B"), "", *PARAGRAPH]
    assert read_document(make_pdf(lines, title="The Rules of Travel"), "a.pdf").title == "The Rules of Travel"
    assert read_document(make_pdf(lines, title="Microsoft Word - x.doc"), "a.pdf").title == "Travel Rules"
    assert read_document(make_pdf(lines, title="untitled"), "a.pdf").title == "Travel Rules"
    assert read_document(make_pdf([*PARAGRAPH[2:]]), "travel.pdf").title == "travel"


def test_too_many_pages(make_pdf):
    with pytest.raises(errors.FileTooLarge, match=r"a\.pdf has 3 pages, more than the 2"):
        read_document(make_pdf(["a"], ["b"], ["c"]), "a.pdf", limits=ReadingLimits(max_pages=2))


def test_time_is_bounded(make_pdf):
    with pytest.raises(errors.FileTooLarge, match="too long to read: 0 of 1 pages"):
        read_document(make_pdf(["a"]), "a.pdf", limits=ReadingLimits(max_seconds=-1.0))


# --- locked, empty, broken --------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_encrypted_pdf_with_empty_password(make_pdf, algorithm):
    writer = _writer(make_pdf(["Fees are due in May."]))
    writer.encrypt(user_password="", owner_password="owner", algorithm=algorithm)
    assert read_document(_write(writer), "a.pdf").pages[0].text == "Fees are due in May."


def test_encrypted_pdf_with_a_real_password(make_pdf):
    writer = _writer(make_pdf(["Fees are due in May."]))
    writer.encrypt(user_password="tulip", algorithm="AES-256")
    data = _write(writer)
    with pytest.raises(errors.PasswordProtected, match=r"a\.pdf is protected by a password"):
        read_document(data, "a.pdf")
    with pytest.raises(errors.PasswordProtected, match="does not open with the password given"):
        read_document(data, "a.pdf", password="rose")
    assert read_document(data, "a.pdf", password="tulip").pages[0].text == "Fees are due in May."


def test_needless_password_is_ignored(make_pdf):
    writer = _writer(make_pdf(["Fees are due in May."]))
    writer.encrypt(user_password="", owner_password="owner", algorithm="AES-256")
    assert read_document(_write(writer), "a.pdf", password="rose").pages[0].text == "Fees are due in May."


def test_all_pages_are_pictures(make_pdf):
    with pytest.raises(errors.NoTextLayer, match=r"its 2 pages are pictures.*OCR.*ocrmypdf"):
        read_document(make_pdf([], []), "scan.pdf")


def test_some_pages_are_pictures(make_pdf):
    text = ["Something is written here."]
    document = read_document(make_pdf(text, text, [], text, text, text, [], [], []), "a.pdf")
    assert document.empty_pages == (3, 7, 8, 9)
    assert document.warnings == ("Pages 3, 7-9 have no text layer; they need OCR (ocrmypdf adds one).",)
    assert len(document.pages) == 9


def test_pdf_without_pages():
    with pytest.raises(errors.EmptyFile, match="has no pages"):
        read_document(_write(pypdf.PdfWriter()), "a.pdf")


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.95])
def test_pdf_that_is_cut_off(make_pdf, kept):
    data = make_pdf(*[PARAGRAPH] * 6)
    with pytest.raises(errors.BrokenFile, match=r"a\.pdf is damaged or cut off"):
        read_document(data[: int(kept * len(data))], "a.pdf")


def test_pdf_with_other_bytes_behind_its_end_is_read_with_a_warning(make_pdf):
    document = read_document(make_pdf(PARAGRAPH) + b"\n" + b"x" * 3000, "a.pdf")
    assert document.pages[0].text == "\n".join(PARAGRAPH)
    assert document.warnings == ("The file does not end as a PDF should; pages may be missing.",)


def test_circular_cross_references_end_quickly(make_raw_pdf):
    data = make_raw_pdf(b"BT /F1 12 Tf 72 700 Td (hello) Tj ET")
    start = data.rindex(b"xref\n0")
    data = data.replace(b"/Root 1 0 R >>", b"/Root 1 0 R /Prev %d >>" % start)
    began = time.monotonic()
    assert read_document(data, "a.pdf").pages[0].text == "hello"
    assert time.monotonic() - began < 5


def test_page_tree_that_contains_itself(make_raw_pdf):
    data = make_raw_pdf(b"BT /F1 12 Tf 72 700 Td (hello) Tj ET").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(errors.FileRejected, match=r"a\.pdf"):
        read_document(data, "a.pdf")


@pytest.mark.parametrize("seed", range(12))
def test_damaged_bytes_give_text_or_one_sentence(make_pdf, seed):
    import random

    rng = random.Random(seed)
    data = bytearray(make_pdf(PARAGRAPH, PARAGRAPH))
    for _ in range(60):
        data[rng.randrange(9, len(data))] = rng.randrange(256)
    try:
        document = read_document(bytes(data), "a.pdf")
    except errors.FileRejected as error:
        assert str(error).startswith(("a.pdf", "No page of a.pdf"))
    else:
        assert document.pages


# --- health -----------------------------------------------------------------------


def test_glued_and_torn_words_are_named_by_page(make_pdf):
    glued = ["Themembersofstaffmayclaimthecostoftravel", "providedthejourneywasapprovedbeforehand"]
    torn = ["T h e  m e m b e r s  o f  s t a f f  m a y  c l a i m  t h e  c o s t"]
    document = read_document(make_pdf(PARAGRAPH, glued, torn, glued), "a.pdf")
    assert len(document.warnings) == 2
    assert document.warnings[0].startswith("On pages 2, 4 the text layer looks glued")
    assert document.warnings[1].startswith("On page 3 the text layer looks torn")
    assert document.pages[1].text == "\n".join(glued)


_MAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
%b
endcmap CMapName currentdict /CMap defineresource pop end end"""


def test_ligature_without_a_meaning_is_counted(make_raw_pdf):
    to_unicode = _MAP % b"1 beginbfchar <02> <E000> endbfchar"
    document = read_document(
        make_raw_pdf(b"BT /F1 12 Tf 72 700 Td (The Of\x02ce is open) Tj ET", to_unicode), "a.pdf"
    )
    assert document.pages[0].text == "The Of\ue000ce is open"
    assert document.warnings[0].startswith("On page 1 more than 1 % of the characters have no meaning")


def test_glyph_that_maps_to_nul(make_raw_pdf):
    to_unicode = _MAP % b"1 beginbfchar <02> <0000> endbfchar"
    document = read_document(
        make_raw_pdf(b"BT /F1 12 Tf 72 700 Td (The Of\x02ce is open) Tj ET", to_unicode), "a.pdf"
    )
    assert document.pages[0].text == "The Ofce is open"
    assert document.warnings == ("1 control characters were removed from the text.",)


def test_glyph_that_maps_to_a_lone_surrogate(make_raw_pdf):
    to_unicode = _MAP % b"1 beginbfchar <02> <D83D> endbfchar"
    document = read_document(
        make_raw_pdf(b"BT /F1 12 Tf 72 700 Td (Hi \x02 there) Tj ET", to_unicode), "a.pdf"
    )
    document.pages[0].text.encode("utf-8")
    assert document.pages[0].text.startswith("Hi ")


# --- reading order ------------------------------------------------------------------

LEFT = [
    "The garden behind the house is open",
    "to every tenant from early spring to",
    "late autumn, and the gate is shut at",
    "ten in the evening by the caretaker,",
    "who also keeps the spare keys.",
]
RIGHT = [
    "Bicycles are kept in the cellar, where",
    "each flat has two places of its own;",
    "what stands in the hall is taken away",
    "without notice at the end of the month",
    "and may be collected for a fee.",
]


def test_two_columns_drawn_row_by_row(make_pdf):
    rows = []
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        rows += [(20.0, 40.0 + 6 * number, left), (110.0, 40.0 + 6 * number, right)]
    document = read_document(
        make_pdf([(20.0, 30.0, "House rules for all tenants of this house"), *rows]), "a.pdf"
    )
    text = document.pages[0].text
    assert "\n".join(LEFT) in text
    assert "\n".join(RIGHT) in text
    assert text.index(LEFT[-1]) < text.index(RIGHT[0])
    assert document.warnings == ("On page 1 two columns were taken apart; the reading order is a guess.",)


def test_two_columns_drawn_one_after_the_other(make_pdf):
    rows = [(20.0, 40.0 + 6 * number, line) for number, line in enumerate(LEFT)]
    rows += [(110.0, 40.0 + 6 * number, line) for number, line in enumerate(RIGHT)]
    document = read_document(make_pdf(rows), "a.pdf")
    assert document.pages[0].text == "\n".join(LEFT) + "\n\n" + "\n".join(RIGHT)
    assert document.warnings == ()


def test_table_of_two_columns_stays_row_by_row(make_pdf):
    cells = [("Part", "Limit"), ("ZX-9 lamp", "40 kg"), ("ZX-10 lamp", "50 kg"), ("ZX-11 pole", "60 kg")] * 2
    rows = []
    for number, (left, right) in enumerate(cells):
        rows += [(20.0, 40.0 + 6 * number, left), (110.0, 40.0 + 6 * number, right)]
    text = read_document(make_pdf(rows), "a.pdf").pages[0].text
    assert text.startswith("Part Limit\nZX-9 lamp 40 kg\nZX-10 lamp 50 kg")


def test_columns_within_one_text_object_stay_read_across(make_raw_pdf):
    """No promise: pypdf reports such a row as one piece. This pins what comes out."""
    rows = b"".join(
        b"1 0 0 1 60 %d Tm (%b) Tj 1 0 0 1 320 %d Tm (%b) Tj "
        % (700 - 14 * n, left.encode(), 700 - 14 * n, right.encode())
        for n, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
    )
    text = read_document(make_raw_pdf(b"BT /F1 11 Tf " + rows + b"ET"), "a.pdf").pages[0].text
    assert text.split("\n")[0] == f"{LEFT[0]} {RIGHT[0]}"


def test_page_drawn_from_the_bottom_up(make_pdf):
    rows = [(20.0, 40.0 + 6 * number, line) for number, line in reversed(list(enumerate(LEFT)))]
    assert read_document(make_pdf(rows), "a.pdf").pages[0].text == "\n".join(LEFT)


def test_sideways_text_stands_behind_the_upright_text():
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", "", 11)
    for number, line in enumerate(LEFT):
        pdf.text(30, 40 + 6 * number, line)
        if number == 1:
            with pdf.rotation(90, x=15, y=100):
                pdf.text(15, 100, "Form 27-B")
    document = read_document(bytes(pdf.output()), "a.pdf")
    assert document.pages[0].text == "\n".join(LEFT) + "\n\nForm 27-B"


# --- headings -----------------------------------------------------------------------


def test_bookmarks_are_explicit_headings(make_pdf):
    writer = _writer(
        make_pdf(
            ["Travel rules", "", *PARAGRAPH, "", "1.1  Approval", *PARAGRAPH],
            ["not this one", "", "Payment of large", "sums abroad", "", *PARAGRAPH],
        )
    )
    top = writer.add_outline_item(title="TRAVEL RULES", page_number=0)
    writer.add_outline_item(title="Approval", page_number=0, parent=top)
    writer.add_outline_item(title="Payment of large sums abroad", page_number=1)
    writer.add_outline_item(title="Not in the text", page_number=1)
    assert _headings(read_document(_write(writer), "a.pdf")) == [
        (1, 1, "Travel rules", True, "Travel rules"),
        (1, 2, "1.1 Approval", True, "1.1 Approval"),
        (2, 1, "Payment of large sums abroad", True, "Payment of large\nsums abroad"),
    ]


def test_larger_and_bold_lines_are_guessed(make_pdf):
    document = read_document(
        make_pdf(
            [("Travel rules", 20, "B"), "", ("Approval of journeys", 14, "B"), *PARAGRAPH],
            [("Hotels", 11, "B"), *PARAGRAPH, *PARAGRAPH, ("Meals", 14, "B"), *PARAGRAPH],
        ),
        "a.pdf",
    )
    assert _headings(document) == [
        (1, 1, "Travel rules", False, "Travel rules"),
        (1, 2, "Approval of journeys", False, "Approval of journeys"),
        (2, 3, "Hotels", False, "Hotels"),
        (2, 2, "Meals", False, "Meals"),
    ]


def test_bold_sentence_and_bold_table_head_are_no_headings(make_pdf):
    rows = [("Please hand in all receipts in time.", 11, "B"), "", *PARAGRAPH, *PARAGRAPH]
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", "B", 11)
    pdf.text(20, 30, "Part")
    pdf.text(80, 30, "Limit")
    pdf.set_font("helvetica", "", 11)
    for number in range(8):
        pdf.text(20, 36 + 6 * number, f"ZX-{number}")
        pdf.text(80, 36 + 6 * number, f"{number} kg")
    assert _headings(read_document(make_pdf(rows), "a.pdf")) == []
    assert _headings(read_document(bytes(pdf.output()), "a.pdf")) == []


# --- running headers and footers --------------------------------------------------------


def _with_furniture(bodies):
    return [
        [
            (20.0, 12.0, "ACME Travel Rules QX-77"),
            *((20.0, 40.0 + 6 * n, line) for n, line in enumerate(body)),
            (95.0, 285.0, f"Page {number} of {len(bodies)}"),
        ]
        for number, body in enumerate(bodies, start=1)
    ]


def test_running_header_and_page_number_go_but_are_kept_once(make_pdf):
    bodies = [[f"Unlike body number {word}."] for word in ("one", "two", "three", "four")]
    document = read_document(make_pdf(*_with_furniture(bodies)), "a.pdf")
    assert [page.text for page in document.pages][1:] == [body[0] for body in bodies[1:]]
    assert document.pages[0].text == "ACME Travel Rules QX-77\n\nUnlike body number one."
    assert document.warnings == (
        "Running headers and footers were left out after their first occurrence: “ACME Travel Rules QX-77”.",
    )


def test_same_words_in_the_middle_of_a_page_stay(make_pdf):
    bodies = [[f"Body {word}.", "and some more"] for word in ("one", "two", "three", "four")]
    bodies[2] = ["Body", "goes", "on", "ACME Travel Rules QX-77", "here", "and", "on", "there"]
    document = read_document(make_pdf(*_with_furniture(bodies)), "a.pdf")
    assert document.pages[2].text == "\n".join(bodies[2])


def test_running_chapter_title_with_the_page_number(make_pdf):
    chapters = ["Lamps", "Lamps", "Lamps", "Shades", "Shades", "Wires", "Wires"]
    pages = [
        [(20.0, 12.0, f"{n + 4} Chapter {name}"), (20.0, 40.0, f"Body {'abcdefg'[n]} of the book.")]
        for n, name in enumerate(chapters)
    ]
    document = read_document(make_pdf(*pages), "a.pdf")
    assert [page.text for page in document.pages][:4] == [
        "4 Chapter Lamps\n\nBody a of the book.",
        "Body b of the book.",
        "Body c of the book.",
        "7 Chapter Shades\n\nBody d of the book.",
    ]


@pytest.mark.parametrize("heading", ["{} Scope of part {}", "Lesson {}"])
def test_numbered_heading_at_the_top_of_each_page_stays(make_pdf, heading):
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]
    pages = [[heading.format(n, name), "", f"Text {name}."] for n, name in enumerate(names, start=1)]
    document = read_document(make_pdf(*pages), "a.pdf")
    assert [page.text.split("\n")[0] for page in document.pages] == [page[0] for page in pages]
    assert document.warnings == ()


def test_document_of_nothing_but_repeated_lines(make_pdf):
    document = read_document(make_pdf(*[["Ticket 4711"]] * 5), "a.pdf")
    assert [page.text for page in document.pages] == ["Ticket 4711"] * 5
    assert document.warnings == ()


def test_two_pages_are_too_few_for_furniture(make_pdf):
    document = read_document(make_pdf(["Rules", "", "Body one."], ["Rules", "", "Body two."]), "a.pdf")
    assert [page.text for page in document.pages] == ["Rules\n\nBody one.", "Rules\n\nBody two."]


# --- forms ---------------------------------------------------------------------------


def _field(writer, page_index, **entries):
    widget = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Widget"),
            NameObject("/Rect"): ArrayObject([NumberObject(n) for n in (10, 10, 100, 30)]),
            **{NameObject(f"/{key}"): value for key, value in entries.items()},
        }
    )
    page = writer.pages[page_index]
    reference = writer._add_object(widget)
    page[NameObject("/Annots")] = ArrayObject([*page.get("/Annots", ()), reference])
    return reference


def test_filled_form(make_pdf):
    writer = _writer(make_pdf(["Application"], ["Second sheet"]))
    text, button = NameObject("/Tx"), NameObject("/Btn")
    _field(writer, 1, FT=text, T=TextStringObject("name"), V=TextStringObject("Zorblatt Quimby"))
    _field(
        writer,
        1,
        FT=text,
        T=TextStringObject("city[0]"),
        TU=TextStringObject("Town:"),
        V=TextStringObject("Ulm"),
    )
    _field(writer, 1, FT=text, T=TextStringObject("empty"))
    _field(
        writer, 1, FT=text, T=TextStringObject("pin"), Ff=NumberObject(1 << 13), V=TextStringObject("1234")
    )
    _field(writer, 1, FT=button, T=TextStringObject("member"), AS=NameObject("/Yes"), V=NameObject("/Yes"))
    _field(writer, 1, FT=button, T=TextStringObject("smoker"), AS=NameObject("/Off"))
    group = writer._add_object(
        DictionaryObject(
            {
                NameObject("/FT"): button,
                NameObject("/T"): TextStringObject("size"),
                NameObject("/Ff"): NumberObject(1 << 15),
                NameObject("/V"): NameObject("/Large"),
            }
        )
    )
    _field(writer, 1, Parent=group, AS=NameObject("/Off"))
    _field(writer, 1, Parent=group, AS=NameObject("/Large"))
    document = read_document(_write(writer), "a.pdf")
    assert document.pages[0].text == "Application"
    assert document.pages[1].text == (
        "Second sheet\n\nname: Zorblatt Quimby\nTown / city: Ulm\nmember: yes\nsmoker: no\nsize: Large"
    )


def test_form_on_a_page_without_text(make_pdf):
    writer = _writer(make_pdf([]))
    _field(writer, 0, FT=NameObject("/Tx"), T=TextStringObject("name"), V=TextStringObject("Ada"))
    assert read_document(_write(writer), "a.pdf").pages[0].text == "name: Ada"


def test_drawing_heavy_page_is_quick(make_raw_pdf):
    drawing = b"0 0 m 10 10 l S " * 400_000
    data = make_raw_pdf(drawing)
    began = time.monotonic()
    with pytest.raises(errors.NoTextLayer):
        read_document(data, "a.pdf")
    assert time.monotonic() - began < 5


def test_page_with_a_drawing_that_is_too_complex(make_raw_pdf):
    content = b"BT /F1 12 Tf 72 700 Td (hello) Tj ET " + b"0 0 m 10 10 l S " * 2_000
    with pytest.raises(
        errors.FileTooLarge, match=r"a\.pdf has no text that can be read; page 1 held too complex"
    ):
        read_document(make_raw_pdf(content), "a.pdf", limits=ReadingLimits(max_page_operations=10_000))


def test_title_and_chapter_alternate_on_facing_pages(make_pdf):
    fruits = ["apples", "pears", "plums", "figs", "dates", "limes", "nuts", "leeks"]
    pages = [
        [
            (20.0, 12.0, "Garden Book" if n % 2 else "Chapter Fruit"),
            (20.0, 40.0, f"On {fruit} in the garden."),
        ]
        for n, fruit in enumerate(fruits)
    ]
    document = read_document(make_pdf(*pages), "a.pdf")
    assert [page.text for page in document.pages[2:]] == [
        f"On {fruit} in the garden." for fruit in fruits[2:]
    ]
    assert "“Chapter Fruit”; “Garden Book”" in document.warnings[0]


def test_running_footer_that_is_kept_once_is_no_section(make_pdf):
    pages = [
        [(20.0, 40.0, f"Body of {word} with some words."), (80.0, 285.0, "Company Confidential")]
        for word in ("one", "two", "three", "four")
    ]
    document = read_document(make_pdf(*pages), "a.pdf")
    assert "Company Confidential" in document.pages[0].text
    assert _headings(document) == []


def test_printed_label_with_a_control_character(make_pdf):
    writer = _writer(make_pdf(["one"], ["two"]))
    writer.set_page_label(0, 1, style="/D", prefix="A\x01-")
    assert [page.label for page in read_document(_write(writer), "a.pdf").pages] == ["A-1", "A-2"]
