"""The settings of chunking in words, for every page that shows or offers them."""

from __future__ import annotations

from ragcore.chunking import ChunkingConfig

STRATEGIES = {
    "recursive": "at headings, paragraphs and sentences",
    "fixed": "by length alone",
    "semantic": "at headings and where the subject changes",
    "contextual": "at headings and sentences, with a context from a chat model",
}
HEADERS = {
    "auto": "above chunks that need them",
    "on": "above every chunk",
    "off": "above none",
}
GRANULARITIES = {
    "chunk": "every chunk as a whole",
    "sentence": "every sentence, alone and under its headings",
    "late": "every sentence, read within its chunk",
}
_AGAIN = (
    "Every document is cut and embedded again, which takes about as long as adding them did. Until it is done "
    "the present chunks serve; then a cutoff that was calibrated here should be measured again."
)
COSTS = {
    "recursive": _AGAIN,
    "fixed": _AGAIN,
    "semantic": f"{_AGAIN} To find where the subject changes, sentences are embedded once more.",
    "contextual": f"{_AGAIN} Before that a chat model writes a line for every chunk, often some seconds each: "
    "the price is measured on three chunks first. What it writes helps to find a chunk and is never quoted.",
}


def in_words(config: ChunkingConfig) -> str:
    """How a collection is cut now, in two sentences."""
    overlap = f"with {config.overlap_tokens} tokens repeated" if config.overlap_tokens else "without overlap"
    return (
        f"Cut {STRATEGIES[config.strategy]}, into chunks of at most {config.max_tokens} tokens {overlap}. "
        f"Title and section stand {HEADERS[config.header]}; searched is {GRANULARITIES[config.granularity]}."
    )
