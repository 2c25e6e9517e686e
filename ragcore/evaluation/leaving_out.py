"""Documents taken apart so that one part can be left out, and the set folder of what remains."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from ragcore.chunking import document_text
from ragcore.chunking.sentences import pieces
from ragcore.errors import InputError
from ragcore.evaluation.matching import folded
from ragcore.evaluation.sets import QUESTIONS
from ragcore.indexing import files_under
from ragcore.reading import ReadingLimits, clean_path, read_isolated
from ragcore.records import PAGE_SEPARATOR, Heading, SourceDocument
from ragcore.storage import Library


@dataclass(frozen=True, slots=True)
class Original:
    """A document as it was read, with the bytes that it was read from."""

    name: str
    data: bytes
    source: SourceDocument


@dataclass(frozen=True, slots=True)
class Part:
    """What can be left out: a whole document, or one section of the only document there is."""

    document: str
    section: str
    """Empty for a whole document."""
    text: str
    headings: tuple[Heading, ...]
    """With offsets into ``text``."""
    corpus_name: str
    """The file of the corpus that holds it, if it is not left out."""

    @property
    def label(self) -> str:
        return f"the section '{self.section}' of {self.document}" if self.section else self.document

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Sentences of running text and of tables, white space folded, with the heading above each."""
        heading, ahead = "", sorted(self.headings, key=lambda one: one.start)
        for block in pieces(self.text, 0, len(self.text)):
            while ahead and ahead[0].start < block.end:
                heading = ahead.pop(0).title
            sentence = folded(self.text[block.start : block.end])
            # The dash or number of a list item is no part of what it says.
            yield sentence.removeprefix("- ").removeprefix("* "), heading


def from_library(library: Library, collection: str) -> list[Original]:
    """Every document of a collection. Raises NotFound."""
    return [
        Original(document.file_name, library.original(document.id), library.source(document.id))
        for document in library.documents(collection)
    ]


def from_paths(paths: Sequence[str | Path], limits: ReadingLimits) -> list[Original]:
    """Every file under the paths. Raises NotFound and, for a file that cannot be read, FileRejected."""
    originals = []
    for file in files_under(paths):
        try:
            data = file.path.read_bytes()
        except OSError as error:
            raise InputError(f"'{file.name}' cannot be read: {error.strerror}.") from error
        name = clean_path(file.name)
        originals.append(Original(name, data, read_isolated(data, file.name, limits=limits)))
    return originals


def parts_of(originals: Sequence[Original]) -> list[Part]:
    """The documents; of a single document its sections instead, headed by the highest headings it has two of."""
    if len(originals) != 1:
        return [
            Part(one.name, "", document_text(one.source.pages), headings_of(one.source), one.name)
            for one in originals
        ]
    (one,) = originals
    text, headings = document_text(one.source.pages), headings_of(one.source)
    levels = [heading.level for heading in headings]
    level = next((level for level in sorted(set(levels)) if levels.count(level) > 1), None)
    if level is None:
        return [Part(one.name, "", text, headings, one.name)]
    starts = [heading.start for heading in headings if heading.level <= level]
    bounds = [*([0] if starts[0] > 0 else []), *starts, len(text)]
    return [
        Part(
            document=one.name,
            section=next((heading.title for heading in headings if heading.start == start), "(beginning)"),
            text=text[start:end],
            headings=_within(headings, start, end),
            corpus_name=_markdown_name(one.name),
        )
        for start, end in pairwise(bounds)
        if text[start:end].strip()
    ]


def corpus_without(
    left_out: Part, parts: Sequence[Part], originals: Sequence[Original]
) -> list[tuple[str, bytes]]:
    """Names and bytes of what remains: the other documents as they are, or the other sections as Markdown."""
    if not left_out.section:
        return [(one.name, one.data) for one in originals if one.name != left_out.document]
    marked = originals[0].source.media_type == "text/markdown"
    kept = [part.text if marked else _as_markdown(part) for part in parts if part is not left_out]
    return [(left_out.corpus_name, "\n\n".join(text.strip() for text in kept).encode() + b"\n")]


def set_places(out: Path) -> tuple[Path, Path]:
    """Where questions and corpus go: into the folder ``out``, or beside the file ``out`` if it ends in .jsonl.

    Raises InputError if there is already something, for a set is not to be mixed with another.
    """
    as_file = out.suffix.casefold() == ".jsonl" and out.name != QUESTIONS
    folder = out.parent if out.name == QUESTIONS else out
    questions = out if as_file else folder / QUESTIONS
    corpus = out.with_name(f"{out.stem}-corpus") if as_file else folder / "corpus"
    for place in (questions, corpus):
        if place.exists():
            raise InputError(f"There is already something at {place}; give --out another name.")
    return questions, corpus


def write_set(
    questions: Path, corpus: Path, rows: Iterable[Mapping[str, Any]], files: Iterable[tuple[str, bytes]]
) -> None:
    """The corpus first and the questions last, so that half a set is not taken for one."""
    try:
        for name, data in files:
            # Names that were cleaned when they were read, so none leads out of the folder.
            file = corpus.joinpath(*PurePosixPath(clean_path(name)).parts)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        questions.write_text(lines, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"The set cannot be written to {questions.parent}: {error.strerror}.") from error


def headings_of(source: SourceDocument) -> tuple[Heading, ...]:
    """The headings of all pages, with offsets into the document's text."""
    found, offset = [], 0
    for page in source.pages:
        found += [
            Heading(h.start + offset, h.end + offset, h.level, h.title, h.explicit) for h in page.headings
        ]
        offset += len(page.text) + len(PAGE_SEPARATOR)
    return tuple(found)


def _within(headings: Sequence[Heading], start: int, end: int) -> tuple[Heading, ...]:
    return tuple(
        Heading(h.start - start, h.end - start, h.level, h.title, h.explicit)
        for h in headings
        if start <= h.start < end
    )


def _markdown_name(name: str) -> str:
    return name if name.casefold().endswith((".md", ".markdown")) else f"{PurePosixPath(name).stem}.md"


def _as_markdown(part: Part) -> str:
    """The text with its headings marked, as a reader of Markdown knows them again."""
    pieces_of, kept_from = [], 0
    for heading in part.headings:
        marks = "#" * min(heading.level, 6)
        pieces_of += [part.text[kept_from : heading.start], f"\n{marks} {heading.title}\n"]
        kept_from = heading.end
    return "".join([*pieces_of, part.text[kept_from:]])
