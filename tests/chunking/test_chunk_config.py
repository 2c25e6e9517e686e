"""ChunkingConfig refuses what cannot work and survives storage."""

import pytest

from ragcore.chunking import ChunkingConfig, chunk_document
from ragcore.errors import InputError


def test_defaults():
    assert ChunkingConfig() == ChunkingConfig("recursive", 120, 0, "auto")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"strategy": "semantics"}, "'semantics'"),
        ({"strategy": ["fixed"]}, "['fixed']"),
        ({"header": "always"}, "'always'"),
        ({"max_tokens": 0}, "max_tokens is 0"),
        ({"max_tokens": 15}, "max_tokens is 15"),
        ({"max_tokens": 120.0}, "max_tokens must be a whole number, but is 120.0"),
        ({"max_tokens": True}, "is True"),
        ({"max_tokens": None}, "is None"),
        ({"overlap_tokens": -1}, "overlap_tokens is -1"),
        ({"overlap_tokens": "5"}, "is '5'"),
        ({"max_tokens": 100, "overlap_tokens": 50}, "overlap_tokens is 50, .* max_tokens \\(100\\)"),
        ({"max_tokens": 20, "overlap_tokens": 500}, "overlap_tokens is 500"),
    ],
)
def test_impossible_values_are_named(values, named):
    with pytest.raises(InputError, match=named if "\\" in named else None) as caught:
        ChunkingConfig(**values)
    assert "\\" in named or named in str(caught.value)


def test_contextual_chunks_keep_room_for_the_context():
    config = ChunkingConfig("contextual", 120)
    assert (config.context_tokens, config.text_tokens) == (40, 80)
    small = ChunkingConfig("contextual", 30)
    assert (small.context_tokens, small.text_tokens) == (10, 20)
    assert ChunkingConfig("semantic", 120).text_tokens == 120


def test_overlap_of_half_of_what_a_context_leaves():
    with pytest.raises(
        InputError, match=r"overlap_tokens is 40, .* max_tokens \(120 less 40 for the context\)"
    ):
        ChunkingConfig("contextual", 120, 40)


def test_largest_overlap_below_half():
    assert ChunkingConfig(max_tokens=100, overlap_tokens=49).overlap_tokens == 49


def test_round_trip_through_a_dict():
    config = ChunkingConfig("fixed", 64, 12, "off")
    assert config.to_dict() == {
        "strategy": "fixed",
        "max_tokens": 64,
        "overlap_tokens": 12,
        "header": "off",
        "granularity": "sentence",
    }
    assert ChunkingConfig.from_dict(config.to_dict()) == config


def test_what_was_stored_before_granularity_has_a_vector_a_chunk():
    assert ChunkingConfig.from_dict({}) == ChunkingConfig(granularity="chunk")


def test_unknown_key_in_a_stored_dict():
    with pytest.raises(InputError, match="'chunk_size'; known are strategy, max_tokens"):
        ChunkingConfig.from_dict({"chunk_size": 500})


def test_bad_value_in_a_stored_dict():
    with pytest.raises(InputError, match="max_tokens is 3"):
        ChunkingConfig.from_dict({"max_tokens": 3})


def test_more_tokens_than_the_model_reads(build, count_words):
    with pytest.raises(InputError, match="max_tokens is 300, but the embedding model reads only 256"):
        chunk_document(build("Some text."), ChunkingConfig(max_tokens=300), count_words, 256)


def test_exactly_what_the_model_reads(build, count_words):
    assert len(chunk_document(build("Some text."), ChunkingConfig(max_tokens=256), count_words, 256)) == 1
