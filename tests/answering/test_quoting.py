"""Quoting: word for word, on the right page, and never a heading or a fragment."""

from ragcore.answering.quoting import best_sentences, quoted_answer
from tests.builders import candidate

CRANE = candidate(
    "## The crane\n\nThe crane lifts 12 tonnes. It may be used from seven to nineteen o'clock. "
    "Its inspection falls due every March.",
    section=("Harbour", "The crane"),
    page_start=2,
    file="harbour.pdf",
)
SLIP = candidate("The slipway is closed at low water.", page_start=5, file="harbour.pdf", chunk_id=2)


def test_best_sentence_stands_alone_when_nothing_comes_close(embedder) -> None:
    quotes = best_sentences("How much can the crane lift?", [CRANE, SLIP], embedder)
    assert quotes[0].text == "The crane lifts 12 tonnes. [harbour.pdf:2]"
    assert all(quote.citation.quote in CRANE.text for quote in quotes)


def test_heading_is_never_quoted(embedder) -> None:
    quotes = best_sentences("The crane", [CRANE], embedder)
    assert quotes and all("##" not in quote.text for quote in quotes)


def test_fragment_is_not_quoted_while_there_are_sentences(embedder) -> None:
    version = candidate("Since: 1.6\n\nThe function returns the number of berths.")
    assert [q.citation.quote for q in best_sentences("Since when: 1.6?", [version], embedder)] == [
        "The function returns the number of berths."
    ]
    assert (
        best_sentences("Since when?", [candidate("Since: 1.6")], embedder)[0].citation.quote == "Since: 1.6"
    )


def test_sentence_on_the_second_page_of_a_chunk_is_cited_there(embedder) -> None:
    text = "Boats over ten metres pay by length,\nsmaller ones a flat 9 crowns. Dinghies are free of charge."
    across = candidate(text, page_start=4, page_end=5, page_offsets=((37, 5),))
    quote = best_sentences("What do dinghies pay?", [across], embedder)[0]
    assert (quote.citation.quote, quote.citation.page) == ("Dinghies are free of charge.", 5)


def test_line_breaks_are_folded_in_the_answer_and_kept_in_the_quote(embedder) -> None:
    wrapped = candidate("The harbour master's office is\nopen until 17:00.")
    quotes = best_sentences("When does the office close?", [wrapped], embedder)
    assert quoted_answer(quotes) == "The harbour master's office is open until 17:00. [terms.pdf:3]"
    assert quotes[0].citation.quote == wrapped.text


def test_heading_that_nobody_marked_and_line_of_contents_are_not_quoted(embedder) -> None:
    manual = candidate(
        "asn1 read value type\n\n3.2 Reading a value . . . . . . . . 14\n\n"
        "The function reads the type of a value and returns its number."
    )
    assert [q.citation.quote for q in best_sentences("read value type", [manual], embedder)] == [
        "The function reads the type of a value and returns its number."
    ]


def test_row_of_a_table_is_quoted_under_its_head_and_the_head_alone_never(embedder) -> None:
    table = candidate(
        "| Saloon car | Price | Remark |\n| --- | --- | --- |\n"
        "| half a day | 310 marks | without food |\n| a whole day | 520 marks | with lunch |",
        section=("Fares", "Hire of the saloon car"),
        page_start=3,
        file="fares.pdf",
    )
    quotes = best_sentences("What does the saloon car cost for half a day?", [table], embedder)
    texts = [quote.text for quote in quotes]
    assert "Saloon car: half a day; Price: 310 marks; Remark: without food [fares.pdf:3]" in texts
    assert all(quote.citation.quote in table.text for quote in quotes)
    assert not any(text.startswith(("|", "Saloon car: Saloon")) for text in texts)
