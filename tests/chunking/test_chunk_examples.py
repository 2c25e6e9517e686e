"""One small document for each way that chunking goes wrong."""

import base64
import time

import pytest
import regex

from ragcore.chunking import ChunkingConfig, chunk_document, document_text
from ragcore.records import Page, SourceDocument, page_at

SENTENCE = "The quick brown fox jumps over the lazy dog near river number {}."


def prose(first, last):
    return " ".join(SENTENCE.format(n) for n in range(first, last))


@pytest.fixture
def chunk(count_words):
    def run(document, max_tokens=60, **options):
        return chunk_document(document, ChunkingConfig(max_tokens=max_tokens, **options), count_words, 256)

    return run


@pytest.fixture
def chunk_real(count_minilm):
    def run(document, max_tokens=120, **options):
        return chunk_document(document, ChunkingConfig(max_tokens=max_tokens, **options), count_minilm, 256)

    return run


# --- headings and sections ---------------------------------------------------


def test_each_section_starts_a_chunk_with_its_heading(build, chunk):
    text = "# Guide\n\n## Fees\n\nFive euros.\n\n## Hours\n\nNine to five.\n"
    chunks = chunk(build(text, headings=[("# Guide", 1), ("## Fees", 2), ("## Hours", 2)]))
    assert [c.text for c in chunks] == ["# Guide\n\n## Fees\n\nFive euros.", "## Hours\n\nNine to five."]
    assert [c.section for c in chunks] == [("Guide", "Fees"), ("Guide", "Hours")]
    assert [c.header for c in chunks] == ["", ""]


def test_headings_only_document_gives_one_chunk(build, chunk):
    chunks = chunk(build("# A\n## B\n# C\n", headings=[("# A", 1), ("## B", 2), ("# C", 1)]))
    assert [c.text for c in chunks] == ["# A\n## B\n# C"]


def test_document_without_headings(build, chunk):
    chunks = chunk(build("Just one line."))
    assert [(c.text, c.section, c.header) for c in chunks] == [("Just one line.", (), "Manual")]


def test_heading_at_the_very_end_goes_with_the_chunk_before(build, chunk):
    chunks = chunk(build("# A\n\nText of A.\n\n# Appendix\n", headings=[("# A", 1), ("# Appendix", 1)]))
    assert [c.text for c in chunks] == ["# A\n\nText of A.\n\n# Appendix"]
    assert chunks[0].section == ("A",)


def test_heading_above_a_sentence_that_fills_a_chunk_alone(build, chunk):
    sentence = " ".join(f"word{n}" for n in range(58)) + "."
    chunks = chunk(build(f"# Fees\n\n{sentence}\n\n# Next\n\nEnd.", headings=[("# Fees", 1), ("# Next", 1)]))
    assert chunks[0].text.startswith("# Fees\n\nword0 word1")
    assert len(chunks[0].text.split()) > 10
    assert chunks[-1].text == "# Next\n\nEnd."


def test_setext_heading_and_closed_atx_heading_are_not_torn(build, chunk):
    text = "Fees\n====\n\nFive.\n\n## Hours ##\n\nNine."
    chunks = chunk(build(text, headings=[("Fees", 1), ("Hours", 2)]))
    assert [c.text for c in chunks] == ["Fees\n====\n\nFive.", "## Hours ##\n\nNine."]


def test_continuation_of_a_section_names_it(build, chunk):
    text = f"# Guide\n\n## Fees\n\n{prose(1, 12)}"
    chunks = chunk(build(text, headings=[("# Guide", 1), ("## Fees", 2)]))
    assert len(chunks) == 3
    assert [c.header for c in chunks] == ["", "Guide › Fees", "Guide › Fees"]
    assert all(c.section == ("Guide", "Fees") for c in chunks)


def test_header_of_a_continuation_has_the_last_two_levels(build, chunk):
    text = f"# A\n## B\n### C\n{prose(1, 12)}"
    chunks = chunk(build(text, headings=[("# A", 1), ("## B", 2), ("### C", 3)]))
    assert (chunks[1].header, chunks[1].section) == ("B › C", ("A", "B", "C"))


def test_very_long_title_is_cut_to_a_quarter_of_the_chunk(build, chunk):
    chunks = chunk(build(prose(1, 12), title=" ".join(f"title{n}" for n in range(100))))
    assert chunks[0].header == " ".join(f"title{n}" for n in range(15))


# --- Title › Section ---------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "explicit", "expected"),
    [
        ("auto", True, ["", "", ""]),
        ("auto", False, ["Manual › FEES", "Manual › FEES", "Manual › HOURS"]),
        ("on", True, ["Manual › FEES", "Manual › FEES", "Manual › HOURS"]),
        ("off", False, ["", "", ""]),
    ],
)
def test_title_and_section_above_the_text(build, chunk, header, explicit, expected):
    text = f"FEES\n\n{prose(1, 6)}\n\nHOURS\n\nNine."
    document = build(text, headings=[("FEES", 1), ("HOURS", 1)], explicit=explicit)
    chunks = chunk(document, header=header)
    if header == "auto" and explicit:
        expected = ["", "FEES", ""]
    assert [c.header for c in chunks] == expected


def test_one_explicit_heading_is_not_structure(build, chunk):
    chunks = chunk(build("Intro.\n\n# Fees\n\nFive.", headings=[("# Fees", 1)]))
    assert [c.header for c in chunks] == ["Manual", "Manual › Fees"]


def test_text_that_begins_with_the_title_does_not_get_it_again(build, chunk):
    chunks = chunk(build(f"Jane Doe\n\n{prose(1, 12)}", title="Jane Doe"))
    assert [c.header for c in chunks] == ["", "Jane Doe", "Jane Doe"]
    assert chunk(build("# Guide\n\nText.", headings=[("# Guide", 1)], title="Guide"))[0].header == ""


def test_header_is_embedded_and_counted(build, chunk, count_words):
    (only,) = chunk(build("Just one line."))
    assert only.embedded_text == "Manual\nJust one line."
    assert only.token_count == count_words(["Manual\nJust one line."])[0] == 6


# --- sizes -------------------------------------------------------------------


def test_embedded_text_never_exceeds_the_model_with_the_real_tokenizer(build, chunk_real, count_minilm):
    text = "\n\n".join(prose(n, n + 9) for n in range(0, 90, 9))
    chunks = chunk_real(build(text, title="A title of some length, v2.1"), 256)
    counts = count_minilm([c.embedded_text for c in chunks])
    assert counts == [c.token_count for c in chunks]
    assert max(counts) <= 256
    assert len(chunks) == 10, "two paragraphs of 138 do not fit; none is torn to fill a chunk"


def test_section_that_fits_is_one_chunk_and_paragraphs_are_kept_whole(build, chunk):
    first, second, third = prose(1, 4), prose(4, 7), prose(7, 8)
    chunks = chunk(build(f"{first}\n\n{second}\n\n{third}", title=""))
    assert [c.text for c in chunks] == [first, f"{second}\n\n{third}"]


def test_tiny_last_piece_is_evened_out(build, chunk):
    chunks = chunk(build(prose(1, 6), title=""), 55)
    assert [c.token_count for c in chunks] == [2 * 13 + 2, 3 * 13 + 2]


def test_hard_wrapped_text_is_cut_at_sentences(build, chunk):
    text = "\n".join(prose(1, 10).replace("jumps over", "jumps\nover").split(" near "))
    chunks = chunk(build(text))
    assert len(chunks) == 3
    assert all(c.text.endswith(".") for c in chunks)


# --- chunk-loss, chunk-loop --------------------------------------------------


@pytest.mark.parametrize("strategy", ["recursive", "fixed"])
@pytest.mark.parametrize("overlap", [0, 13, 29])
def test_every_word_is_in_some_chunk_in_order(build, chunk, strategy, overlap):
    words = [f"w{n}" for n in range(997)]
    text = " ".join(word + "." * (n % 7 == 0) for n, word in enumerate(words))
    started = time.monotonic()
    chunks = chunk(build(text), strategy=strategy, overlap_tokens=overlap)
    assert time.monotonic() - started < 1
    seen = []
    for c in chunks:
        fresh = [word for word in regex.findall(r"w\d+", c.text) if word not in set(seen[-80:])]
        seen += fresh
    assert seen == words


def test_overlap_repeats_whole_sentences_of_the_same_section(build, chunk):
    document = build(f"# A\n\n{prose(1, 8)}\n\n# B\n\n{prose(20, 22)}", headings=[("# A", 1), ("# B", 1)])
    chunks = chunk(document, overlap_tokens=14)
    assert len(chunks) == 3
    last_of_first = chunks[0].text[-len(SENTENCE.format(4)) :]
    assert chunks[1].text.startswith(last_of_first)
    assert regex.fullmatch(r"The quick .* number \d\.", last_of_first)
    assert chunks[2].text.startswith("# B")
    assert max(c.token_count for c in chunks) <= 60


def test_sentence_longer_than_the_overlap_is_not_repeated_in_part(build, chunk):
    chunks = chunk(build(prose(1, 12)), overlap_tokens=8)
    assert all(c.text.startswith("The quick") for c in chunks)
    assert sum(len(c.text.split()) for c in chunks) == 11 * 13


@pytest.mark.parametrize("text", ["***\n\nText here.\n\n---", "Text here.\n\n* * *\n\n", "—\n\nText here."])
def test_punctuation_goes_with_a_neighbour(build, chunk, text):
    assert [c.text for c in chunk(build(text, title=""))] == [text.strip()]


def test_page_with_only_a_rule_on_it(build, chunk):
    chunks = chunk(build("One.", "* * *", "Two."))
    assert [(c.text, c.page_start, c.page_end) for c in chunks] == [("One.", 1, 1), ("* * *\n\nTwo.", 2, 3)]
    assert chunks[1].page_offsets == ((7, 3),)


@pytest.mark.parametrize("text", ["", " \n ", "--- ***", "...\n\n•"])
def test_document_without_a_letter_has_no_chunks(build, chunk, text):
    assert chunk(build(text)) == []


def test_document_without_pages(chunk):
    assert chunk(SourceDocument("e.txt", "text/plain", "E", (), False)) == []


# --- chunk-cjk ---------------------------------------------------------------


def test_cjk_paragraph_is_cut_at_its_own_full_stops(build, chunk_real):
    sentence = "退款申请须在购买之日起三十天内以书面形式提出并附上原始收据。"
    text = sentence * 20
    chunks = chunk_real(build(text, title=""))
    assert len(chunks) == 7
    assert all(c.text.endswith("。") for c in chunks)
    assert "".join(c.text for c in chunks) == text
    assert max(c.token_count for c in chunks) <= 120


def test_cjk_without_any_punctuation(build, chunk_real):
    text = "申请须在三十天内提出并附上收据" * 60
    chunks = chunk_real(build(text, title=""))
    assert "".join(c.text for c in chunks) == text
    assert max(c.token_count for c in chunks) <= 120


def test_base64_run_is_bounded_though_the_tokenizer_calls_it_one_unknown_word(
    build, chunk_real, count_minilm
):
    run = base64.b64encode(bytes(range(256)) * 20).decode().replace("/", "x").replace("+", "y")
    assert count_minilm([run])[0] < 10
    chunks = chunk_real(build(f"Before it.\n\n{run}\n\nAfter it."))
    assert max(len(c.text) for c in chunks) < 1000
    assert "".join("".join(c.text for c in chunks).split()) == f"Beforeit.{run}Afterit."


def test_grapheme_clusters_are_not_broken(build):
    family = "👨‍👩‍👧‍👦"
    text = (family + "e\u0301") * 100
    chunks = chunk_document(
        build(text, title=""),
        ChunkingConfig(max_tokens=20),
        lambda texts: [len(t) + 2 for t in texts],
        256,
    )
    assert "".join(c.text for c in chunks) == text
    assert {cluster for c in chunks for cluster in regex.findall(r"\X", c.text)} == {family, "e\u0301"}


# --- chunk-table -------------------------------------------------------------

HEAD = "| Part | Limit | Note |\n|---|---|---|"
ROWS = [f"| ZX-{n} | {n * 10} kg | keep dry. Do not drop |" for n in range(1, 101)]


def test_long_table_is_cut_between_rows_and_repeats_its_header(build, chunk):
    text = "# Parts\n\nTable 1: limits by part.\n\n" + "\n".join([HEAD, *ROWS]) + "\n\n# Next\n\nEnd.\n"
    chunks = chunk(build(text, headings=[("# Parts", 1), ("# Next", 1)]), 80)
    assert chunks[0].text.startswith(f"# Parts\n\nTable 1: limits by part.\n\n{HEAD}\n{ROWS[0]}")
    assert chunks[0].header == ""
    for c in chunks[1:-1]:
        assert c.header == f"Parts\n{HEAD}"
        assert set(c.text.split("\n")) <= set(ROWS)
    (row_90,) = [c for c in chunks if ROWS[89] in c.text]
    assert "| Part | Limit | Note |" in row_90.embedded_text
    assert [row for c in chunks for row in ROWS if row in c.text.split("\n")] == ROWS
    assert sum(c.embedded_text.count("Table 1") for c in chunks) == 1


def test_table_header_is_repeated_even_with_headers_off(build, chunk):
    chunks = chunk(build("\n".join([HEAD, *ROWS])), 80, header="off")
    assert [c.header for c in chunks] == ["", *[HEAD] * (len(chunks) - 1)]


def test_table_whose_header_row_is_most_of_a_chunk(build, chunk):
    head = "| " + " ".join(f"c{n}" for n in range(40)) + " | x |\n|---|---|"
    chunks = chunk(build("\n".join([head, *ROWS[:9]]), title=""))
    assert {c.header for c in chunks} == {""}
    assert max(c.token_count for c in chunks) <= 60


def test_table_without_outer_pipes(build, chunk):
    rows = [f"{n} | {n * 10} kg" for n in range(50)]
    chunks = chunk(build("\n".join(["Part | Limit", "--- | ---", *rows]), title=""), 40)
    assert all(c.header == "Part | Limit\n--- | ---" for c in chunks[1:])
    assert len(chunks) > 3


# --- md-fence ----------------------------------------------------------------


def test_comment_in_a_code_fence_starts_no_section(build, chunk):
    code = "```sh\n# not a heading\n\nmake\n~~~\n# nor this\n```"
    text = f"# Setup\n\nRun this:\n\n{code}\n\n# Next\n\nDone.\n"
    chunks = chunk(build(text, headings=[("# Setup", 1), ("# Next", 1)]))
    assert [c.section for c in chunks] == [("Setup",), ("Next",)]
    assert code in chunks[0].text


def test_code_fence_that_fits_is_not_torn(build, chunk):
    code = "```\n" + "\n\n".join(f"step {n} of it" for n in range(14)) + "\n```"
    chunks = chunk(build(f"Short intro.\n\n{code}\n\n{prose(1, 4)}", title=""))
    assert [c.text for c in chunks] == ["Short intro.", code, prose(1, 4)]


def test_unclosed_fence_runs_to_the_end(build, chunk):
    text = "Intro.\n\n```\n" + "\n".join(f"# line {n} of it" for n in range(40))
    chunks = chunk(build(text, title=""))
    assert "\n".join(c.text for c in chunks).split("\n")[-1] == "# line 39 of it"
    assert all(line.endswith("of it") for c in chunks[1:] for line in c.text.split("\n"))


# --- cite-page-span ----------------------------------------------------------


def test_chunks_break_at_pages(build, chunk):
    chunks = chunk(build("The fee is due.", "", "It is 5 EUR."))
    assert [(c.text, c.page_start, c.page_end, c.page_offsets) for c in chunks] == [
        ("The fee is due.", 1, 1, ()),
        ("It is 5 EUR.", 3, 3, ()),
    ]


@pytest.mark.parametrize("head", ["delivery date of the order.", "30 days of the delivery."])
def test_sentence_that_a_page_break_cuts_is_completed(build, chunk, head):
    document = build("Intro here. Returns are possible within", f"{head} Fees apply.")
    chunks = chunk(document)
    assert [c.text for c in chunks] == [
        f"Intro here. Returns are possible within\n\n{head}",
        "Fees apply.",
    ]
    first, second = chunks
    assert (first.page_start, first.page_end) == (1, 2)
    assert first.page_offsets == ((first.text.index(head), 2),)
    assert page_at(1, first.page_offsets, first.text.index("Intro")) == 1
    assert page_at(1, first.page_offsets, first.text.index("deliver")) == 2
    assert (second.page_start, second.page_end, second.page_offsets) == (2, 2, ())


@pytest.mark.parametrize(
    ("foot", "head"),
    [
        ("Returns end.", "lower case goes on."),
        ("It asks:", "lower case goes on."),
        ("Returns are possible", "Another sentence."),
        ("Returns are possible", "3.2 Fees"),
        ("Returns are possible", "17"),
        ("Returns are possible", "- an item"),
        ("Returns are possible", "2. an item"),
        ("| a | b |", "lower case goes on."),
    ],
)
def test_page_break_that_cuts_no_sentence(build, chunk, foot, head):
    assert [(c.text, c.page_end) for c in chunk(build(foot, head))] == [(foot, 1), (head, 2)]


def test_heading_on_the_next_page_is_no_continuation(build, chunk):
    document = build("Returns are possible", "fees\n\nFive.", headings=[("fees", 1)], explicit=False)
    assert [c.page_start for c in chunk(document)] == [1, 2]


def test_heading_at_the_foot_of_a_page_goes_with_its_text(build, chunk):
    document = build("Text one.\n\nFEES", "The fee is 5 EUR.", headings=[("FEES", 1)])
    first, second = chunk(document)
    assert first.text == "Text one."
    assert second.text == "FEES\n\nThe fee is 5 EUR."
    assert (second.page_start, second.page_end, second.page_offsets) == (1, 2, ((6, 2),))


def test_overlap_does_not_reach_back_over_a_page_break(build, chunk):
    chunks = chunk(build(prose(1, 9), prose(20, 29)), overlap_tokens=14)
    assert all(c.page_start == c.page_end for c in chunks)


def test_page_numbers_come_from_the_pages(chunk):
    pages = (Page(4, "Page four."), Page(9, "Page nine."))
    chunks = chunk(SourceDocument("d.pdf", "application/pdf", "D", pages, True))
    assert [(c.page_start, c.page_end) for c in chunks] == [(4, 4), (9, 9)]
    assert document_text(pages) == "Page four.\n\nPage nine."


# --- fixed -------------------------------------------------------------------


def test_fixed_windows_ignore_structure_and_overlap(build, chunk):
    words = [f"w{n}" for n in range(100)]
    text = "# A\n\n" + " ".join(words[:50]) + "\n\n# B\n\n" + " ".join(words[50:])
    document = build(text, headings=[("# A", 1), ("# B", 1)])
    chunks = chunk(document, 42, strategy="fixed", overlap_tokens=10)
    assert [len(c.text.split()) for c in chunks] == [40, 40, 27, 27], "the last two are evened out"
    assert chunks[1].text.split()[:10] == chunks[0].text.split()[-10:]
    assert [c.section for c in chunks] == [("A",), ("A",), ("B",), ("B",)]
    assert {c.header for c in chunks} == {""}


def test_fixed_windows_break_at_pages(build, chunk):
    chunks = chunk(build("One two", "three."), strategy="fixed")
    assert [(c.text, c.page_start) for c in chunks] == [("One two", 1), ("three.", 2)]


# --- speed -------------------------------------------------------------------


def test_three_hundred_pages_take_about_a_second(chunk_real):
    pages = tuple(
        Page(n, "\n\n".join(prose(n * 50 + k, n * 50 + k + 6) for k in range(0, 42, 6)))
        for n in range(1, 301)
    )
    document = SourceDocument("big.pdf", "application/pdf", "Big", pages, True)
    started = time.monotonic()
    chunks = chunk_real(document)
    assert time.monotonic() - started < 6
    assert len(chunks) == 300 * 7


def test_thousands_of_rules_take_little_time(build, chunk):
    started = time.monotonic()
    chunks = chunk(build("---\n" * 20_000 + "The end."))
    assert time.monotonic() - started < 5
    assert chunks[-1].text.endswith("end.")
