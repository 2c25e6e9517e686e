"""What is known about each family of embedding models: how to talk to it, and where its scores lie.

A model trained with a prefix for questions and another for documents ranks worse without them,
and its cosines move, so prefixes belong to the identity of a vector space. Prefixes are the ones
of the published model cards. Cutoffs other than the measured ones are starting points only:
families differ by more than half of the scale (e5 scores unrelated text above 0.7), which is why
every cutoff is to be calibrated on the reader's own documents.

This module knows names, no library and no server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SEARCH_PASSAGES = "Represent this sentence for searching relevant passages: "
FLOOR_BELOW_CUTOFF = 0.17
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "


@dataclass(frozen=True, slots=True)
class Profile:
    """One family of embedding models."""

    family: str
    pattern: str
    """Regular expression over the bare lower-case name: no ``ollama:``, no owner, no tag."""
    query_prefix: str = ""
    document_prefix: str = ""
    max_tokens: int = 512
    """What the model was trained to read, special tokens included."""
    default_cutoff: float = 0.3
    """Cosine below which evidence is refused until a calibration is applied."""
    sentence_cutoff: float | None = None
    """The same where sentences have vectors: the best of many scores higher. None: not known apart."""
    sentence_floor: float | None = None
    """What a follow-up's own words have to reach, where sentences have vectors. None: not measured."""
    cutoff_measured: bool = False
    bert_vocabulary: bool = False
    """Tokenized by the uncased English BERT vocabulary, so tokens can be counted without the model."""
    warning: str = ""

    def cutoff_for(self, granularity: str) -> float:
        """The cutoff that is in force for vectors of this granularity until a calibration is applied."""
        if granularity == "sentence" and self.sentence_cutoff is not None:
            return self.sentence_cutoff
        return self.default_cutoff

    def floor_for(self, granularity: str) -> float:
        """The follow-up floor until one is applied; unmeasured, as far below the cutoff as the measured one."""
        if granularity == "sentence" and self.sentence_floor is not None:
            return self.sentence_floor
        return round(self.cutoff_for(granularity) - FLOOR_BELOW_CUTOFF, 6)


PROFILES: tuple[Profile, ...] = (
    Profile(
        "all-MiniLM-L6-v2",
        r"all-minilm(-l6)?(-v\d)?",
        max_tokens=256,
        default_cutoff=0.25,
        sentence_cutoff=0.37,
        sentence_floor=0.2,
        cutoff_measured=True,
        bert_vocabulary=True,
    ),
    Profile("all-MiniLM-L12", r"all-minilm-l12.*", max_tokens=128, default_cutoff=0.25, bert_vocabulary=True),
    Profile("all-mpnet-base", r"all-mpnet-base.*", max_tokens=384, default_cutoff=0.25),
    Profile("paraphrase", r"paraphrase-.*", max_tokens=128, default_cutoff=0.25),
    Profile("multi-qa", r"multi-qa-.*", max_tokens=512, default_cutoff=0.25),
    Profile(
        "nomic-embed-text-v2",
        r"nomic-embed-text-v2.*",
        "search_query: ",
        "search_document: ",
        max_tokens=512,
        default_cutoff=0.3,
    ),
    Profile(
        "nomic-embed-text",
        r"nomic-embed-text.*",
        "search_query: ",
        "search_document: ",
        max_tokens=2048,
        default_cutoff=0.55,
        bert_vocabulary=True,
    ),
    Profile("e5-instruct", r"(.*-)?e5-.*instruct.*", _INSTRUCT, default_cutoff=0.75),
    Profile("multilingual-e5", r"multilingual-e5-.*", "query: ", "passage: ", default_cutoff=0.78),
    Profile(
        "e5",
        r"e5-(small|base|large).*",
        "query: ",
        "passage: ",
        default_cutoff=0.75,
        bert_vocabulary=True,
    ),
    Profile("bge-m3", r"bge-m3.*", max_tokens=2048, default_cutoff=0.45),
    Profile(
        "bge-zh",
        r"bge-(small|base|large)-zh.*",
        "为这个句子生成表示以用于检索相关文章：",
        default_cutoff=0.5,
    ),
    Profile(
        # Ollama's "bge-large" is the English v1.5.
        "bge-en",
        r"bge-(small|base|large)(-en(-v1\.5)?)?",
        _SEARCH_PASSAGES,
        default_cutoff=0.55,
        bert_vocabulary=True,
    ),
    Profile(
        "mxbai-embed-large",
        r"mxbai-embed-large.*",
        _SEARCH_PASSAGES,
        default_cutoff=0.5,
        bert_vocabulary=True,
    ),
    Profile(
        "snowflake-arctic-embed-v2",
        r"snowflake-arctic-embed(2|-.*v2).*",
        "query: ",
        max_tokens=2048,
        default_cutoff=0.3,
    ),
    Profile(
        "snowflake-arctic-embed",
        r"snowflake-arctic-embed.*",
        _SEARCH_PASSAGES,
        default_cutoff=0.3,
        bert_vocabulary=True,
    ),
    Profile(
        "embeddinggemma",
        r"embeddinggemma.*",
        "task: search result | query: ",
        "title: none | text: ",
        max_tokens=2048,
        default_cutoff=0.35,
    ),
    Profile(
        # The card writes no blank after "Query:".
        "qwen3-embedding",
        r"qwen3-embedding.*",
        _INSTRUCT.rstrip(" "),
        max_tokens=2048,
        default_cutoff=0.4,
    ),
    Profile("gte", r"gte-(small|base|large)", default_cutoff=0.75, bert_vocabulary=True),
)


def profile_for(name: str) -> Profile:
    """The profile of an embedder name, folder path or ``ollama:NAME``.

    A model that no family claims gets no prefixes, and a ``warning`` to show.
    """
    bare = bare_name(name)
    for profile in PROFILES:
        if re.fullmatch(profile.pattern, bare):
            return profile
    return Profile(
        "unknown",
        re.escape(bare),
        warning=(
            f"'{name}' is not a known embedding model: text is embedded without a prefix, and the cutoff "
            "is a guess. Look for prefixes in its model card, and calibrate before you trust a refusal."
        ),
    )


def bare_name(name: str) -> str:
    """``ollama:library/Nomic-Embed-Text:v1.5`` -> ``nomic-embed-text``; an Ollama size tag stays
    where it names another model (``all-minilm:33m`` -> ``all-minilm-l12``)."""
    is_ollama = name.startswith("ollama:")
    bare = name.removeprefix("ollama:").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
    if not is_ollama:
        return bare
    bare, _, tag = bare.partition(":")
    if bare == "all-minilm" and tag.startswith(("33m", "l12")):
        return "all-minilm-l12"
    return bare
