"""Tables in delimited text (.csv, .tsv), one line a row."""

from __future__ import annotations

import csv
import io

from ragcore.records import Page, SourceDocument

from .blocks import choose_title
from .cleaning import clean_characters, tidy_lines
from .encodings import decode_text
from .sniffing import MEDIA_TYPES, extension_of
from .tables import row_lines
from .text import control_warnings, require_text

_SAMPLE_CHARACTERS = 16_000


def read_csv(data: bytes, file_name: str) -> SourceDocument:
    """Rows as ``Header: value; ...`` lines of one unpaged page.

    Raises EmptyFile when there are no letters or digits, UnsupportedFile when it is not text.
    """
    raw, warnings = decode_text(data, file_name)
    warnings += control_warnings(raw)
    text = clean_characters(raw)
    require_text(text, file_name)
    dialect = _dialect(text[:_SAMPLE_CHARACTERS], file_name)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), dialect))
    except csv.Error:
        # A stray quote makes a cell longer than the parser takes: read it without quoting.
        rows = [line.split(dialect.delimiter) for line in text.split("\n")]
        warnings += ("Quotation marks do not match; the cells were split at every delimiter.",)
    page_text = tidy_lines("\n".join(row_lines(rows, likely_header=True)))
    page = Page(1, page_text)
    title = choose_title([], file_name)
    return SourceDocument(file_name, MEDIA_TYPES["csv"], title, (page,), paged=False, warnings=warnings)


def _dialect(sample: str, file_name: str) -> type[csv.Dialect] | csv.Dialect:
    try:
        return csv.Sniffer().sniff(sample, delimiters="\t" if extension_of(file_name) == ".tsv" else ",;\t|")
    except csv.Error:
        # One column, or too irregular to tell.
        return csv.excel_tab if extension_of(file_name) == ".tsv" else csv.excel
