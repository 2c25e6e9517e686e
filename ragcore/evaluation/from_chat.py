"""A turn of a chat as a question of a set, its gold picked from what had been retrieved for it.

Gold names document, place and quote, never a chunk: it is found again however the document is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import regex

from ragcore.answering.quoting import SentenceEmbedder, best_sentences
from ragcore.errors import InputError
from ragcore.evaluation.matching import folded
from ragcore.evaluation.question import EvalQuestion, Gold, Kind, Split, behavior_of
from ragcore.reading.quote_match import match_quote
from ragcore.records import Candidate, Message, SourceDocument

CATEGORY = "from_chat"
Refusal = Literal["general_knowledge", "missing_info"]
_BACK = regex.compile(
    r"^\W*(?:and|but|or|so|also|then|what about|how about|why|und|aber|warum)\b"
    r"|\b(?:it|its|they|them|their|that|those|these|this|there|he|she|him|her|his|the same|the other)\b",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A passage of a chat's trace."""

    document_id: int
    file: str
    location: str
    page_start: int
    page_end: int
    section: tuple[str, ...]
    text: str
    score: float

    @property
    def paged(self) -> bool:
        """Cited by page: only PDFs have physical pages."""
        return self.file.casefold().endswith(".pdf")


def retrieved(trace: dict[str, Any] | None) -> list[Retrieved]:
    """What was retrieved for an answer, best first."""
    names = Retrieved.__slots__
    return [
        Retrieved(**{**{name: passage[name] for name in names}, "section": tuple(passage["section"])})
        for passage in (trace or {}).get("passages", [])
    ]


def refers_back(question: str, trace: dict[str, Any] | None = None) -> bool:
    """Whether it looks like a follow-up: it was rewritten, or says "and", "it", "there". A guess."""
    standalone = (trace or {}).get("standalone_question")
    return standalone not in (None, question) or bool(_BACK.search(question))


def suggested_quote(passage: Retrieved, question: str, message: Message, embedder: SentenceEmbedder) -> str:
    """What the answer cited from the passage, or else its best sentence for the question."""
    for citation in message.citations:
        if citation.document_id == passage.document_id and citation.quote in passage.text:
            return citation.quote
    candidate = Candidate(
        chunk_id=0,
        document_id=passage.document_id,
        file=passage.file,
        paged=passage.paged,
        page_start=passage.page_start,
        page_end=passage.page_end,
        page_label=None,
        page_offsets=(),
        section=passage.section,
        header="",
        text=passage.text,
        score=passage.score,
    )
    found = best_sentences(question, [candidate], embedder)
    best = max(found, key=lambda quote: quote.score, default=None)
    return best.citation.quote if best else passage.text.strip()


def gold_of_passage(passage: Retrieved, quote: str, source: SourceDocument | None = None) -> Gold:
    """The gold of a quote from a retrieved passage.

    ``source`` tells on which page the quote stands where a passage runs over several; without it,
    the first. Raises InputError for a quote that is not in the passage.
    """
    if not folded(quote):
        raise InputError(f"The quote from {passage.file}:{passage.location} is empty; choose its sentence.")
    if folded(quote) not in folded(passage.text):
        raise InputError(
            f"'{_short(quote)}' is not in the passage {passage.file}:{passage.location}; copy its words exactly."
        )
    page = passage.page_start
    if source is not None and passage.page_end > page:
        within = [one for one in source.pages if page <= one.number <= passage.page_end]
        page = next((one.number for one in within if folded(quote) in folded(one.text)), page)
    return Gold(
        document=passage.file,
        quote=quote.strip(),
        page=page if passage.paged else None,
        section=passage.section[-1] if passage.section and not passage.paged else None,
    )


def gold_in_document(source: SourceDocument, quote: str) -> Gold:
    """The gold of a quote that was not retrieved, looked for in its document.

    The quote becomes the words as the document has them. Raises InputError where it is not there.
    """
    if folded(quote):
        for page in source.pages:
            found = match_quote(page.text, quote)
            if found is not None and not found.partial:
                words = page.text[found.start : found.end]
                return Gold(source.file_name, words, page=page.number if source.paged else None)
    raise InputError(f"'{_short(quote)}' is not in {source.file_name}; copy a sentence of it exactly.")


def facts_of(lines: str) -> tuple[tuple[str, ...], ...]:
    """A line a fact, alternatives between upright strokes: ``14 crowns | fourteen crowns``."""
    groups = [tuple(part.strip() for part in line.split("|") if part.strip()) for line in lines.splitlines()]
    return tuple(group for group in groups if group)


def chat_question(
    question: str,
    *,
    earlier: Iterable[str] = (),
    refuse: Refusal | None = None,
    facts: Sequence[tuple[str, ...]] = (),
    gold: Sequence[Gold] = (),
    note: str = "",
    split: Split = "test",
) -> EvalQuestion:
    """A question without an id yet; with ``earlier`` turns it is a follow-up.

    Raises InputError for an empty question, and for one to be answered without gold.
    """
    turns = (*(turn.strip() for turn in earlier), question.strip())
    if not turns[-1]:
        raise InputError("The question is empty; type what is to be asked.")
    kind: Kind
    if refuse is None:
        if not gold:
            raise InputError("Pick at least one passage that holds the answer, or choose Refuse.")
        kind = "follow_up" if len(turns) > 1 else "answerable"
    else:
        kind, facts, gold = ("follow_up_off_topic" if len(turns) > 1 else refuse), (), ()
    return EvalQuestion(
        id="",
        kind=kind,
        question=turns[-1],
        turns=turns,
        expected_behavior=behavior_of(kind, tuple(gold)),
        category=CATEGORY,
        split=split,
        gold=tuple(dict.fromkeys(gold)),
        facts=tuple(facts),
        note=note.strip(),
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
