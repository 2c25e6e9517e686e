"""The semantic strategy: where a section changes its subject it is cut, and nothing else is lost by it."""

import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.errors import InputError
from tests.chunking.test_chunk_properties import check, count_unruly, documents

SEMANTIC = ChunkingConfig("semantic", 120, header="off")
BEES = [
    "A beehive holds one queen and thousands of worker bees.",
    "The worker bees gather nectar from flowers and carry it to the beehive.",
    "In the beehive the nectar is turned into honey by the bees.",
    "A beekeeper takes the honey in summer and leaves some for the bees.",
]
TAXES = [
    "Income tax is declared once a year at the tax office.",
    "The tax office sends an assessment of the income tax by letter.",
    "Who pays the income tax too late owes interest to the tax office.",
    "Against the assessment of the tax an objection can be filed.",
]


def embed_words(texts):
    """Words hashed into 64 places: texts that share words are alike."""
    vectors = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in text.lower().split() or ["?"]:
            row[zlib.crc32(word.strip(".,:;").encode()) % 64] += 1
        row /= np.linalg.norm(row)
    return vectors


def cut(document, embedder, config=SEMANTIC):
    return chunk_document(document, config, embedder.count_tokens, 256, embed=embedder.embed_documents)


@pytest.fixture(scope="module")
def two_subjects() -> str:
    return " ".join(BEES + TAXES)


def test_two_subjects_in_one_paragraph_are_cut_between_them(build, embedder, two_subjects):
    chunks = cut(build(two_subjects), embedder)
    assert [chunk.text for chunk in chunks] == [" ".join(BEES), " ".join(TAXES)]
    recursive = cut(build(two_subjects), embedder, replace(SEMANTIC, strategy="recursive"))
    assert TAXES[0] in recursive[0].text, "by size alone it would be cut inside the second subject"


def test_what_fits_whole_is_cut_all_the_same(build, embedder, two_subjects):
    chunks = cut(build(two_subjects), embedder, replace(SEMANTIC, max_tokens=200))
    assert [chunk.text for chunk in chunks] == [" ".join(BEES), " ".join(TAXES)]


def test_the_same_document_twice(build, embedder, two_subjects):
    assert cut(build(two_subjects), embedder) == cut(build(two_subjects), embedder)


def test_one_sentence(build, embedder):
    assert [chunk.text for chunk in cut(build(BEES[0]), embedder)] == [BEES[0]]


def test_headings_begin_chunks_whatever_is_alike(build, embedder):
    document = build(f"# One\n\n{BEES[0]}\n\n# Two\n\n{BEES[1]}", headings=[("# One", 1), ("# Two", 1)])
    assert [chunk.section for chunk in cut(document, embedder)] == [("One",), ("Two",)]


def test_list_of_unlike_items_is_kept_whole_with_the_line_that_leads_in(build, embedder):
    listed = "Bring these things:\n- a fishing rod\n- the tax assessment\n- honey\n- a violin\n- some cement"
    text = f"{' '.join(BEES)}\n\n{listed}\n\n{' '.join(TAXES)}"
    chunks = cut(build(text), embedder)
    assert sum(listed in chunk.text for chunk in chunks) == 1
    assert len(chunks) == 2


def test_table_of_unlike_rows_is_kept_whole(build, embedder):
    table = "| What | Price |\n|---|---|\n| Honey | 5 |\n| Objection | 30 |\n| Violin | 900 |\n| Cement | 8 |"
    chunks = cut(build(f"{' '.join(BEES)}\n\n{table}\n\n{' '.join(TAXES)}"), embedder)
    assert sum(table in chunk.text for chunk in chunks) == 1


def test_a_long_list_is_divided_and_within_the_bound(build, embedder):
    items = [f"- Item {n}: {BEES[n % 4]}" for n in range(40)]
    chunks = cut(build("\n".join(items)), embedder)
    assert len(chunks) > 4
    assert max(chunk.token_count for chunk in chunks) <= 120
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(items)


def test_no_cut_leaves_less_than_a_quarter_of_a_chunk(build, embedder):
    text = " ".join([TAXES[0], *BEES, TAXES[1]])
    chunks = cut(build(text), embedder, replace(SEMANTIC, max_tokens=200))
    assert all(chunk.token_count >= 50 for chunk in chunks)


def test_only_sentences_at_gaps_that_may_be_cut_are_embedded(build, count_words):
    asked = []

    def embed(texts):
        asked.extend(texts)
        return embed_words(texts)

    table = "| A | B |\n|---|---|\n" + "\n".join(f"| row {n} | {n} |" for n in range(20))
    document = build(f"{' '.join(BEES)}\n\n{table}")
    chunk_document(document, ChunkingConfig("semantic", 200), count_words, 256, embed=embed)
    assert "| row 10 | 10 |" not in asked and BEES[3] in asked
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("strategy", ["recursive", "fixed", "contextual"])
def test_other_strategies_do_not_embed(build, count_words, two_subjects, strategy):
    def embed(_texts):
        raise AssertionError("asked")

    chunk_document(build(two_subjects), ChunkingConfig(strategy), count_words, 256, embed=embed)


def test_without_an_embedder(build, count_words):
    with pytest.raises(InputError, match="semantic strategy compares sentences and needs an embedding model"):
        chunk_document(build("Some text."), SEMANTIC, count_words, 256)


@st.composite
def configs(draw):
    most = draw(st.integers(16, 60))
    return ChunkingConfig(
        "semantic",
        most,
        draw(st.integers(0, (most - 1) // 2)),
        draw(st.sampled_from(["auto", "on", "off"])),
    )


quick = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))


@given(documents(), configs(), st.booleans())
@quick
def test_any_document_loses_nothing_and_keeps_the_bound(count_minilm, document, config, unruly):
    check(document, config, count_unruly if unruly else count_minilm, embed_words)


@given(documents(), st.integers(16, 60))
@quick
def test_any_document_with_the_contextual_strategy_leaves_room_for_a_context(count_minilm, document, most):
    config = ChunkingConfig("contextual", most)
    for chunk in check(document, config, count_minilm):
        assert chunk.token_count <= config.text_tokens or chunk.oversize
