"""A cited place as it stands in its document: the page as a picture, or the text around the quote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts.passages import marked_html, passage_html
from pages.parts.safe_markdown import plain_line, sentence
from ragcore.errors import NotFound, PasswordProtected, RagError
from ragcore.rag import Rag
from ragcore.reading.page_view import PageView

ICON = ":material/find_in_page:"
WIDTH = 920
"""Pixels: a page is drawn 1000 wide, and is to be read without a magnifying glass."""
_KEPT = {"max_entries": 48, "ttl": "10m"}


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """What is to be shown. ``quotes`` are (page, quote), none for a passage that was not quoted."""

    document_id: int
    file: str
    page: int
    quotes: tuple[tuple[int, str], ...]
    section: str
    passage: str
    media_type: str

    @property
    def is_pdf(self) -> bool:
        return self.media_type == "application/pdf"


def show_button(place: CitedPlace, *, key: str) -> None:
    """The button that asks for the dialog; ``is_asked_for(key)`` tells the next run."""
    st.button(
        "Show the page" if place.is_pdf else "Show in the document",
        key=key,
        icon=ICON,
        help="Open the page with the quoted sentence highlighted."
        if place.is_pdf
        else "Open the text around the quoted sentence.",
    )


def is_asked_for(key: str) -> bool:
    """Whether the button of this key has just been clicked; it need not have been drawn yet."""
    return bool(st.session_state.get(key))


def show(rag: Rag, place: CitedPlace) -> None:
    """Open the dialog. Only one can be opened in a run."""
    st.session_state["cited_page"] = place.page
    st.session_state["cited_quote"] = 0
    dialog = st.dialog(plain_line(place.file), width=WIDTH, icon=ICON, on_dismiss="rerun")
    dialog(pdf_page if place.is_pdf else text_place)(rag, place)


def pdf_page(rag: Rag, place: CitedPlace) -> None:
    """The dialog of a PDF. Page and quote are turned within it, so they are kept in the session."""
    page, chosen = st.session_state["cited_page"], st.session_state["cited_quote"]
    cited_on, quote = place.quotes[chosen] if place.quotes else (place.page, "")
    try:
        labels = rag.library.page_labels(place.document_id)
        view = _drawn(rag, place.document_id, page, quote, _passwords().get(place.document_id, ""))
    except PasswordProtected as error:
        _ask_password(rag, place, str(error))
        return
    except RagError as error:
        _only_the_passage(place, str(error))
        _download(rag, place)
        return
    name = _page_name(page, labels)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="cited_page_bar"):
        _turn_button("Previous", ":material/chevron_left:", page - 1, within=page > 1)
        _turn_button("Next", ":material/chevron_right:", page + 1, within=page < view.page_count)
        st.markdown(plain_line(f"{name} of {view.page_count}"), width="content")
        if page != cited_on:
            st.button(
                f"Back to page {cited_on}",
                key="cited_page_back",
                type="tertiary",
                help="Back to the page that the answer cites.",
                on_click=_turn_to,
                args=(cited_on,),
            )
        st.space("stretch")
        _download(rag, place)
    _choose_quote(place)
    if place.section and page == cited_on:
        st.caption(plain_line(place.section))
    if quote and page == cited_on and not view.found:
        st.info(
            "The quoted sentence was not found in the picture of this page, so nothing is highlighted. "
            "The passage under the citation shows it as it was read.",
            icon=":material/info:",
        )
    elif view.partial:
        st.caption(
            ":material/info: Only a part of the quoted sentence was found on this page and highlighted."
        )
    described = f"{name} of {place.file}" + (f", with the words “{quote}” highlighted" if view.found else "")
    st.image(view.png, width="stretch", alt=described, output_format="PNG")


def text_place(rag: Rag, place: CitedPlace) -> None:
    """The dialog of a file without pages."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if place.section:
            st.markdown(plain_line(f"Section: {place.section}"), width="content")
        st.space("stretch")
        _download(rag, place)
    _choose_quote(place)
    quote = place.quotes[st.session_state["cited_quote"]][1] if place.quotes else place.passage
    try:
        before, found, after = rag.views.text(place.document_id, quote)
    except NotFound as error:
        _only_the_passage(place, str(error))
        return
    st.html(marked_html(before, found, after))
    st.caption(
        "Only PDF files have page numbers of their own. In Word, Markdown, HTML, CSV and text files the "
        "section is cited instead."
    )


def _choose_quote(place: CitedPlace) -> None:
    """Which of several quotes from this place is highlighted."""
    if len(place.quotes) < 2:
        return
    key = "cited_quote_choice"
    # Asked of the session, not of the widget's default: the dialog may be opened for another place.
    st.session_state[key] = st.session_state["cited_quote"]
    st.segmented_control(
        "Quote",
        range(len(place.quotes)),
        key=key,
        required=True,
        format_func=lambda number: f"Quote {number + 1}",
        help="The answer quotes several sentences from here; choose which one is highlighted.",
        on_change=_turn_to_quote,
        args=(place, key),
    )


def _turn_to_quote(place: CitedPlace, key: str) -> None:
    st.session_state["cited_quote"] = number = st.session_state[key] or 0
    st.session_state["cited_page"] = place.quotes[number][0]


def _turn_button(label: str, icon: str, page: int, *, within: bool) -> None:
    st.button(
        label,
        key=f"cited_{label.lower()}",
        icon=icon,
        disabled=not within,
        help=f"{label} page",
        on_click=_turn_to,
        args=(page,),
    )


def _turn_to(page: int) -> None:
    st.session_state["cited_page"] = page


def _page_name(page: int, labels: dict[int, str]) -> str:
    return f"Page {page} (printed “{labels[page]}”)" if page in labels else f"Page {page}"


def _only_the_passage(place: CitedPlace, why: str) -> None:
    st.info(f"{sentence(why)} This is the passage as it was read.", icon=":material/info:")
    st.html(passage_html(place.passage, [quote for _, quote in place.quotes]))


def _download(rag: Rag, place: CitedPlace) -> None:
    st.download_button(
        "Original",
        data=_original(rag, place.document_id),
        file_name=place.file.rsplit("/", 1)[-1],
        mime=place.media_type,
        key="cited_original",
        icon=":material/download:",
        on_click="ignore",
        help="Download the file as it was added.",
    )


def _original(rag: Rag, document_id: int) -> Callable[[], bytes]:
    return lambda: rag.library.original(document_id)


def _ask_password(rag: Rag, place: CitedPlace, why: str) -> None:
    """The bytes are kept as they came, so a protected file needs its password to be drawn, too."""
    st.markdown(sentence(why))
    key = f"cited_password_{place.document_id}"
    st.text_input(
        "Password",
        type="password",
        key=key,
        help="Used to show pages in this session. It is not stored.",
        on_change=_keep_password,
        args=(place.document_id, key),
    )
    st.button("Open", key="cited_unlock", type="primary", help="Open the page with this password.")
    _download(rag, place)


def _keep_password(document_id: int, key: str) -> None:
    _passwords()[document_id] = st.session_state[key]


def _passwords() -> dict[int, str]:
    return st.session_state.setdefault("page_passwords", {})


# The cache is shared by all sessions. A picture is found again only by the number of a document
# that one's own answer cites and, for a protected file, by its password.
@st.cache_data(show_spinner="Drawing the page…", hash_funcs={Rag: lambda rag: rag.database.conninfo}, **_KEPT)
def _drawn(rag: Rag, document_id: int, page: int, quote: str, password: str) -> PageView:
    return rag.views.page(document_id, page, quote=quote, password=password)
