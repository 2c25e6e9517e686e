"""The language of a document, from its text alone; nothing where that does not tell."""

import pytest

from ragcore.reading import detect_language
from ragcore.records import Page

GERMAN = "Die Pumpe wird alle zwei Wochen gewartet, und der Filter wird dabei gewechselt. "
ENGLISH = "The pump is looked after every two weeks, and its filter is changed on that day. "


def detected(*texts: str) -> str:
    return detect_language([Page(number, words) for number, words in enumerate(texts, start=1)])


@pytest.mark.parametrize(
    ("words", "language"),
    [
        (ENGLISH, "en"),
        (GERMAN, "de"),
        (
            "La bomba se revisa cada dos semanas, y el filtro se cambia siempre en el mismo día del mes. ",
            "es",
        ),
        ("La pompe est contrôlée toutes les deux semaines et le filtre est changé. ", "fr"),
        ("Помпа проверяется каждые две недели, и тогда меняют фильтр. ", "ru"),
        ("料金は五ユーロで、到着時に支払います。", "ja"),
    ],
)
def test_sentence(words, language):
    assert detected(words) == language


@pytest.mark.parametrize(
    "words", ["", "12 34 56", "| P-1 | 3 bar |\n| P-2 | 4 bar |\n" * 20, "aGVsbG8gd29y" * 80]
)
def test_text_that_does_not_tell(words):
    assert detected(words) == ""


def test_language_of_most_of_the_document_not_of_its_first_page():
    assert detected(ENGLISH, *[GERMAN * 20] * 40) == "de"


def test_no_pages():
    assert detect_language([]) == ""
