"""Page views: the picture of a page, and that the highlight covers the sentence and nothing else."""

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pypdf
import pytest
from fpdf import FPDF
from fpdf.enums import TextMode
from PIL import Image
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, RectangleObject
from pypdf.generic import TextStringObject as Text

from ragcore import errors
from ragcore.reading import page_view
from ragcore.reading.page_view import view_page

SENTENCE = "The reimbursement of office costs is limited to 250 euro a month and is paid with the salary."
# The sentence stands in stars; it begins and ends within a line and has a word that is cut.
PARAGRAPH = [
    "Every member of staff may claim the cost of travel. *The reim-*",
    "*bursement of office costs is limited to 250 euro a month and is*",
    "*paid with the salary.* Receipts are handed in within thirty days",
    "after the return; later ones are not accepted by the office.",
]
LEFT = [
    "Staff may claim travel. *The reim-*",
    "*bursement of office costs is*",
    "*limited to 250 euro a month*",
    "*and is paid with the salary.*",
    "Receipts are handed in later,",
    "and never without a date.",
]
RIGHT = [
    "A journey is approved before",
    "it is begun, by the head of",
    "the group to which a person",
    "belongs; the office keeps a",
    "list of all of them and may",
    "ask for more at any time.",
]


def _lines(lines, *, x=20.0, y=30.0, marked=0, rest=0):
    """``(x, y, text, grey)`` of the pieces in and outside of the stars."""
    measure = FPDF()
    measure.set_font("helvetica", size=11)
    inside = False
    for row, line in enumerate(lines):
        along = x
        for number, piece in enumerate(line.split("*")):
            inside ^= number > 0
            yield along, y + 6 * row, piece, marked if inside else rest
            along += measure.get_string_width(piece)


def _pdf(pieces, *, rotate=0, crop=None, turn=0, ground=None) -> bytes:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    if ground is not None:
        pdf.set_fill_color(ground)
        pdf.rect(0, 0, 210, 297, style="F")
    for x, y, text, grey in pieces:
        pdf.set_text_color(grey)
        with pdf.rotation(turn, 105, 60):
            pdf.text(x, y, text)
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(bytes(pdf.output())))
    if rotate:
        writer.pages[0].rotation = rotate
    if crop:
        writer.pages[0].cropbox = RectangleObject(crop)
    return _write(writer)


def _write(writer: pypdf.PdfWriter) -> bytes:
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _pixels(view) -> np.ndarray:
    image = np.asarray(Image.open(io.BytesIO(view.png)))
    assert image.shape == (view.height, view.width, 3)
    return image.astype(int)


def _highlighted(view) -> np.ndarray:
    """Mask of the pixels that are more yellow than grey; the boxes must be just these."""
    image = _pixels(view)
    boxes = np.zeros(image.shape[:2], dtype=bool)
    for left, top, width, height in view.highlights:
        boxes[top : top + height, left : left + width] = True
    coloured = image[..., 0] - image[..., 2] > 60
    assert not (coloured & ~boxes).any()
    assert coloured[boxes].mean() > 0.4
    return boxes


def _columns(*, marked=0, rest=0):
    """Two columns, drawn row by row."""
    left = _lines(LEFT, marked=marked, rest=rest)
    rows = {}
    for piece in [*left, *_lines(RIGHT, x=105, marked=marked, rest=rest)]:
        rows.setdefault(piece[1], []).append(piece)
    return [piece for row in rows.values() for piece in row]


def _paragraph(*, marked=0, rest=0):
    return _lines(PARAGRAPH, marked=marked, rest=rest)


# --- the highlight stands where the sentence does ----------------------------------------


@pytest.mark.parametrize(
    ("pieces", "options", "lines"),
    [
        pytest.param(_paragraph, {}, 3, id="plain"),
        pytest.param(_paragraph, {"rotate": 90}, 3, id="rotate-90"),
        pytest.param(_paragraph, {"rotate": 180}, 3, id="rotate-180"),
        pytest.param(_paragraph, {"rotate": 270}, 3, id="rotate-270"),
        pytest.param(_paragraph, {"crop": (40, 690, 480, 790)}, 3, id="cropped"),
        pytest.param(_paragraph, {"crop": (40, 690, 480, 790), "rotate": 90}, 3, id="cropped-rotated"),
        pytest.param(_paragraph, {"turn": 90}, 3, id="drawn-sideways"),
        pytest.param(_paragraph, {"turn": 90, "rotate": 90}, 3, id="drawn-sideways-rotated-back"),
        pytest.param(_columns, {}, 4, id="two-columns"),
        pytest.param(_columns, {"rotate": 90}, 4, id="two-columns-rotated"),
    ],
)
def test_highlight_covers_the_sentence_and_nothing_else(pieces, options, lines):
    view = view_page(_pdf(pieces(), **options), 1, quote=SENTENCE)
    assert (view.found, view.partial, len(view.highlights)) == (True, False, lines)
    covered = _highlighted(view)
    # The same page with one part of the text in white shows which pixels belong to the other.
    sentence = _pixels(view_page(_pdf(pieces(rest=255), **options), 1)).mean(axis=2) < 128
    others = _pixels(view_page(_pdf(pieces(marked=255), **options), 1)).mean(axis=2) < 128
    assert sentence.sum() > 1000
    assert covered[sentence].mean() > 0.995
    assert covered[others].mean() < 0.02


def test_text_stays_black_and_ground_becomes_amber():
    plain = view_page(_pdf(_paragraph()), 1)
    marked = view_page(_pdf(_paragraph()), 1, quote=SENTENCE)
    left, top, width, height = marked.highlights[1]
    area = np.s_[top : top + height, left : left + width]
    before, after = _pixels(plain)[area], _pixels(marked)[area]
    assert set(map(tuple, after[:-3][(before[:-3] == 255).all(axis=2)])) == {(255, 213, 96)}
    black = (before[:-3] < 30).all(axis=2)
    assert black.any() and (after[:-3][black] < 30).all()
    # Not colour alone: a dark line below.
    assert (after[-1] == (138, 84, 0)).all()


@pytest.mark.parametrize(("options", "edge"), [({"rotate": 90}, 0), ({"rotate": 270}, -1)])
def test_line_stands_below_letters_of_a_turned_page(options, edge):
    view = view_page(_pdf(_paragraph(), **options), 1, quote=SENTENCE)
    left, top, width, height = view.highlights[1]
    area = _pixels(view)[top : top + height, left : left + width]
    assert height > 5 * width
    assert (area[:, edge] == (138, 84, 0)).all()


def test_white_text_on_a_dark_page_stays_readable():
    data = _pdf(_paragraph(marked=255, rest=255), ground=20)
    view = view_page(data, 1, quote=SENTENCE)
    left, top, width, height = view.highlights[1]
    area = _pixels(view)[top : top + height - 3, left : left + width]
    assert area.max() == 255
    assert 70 < np.median(area[..., 0]) < 170
    assert np.median(area[..., 2]) < 60


def test_scanned_page_with_an_invisible_text_layer():
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    pdf.text_mode = TextMode.INVISIBLE
    pdf.text(20, 30, SENTENCE)
    view = view_page(bytes(pdf.output()), 1, quote=SENTENCE)
    assert view.found
    assert _highlighted(view).sum() > 5000


# --- what is found, and what the view says about it ------------------------------------------


def test_quote_that_is_not_on_the_page_leaves_the_page_as_it_is():
    data = _pdf(_paragraph())
    missing = view_page(data, 1, quote="Dogs are welcome in the office on every Friday afternoon.")
    assert (missing.found, missing.partial, missing.highlights) == (False, False, ())
    assert missing.png == view_page(data, 1).png


def test_sentence_that_goes_on_overleaf_is_partial(make_pdf):
    data = make_pdf(["The office keeps a list of all journeys and may"], ["ask for more at any time."])
    quote = "The office keeps a list of all journeys and may ask for more at any time."
    first, second = view_page(data, 1, quote=quote), view_page(data, 2, quote=quote)
    assert (first.found, first.partial, len(first.highlights)) == (True, True, 1)
    assert (second.found, second.partial) == (False, False)


def test_sentence_in_the_part_that_is_cropped_away_is_not_found():
    view = view_page(_pdf(_paragraph(), crop=(40, 40, 480, 400)), 1, quote=SENTENCE)
    assert (view.found, view.highlights) == (False, ())


def test_page_without_text():
    view = view_page(_pdf([]), 1, quote=SENTENCE)
    assert (view.found, view.width, view.height) == (False, 1000, 1414)


def test_quote_from_the_text_that_reading_gives(make_pdf):
    from ragcore.reading import read_document

    data = make_pdf([line.replace("*", "") for line in PARAGRAPH])
    text = read_document(data, "a.pdf").pages[0].text
    start = text.index("The reimbursement")
    quote = text[start : text.index("salary.") + len("salary.")]
    view = view_page(data, 1, quote=quote)
    assert (view.found, view.partial, len(view.highlights)) == (True, False, 3)


def _form(make_pdf) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(["Application"])))
    fields = []
    entries = [
        {"FT": NameObject("/Tx"), "T": Text("name"), "V": Text("Zorblatt Quimby")},
        {"FT": NameObject("/Tx"), "T": Text("pin"), "V": Text("1234"), "Ff": NumberObject(1 << 13)},
        {"FT": NameObject("/Btn"), "T": Text("member"), "AS": NameObject("/Yes"), "V": NameObject("/Yes")},
    ]
    for row, entry in enumerate(entries):
        widget = DictionaryObject({NameObject(f"/{key}"): value for key, value in entry.items()})
        widget[NameObject("/Type")] = NameObject("/Annot")
        widget[NameObject("/Subtype")] = NameObject("/Widget")
        place = (100, 500 - 50 * row, 300, 520 - 50 * row)
        widget[NameObject("/Rect")] = ArrayObject([NumberObject(n) for n in place])
        widget[NameObject("/DA")] = Text("/Helv 11 Tf 0 g")
        fields.append(writer._add_object(widget))
    writer.pages[0][NameObject("/Annots")] = ArrayObject(fields)
    form = DictionaryObject({NameObject("/Fields"): ArrayObject(fields)})
    writer._root_object[NameObject("/AcroForm")] = writer._add_object(form)
    return _write(writer)


@pytest.mark.parametrize(("quote", "row"), [("name: Zorblatt Quimby", 0), ("member: yes", 2)])
def test_filled_field_is_highlighted_as_a_whole(make_pdf, quote, row):
    view = view_page(_form(make_pdf), 1, quote=quote)
    scale = 1000 / 595.28
    expected = (100 * scale, (841.89 - 520 + 50 * row) * scale, 200 * scale, 20 * scale)
    assert view.highlights == (pytest.approx(expected, abs=4),)


def test_password_field_is_never_matched(make_pdf):
    assert view_page(_form(make_pdf), 1, quote="pin: 1234").found is False


# --- the picture ------------------------------------------------------------------------------


def test_page_and_size(make_pdf):
    data = make_pdf(["first"], ["second"], ["third"])
    view = view_page(data, 2, quote="second", width=640)
    assert (view.page, view.page_count, view.width, view.height, view.found) == (2, 3, 640, 905, True)
    assert view.png.startswith(b"\x89PNG")
    assert _pixels(view).shape == (905, 640, 3)
    assert view_page(data, 3, quote="second").found is False


def test_page_of_extreme_proportions_stays_small(make_raw_pdf):
    strip = make_raw_pdf(b"").replace(b"[0 0 595 842]", b"[0 0 1 14400]")
    view = view_page(strip, 1)
    assert view.width * view.height <= 16_100_000
    assert view.height / view.width == pytest.approx(14400, rel=0.05)


@pytest.mark.parametrize("page", [0, -1, 4])
def test_page_that_is_not_there(make_pdf, page):
    with pytest.raises(errors.NotFound, match=rf"a.pdf has 3 pages; there is no page {page}\."):
        view_page(make_pdf(["1"], ["2"], ["3"]), page, file_name="a.pdf")


@pytest.mark.parametrize("width", [0, 4001])
def test_width_out_of_bounds(make_pdf, width):
    with pytest.raises(errors.InputError, match=f"not {width}"):
        view_page(make_pdf(["text"]), 1, width=width)


@pytest.mark.parametrize(
    "data",
    [b"", b"%PDF-1.7\n", b"<html>no pdf</html>", b"\x00" * 5000],
    ids=["empty", "head", "html", "zeros"],
)
def test_file_that_is_no_pdf(data):
    with pytest.raises(errors.BrokenFile, match=r"^a.pdf is damaged or no PDF"):
        view_page(data, 1, file_name="a.pdf")


def test_page_that_is_missing_in_a_damaged_file(make_pdf):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(["one"], ["two"], ["three"])))
    kids = writer._root_object["/Pages"]["/Kids"]
    kids[1] = writer._add_object(NumberObject(7))
    data = _write(writer)
    with pytest.raises(errors.BrokenFile, match=r"^Page 2 of a.pdf is damaged and cannot be shown"):
        view_page(data, 2, file_name="a.pdf")
    assert view_page(data, 3, quote="three").found


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_file_that_is_cut_off_is_shown_or_refused_in_one_sentence(make_pdf, share):
    data = make_pdf(["one"], ["two"], ["three"])
    try:
        view = view_page(data[: int(share * len(data))], 1, file_name="a.pdf")
    except errors.BrokenFile as error:
        assert str(error).startswith(("a.pdf is damaged", "Page 1 of a.pdf is damaged"))
    else:
        assert view.png.startswith(b"\x89PNG")


def test_drawing_that_takes_too_long(monkeypatch, make_raw_pdf):
    monkeypatch.setattr(page_view, "_MAX_SECONDS", 0.0)
    lines = b"".join(b"%d 10 m 500 %d l S\n" % (n % 500, n % 800) for n in range(20_000))
    with pytest.raises(errors.FileTooLarge, match=r"Page 1 of a.pdf is too complex"):
        view_page(make_raw_pdf(lines), 1, file_name="a.pdf")


def _locked(data: bytes, user: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user, "owner", algorithm="AES-256")
    return _write(writer)


def test_password(make_pdf):
    data = _locked(make_pdf(["secret terms"]), "grün")
    with pytest.raises(errors.PasswordProtected, match=r"a.pdf is protected by a password"):
        view_page(data, 1, file_name="a.pdf")
    with pytest.raises(errors.PasswordProtected, match=r"a.pdf does not open with the password given"):
        view_page(data, 1, password="wrong", file_name="a.pdf")
    assert view_page(data, 1, password="grün", quote="secret terms").found


def test_file_that_is_only_protected_from_printing_needs_no_password(make_pdf):
    data = _locked(make_pdf(["open terms"]), "")
    assert view_page(data, 1, quote="open terms").found
    assert view_page(data, 1, password="superfluous", quote="open terms").found


def test_many_threads_at_once():
    data = _pdf(_paragraph())
    expected = view_page(data, 1, quote=SENTENCE)
    with ThreadPoolExecutor(6) as pool:
        views = list(pool.map(lambda _: view_page(data, 1, quote=SENTENCE), range(18)))
    assert all(view == expected for view in views)
