"""How far an upload is, in words and as a share."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pages.parts.upload_stages import share_done, stage_words
from ragcore.records import Upload

EMBEDDING = Upload(
    id=1,
    collection="library",
    file="a.pdf",
    size_bytes=10,
    status="working",
    stage="embedding",
    done=120,
    total=900,
    attempts=1,
    cancel_requested=False,
    stage_seconds=3.5,
    created_at=datetime.now(UTC),
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "embedding 120 of 900 · 34/s · about 23 s left"),
        ({"stage_seconds": 300.0}, "embedding 120 of 900 · 0.4/s · about 32 min left"),
        ({"done": 0}, "embedding 0 of 900"),
        ({"done": 900}, "embedding 900 of 900 · 257/s"),
        ({"stage": "reading", "done": 0, "total": 0}, "getting ready"),
        ({"stage": "storing", "done": 0, "total": 1}, "storing"),
        ({"status": "queued", "stage": "", "done": 0, "total": 0}, "waiting for its turn"),
        ({"cancel_requested": True}, "stopping"),
    ],
)
def test_stage_in_words(changes, words):
    assert stage_words(replace(EMBEDDING, **changes)) == words


def test_share_is_mostly_embedding():
    assert share_done(replace(EMBEDDING, done=450)) == pytest.approx(0.15 + 0.83 / 2)
    assert share_done(replace(EMBEDDING, stage="reading", done=1, total=2)) == pytest.approx(0.075)
    assert share_done(replace(EMBEDDING, status="queued", stage="", done=0, total=0)) == 0
