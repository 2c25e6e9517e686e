"""Reading: the bytes of a file become clean pages with headings, or one sentence why not."""

from .cleaning import clean_name, clean_text
from .limits import ReadingLimits
from .reader import read_document
from .sniffing import ACCEPTED

__all__ = ["ACCEPTED", "ReadingLimits", "clean_name", "clean_text", "read_document"]
