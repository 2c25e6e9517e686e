"""Makes sure that pieces fit: beforehand by breaking what is too big, afterwards by counting again.

Adding up token counts is an estimate. What counts is the embedder's own count of the whole
embedded text, so every chunk is counted once more and cut further when it is over.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ragcore.chunking.atoms import Atom, TokenCounter, break_down, has_words
from ragcore.chunking.headers import HeaderWriter
from ragcore.chunking.packing import Draft
from ragcore.errors import InputError


def break_oversize(
    segments: list[list[Atom]], text: str, counter: TokenCounter, room: Callable[[Atom], int]
) -> None:
    """Breaks atoms until every run of glued atoms fits into a chunk, as far as that is possible.

    Ordinary text is broken first, then a long chain of headings is let go between headings, and
    a heading is cut only when it alone is too long. Works in place; counts in batches.
    """
    open_segments = list(range(len(segments)))
    while open_segments:
        broken: dict[int, list[Atom]] = {}
        touched = []
        for n in open_segments:
            chosen = [atom for run in _runs(segments[n]) for atom in _to_break(run, room(run[0]), text)]
            parts = {id(atom): break_down(text, atom) for atom in chosen}
            parts = {key: value for key, value in parts.items() if value}
            if parts:
                broken |= parts
                touched.append(n)
        for n in touched:
            segments[n] = [part for atom in segments[n] for part in broken.get(id(atom), [atom])]
        counter.measure(text, [part for parts in broken.values() for part in parts])
        open_segments = touched


def _runs(atoms: list[Atom]) -> list[list[Atom]]:
    runs: list[list[Atom]] = []
    for atom in atoms:
        if runs and atom.glued:
            runs[-1].append(atom)
        else:
            runs.append([atom])
    return runs


def _to_break(run: list[Atom], room: int, text: str) -> list[Atom]:
    """Which atoms of a run of glued ones to break so that it fits into ``room`` tokens."""
    if sum(atom.tokens for atom in run) <= room:
        return []
    if len(run) == 1:
        return run
    plain = [atom for atom in run if atom.content and not atom.heading and has_words(text, atom)]
    if plain:
        return plain
    _let_go(run, room)
    return [atom for atom in run if atom.tokens > room]


def _let_go(run: list[Atom], room: int) -> None:
    """Allows a cut between headings wherever more than half of the room has been used."""
    used = 0
    for atom in run:
        if used > room // 2 and atom.heading:
            atom.glued, used = False, 0
        used += atom.tokens


def fit(
    drafts: list[Draft],
    text: str,
    headers: HeaderWriter,
    counter: TokenCounter,
    max_tokens: int,
    model_max_tokens: int,
) -> list[tuple[Draft, int]]:
    """Each draft with the real token count of its embedded text; those over the limit are cut.

    Raises InputError when a single character with its header has more tokens than the model reads.
    """
    done: list[tuple[Draft, int | None]] = [(draft, None) for draft in drafts]
    while pending := [draft for draft, count in done if count is None]:
        counts = iter(counter.count_texts([embedded_text(draft, text, headers) for draft in pending]))
        counted = [(draft, next(counts) if count is None else count) for draft, count in done]
        done = []
        for draft, count in counted:
            if count <= max_tokens:
                done.append((draft, count))
            elif smaller := _shrink(draft, text, headers):
                done.extend((part, None) for part in smaller)
            elif count <= model_max_tokens:
                done.append((draft, count))
            else:
                raise InputError(
                    f"The text {text[draft.atoms[0].start : draft.atoms[0].end]!r} alone has {count} tokens, "
                    f"and the embedding model reads {model_max_tokens}; choose another embedding model."
                )
        done = _stepping(done)
    return [(draft, count) for draft, count in done if count is not None]


def _stepping(done: list[tuple[Draft, int | None]]) -> list[tuple[Draft, int | None]]:
    """Takes the overlap from drafts that, since the one before was cut, begin no later than it."""
    stepping = done[:1]
    for draft, count in done[1:]:
        if draft.overlap and draft.atoms[0].start <= stepping[-1][0].atoms[0].start:
            draft, count = Draft(draft.atoms[draft.overlap :], 0, draft.bare), None
        stepping.append((draft, count))
    return stepping


def header_text(draft: Draft, headers: HeaderWriter) -> str:
    return "" if draft.bare else headers.above(draft.atoms[0])


def embedded_text(draft: Draft, text: str, headers: HeaderWriter) -> str:
    """What the model will be given, as records.Chunk.embedded_text puts it together."""
    header = header_text(draft, headers)
    body = text[draft.atoms[0].start : draft.atoms[-1].end]
    return f"{header}\n{body}" if header else body


def _shrink(draft: Draft, text: str, headers: HeaderWriter) -> list[Draft]:
    """One step that makes a draft smaller, the gentlest first; ``[]`` when there is none left."""
    atoms = draft.atoms
    if draft.overlap:
        return [Draft(atoms[draft.overlap :], 0, draft.bare)]
    if cut := _middle(atoms, [k for k in range(1, len(atoms)) if not atoms[k].glued]):
        return [Draft(atoms[:cut], 0, draft.bare), Draft(atoms[cut:], 0, draft.bare)]
    plain = [atom for atom in atoms if atom.content and not atom.heading and has_words(text, atom)]
    if plain and len(atoms) > 1:
        parts = {id(atom): _estimated(text, atom) for atom in plain}
        finer = [part for atom in atoms for part in parts.get(id(atom), [atom])]
        if len(finer) > len(atoms):
            return [Draft(finer, 0, draft.bare)]
    if cut := _middle(atoms, list(range(1, len(atoms)))):
        return [Draft(atoms[:cut], 0, draft.bare), Draft(atoms[cut:], 0, draft.bare)]
    if len(finer := _estimated(text, atoms[0])) > 1:
        return [Draft(finer, 0, draft.bare)]
    if header_text(draft, headers):
        return [Draft(atoms, 0, True)]
    return []


def _middle(atoms: list[Atom], cuts: list[int]) -> int:
    """The cut that halves the tokens best; 0 if there is none."""
    before = list(itertools.accumulate((atom.tokens for atom in atoms), initial=0))
    return min(cuts, key=lambda k: abs(before[-1] - 2 * before[k]), default=0)


def _estimated(text: str, atom: Atom) -> list[Atom]:
    """The finer pieces with token counts by their length: the next count decides anyway."""
    parts = break_down(text, atom) or [atom]
    for part in parts:
        part.tokens = max(1, atom.tokens * (part.end - part.start) // (atom.end - atom.start))
    return parts
