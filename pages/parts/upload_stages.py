"""How far an upload is: as a share, and in words."""

from __future__ import annotations

from ragcore.records import Upload

_STAGES = {
    "reading": (0.0, 0.15),
    "writing contexts": (0.15, 0.15),
    "embedding": (0.15, 0.98),
    "storing": (0.98, 1.0),
}
"""Where each stage begins and ends on the bar: embedding takes nearly all of the time. Contexts, which
only some collections have, take longer still: meanwhile the words tell how far it is."""


def share_done(upload: Upload) -> float:
    """0 to 1."""
    begin, end = _STAGES.get(upload.stage, (0.0, 0.0))
    return begin + (end - begin) * (min(1.0, upload.done / upload.total) if upload.total else 0.0)


def stage_words(upload: Upload) -> str:
    """Such as ``embedding 120 of 900 · 34/s · about 23 s left``."""
    if upload.cancel_requested:
        return "stopping"
    if upload.status == "queued":
        return "waiting for its turn"
    if not upload.total:
        # Before the first page is read, a fresh worker loads its embedding model.
        return "getting ready"
    if upload.total == 1:
        return upload.stage
    words = [f"{upload.stage} {upload.done:,} of {upload.total:,}"]
    if upload.rate is not None:
        words.append(f"{upload.rate:,.0f}/s" if upload.rate >= 1 else f"{upload.rate:.1f}/s")
    if left := time_left(upload):
        words.append(left)
    return " · ".join(words)


def time_left(upload: Upload) -> str:
    """Of the present stage: ``about 40 s left``; empty while nothing can be said."""
    seconds = upload.seconds_left
    if seconds is None or upload.done >= upload.total:
        return ""
    if seconds < 90:
        return f"about {max(1, round(seconds)):,} s left"
    return f"about {round(seconds / 60):,} min left"
