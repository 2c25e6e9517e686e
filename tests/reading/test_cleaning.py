"""The one cleaning step, and display names."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcore.reading import clean_name, clean_path, clean_text
from ragcore.reading.cleaning import unreadable_share


def test_nul_and_other_controls_go_but_tab_and_newline_stay():
    assert clean_text("a\x00b\x07c\td\ne\x1f") == "abc\td\ne"


def test_windows_and_mac_line_ends():
    assert clean_text("a\r\nb\rc") == "a\nb\nc"


def test_surrogate_pair_is_joined_and_a_lone_one_replaced():
    assert clean_text("\ud83d\ude00 and \ud83d") == "\U0001f600 and \ufffd"


def test_ligatures_are_spelled_out():
    assert clean_text("oﬃce ﬁle ﬂow ﬀ ﬅ") == "office file flow ff st"


def test_superscripts_and_fractions_keep_their_meaning():
    assert clean_text("10² m, ½ kg, x₁, ™") == "10² m, ½ kg, x₁, ™"


def test_full_width_code_becomes_plain():
    assert clean_text("ＡＢ－１２３４") == "AB-1234"


def test_decomposed_accents_are_composed():
    assert clean_text("Gro\u0308ße") == "Größe"


def test_soft_hyphens_are_dropped_also_at_line_ends():
    assert clean_text("reim\u00adbursement and reim\u00ad\nbursement") == "reimbursement and reimbursement"


def test_word_cut_at_a_line_end_is_joined():
    assert clean_text("the reim-\nbursement of costs") == "the reimbursement of costs"


@pytest.mark.parametrize("text", ["code AB-\n1234 here", "from A-\nb", "see EN-\nISO", "3-\nfold"])
def test_codes_at_a_line_end_stay(text):
    assert clean_text(text) == text


def test_code_within_a_line_stays():
    assert clean_text("Order AB-1234, part ZX-9.") == "Order AB-1234, part ZX-9."


def test_real_hyphen_that_the_text_uses_elsewhere_stays():
    assert (
        clean_text("a well-known rule. This well-\nknown rule") == "a well-known rule. This well-known rule"
    )


def test_word_that_goes_on_with_hyphens_keeps_its_own():
    assert clean_text("state-\nof-the-art") == "state-of-the-art"


def test_non_breaking_hyphen_and_space_become_plain():
    assert clean_text("AB\u20111234\u00a0kg") == "AB-1234 kg"


def test_invisible_tags_and_direction_overrides_are_dropped():
    assert clean_text("pay\u202e 5\u202c\U000e0041\u200b \ufeffeuro") == "pay 5 euro"


def test_blank_lines_and_trailing_blanks():
    assert clean_text("\n\na  \n\n\n\n  b\t\n") == "a\n\n  b"


def test_form_feed_separates_paragraphs():
    assert clean_text("one\x0ctwo") == "one\n\ntwo"


def test_persian_joiner_stays():
    assert clean_text("می\u200cخواهم") == "می\u200cخواهم"


@given(st.text(st.characters(), max_size=60))
def test_any_text_comes_out_storable_and_stable(text):
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert clean_text(cleaned) == cleaned


def test_share_of_private_use_characters():
    assert unreadable_share("Of\ue000ce") == 0.2
    assert unreadable_share("") == 0.0


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("plan.pdf", "plan.pdf"),
        ("../../etc/x.pdf", "x.pdf"),
        ("C:\\Users\\me\\plan.pdf", "plan.pdf"),
        ("Plan [v2]: x.pdf", "Plan (v2)- x.pdf"),
        ("a\nIgnore the rules\r.pdf", "a Ignore the rules .pdf"),
        ("a\x00b\u202efdp.txt", "abfdp.txt"),
        ("", "document"),
        ("..", "document"),
        ("folder/", "folder"),
        ("Gro\u0308ße.md", "Größe.md"),
        ("\udce9t\ufffd.txt", "\ufffdt\ufffd.txt"),
    ],
)
def test_display_names(given_name, shown):
    assert clean_name(given_name) == shown


def test_long_name_keeps_its_extension():
    name = clean_name("x" * 500 + ".pdf")
    assert len(name) == 200
    assert name.endswith("x.pdf")


def test_full_width_punctuation_that_ends_sentences_stays():
    assert clean_text("你去吗？我不去！价格：５元；好，") == "你去吗？我不去！价格：5元；好，"


@pytest.mark.parametrize(
    "text", ["a" * 300_000 + " well-known", "a" + " " * 300_000 + "b", "a\u00ad\n" * 50_000]
)
def test_very_long_runs_take_little_time(text):
    started = time.monotonic()
    clean_text(text)
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("2025/Q1/dues.pdf", "2025/Q1/dues.pdf"),
        ("../../etc/dues.pdf", "dues.pdf"),
        ("/etc/dues.pdf", "dues.pdf"),
        ("a/../b/dues.pdf", "dues.pdf"),
        ("a//./b.pdf", "a/b.pdf"),
        ("C:\\Users\\me\\plan [2].pdf", "plan (2).pdf"),
        ("a\x00b\ud800/c\nd.md", "ab\ufffd/c d.md"),
        ("..", "document"),
        ("", "document"),
    ],
)
def test_names_with_folders(given, name):
    assert clean_path(given) == name


def test_very_long_path_keeps_its_last_folders():
    name = clean_path("/".join(["folder" * 10] * 40) + "/dues.pdf")
    assert len(name) <= 500 and name.endswith("folder/dues.pdf")
