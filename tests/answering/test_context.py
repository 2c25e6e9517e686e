"""What goes into a prompt, document by document: by examples, and by rules that hold for many."""

import random
import re
from dataclasses import dataclass, replace

import pytest

from ragcore.answering.context import LIMITS, Limits, assemble
from ragcore.answering.fitting import fit_hits
from ragcore.errors import InputError
from ragcore.models.tokens import estimate_prompt_tokens
from ragcore.records import Candidate, ChatMessage, PlacedChunk, PlacedDocument
from tests.builders import candidate

ASKED = "What does the pass cost?"
COUNTED = "How many passes are there?"


@dataclass(frozen=True)
class Window:
    num_ctx: int = 8192
    max_reply_tokens: int = 600

    def estimate_tokens(self, messages: list[ChatMessage]) -> int:
        return estimate_prompt_tokens(messages)


def document(document_id: int, texts: list[str], *, tokens: int = 20, overlap: int = 0, **fields):
    """A document of these chunks, chunk ids 100 * document + ordinal, each ``overlap`` characters into the last."""
    placed, end = [], 0
    for ordinal, text in enumerate(texts):
        start = max(0, end - overlap)
        end = start + len(text)
        shown = candidate(
            text,
            **{
                "chunk_id": 100 * document_id + ordinal,
                "document_id": document_id,
                "file": f"d{document_id}.md",
                "paged": False,
                "page_start": 1,
                "section": (f"Part {ordinal}",),
                "score": None,
                **fields,
            },
        )
        placed.append(PlacedChunk(shown, ordinal, start, end, tokens))
    return PlacedDocument(document_id, len(texts), tokens * len(texts), tuple(placed))


def hits(*places: tuple[PlacedDocument, int]) -> list[Candidate]:
    """The chunks at these ordinals as a search gives them."""
    return [
        replace(place.placed[ordinal].candidate, score=0.9 - 0.01 * rank)
        for rank, (place, ordinal) in enumerate(places)
    ]


def by_id(*documents: PlacedDocument) -> dict[int, PlacedDocument]:
    return {one.document_id: one for one in documents}


def around(whole: PlacedDocument, *ordinals: int) -> PlacedDocument:
    """The document as the store gives one that is too long: only the chunks at these ordinals."""
    return replace(whole, placed=tuple(whole.placed[n] for n in ordinals))


def outline(context) -> list[tuple[int, int, str]]:
    return [(one.number, one.candidate.chunk_id, one.why) for one in context.passages]


FIVE = document(1, [f"One{n} is said here." for n in range(5)])
LONG = document(2, [f"Two{n} is said here." for n in range(200)])


def test_short_document_is_given_whole_in_reading_order() -> None:
    context = assemble(ASKED, hits((FIVE, 3), (FIVE, 1)), by_id(FIVE), Window())
    assert outline(context) == [
        (1, 100, "whole"),
        (2, 101, "hit"),
        (3, 102, "whole"),
        (4, 103, "hit"),
        (5, 104, "whole"),
    ]
    assert (context.whole, context.cut, context.left_out, context.warning) == (("d1.md",), (), (), "")
    # The rest was never compared with the question.
    assert [one.candidate.score for one in context.passages] == [None, 0.91 - 0.02, None, 0.9, None]


def test_long_document_gives_its_hits_their_neighbours_and_its_opening() -> None:
    stored = around(LONG, 0, 49, 50, 51, 69, 70, 71)
    context = assemble(ASKED, hits((LONG, 70), (LONG, 50)), by_id(stored), Window())
    assert outline(context) == [
        (1, 200, "opening"),
        (2, 249, "neighbour"),
        (3, 250, "hit"),
        (4, 251, "neighbour"),
        (5, 269, "neighbour"),
        (6, 270, "hit"),
        (7, 271, "neighbour"),
    ]
    assert context.whole == ()


def test_documents_stand_in_the_order_of_their_best_hits_each_under_its_name_once() -> None:
    stored = around(LONG, 0, 9, 10, 11)
    context = assemble(ASKED, hits((LONG, 10), (FIVE, 0), (FIVE, 4)), by_id(FIVE, stored), Window())
    prompt = context.messages[1].content
    assert [one.candidate.document_id for one in context.passages] == [2] * 4 + [1] * 5
    assert prompt.count("d2.md") == prompt.count("d1.md") == 1
    assert "Document d2.md:\n\n[1] § Part 0\nTwo0 is said here.\n\n[2] § Part 9\nTwo9" in prompt
    assert "Document d1.md:\n\n[5] § Part 0\nOne0" in prompt
    assert prompt.rstrip().endswith(f"Question: {ASKED}")


def test_two_documents_of_the_same_name_are_kept_apart() -> None:
    other = document(3, ["Three is said here."], file="d1.md")
    context = assemble(ASKED, hits((FIVE, 0), (other, 0), (FIVE, 2)), by_id(FIVE, other), Window())
    assert [one.candidate.document_id for one in context.passages] == [1, 1, 1, 1, 1, 3]
    assert context.messages[1].content.count("Document d1.md:") == 2


def test_what_two_chunks_share_is_shown_once_and_cited_whole() -> None:
    texts = ["The pass is red. It costs 9 crowns.", "It costs 9 crowns. It is sold on board."]
    shared = document(1, texts, overlap=len("It costs 9 crowns."))
    context = assemble(ASKED, hits((shared, 1)), by_id(shared), Window())
    prompt = context.messages[1].content
    assert prompt.count("It costs 9 crowns.") == 1
    assert "[2] § Part 1\nIt is sold on board." in prompt
    assert [one.candidate.text for one in context.passages] == texts


def test_overlap_with_a_chunk_that_is_not_in_the_prompt_is_kept() -> None:
    texts = ["A1. Shared one.", "Shared one. B1. Shared two.", "Shared two. C1."]
    shared = document(1, texts, tokens=500, overlap=len("Shared one."))
    limits = Limits(beside=0, opening=False)
    context = assemble(ASKED, hits((shared, 0), (shared, 2)), by_id(shared), Window(), limits)
    assert [one.shown for one in context.passages] == [texts[0], texts[2]]


def test_chunk_that_stands_wholly_in_the_one_before_it() -> None:
    shared = document(1, ["A1. B1. C1.", "B1. C1."], overlap=len("B1. C1."))
    context = assemble(ASKED, hits((shared, 1)), by_id(shared), Window())
    assert outline(context) == [(1, 100, "whole")]
    assert context.messages[1].content.count("C1.") == 1


def test_head_of_a_table_that_goes_on_is_shown_once_and_again_after_a_gap() -> None:
    head = "| Pass | Price |\n| --- | --- |"
    rows = [f"{head}\n| red | 9 |", "| blue | 8 |", "| green | 7 |", "| white | 6 |", "| black | 5 |"]
    table = document(1, rows, tokens=500)
    table = replace(
        table,
        placed=tuple(
            replace(one, candidate=replace(one.candidate, header=head if one.ordinal else ""))
            for one in table.placed
        ),
    )
    shown = [(table, 0), (table, 1), (table, 4)]
    context = assemble(ASKED, hits(*shown), by_id(table), Window(), Limits(document=2000, beside=0))
    assert [one.shown for one in context.passages] == [rows[0], rows[1], f"{head}\n{rows[4]}"]


def test_title_above_chunks_that_follow_each_other_is_shown_once() -> None:
    titled = document(1, ["A1.", "B1."], header="Terms › Fees")
    context = assemble(ASKED, hits((titled, 0)), by_id(titled), Window())
    assert [one.shown for one in context.passages] == ["Terms › Fees\nA1.", "B1."]


def test_no_more_than_its_share_of_one_document_and_what_is_left_out_is_named() -> None:
    found = hits(*((LONG, 3 * n) for n in range(1, 60)))
    context = assemble(ASKED, found, by_id(around(LONG, *range(180))), Window(), Limits(document=200))
    assert sum(20 for _ in context.passages) == 200
    assert {one.why for one in context.passages} == {"hit"}, "hits come before what is around them"
    assert len(context.left_out) == 49 and {one.limit for one in context.left_out} == {"document"}
    assert context.warning == (
        "49 of the passages found did not fit into the prompt and were left out: "
        "d2.md:§ Part 33, d2.md:§ Part 36, d2.md:§ Part 39 and 46 more."
    )


def test_question_that_counts_gets_the_best_document_whole_before_other_hits() -> None:
    medium = document(4, [f"Pass {n} is for zone {n}." for n in range(120)])
    assert medium.tokens == 2400 > LIMITS.whole
    found = hits((medium, 5), (FIVE, 0), (medium, 80))
    documents = by_id(medium, FIVE)
    asked, counted = (assemble(question, found, documents, Window()) for question in (ASKED, COUNTED))
    assert (asked.counts, asked.whole, asked.cut) == (False, ("d1.md",), ())
    assert (counted.counts, counted.whole, counted.cut) == (True, ("d4.md", "d1.md"), ())
    assert len(counted.passages) == 125
    stored = around(LONG, 0, 8, 9, 10)
    beside = assemble(COUNTED, [*found, *hits((LONG, 9))], {**documents, 2: stored}, Window())
    assert outline(beside)[125:] == [(126, 209, "hit")], "nothing around other hits"
    crowded = assemble(COUNTED, found, documents, Window(num_ctx=1400))
    assert (crowded.whole, crowded.cut) == (("d1.md",), ("d4.md",)), "there is no room for all of it"


def test_question_that_counts_in_a_document_too_long_for_any_prompt_says_so() -> None:
    endless = replace(LONG, tokens=LIMITS.counted + 1)
    context = assemble(COUNTED, hits((endless, 9)), by_id(around(endless, 0, 8, 9, 10)), Window())
    assert (context.whole, context.cut) == ((), ("d2.md",))


def test_whole_document_that_does_not_fit_gives_its_hits_and_what_is_around_them() -> None:
    wordy = document(1, ["The price of the pass is said in these words, and again. " * 4] * 8)
    context = assemble(ASKED, hits((wordy, 4)), by_id(wordy), Window(num_ctx=1400))
    assert (context.whole, context.cut) == ((), ("d1.md",))
    assert outline(context)[:2] == [(1, 100, "opening"), (2, 103, "neighbour")]


def test_huge_chunk_is_the_best_hit_of_its_document_and_stays() -> None:
    huge = document(1, ["The pass. " * 100, "Small."], tokens=1500)
    context = assemble(ASKED, hits((huge, 0), (huge, 1)), by_id(huge), Window())
    assert outline(context) == [(1, 100, "hit")]
    assert [(one.chunk_id, one.limit) for one in context.left_out] == [(101, "document")]


def test_chunk_larger_than_the_window_is_an_error_that_names_the_room() -> None:
    huge = document(1, ["The pass. " * 3000])
    with pytest.raises(InputError, match=r"need more than the 7592 tokens .* raise num_ctx"):
        assemble(ASKED, hits((huge, 0)), by_id(huge), Window())


def test_document_replaced_since_it_was_searched_gives_its_hits_alone() -> None:
    context = assemble(ASKED, hits((LONG, 7), (FIVE, 1), (LONG, 3)), by_id(FIVE), Window())
    assert [one.candidate.chunk_id for one in context.passages][:2] == [207, 203]
    assert (context.whole, context.cut) == (("d1.md",), ())


def test_hits_alone_are_as_they_were_found() -> None:
    found = hits((LONG, 7), (FIVE, 1), (LONG, 3))
    context = fit_hits(ASKED, found, Window())
    assert outline(context) == [(1, 207, "hit"), (2, 101, "hit"), (3, 203, "hit")]
    assert context.messages[1].content.count("d2.md") == 2
    small = fit_hits(ASKED, found, Window(num_ctx=430, max_reply_tokens=40))
    assert [one.chunk_id for one in small.left_out] == [203] and small.passages == context.passages[:2]


def test_thousand_hits() -> None:
    zones = [
        document(
            number, [f"Zone {number}.{n} pays {n} crowns a day, and more on Sundays." for n in range(80)]
        )
        for number in range(1, 26)
    ]
    found = hits(*((one, n) for n in range(40) for one in zones))
    assert len(found) == 1000
    context = assemble(ASKED, found, by_id(*zones), Window())
    inside = [one.candidate.chunk_id for one in context.passages if one.why == "hit"]
    assert sorted(inside) == sorted(hit.chunk_id for hit in found[: len(inside)]), "the best ones"
    assert len(inside) + sum(one.why == "hit" for one in context.left_out) == 1000
    assert 7000 < context.estimated_tokens <= 7592, "the window is used"


@pytest.mark.parametrize("seed", range(60))
def test_rules_that_hold_for_any_documents(seed: int) -> None:
    """Never over the window, the best hit always in, reading order, no text twice, no chunk twice."""
    chance = random.Random(seed)
    overlap = chance.choice([0, 0, 12])
    documents = [
        document(
            number,
            [
                f"w{number}x{n} " + " ".join(f"w{number}x{n}y{word}" for word in range(chance.randint(3, 80)))
                for n in range(chance.randint(1, 40))
            ],
            tokens=chance.randint(5, 120),
        )
        for number in range(1, chance.randint(2, 7))
    ]
    if overlap:
        documents = [_overlapping(one, overlap) for one in documents]
    places = [(one, n) for one in documents for n in range(one.chunks)]
    chance.shuffle(places)
    found = hits(*places[: chance.randint(1, len(places))])
    window = Window(chance.choice([1024, 1500, 2048, 8192]), chance.choice([60, 300]))
    question = chance.choice([ASKED, COUNTED])
    wanted = LIMITS.whole_up_to(question, found)
    near = {(hit.document_id, hit.chunk_id % 100 + step) for hit in found for step in (-1, 0, 1)}
    stored = by_id(
        *(
            one
            if one.tokens <= wanted.get(one.document_id, 0)
            else around(one, *(n for n in range(one.chunks) if n == 0 or (one.document_id, n) in near))
            for one in documents
            if one.document_id in wanted
        )
    )
    try:
        context = assemble(question, found, stored, window)
    except InputError:
        with pytest.raises(InputError):
            fit_hits(question, found[:1], Window(window.num_ctx - 20, window.max_reply_tokens))
        return
    ids = [one.candidate.chunk_id for one in context.passages]
    assert estimate_prompt_tokens(context.messages) == context.estimated_tokens
    assert context.estimated_tokens <= window.num_ctx - window.max_reply_tokens
    assert found[0].chunk_id in ids and len(ids) == len(set(ids))
    assert [one.number for one in context.passages] == list(range(1, len(ids) + 1))
    order = list(dict.fromkeys(one.candidate.document_id for one in context.passages))
    assert order == [n for n in dict.fromkeys(hit.document_id for hit in found) if n in order]
    assert ids == sorted(ids, key=lambda chunk_id: (order.index(chunk_id // 100), chunk_id))
    prompt = context.messages[1].content
    words = re.findall(r"w\d+x\S+", prompt)
    assert len(words) == len(set(words)), "no text twice"
    assert not {one.chunk_id for one in context.left_out} & set(ids)
    missed = {hit.chunk_id for hit in found} - set(ids)
    assert missed == {one.chunk_id for one in context.left_out if one.why == "hit"}
    for one in stored.values():
        taken = sum(one.tokens // one.chunks for n in ids if n // 100 == one.document_id)
        first = one.tokens // one.chunks
        assert taken <= max(LIMITS.document, first) or one.tokens <= wanted[one.document_id]


def _overlapping(plain: PlacedDocument, characters: int) -> PlacedDocument:
    """The same document, each chunk beginning with the last words of the one before."""
    text = " ".join(one.candidate.text for one in plain.placed)
    placed, end = [], 0
    for one in plain.placed:
        start, end = end, end + len(one.candidate.text) + 1
        if start:
            start = text.rfind(" ", 0, start - characters) + 1
        whole = text[start : min(end, len(text))].rstrip()
        placed.append(
            replace(
                one,
                candidate=replace(one.candidate, text=whole),
                char_start=start,
                char_end=start + len(whole),
            )
        )
    return replace(plain, placed=tuple(placed))
