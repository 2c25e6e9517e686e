"""Estimates stand above the true count; exact counts are those of the model's own tokenizer."""

import pytest

from ragcore.models.sentence_transformer import bundled_counter
from ragcore.models.tokens import estimate_prompt_tokens, estimate_tokens, estimate_wordpieces
from ragcore.records import ChatMessage

TEXTS = {
    "prose": "The tenant pays the rent in advance, not later than the fifth day of each month. " * 6,
    "ids": "INV-2024-00381 | 4,912.55 | AB-1234/77 | 0x7f3a9c | 2024-11-03T15:36:02Z\n" * 8,
    "digests": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 " * 8,
    "code": "for (int i=0;i<n;++i){ a[i]=b[i]*c[i]; } // x==y && z!=w\n" * 8,
    "Chinese": "本协议规定租户应在每月五日前支付租金，逾期将收取滞纳金。" * 10,
    "Russian": "Договор аренды вступает в силу с момента подписания сторонами. " * 8,
    "Arabic": "يجب على المستأجر دفع الإيجار في اليوم الخامس من كل شهر " * 8,
    "Hindi": "किरायेदार को हर महीने की पाँच तारीख तक किराया देना होगा। " * 8,
    "German": "Die Rückerstattung der Kaution erfolgt binnen vierzehn Werktagen. " * 6,
    "emoji": "👍🏽🎉✨ great 👩‍👩‍👧 " * 20,
    "table": "| a | b | 1.5 | 2.25 | -- |\n" * 15,
    "one letter": "a",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_wordpiece_estimate_is_an_upper_one(text: str) -> None:
    (exact,) = bundled_counter().count([text])
    assert exact <= estimate_wordpieces(text)


def test_exact_count_of_a_known_sentence() -> None:
    # [CLS] the deposit is 500 euros . [SEP]
    assert bundled_counter().count(["The deposit is 500 euros."]) == [8]


def test_exact_count_sees_text_beyond_the_models_limit() -> None:
    assert bundled_counter().count(["hello world " * 300]) == [602]


def test_chat_estimate_by_hand() -> None:
    # deposit 3, is 1, 500 3, € 2, line break 1 -> 10, plus 5 % -> 11, plus 2
    assert estimate_tokens("deposit is 500 €\n") == 13
    assert estimate_tokens("") == 2


READ = {
    "prose": 127,
    "ids": 538,
    "digests": 498,
    "code": 258,
    "Chinese": 208,
    "Russian": 171,
    "Arabic": 140,
    "Hindi": 411,
    "German": 139,
    "emoji": 298,
    "table": 288,
    "one letter": 19,
}
"""The prompt_eval_count that Ollama reported for each, below this system message, with qwen2.5:1.5b."""


@pytest.mark.parametrize("name", READ)
def test_prompt_estimate_is_above_what_a_server_counted(name: str) -> None:
    messages = [ChatMessage("system", "Reply with one word."), ChatMessage("user", TEXTS[name])]
    assert READ[name] <= estimate_prompt_tokens(messages) <= 2.2 * READ[name]


def test_lone_surrogate_is_counted_not_a_crash() -> None:
    assert estimate_tokens("a \ud800") == 6


def test_prompt_estimate_adds_markers_for_each_message() -> None:
    messages = [ChatMessage("system", ""), ChatMessage("user", "")]
    assert estimate_prompt_tokens(messages) == 2 * (2 + 8)
