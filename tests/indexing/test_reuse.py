"""Same, changed, renamed: what is embedded again, and what is kept once."""

from collections.abc import Sequence

import numpy as np
import pytest

from ragcore.errors import NotFound
from ragcore.records import Progress


class Counting:
    """The real embedder, counting the texts that it is given to embed."""

    def __init__(self, embedder) -> None:
        self._embedder = embedder
        self.identity = embedder.identity
        self.count_tokens = embedder.count_tokens
        self.embed_queries = embedder.embed_queries
        self.unknown_share = embedder.unknown_share
        self.token_vectors = embedder.token_vectors
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray:
        self.embedded += texts
        return self._embedder.embed_documents(texts, progress)


def manual(changed: int | None = None, sections: int = 30) -> bytes:
    """A manual of many sections; the one that is ``changed`` says something else."""
    parts = [
        f"## Pump {n}\n\nPump {n} moves {n * 7 + (n == changed)} litres a minute." for n in range(sections)
    ]
    return ("# Pumps\n\n## Scope\n\nAll pumps.\n\n" + "\n\n".join(parts)).encode()


@pytest.fixture
def rag(open_test_rag, embedder):
    opened = open_test_rag()
    opened._embedder = Counting(embedder)
    return opened


def test_manual_with_one_changed_section_costs_that_section(rag) -> None:
    assert rag.ingest(manual(), "pumps.md").chunks == 31
    rag.embedder.embedded.clear()
    report = rag.ingest(manual(changed=5), "pumps.md")
    assert (report.status, report.chunks) == ("replaced", 31)
    sentence = "Pump 5 moves 36 litres a minute."
    assert rag.embedder.embedded == [sentence, f"Pumps › Pump 5\n{sentence}"]
    assert "36 litres" in rag.ask("How much does pump 5 move?").text


def test_text_of_another_document_and_collection_is_found_again_with_equal_vectors(rag) -> None:
    rag.ingest(manual(sections=4), "pumps.md")
    before = {hit.text: hit.score for hit in rag.ask("What does pump 2 move?").hits}
    rag.embedder.embedded.clear()
    rag.ingest(manual(sections=5), "more.md", collection="other")
    sentence = "Pump 4 moves 28 litres a minute."
    assert rag.embedder.embedded == [sentence, f"Pumps › Pump 4\n{sentence}"]
    from ragcore import AskOptions

    after = {
        hit.text: hit.score for hit in rag.ask("What does pump 2 move?", AskOptions(collection="other")).hits
    }
    assert {text: round(score, 5) for text, score in after.items() if text in before} == {
        text: round(score, 5) for text, score in before.items() if text in after
    }


def test_text_twice_in_one_document_is_embedded_once(rag) -> None:
    twice = b"# A\n\n## Same\n\nThe same words.\n\n## Same\n\nThe same words.\n"
    assert rag.ingest(twice, "twice.md").chunks == 2
    assert len([text for text in rag.embedder.embedded if "same words" in text]) == len(
        set(rag.embedder.embedded)
    )


def test_same_bytes_under_another_name_are_kept_once_under_both(rag) -> None:
    rag.ingest(manual(), "pumps.md")
    report = rag.ingest(manual(), "pumps (copy).md")
    assert (report.status, report.chunks) == ("unchanged", 31)
    assert report.warnings[0] == "The same file as 'pumps.md'; kept once, under both names."
    documents = rag.library.documents("library")
    assert [(d.file_name, d.other_names) for d in documents] == [("pumps.md", ("pumps (copy).md",))]
    assert rag.library.document("library", "pumps (copy).md").id == documents[0].id


def test_new_bytes_under_the_second_name_part_the_two(rag) -> None:
    rag.ingest(manual(), "pumps.md")
    rag.ingest(manual(), "copy.md")
    assert rag.ingest(manual(changed=3), "copy.md").status == "indexed"
    assert [(d.file_name, d.other_names) for d in rag.library.documents("library")] == [
        ("copy.md", ()),
        ("pumps.md", ()),
    ]


def test_deleting_one_of_two_names_keeps_the_document(rag) -> None:
    rag.ingest(manual(), "pumps.md")
    rag.ingest(manual(), "copy.md")
    rag.library.delete_document("library", "pumps.md")
    assert [(d.file_name, d.chunks) for d in rag.library.documents("library")] == [("copy.md", 31)]
    rag.library.delete_document("library", "copy.md")
    with pytest.raises(NotFound):
        rag.library.document("library", "copy.md")
