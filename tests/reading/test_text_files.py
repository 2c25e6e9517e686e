"""Plain text, Markdown, web pages and delimited tables."""

import pytest

from ragcore.errors import EmptyFile
from ragcore.reading import read_document


def _headings(document):
    page = document.pages[0]
    return [(h.level, h.title, h.explicit, page.text[h.start : h.end]) for h in page.headings]


# --- encodings -----------------------------------------------------------------


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
def test_unicode_encodings(codec):
    document = read_document("# Größe\n\nDie Gebühr ist 5 €.".encode(codec), "a.md")
    assert document.pages[0].text == "# Größe\n\nDie Gebühr ist 5 €."
    assert document.title == "Größe"


def test_utf16_without_mark_is_named():
    document = read_document("The fee is due.".encode("utf-16-le"), "a.txt")
    assert document.warnings == ("a.txt was read as UTF-16-LE (a guess: it has no mark).",)


def test_windows_text_is_named_and_keeps_every_letter():
    document = read_document("Größe: 5 € – “gut”".encode("cp1252"), "a.txt")
    assert document.pages[0].text == "Größe: 5 € – “gut”"
    assert "read as Windows-1252" in document.warnings[0]


def test_byte_that_windows_1252_does_not_know_is_replaced_and_counted():
    document = read_document(b"Gr\xf6\xdfe \x81 end of the line", "a.txt")
    assert document.pages[0].text == "Größe \ufffd end of the line"
    assert document.warnings[1].startswith("1 places")


def test_cyrillic_text_in_a_code_page():
    text = "Отпуск составляет двадцать восемь календарных дней в году. Заявление подают за две недели. " * 5
    document = read_document(text.encode("cp1251"), "a.txt")
    assert document.pages[0].text == text.strip()


def test_utf8_with_a_stray_nul():
    document = read_document("Gebühr\x00 5 Euro für alle".encode(), "a.txt")
    assert document.pages[0].text == "Gebühr 5 Euro für alle"
    assert document.warnings == ("1 control characters were removed from the text.",)


def test_utf8_cut_in_the_middle_of_a_letter():
    document = read_document("Die Gebühr für Größe".encode()[:-3] + b"\xc3", "a.txt")
    assert document.pages[0].text == "Die Gebühr für Grö\ufffd"


# --- plain text ----------------------------------------------------------------


def test_plain_text_is_one_unpaged_page():
    document = read_document(b"Opening hours\n\nWe open at nine.", "notes/a.txt")
    assert document.file_name == "a.txt"
    assert document.paged is False
    assert [page.number for page in document.pages] == [1]
    assert document.title == "Opening hours"
    assert document.media_type == "text/plain"


def test_hash_lines_in_plain_text_are_explicit_headings():
    document = read_document(b"# Handbook\n\n## Vacation Policy\n\nFifteen days.\n", "a.txt")
    assert _headings(document) == [
        (1, "Handbook", True, "# Handbook"),
        (2, "Vacation Policy", True, "## Vacation Policy"),
    ]


def test_commented_block_and_fence_in_plain_text_are_no_headings():
    text = b"# Real\n\n# first comment\n# second comment\nkey = 1\n\n```\n# in a fence\n```\n#hashtag\n"
    assert [title for _, title, _, _ in _headings(read_document(text, "a.txt"))] == ["Real"]


def test_underlined_lines_in_plain_text_are_explicit_headings():
    text = (
        b"House rules\n===========\n\nBe quiet.\n\nLate fees\n---------\nFive euro.\n\nName  Age\n---------\n"
    )
    assert _headings(read_document(text, "a.txt")) == [
        (1, "House rules", True, "House rules\n==========="),
        (2, "Late fees", True, "Late fees\n---------"),
    ]


def test_capitals_are_guessed():
    text = b"Anna Berg\nanna@example.com\nEXPERIENCE\nLed a team of four people.\nSKILLS\nPython, SQL\n"
    assert _headings(read_document(text, "cv.txt")) == [
        (1, "EXPERIENCE", False, "EXPERIENCE"),
        (1, "SKILLS", False, "SKILLS"),
    ]


def test_numbered_sections_are_guessed():
    text = (
        b"1 Scope\n\nThis applies to all staff of the firm.\n\n2 Fees\n\nFees are listed below, by kind.\n\n"
        b"2.1 Late Fees\nA late fee of 5 euro applies.\n\nAnnex A\n\nThe forms to be used are these.\n"
    )
    assert _headings(read_document(text, "a.txt")) == [
        (1, "1 Scope", False, "1 Scope"),
        (1, "2 Fees", False, "2 Fees"),
        (2, "2.1 Late Fees", False, "2.1 Late Fees"),
        (1, "Annex A", False, "Annex A"),
    ]


def test_title_case_line_between_blank_lines_is_guessed():
    text = (
        b"Staff Handbook\n\nWelcome to the firm, we are glad to have you.\n\nTerms of Payment\n\n"
        b"Invoices are due within thirty days of receipt.\n"
    )
    assert _headings(read_document(text, "a.txt")) == [(2, "Terms of Payment", False, "Terms of Payment")]


@pytest.mark.parametrize(
    "line",
    [
        "1. Open the box\n2. Take out the lamp\n3. Screw it in",
        "- Late Fees\n- Early Fees",
        "12 March 2024",
        "TOTAL 400 EUR",
        "AB-1234-XY",
        "Part   Limit   Price",
        "Name: Anna Berg",
        "We Close on Sundays.",
        "Dear Mr Smith,",
        "anna@example.com",
        "Introduction ........ 3",
        "MIND THE GAP!",
        "ACME LTD\nHIGH STREET\nLONDON",
        "3.5 kg",
        "a | b | c",
    ],
)
def test_line_that_is_no_heading(line):
    text = (
        f"The first paragraph of this text is long enough.\n\n{line}\n\nAnd so is the last paragraph of it.\n"
    )
    assert _headings(read_document(text.encode(), "a.txt")) == []


def test_word_cut_at_a_line_end():
    assert read_document(b"The reim-\nbursement.", "a.txt").pages[0].text == "The reimbursement."


# --- Markdown --------------------------------------------------------------------


def test_markdown_headings_of_both_kinds_with_offsets():
    text = b"Guide\n=====\n\nIntro.\n\nSetup\n---\n\n### Next *step* ###\n\nText.\n"
    assert _headings(read_document(text, "a.md")) == [
        (1, "Guide", True, "Guide\n====="),
        (2, "Setup", True, "Setup\n---"),
        (3, "Next step", True, "### Next *step* ###"),
    ]


def test_comment_in_a_fence_is_no_heading():
    text = b"# Setup\n\n````sh\n# comment\n```\n# still inside\n````\n\n# Next\n\n~~~\n# open to the end\n"
    document = read_document(text, "a.md")
    assert [title for _, title, _, _ in _headings(document)] == ["Setup", "Next"]
    assert "# still inside" in document.pages[0].text


def test_front_matter_gives_the_title_and_goes():
    document = read_document(b'---\ntitle: "The Guide"\ntags:\n  - a\n---\n# Setup\n\nText.\n', "a.md")
    assert document.title == "The Guide"
    assert document.pages[0].text == "# Setup\n\nText."
    assert _headings(document) == [(1, "Setup", True, "# Setup")]


@pytest.mark.parametrize(
    "text",
    ["---\ntitle: open\n\n# Setup\n", "\n---\ntitle: late\n---\n", "---\nJust prose here.\n\n---\nmore\n"],
)
def test_no_front_matter(text):
    document = read_document(text.encode(), "a.md")
    assert document.pages[0].text == text.strip("\n")


def test_headings_in_quotes_and_html_comments_are_no_sections():
    document = read_document(b"> # Quoted\n\n<!--\n# hidden\n-->\n\n# Real\n", "a.md")
    assert [title for _, title, _, _ in _headings(document)] == ["Real"]


def test_byte_order_mark_before_the_first_heading():
    assert _headings(read_document(b"\xef\xbb\xbf# Setup\n\nText", "a.md")) == [(1, "Setup", True, "# Setup")]


def test_crlf_offsets():
    assert _headings(read_document(b"x\r\n\r\n\r\n# Setup\r\n\r\nText", "a.md")) == [
        (1, "Setup", True, "# Setup")
    ]


# --- web pages and tables -----------------------------------------------------------


def test_web_page_in_reading_order():
    page = """<!doctype html><html><head><title>Opening Hours</title><style>p{}</style></head><body>
    <nav>Home | Login</nav><h1>Our <em>hours</em></h1><p>We open
    at nine.<br>Daily.</p><script>var x = 1</script><ol start=3><li>Ring</li><li>Wait</li></ol>
    <table><tr><th>Day</th><th>Until</th></tr><tr><td>Friday</td><td>18:00</td></tr></table>
    <p hidden>secret</p><pre>a  b\n  c</pre>&copy; Us</body></html>"""
    document = read_document(page.encode(), "a.html")
    assert document.title == "Opening Hours"
    assert document.pages[0].text == (
        "Our hours\n\nWe open at nine.\nDaily.\n\n3. Ring\n4. Wait\n\nDay: Friday; Until: 18:00\n\na  b\n  c\n\n© Us"
    )
    assert _headings(document) == [(1, "Our hours", True, "Our hours")]


def test_web_page_in_the_charset_it_declares():
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Größe “x”</p></body></html>'
    assert read_document(page.encode("cp1252"), "a.htm").pages[0].text == "Größe “x”"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimited_rows_carry_their_column_names(delimiter):
    rows = [["Part", "Limit", "Note"], ["ZX-9", "40 kg", ""], ["ZX-10", "50 kg", "new"]]
    data = "\r\n".join(delimiter.join(row) for row in rows).encode("utf-8-sig")
    document = read_document(data, "parts.csv")
    assert document.pages[0].text == "Part: ZX-9; Limit: 40 kg\nPart: ZX-10; Limit: 50 kg; Note: new"
    assert document.title == "parts"


def test_quoted_cell_with_line_break_and_delimiter():
    document = read_document(b'Term,Meaning\nfee,"a sum,\nto be paid"\n', "a.csv")
    assert document.pages[0].text == "Term: fee; Meaning: a sum, to be paid"


def test_table_without_column_names():
    document = read_document(b"1,40\n2,50\n", "a.csv")
    assert document.pages[0].text == "1 | 40\n2 | 50"


def test_one_stray_byte_in_utf8_costs_that_byte_only():
    data = "Größe über Öl, dänisch, süß. ".encode() * 4 + b"\xff" + "Ende größer.".encode()
    document = read_document(data, "a.txt")
    assert (
        document.pages[0].text.startswith("Größe über Öl") and "\ufffdEnde größer." in document.pages[0].text
    )
    assert "1 places in a.txt could not be decoded as utf-8" in document.warnings[0]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_mark_in_cyrillic(codec):
    text = "Отпуск составляет двадцать дней, и не больше. " * 3
    document = read_document(text.encode(codec), "a.txt")
    assert document.pages[0].text == text.strip()
    assert codec.upper() in document.warnings[0]


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: 'It''s ours'   # working title", "It's ours"),
        ('title: "The \\"old\\" rules"', 'The "old" rules'),
        ("title: >-\n  Rules of\n  the house\nauthor: me", "Rules of the house"),
        ("title: Fees: 2026 # draft", "Fees: 2026"),
        ("Title: C#7 guide", "C#7 guide"),
    ],
)
def test_title_as_yaml_writes_it(front, title):
    assert read_document(f"---\n{front}\n---\nBody words.\n".encode(), "a.md").title == title


def test_web_page_of_nothing_but_a_comment():
    with pytest.raises(EmptyFile, match=r"a\.html contains no text"):
        read_document(b"<!-- nothing here", "a.html")
