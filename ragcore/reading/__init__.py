"""Reading: the bytes of a file become clean pages with headings, or one sentence why not."""

from .cleaning import clean_name, clean_path, clean_text
from .isolated import read_isolated
from .language import detect_language
from .limits import ReadingLimits
from .ocr import add_text_layer, find_ocr
from .reader import read_document
from .sniffing import ACCEPTED

__all__ = [
    "ACCEPTED",
    "ReadingLimits",
    "add_text_layer",
    "clean_name",
    "clean_path",
    "clean_text",
    "detect_language",
    "find_ocr",
    "read_document",
    "read_isolated",
]
