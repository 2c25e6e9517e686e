"""Which language a document is written in, told offline from a sample of its text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ragcore.records import Page

_SAMPLE = 6000
"""Characters: enough for a sure answer, and read in a few milliseconds."""
_FROM_A_PAGE = 600
_SURE = 0.8
_NO_LANGUAGE = "zxx"


def detect_language(pages: Sequence[Page]) -> str:
    """ISO 639 code of the language of most of the text; empty when that is not sure.

    Tables of numbers, code and a handful of words do not tell. The model (naive Bayes over byte
    sequences: Lui and Baldwin, "langid.py", ACL 2012) takes half a second to load, once.
    """
    language, confidence = _identifier().classify(_sample(pages))
    return language if confidence >= _SURE and language != _NO_LANGUAGE else ""


def _sample(pages: Sequence[Page]) -> str:
    """The beginnings of pages spread over the document, or of the one page."""
    step = max(1, len(pages) * _FROM_A_PAGE // _SAMPLE)
    chosen = pages[::step]
    each = max(_FROM_A_PAGE, _SAMPLE // max(1, len(chosen)))
    return "\n".join(page.text[:each] for page in chosen)[:_SAMPLE]


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
