"""A document, a config and a token counter -> chunks. Pure: no tokenizer, no database, no clock."""

from __future__ import annotations

from collections.abc import Sequence

from ragcore.chunking.atoms import WHOLE, WORDS, Atom, CountTokens, TokenCounter
from ragcore.chunking.blocks import SENTENCE, WORD
from ragcore.chunking.config import ChunkingConfig
from ragcore.chunking.fitting import break_oversize, fit, header_text
from ragcore.chunking.fixed import word_segments
from ragcore.chunking.headers import HeaderWriter
from ragcore.chunking.outline import PageMap, segments
from ragcore.chunking.packing import Budget, pack
from ragcore.chunking.semantic import Embed, topical_pieces
from ragcore.errors import InputError
from ragcore.records import PAGE_SEPARATOR, Chunk, Page, SourceDocument


def document_text(pages: Sequence[Page]) -> str:
    """The pages' texts joined by PAGE_SEPARATOR: what char_start and char_end of chunks refer to."""
    return PAGE_SEPARATOR.join(page.text for page in pages)


def chunk_document(
    document: SourceDocument,
    config: ChunkingConfig,
    count_tokens: CountTokens,
    model_max_tokens: int,
    embed: Embed | None = None,
) -> list[Chunk]:
    """Cuts a document into chunks of at most ``config.max_tokens`` tokens, header included.

    ``count_tokens(texts)`` gives for each text the tokens that the embedder would see, special
    tokens included. Every non-space character of the document is in some chunk, in order; a
    document without a letter or digit has none. ``embed`` gives the vectors of sentences and is asked
    by the semantic strategy alone. Chunks of the contextual strategy have room for a context and are
    without it; see ``with_contexts``. Raises InputError when ``config.max_tokens`` is more than
    ``model_max_tokens``, the most that the embedder reads, or the semantic strategy has no ``embed``.
    """
    if config.max_tokens > model_max_tokens:
        raise InputError(
            f"max_tokens is {config.max_tokens}, but the embedding model reads only {model_max_tokens} "
            f"tokens and would cut the rest off; set max_tokens to {model_max_tokens} or less."
        )
    if config.strategy == "semantic" and embed is None:
        raise InputError("The semantic strategy compares sentences and needs an embedding model for it.")
    text = document_text(document.pages)
    page_map = PageMap.of(document.pages)
    counter = TokenCounter(count_tokens)
    headers = HeaderWriter(document, text, config, counter)
    fixed = config.strategy == "fixed"
    parts = (word_segments if fixed else segments)(document, text, page_map)
    atoms = [atom for part in parts for atom in part]
    counter.measure(text, atoms)
    headers.prime(atoms)

    def room(first: Atom) -> int:
        return max(1, config.text_tokens - counter.special_tokens - headers.cost(first))

    break_oversize(parts, text, counter, lambda first: max(1, room(first) - config.overlap_tokens))
    if config.strategy == "semantic" and embed is not None:
        parts = topical_pieces(parts, text, embed, room)
    budget = Budget(room, config.overlap_tokens, WORD if fixed else SENTENCE)
    drafts = [draft for part in parts for draft in pack(part, budget)]
    # The fixed strategy works with words, so only a word that was cut is out of the ordinary.
    ordinary = WORDS if fixed else WHOLE
    chunks = []
    for draft, tokens in fit(drafts, text, headers, counter, config.text_tokens, model_max_tokens):
        start, end = draft.atoms[0].start, draft.atoms[-1].end
        chunks.append(
            Chunk(
                ordinal=len(chunks),
                text=text[start:end],
                page_start=page_map.number_at(start),
                page_end=page_map.number_at(end - 1),
                char_start=start,
                char_end=end,
                token_count=tokens,
                section=draft.atoms[draft.overlap].section,
                header=header_text(draft, headers),
                page_offsets=page_map.breaks(start, end),
                oversize=tokens > config.text_tokens or any(atom.broken > ordinary for atom in draft.atoms),
            )
        )
    return chunks
