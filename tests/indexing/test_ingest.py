"""From bytes to rows: unchanged, replaced, rejected, re-embedded."""

from pathlib import Path

import pytest

from ragcore import AskOptions
from ragcore.chunking import ChunkingConfig
from ragcore.errors import EmbedderMismatch, NotFound
from ragcore.indexing import files_under
from tests.fake_ollama import FakeOllama

MAY = b"# Harbour dues\n\nThe mooring fee is 20 crowns a night.\n"
JUNE = b"# Harbour dues\n\nThe mooring fee is 25 crowns a night.\n"
QUESTION = "What is the mooring fee?"


def test_same_bytes_cost_nothing_and_new_bytes_replace(open_test_rag) -> None:
    rag = open_test_rag()
    assert [rag.ingest(data, "dues.md").status for data in (MAY, MAY, JUNE)] == [
        "indexed",
        "unchanged",
        "replaced",
    ]
    answer = rag.ask(QUESTION)
    assert "25 crowns" in answer.text and len(answer.hits) == 1


def test_rejected_file_leaves_nothing_and_keeps_its_predecessor(open_test_rag) -> None:
    rag = open_test_rag()
    rag.ingest(MAY, "dues.md")
    report = rag.ingest(b"   \n", "dues.md")
    assert report.status == "rejected" and "dues.md" in (report.error or "")
    assert "20 crowns" in rag.ask(QUESTION).text


def test_progress_reaches_the_end(open_test_rag) -> None:
    seen: list[tuple[str, int, int]] = []
    open_test_rag().ingest(MAY * 40, "dues.md", progress=lambda *step: seen.append(step))
    assert {stage for stage, _, _ in seen} == {"reading", "embedding", "storing"}
    last = {stage: (done, total) for stage, done, total in seen}
    assert all(done == total for done, total in last.values())


def test_folder_is_walked_and_equal_names_stay_apart(tmp_path: Path) -> None:
    for folder in ("a", "b", ".hidden"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "report.md").write_bytes(MAY)
    (tmp_path / ".DS_Store").write_bytes(b"x")
    assert [file.name for file in files_under([tmp_path])] == ["a/report.md", "b/report.md"]
    with pytest.raises(NotFound, match=r"no file or folder 'nowhere\.pdf'"):
        list(files_under(["nowhere.pdf"]))


def test_equal_names_in_two_folders_are_cited_apart(open_test_rag, tmp_path: Path) -> None:
    for folder, data in (("2025", MAY), ("2026", JUNE)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dues.md").write_bytes(data)
    rag = open_test_rag()
    assert [report.status for report in rag.ingest_paths([str(tmp_path)])] == ["indexed", "indexed"]
    assert {hit.file for hit in rag.ask(QUESTION).hits} == {"2025/dues.md", "2026/dues.md"}


def test_other_embedder_refuses_until_the_collection_is_embedded_anew(open_test_rag, embedder) -> None:
    rag = open_test_rag()
    rag.ingest(MAY, "dues.md")
    with FakeOllama() as ollama:
        other = open_test_rag(embedder="ollama:nomic-embed-text", ollama_host=ollama.host)
        other._embedder = None
        with pytest.raises(EmbedderMismatch, match="indexed by all-MiniLM-L6-v2"):
            other.start(QUESTION, AskOptions(generator="quote"))
        assert rag.ask(QUESTION, AskOptions(generator="quote")).citations, "the old vectors go on serving"
        steps: list[tuple[int, int]] = []
        info = other.reembed(progress=lambda done, total: steps.append((done, total)))
        assert (info.embedder.model, info.embedder.dimension) == ("ollama:nomic-embed-text", 64)
        assert steps[-1] == (1, 1)
        sent = [text for body in ollama.bodies("/api/embed") for text in body["input"]]
        assert any(text.startswith("search_document: ") for text in sent)
        assert other.start(QUESTION, AskOptions(generator="quote", threshold=-1)).answer.hits
    with pytest.raises(EmbedderMismatch):
        rag.start(QUESTION)


def test_reembedding_with_another_chunk_size(open_test_rag) -> None:
    rag = open_test_rag()
    rag.ingest(b"# Dues\n\n" + b"The mooring fee is 20 crowns a night. " * 40, "dues.md")
    before = rag.library.collection("library").chunks
    info = rag.reembed(chunking=ChunkingConfig(max_tokens=40))
    assert info.chunks > before and info.chunking["max_tokens"] == 40


def test_equal_names_given_together_get_the_folders_above(tmp_path: Path) -> None:
    for folder in ("2025/Q1", "2026/Q1"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "dues.md").write_bytes(folder.encode())
        (tmp_path / folder / f"only-{folder[:4]}.md").write_bytes(folder.encode())

    def names(*given: str) -> list[str]:
        return [file.name for file in files_under([tmp_path / path for path in given])]

    assert names("2025/Q1/dues.md", "2026/Q1/dues.md") == ["2025/Q1/dues.md", "2026/Q1/dues.md"]
    assert names("2025/Q1", "2026/Q1") == [
        "2025/Q1/dues.md", "only-2025.md", "2026/Q1/dues.md", "only-2026.md"
    ]  # fmt: skip
    assert names("2025/Q1/dues.md", "2025/Q1/dues.md") == ["dues.md"]


@pytest.mark.parametrize("given", ["../../dues.md", "/srv/in/dues.md", "C:\\in\\dues.md", "du\x00es.md"])
def test_path_of_an_upload_is_not_its_name(open_test_rag, given: str) -> None:
    assert open_test_rag().ingest(MAY, given).file == "dues.md"


def test_document_mostly_in_words_the_model_does_not_know(open_test_rag) -> None:
    rag = open_test_rag()
    assert rag.ingest("Größe, naïve café: 5 € – Отпуск двадцать дней".encode(), "latin.txt").warnings == ()
    assert "does not know" in rag.ingest("办公室每天九点开门。请准时到达。".encode(), "zh.txt").warnings[0]
