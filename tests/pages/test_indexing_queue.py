"""The session's queue: files go in, reports come out, and nobody has to wait."""

import time

from pages.parts.indexing import FileToIndex, IndexingQueue


def text_file(key: str, text: str | None = None) -> FileToIndex:
    text = f"Pump {key} runs at 40 bar." if text is None else text
    return FileToIndex(key, f"{key}.txt", text.encode(), "library")


def wait(queue: IndexingQueue) -> None:
    deadline = time.monotonic() + 60
    while queue.busy:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_files_come_out_in_their_order(rag):
    queue = IndexingQueue(rag)
    queue.add([text_file("b"), text_file("a"), text_file("c")])
    assert queue.busy
    wait(queue)
    assert [(key, report.status) for key, (_, report) in queue.reports.items()] == [
        ("b", "indexed"),
        ("a", "indexed"),
        ("c", "indexed"),
    ]


def test_file_that_was_handed_over_is_known_at_once(rag):
    queue = IndexingQueue(rag)
    queue.add([text_file("a"), text_file("b")])
    assert queue.knows("a")
    assert queue.knows("b")
    assert not queue.knows("c")
    wait(queue)
    assert queue.knows("a")


def test_rejected_file_does_not_stop_the_next(rag):
    queue = IndexingQueue(rag)
    queue.add([text_file("empty", ""), text_file("full")])
    wait(queue)
    assert [report.status for _, report in queue.reports.values()] == ["rejected", "indexed"]


def test_queue_takes_up_work_again_after_it_was_empty(rag):
    queue = IndexingQueue(rag)
    queue.add([text_file("a")])
    wait(queue)
    queue.add([text_file("b")])
    wait(queue)
    assert list(queue.reports) == ["a", "b"]


def test_adding_nothing_starts_nothing(rag):
    queue = IndexingQueue(rag)
    queue.add([])
    assert not queue.busy
