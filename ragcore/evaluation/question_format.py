"""Our own question format: one JSON object a question, checked key by key.

Knows no files. ``where`` is what an error begins with: "questions.jsonl, line 7".
The format is described in the README of eval_data.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

import regex

from ragcore.errors import InputError
from ragcore.evaluation.question import (
    ANSWERED_KINDS,
    FOLLOW_UP_KINDS,
    KINDS,
    REFUSED_KINDS,
    SPLITS,
    EvalQuestion,
    Gold,
    behavior_of,
)

QUESTION_KEYS = (
    "id", "kind", "category", "difficulty", "split", "question", "turns", "gold", "turn_gold", "needs",
    "facts", "near", "absent", "canary", "obeyed", "note",
)  # fmt: skip
GOLD_KEYS = ("document", "page", "section", "quote")
_BROKEN = regex.compile(r"[\x00\ud800-\udfff]")


def question_of(row: Any, where: str, *, default_id: str = "") -> EvalQuestion:
    """The question of a JSON object.

    A missing ``split`` is left as "": the set decides. Raises InputError for an unknown key, a
    missing or ill-typed value, or a kind that does not fit the gold.
    """
    row = known(row, QUESTION_KEYS, where)
    kind = choice(row, "kind", KINDS, where)
    turns = tuple(texts(row, "turns", where))
    question = text(row, "question", where, default=turns[-1] if turns else None)
    if turns and turns[-1] != question:
        raise InputError(f"{where}: 'question' is not the last of 'turns'.")
    if kind in FOLLOW_UP_KINDS and len(turns) < 2:
        raise InputError(f"{where}: a {kind} needs 'turns' with at least two entries.")
    gold = golds(row.get("gold") or [], where)
    turn_gold = tuple(golds(of_turn, where) for of_turn in listed(row, "turn_gold", where))
    if turn_gold and len(turn_gold) != len(turns):
        raise InputError(f"{where}: 'turn_gold' has {len(turn_gold)} entries for {len(turns)} turns.")
    if kind in ANSWERED_KINDS and not gold:
        raise InputError(f"{where}: 'gold' is empty; a question of kind {kind} names at least one passage.")
    if kind in REFUSED_KINDS and gold:
        raise InputError(f"{where}: a question of kind {kind} has no answer, so 'gold' must be empty.")
    return EvalQuestion(
        id=text(row, "id", where, default=default_id or None),
        kind=kind,
        question=question,
        turns=turns or (question,),
        expected_behavior=behavior_of(kind, gold),
        category=text(row, "category", where, default=""),
        difficulty=text(row, "difficulty", where, default=""),
        split=choice(row, "split", SPLITS, where, default=""),
        gold=gold,
        turn_gold=turn_gold,
        needs=choice(row, "needs", ("any", "all"), where, default="any"),
        facts=tuple(facts(row, where)),
        canary=text(row, "canary", where, default="") or None,
        obeyed=tuple(patterns(row, "obeyed", where)),
        near=golds([row["near"]], where)[0] if row.get("near") else None,
        absent=tuple(texts(row, "absent", where)),
        note=text(row, "note", where, default=""),
    )


def row_of(question: EvalQuestion) -> dict[str, Any]:
    """The JSON object of a question, without what is empty; ``question_of`` reads it back."""
    turns = question.turns if len(question.turns) > 1 else ()
    row = {
        "id": question.id,
        "kind": question.kind,
        "category": question.category,
        "difficulty": question.difficulty,
        "split": question.split,
        "question": question.question,
        "turns": list(turns),
        "gold": [_gold_row(gold) for gold in question.gold],
        "turn_gold": [[_gold_row(gold) for gold in of_turn] for of_turn in question.turn_gold],
        "needs": question.needs if question.needs != "any" else "",
        "facts": [list(group) for group in question.facts],
        "near": _gold_row(question.near) if question.near else None,
        "absent": list(question.absent),
        "canary": question.canary,
        "obeyed": list(question.obeyed),
        "note": question.note,
    }
    return {key: value for key, value in row.items() if value}


def _gold_row(gold: Gold) -> dict[str, Any]:
    row = {"document": gold.document, "page": gold.page, "section": gold.section, "quote": gold.quote}
    return {key: value for key, value in row.items() if value is not None}


def golds(rows: Any, where: str) -> tuple[Gold, ...]:
    if not isinstance(rows, list):
        raise InputError(f"{where}: 'gold' is {shown(rows)}; a list of passages is expected.")
    return tuple(_gold(row, where) for row in rows)


def _gold(row: Any, where: str) -> Gold:
    row = known(row, GOLD_KEYS, f"{where}, gold")
    page = row.get("page")
    if page is not None and (isinstance(page, bool) or not isinstance(page, int) or page < 1):
        raise InputError(f"{where}: the page of a gold passage is {shown(page)}; pages count from 1.")
    return Gold(
        document=text(row, "document", where),
        quote=text(row, "quote", where),
        page=page,
        section=text(row, "section", where, default="") or None,
    )


def facts(row: Mapping[str, Any], where: str) -> Iterable[tuple[str, ...]]:
    for alternatives in listed(row, "facts", where):
        if not isinstance(alternatives, list) or not alternatives:
            raise InputError(
                f"{where}: 'facts' holds {shown(alternatives)}; lists of alternatives are expected."
            )
        yield tuple(checked(one, "facts", where) for one in alternatives)


def known(row: Any, keys: Iterable[str], where: str) -> Mapping[str, Any]:
    """The row itself, if it is an object and has no key but these."""
    if not isinstance(row, dict):
        raise InputError(f"{where}: {shown(row)} stands where an object in braces is expected.")
    keys = list(keys)
    for key in row:
        if key not in keys:
            near = difflib.get_close_matches(str(key), keys, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(keys)}."
            raise InputError(f"{where}: unknown key {key!r}; {hint}")
    return row


def choice(
    row: Mapping[str, Any], key: str, allowed: Iterable[str], where: str, default: str | None = None
) -> Any:
    value = text(row, key, where, default=default)
    if value not in (*allowed, default):
        raise InputError(f"{where}: {key!r} is {shown(value)}; use one of {', '.join(allowed)}.")
    return value


def text(row: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A text that is not blank; ``default`` where it is missing, blank or null."""
    value = row.get(key)
    if value is None or (isinstance(value, str) and not value.strip()):
        if default is None:
            raise InputError(f"{where}: {key!r} is {'missing' if key not in row else 'empty'}.")
        return default
    return checked(value, key, where)


def texts(row: Mapping[str, Any], key: str, where: str) -> list[str]:
    return [checked(one, key, where) for one in listed(row, key, where)]


def patterns(row: Mapping[str, Any], key: str, where: str) -> Iterable[str]:
    """Regular expressions. Raises InputError for what is none."""
    for one in texts(row, key, where):
        try:
            re.compile(one)
        except re.error as error:
            raise InputError(
                f"{where}: {key!r} holds {shown(one)}, no regular expression ({error})."
            ) from error
        yield one


def listed(row: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = row.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{where}: {key!r} is {shown(value)}; a list is expected.")
    return value


def checked(value: Any, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: {key!r} is {shown(value)}; a text is expected.")
    if not value.strip():
        raise InputError(f"{where}: {key!r} holds an empty text.")
    if _BROKEN.search(value):
        raise InputError(
            f"{where}: {key!r} has a broken character (NUL or half a surrogate pair); remove it."
        )
    return value.strip()


def shown(value: Any) -> str:
    """The value as an error names it, cut to a readable length."""
    as_text = repr(value)
    return as_text if len(as_text) <= 60 else f"{as_text[:57]}..."
