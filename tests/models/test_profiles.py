"""Which prefixes and limits a name gets."""

import pytest

from ragcore.models import PROFILES, profile_for

SEARCH = "Represent this sentence for searching relevant passages: "


@pytest.mark.parametrize(
    ("name", "query_prefix", "document_prefix"),
    [
        ("all-MiniLM-L6-v2", "", ""),
        ("ollama:all-minilm", "", ""),
        ("ollama:nomic-embed-text", "search_query: ", "search_document: "),
        ("ollama:nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("/models/multilingual-e5-base/", "query: ", "passage: "),
        ("C:\\models\\e5-large", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", SEARCH, ""),
        ("BAAI/bge-large-en", SEARCH, ""),
        ("ollama:bge-large", SEARCH, ""),
        ("ollama:bge-m3", "", ""),
        ("ollama:mxbai-embed-large:335m", SEARCH, ""),
        ("Snowflake/snowflake-arctic-embed-m", SEARCH, ""),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", SEARCH, ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("ollama:snowflake-arctic-embed2", "query: ", ""),
        ("ollama:embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ],
)
def test_prefixes_of_known_families(name: str, query_prefix: str, document_prefix: str) -> None:
    profile = profile_for(name)
    assert (profile.query_prefix, profile.document_prefix) == (query_prefix, document_prefix)
    assert profile.warning == ""


def test_unknown_model_has_no_prefix_and_a_warning() -> None:
    profile = profile_for("ollama:house-embedder")
    assert (profile.family, profile.query_prefix, profile.document_prefix) == ("unknown", "", "")
    assert profile.warning == (
        "'ollama:house-embedder' is not a known embedding model: text is embedded without a prefix, and the "
        "cutoff is a guess. Look for prefixes in its model card, and calibrate before you trust a refusal."
    )


def test_default_model_has_the_measured_cutoff_and_reads_256_tokens() -> None:
    profile = profile_for("sentence-transformers/all-MiniLM-L6-v2")
    assert (profile.default_cutoff, profile.cutoff_measured, profile.max_tokens) == (0.25, True, 256)
    assert [known.family for known in PROFILES if known.cutoff_measured] == ["all-MiniLM-L6-v2"]


def test_ollama_size_tag_that_names_another_model() -> None:
    assert profile_for("ollama:all-minilm:33m").max_tokens == 128
    assert profile_for("ollama:all-minilm:22m").max_tokens == 256


def test_instruct_model_of_a_known_family_asks_by_instruction() -> None:
    assert profile_for("intfloat/multilingual-e5-large-instruct").query_prefix.startswith("Instruct: ")
