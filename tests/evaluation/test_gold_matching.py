"""Which hits and citations count as the gold."""

from dataclasses import replace
from pathlib import Path

import pytest

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.evaluation.matching import citation_right, gold_rank, gold_ranks, matches, relevant_hits
from ragcore.evaluation.question import EvalQuestion, Gold
from ragcore.evaluation.sets import load_set
from ragcore.reading import read_document
from ragcore.records import Candidate, Citation

EVAL_DATA = Path(__file__).parents[2] / "eval_data"
HIT = Candidate(
    chunk_id=1,
    document_id=1,
    file="fees.pdf",
    paged=True,
    page_start=3,
    page_end=4,
    page_label=None,
    page_offsets=((20, 4),),
    section=("Guide", "Fees of 2027"),
    header="| Who | Fee |",
    text="The fee is five\npounds. Cadets pay 2.",
    score=0.5,
)


def asked(*gold: Gold) -> EvalQuestion:
    return EvalQuestion("q", "answerable", "Q?", ("Q?",), "answer", gold=gold)


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (Gold("fees.pdf", "fee is  five pounds"), True),
        (Gold("Fees.PDF", "fee is five pounds"), True),
        (Gold("fees.pdf", "FEE is five pounds"), False),
        (Gold("rules.pdf", "fee is five pounds"), False),
        (Gold("fees.pdf", "| Who | Fee | The fee"), True),
        (Gold("fees.pdf", "The fee is five pounds", page=3), True),
        (Gold("fees.pdf", "The fee is five pounds", page=4), False),
        (Gold("fees.pdf", "Cadets pay 2", page=4), True),
        (Gold("fees.pdf", "Cadets pay 2", page=3), False),
        (Gold("fees.pdf", "", page=4), True),
        (Gold("fees.pdf", "", page=5), False),
        (Gold("fees.pdf", "Cadets pay 2", section="fees of 2027"), True),
        (Gold("fees.pdf", "Cadets pay 2", section="Fees of 2028"), False),
        (Gold("", "CADETS PAY", substring=True), True),
        (Gold("", "ADULTS PAY", substring=True), False),
    ],
)
def test_gold_against_a_hit(gold, expected):
    assert matches(HIT, gold) is expected


def test_section_that_begins_within_the_chunk():
    hit = replace(HIT, section=("Guide", "Joining"), text="Join.\n## Fees\nCadets pay 2.")
    assert matches(hit, Gold("fees.pdf", "Cadets pay 2", section="Fees"))


def test_decomposed_letters_are_the_same_word():
    assert matches(replace(HIT, text="Cafe\u0301 fee"), Gold("fees.pdf", "Caf\u00e9 fee", page=3))


def test_ranks_of_any_and_of_each_gold():
    hits = [replace(HIT, text="Nothing."), replace(HIT, text="One."), replace(HIT, text="One. Two.")]
    one, two, three = (Gold("fees.pdf", quote) for quote in ("One", "Two", "Three"))
    assert gold_rank(hits, asked(three, two)) == 3
    assert gold_rank(hits, asked(one, two)) == 2
    assert gold_rank(hits, asked(three)) is None
    assert gold_ranks(hits, (one, two, three)) == (2, 3, None)
    assert relevant_hits(hits, asked(two, one)) == (False, True, True)
    assert gold_rank([], asked(one)) is None


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (Gold("fees.pdf", "whatever", page=3), True),
        (Gold("fees.pdf", "whatever", page=4), False),
        (Gold("rules.pdf", "whatever", page=3), False),
        (Gold("fees.pdf", "whatever", section="Fees"), True),
        (Gold("fees.pdf", "whatever", section="Joining"), False),
        (Gold("", "FIVE pounds", substring=True), True),
        (Gold("", "six pounds", substring=True), False),
    ],
)
def test_gold_against_a_citation(gold, expected):
    citation = Citation("fees.pdf", 3, "The fee is five pounds.", "3", 1, 1, section=("Fees",))
    assert citation_right(citation, asked(gold)) is expected


def test_every_quote_of_the_handbook_is_in_some_chunk_of_it(embedder):
    loaded = load_set(EVAL_DATA / "handbook")
    path = loaded.corpus[0] / "handbook.md"
    document = read_document(path.read_bytes(), path.name)
    chunks = chunk_document(document, ChunkingConfig(), embedder.count_tokens, embedder.identity.max_tokens)
    hits = [
        replace(
            HIT,
            file=path.name,
            paged=False,
            page_start=chunk.page_start,
            page_end=chunk.page_end,
            page_offsets=chunk.page_offsets,
            section=chunk.section,
            header=chunk.header,
            text=chunk.text,
        )
        for chunk in chunks
    ]
    answerable = [one for one in loaded.questions if one.gold]
    assert len(answerable) == 73
    assert [one.id for one in answerable if None in gold_ranks(hits, one.gold)] == []
