"""What holds for every document and every config: nothing lost, exact slices, bounds, pages."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragcore.chunking import ChunkingConfig, chunk_document, document_text
from ragcore.records import Heading, Page, SourceDocument, page_at

FRAGMENTS = [
    "The fee is 5 EUR. It is due in May, see Art. 5.\n",
    "a sentence that goes on and on without any end in sight ",
    "continues here\n",
    "\n\n",
    "\n",
    "- item one\n- item two with words\n",
    "1. First\n2. Second\n",
    "| Part | Limit |\n|---|---|\n| ZX-9 | 40 kg |\n| ZX-8 | 30 kg |\n| ZX-7 | 20 kg |\n",
    "```python\n# no heading\n\nx = 1\n```\n",
    "~~~\nleft open\n",
    "***\n",
    "退款须在三十天内申请。可以吗？好的；谢谢！这是一个没有空格的很长的句子，需要切开，才能放进去",
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 6,
    "👨‍👩‍👧‍👦" * 5 + " ",
    "e\u0301\u0327 ",
    "Title\n=====\n",
    "— ",
    "   ",
    "\u00a0\u2003\x1c",
]
texts = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=12), st.just("word ") | st.just("Word. ")),
    max_size=14,
).map("".join)


@st.composite
def documents(draw):
    pages = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        text, headings = "", []
        for _ in range(draw(st.integers(0, 3))):
            if draw(st.booleans()):
                line = draw(st.sampled_from(["# One", "## Two words", "### 3.2 Three", "FOUR", "-"]))
                start = len(text)
                text += line + "\n"
                level = max(1, line.count("#"))
                headings.append(
                    Heading(start, start + len(line), level, line.strip("# "), draw(st.booleans()))
                )
            text += draw(texts)
            if text and not text.endswith("\n"):
                text += "\n"
        pages.append(Page(number, text, headings=tuple(headings)))
    return SourceDocument(
        "d.pdf", "application/pdf", draw(st.sampled_from(["", "A Title"])), tuple(pages), True
    )


@st.composite
def configs(draw):
    most = draw(st.integers(16, 60))
    return ChunkingConfig(
        draw(st.sampled_from(["recursive", "recursive", "fixed"])),
        most,
        draw(st.integers(0, (most - 1) // 2)),
        draw(st.sampled_from(["auto", "on", "off"])),
    )


def count_unruly(texts):
    """Not additive: line feeds and long texts cost extra, as no sane tokenizer would have it."""
    return [3 + len(text.split()) + text.count("\n") + len(text) // 9 for text in texts]


def check(document, config, count, embed=None):
    text = document_text(document.pages)
    chunks = chunk_document(document, config, count, 256, embed)
    position, page_of = 0, []
    for page in document.pages:
        page_of.extend([page.number] * (len(page.text) + 2))
    if not any(character.isalnum() for character in text) and not chunks:
        return chunks
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    for chunk, before in zip(chunks, [None, *chunks], strict=False):
        assert chunk.text == text[chunk.char_start : chunk.char_end]
        assert chunk.text == chunk.text.strip() != ""
        assert text[position : max(position, chunk.char_start)].strip() == "", "text is lost"
        if before:
            assert before.char_start < chunk.char_start
            assert before.char_end < chunk.char_end
        position = chunk.char_end
        assert chunk.token_count == count([chunk.embedded_text])[0] <= config.max_tokens
        assert chunk.page_start == page_of[chunk.char_start]
        assert chunk.page_end == page_of[chunk.char_end - 1]
        for i, character in enumerate(chunk.text):
            if not character.isspace():
                assert page_at(chunk.page_start, chunk.page_offsets, i) == page_of[chunk.char_start + i]
    assert text[position:].strip() == "", "the end is lost"
    if not config.overlap_tokens:
        assert sum(len(chunk.text) for chunk in chunks) <= len(text)
    return chunks


quick = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


@given(documents(), configs())
@quick
def test_any_document_with_words_as_tokens(count_words, document, config):
    check(document, config, count_words)


@given(documents(), configs())
@quick
def test_any_document_with_the_real_tokenizer(count_minilm, document, config):
    check(document, config, count_minilm)


@given(documents(), configs())
@quick
def test_any_document_with_a_counter_that_does_not_add_up(document, config):
    check(document, config, count_unruly)


@given(st.text(max_size=300), configs())
@quick
def test_any_text(count_minilm, text, config):
    document = SourceDocument("t.txt", "text/plain", "T", (Page(1, text),), False)
    check(document, config, count_minilm)


@given(documents(), configs())
@quick
def test_no_chunk_of_punctuation_only(count_words, document, config):
    for chunk in chunk_document(document, config, count_words, 256):
        assert any(unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "So" for c in chunk.text)


@pytest.mark.parametrize("size", [16, 17, 60])
@pytest.mark.parametrize("strategy", ["recursive", "fixed"])
def test_largest_overlap_of_odd_sizes_ends(count_minilm, size, strategy):
    text = "One two three four five six seven. " * 200 + "x" * 5000
    document = SourceDocument("t.txt", "text/plain", "T", (Page(1, text),), False)
    config = ChunkingConfig(strategy, size, (size - 1) // 2)
    chunks = check(document, config, count_minilm)
    assert len(chunks) >= 1600 // size
