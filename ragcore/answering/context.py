"""What goes into a prompt, document by document: passages that were found with what stands around them.

A short document stands in it whole; of a long one the hits, its opening and the neighbours of the hits,
in reading order. What two chunks share is shown once. Hits come first when room is short, and the best
one always has its place. Knows no SQL: it is handed the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragcore.answering.fitting import Context, LeftOut, Window, too_small, without
from ragcore.answering.prompts import SMALL, Prompt, answer_messages, document_line, passage_text
from ragcore.lexical.counting import asks_for_all
from ragcore.records import Candidate, ChatMessage, Passage, PlacedChunk, PlacedDocument, WhyInPrompt

_GONE = PlacedDocument(0, -1, 0, ())
"""In place of a document that was replaced since it was searched."""
_NOWHERE = 1_000_000_000
"""The ordinal of a hit whose place is not known."""
_WIDEST_NUMBER = 9999
"""While passages are chosen their numbers are not known; their digits count as tokens."""


@dataclass(frozen=True, slots=True)
class Limits:
    """In tokens of the embedder, as the chunks are stored with them; the window has its own count."""

    whole: int = 1000
    """A document of at most so many is given whole."""
    document: int = 1200
    """No more is taken of any other."""
    opening: bool = True
    """Whether a document's first chunk is wanted, where it is not given whole."""
    beside: int | None = None
    """The neighbours of so many of a document's hits are wanted, of the best ones; None: of all."""
    counted: int = 4000
    """The best document is given whole up to here where things are to be counted or listed: a part of
    them makes a wrong count."""

    def whole_up_to(self, question: str, hits: Sequence[Candidate]) -> dict[int, int]:
        """For each document of the hits, up to how many tokens it is to be given whole."""
        limits = {hit.document_id: self.whole for hit in hits}
        if hits and asks_for_all(question):
            limits[hits[0].document_id] = self.counted
        return limits


LIMITS = Limits()


def assemble(
    question: str,
    hits: Sequence[Candidate],
    documents: Mapping[int, PlacedDocument],
    window: Window,
    limits: Limits = LIMITS,
    prompt: Prompt = SMALL,
) -> Context:
    """The passages of a prompt, in the order of their documents' best hits.

    ``hits`` are best first, at least one. ``documents`` holds, by id, what is stored around them; a hit
    that is not in it (its document was replaced meanwhile) stands alone. Prompt and reply fit into the
    window. Raises InputError when the best hit does not.
    """
    counts = asks_for_all(question)
    shares = _shares(hits, documents, limits.whole_up_to(question, hits), limits)
    room = _Room(question, window, prompt)
    ranked = [(shares[hit.document_id], shares[hit.document_id].hits[hit.chunk_id]) for hit in hits]
    if not room.add(*ranked[0], "hit"):
        raise too_small(room.budget)
    if counts:
        room.add_whole(shares.values())
    for share, chunk in ranked:
        room.add(share, chunk, "hit")
    if not counts:
        room.add_whole(shares.values())
    best = ranked[0][0]
    # What is to be counted stands in the best document; there is enough to read with that.
    for share in shares.values() if not (counts and best.whole) else ():
        for chunk, why in share.around():
            room.add(share, chunk, why)
    context = room.context(list(shares.values()))
    wanted = [share for share in shares.values() if share.short or (counts and share is best)]
    return replace(context, counts=counts, cut=tuple(share.file for share in wanted if not share.whole))


@dataclass(slots=True)
class _Share:
    """What a document has of the prompt."""

    file: str
    placed: Sequence[PlacedChunk]
    chunks: int
    short: bool
    """To be given whole."""
    limits: Limits
    hits: dict[int, PlacedChunk] = field(default_factory=dict)
    """By chunk, best first."""
    tokens: int = 0
    chosen: dict[int, tuple[PlacedChunk, WhyInPrompt]] = field(default_factory=dict)
    """By chunk."""

    @property
    def whole(self) -> bool:
        return len(self.chosen) == self.chunks

    def around(self) -> Iterator[tuple[PlacedChunk, WhyInPrompt]]:
        """Its opening, then what follows and precedes each hit, the best hit's first."""
        by_ordinal = {one.ordinal: one for one in self.placed}
        if self.limits.opening and 0 in by_ordinal:
            yield by_ordinal[0], "opening"
        hits = list(self.hits.values())[: self.limits.beside]
        for ordinal in (hit.ordinal + step for hit in hits for step in (1, -1)):
            if ordinal in by_ordinal:
                yield by_ordinal[ordinal], "neighbour"

    def passages(self, number: int) -> Iterator[Passage]:
        """In reading order, numbered on; what the passage before has shown is not shown again."""
        shown_until, before, lines = 0, None, set[str]()
        for chunk, why in sorted(self.chosen.values(), key=lambda one: one[0].ordinal):
            hit = chunk.candidate
            repeated = min(max(0, shown_until - chunk.char_start), len(hit.text))
            if before is None or chunk.ordinal != before + 1:
                lines = set()
            header = [line for line in hit.header.split("\n") if line not in lines]
            before, shown_until = chunk.ordinal, max(shown_until, chunk.char_end)
            # Where a table goes on, its first row stands above already; so does a section's path.
            lines.update(hit.header.split("\n"), hit.text.split("\n"))
            if repeated < len(hit.text):
                yield Passage(number, hit, why, repeated, "\n".join(header))
                number += 1


class _Room:
    """Adds chunks while the window has room for them."""

    def __init__(self, question: str, window: Window, prompt: Prompt) -> None:
        self.budget = window.num_ctx - window.max_reply_tokens
        self._question = question
        self._window = window
        self._prompt = prompt
        self._nothing = self._measured("")
        self._spent = window.estimate_tokens(answer_messages(question, [], prompt=prompt, by_document=True))
        self._order: list[tuple[_Share, int]] = []
        self._left_out: dict[int, LeftOut] = {}

    def add(self, share: _Share, chunk: PlacedChunk, why: WhyInPrompt) -> bool:
        """Whether the chunk is in the prompt now; if it is not, that is noted."""
        hit = chunk.candidate
        if hit.chunk_id in share.chosen:
            return True
        cost = self._cost(share, [chunk])
        # The first of a document is its best hit: it stays, however long it is.
        full = share.chosen and share.tokens + chunk.tokens > share.limits.document
        if full or self._spent + cost > self.budget:
            if why == "hit" or not full:
                self._left_out.setdefault(hit.chunk_id, without(hit, why, "document" if full else "window"))
            return False
        self._take(share, [(chunk, why)], cost)
        return True

    def add_whole(self, shares: Iterable[_Share]) -> None:
        """All that is missing of each short document, or nothing of it."""
        for share in shares:
            missing = [one for one in share.placed if one.candidate.chunk_id not in share.chosen]
            if share.short and self._spent + (cost := self._cost(share, missing)) <= self.budget:
                whole = [
                    (hit, "hit") if (hit := share.hits.get(one.candidate.chunk_id)) else (one, "whole")
                    for one in missing
                ]
                self._take(share, whole, cost)

    def context(self, shares: Sequence[_Share]) -> Context:
        """As it is sent. The whole is measured again, though its parts should add up to no less."""
        while True:
            passages: list[Passage] = []
            for share in shares:
                passages += share.passages(len(passages) + 1)
            messages = answer_messages(self._question, passages, prompt=self._prompt, by_document=True)
            estimate = self._window.estimate_tokens(messages)
            if estimate <= self.budget:
                break
            if len(self._order) == 1:
                raise too_small(self.budget)
            share, chunk_id = self._order.pop()
            chunk, why = share.chosen.pop(chunk_id)
            self._left_out[chunk_id] = without(chunk.candidate, why, "window")
        inside = {chunk_id for share in shares for chunk_id in share.chosen}
        return Context(
            passages,
            messages,
            estimate,
            tuple(one for chunk_id, one in self._left_out.items() if chunk_id not in inside),
            taken_from="documents",
            whole=tuple(share.file for share in shares if share.whole),
        )

    def _take(self, share: _Share, chunks: Sequence[tuple[PlacedChunk, WhyInPrompt]], cost: int) -> None:
        self._spent += cost
        for chunk, why in chunks:
            share.tokens += chunk.tokens
            share.chosen[chunk.candidate.chunk_id] = (chunk, why)
            self._order.append((share, chunk.candidate.chunk_id))

    def _cost(self, share: _Share, chunks: Sequence[PlacedChunk]) -> int:
        texts = [passage_text(Passage(_WIDEST_NUMBER, one.candidate), named=False) for one in chunks]
        if not share.chosen:
            texts.append(document_line(share.file))
        return sum(self._measured(f"{text}\n\n") - self._nothing for text in texts)

    def _measured(self, text: str) -> int:
        return self._window.estimate_tokens([ChatMessage("user", text)])


def _shares(
    hits: Sequence[Candidate],
    documents: Mapping[int, PlacedDocument],
    whole_up_to: Mapping[int, int],
    limits: Limits,
) -> dict[int, _Share]:
    """The documents of the hits, in their order, with nothing chosen yet."""
    shares: dict[int, _Share] = {}
    places = {one.candidate.chunk_id: one for document in documents.values() for one in document.placed}
    for rank, hit in enumerate(hits):
        if hit.document_id not in shares:
            document = documents.get(hit.document_id, _GONE)
            short = document.complete and document.tokens <= whole_up_to[hit.document_id]
            shares[hit.document_id] = _Share(hit.file, document.placed, document.chunks, short, limits)
        # Without a place it stands behind its document's other chunks, next to nothing.
        place = places.get(hit.chunk_id) or PlacedChunk(hit, _NOWHERE + 2 * rank, 0, 0, 0)
        shares[hit.document_id].hits[hit.chunk_id] = replace(place, candidate=hit)
    return shares
