"""Reading on from a citation: the cited page as a picture, or the text around the quote."""

from __future__ import annotations

from ragcore.chunking import document_text
from ragcore.errors import NotFound
from ragcore.reading.page_view import PageView, view_page
from ragcore.reading.quote_match import find_quote, text_around
from ragcore.storage import Library


class SourceViews:
    """Shows a stored document around a place in it."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def page(self, document_id: int, page: int, *, quote: str = "", password: str = "") -> PageView:
        """A PDF's page as a picture with the quote highlighted.

        Raises NotFound when the document has been replaced or deleted, PasswordProtected and
        BrokenFile.
        """
        name = self._library.source_name(document_id)
        return view_page(
            self._library.original(document_id), page, quote=quote, password=password, file_name=name
        )

    def text(self, document_id: int, quote: str) -> tuple[str, str, str]:
        """The text around a quote of a document: before, the quote, after. Raises NotFound."""
        text = document_text(self._library.source(document_id).pages)
        found = find_quote(text, quote)
        if found is None:
            raise NotFound("The quote is not in the document as it is now.")
        return text_around(text, *found)
