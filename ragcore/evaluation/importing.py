"""Question sets of other tools, read as our own questions.

- a JSON array of ``{question, expectedSubstrings, category?, notes?}`` or ``{question, group, notes?}``
- a JSON object ``{followups, offtopic, chains}`` of conversations
- a CSV with the columns ``id, question, gold_citation, gold_key_phrase, expected_behavior``

Knows no files: ``name`` is the file's name in errors, ``prefix`` what ids begin with where there are
none. Splits are left as "": the set decides.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import Any

import regex

from ragcore.errors import InputError
from ragcore.evaluation.question import SPLITS, EvalQuestion, Gold, behavior_of
from ragcore.evaluation.question_format import choice, known, listed, shown, text, texts

ARRAY_KEYS = ("id", "question", "expectedSubstrings", "group", "category", "notes")
GROUPS = {"near-miss": "missing_info", "unrelated": "general_knowledge"}
CONVERSATION_KEYS = {
    "followups": ("first", "followup", "expected", "notes"),
    "offtopic": ("first", "followup", "notes"),
    "chains": ("turns", "expected", "notes"),
}
CSV_COLUMNS = ("id", "question", "gold_citation", "gold_key_phrase", "expected_behavior")
CSV_MORE = ("category", "difficulty", "split", "notes")
ANSWER_WORDS = ("answer", "answerable", "answered", "respond", "yes")
REFUSE_WORDS = ("refuse", "refusal", "refused", "abstain", "decline", "unanswerable", "no_answer", "no")


def from_array(rows: Sequence[Any], name: str, prefix: str) -> list[EvalQuestion]:
    """Near misses become missing_info, unrelated ones general_knowledge, the others answerable."""
    found = []
    for number, row in enumerate(rows, 1):
        where = f"{name}, question {number}"
        row = known(row, ARRAY_KEYS, where)
        if ("group" in row) == ("expectedSubstrings" in row):
            raise InputError(f"{where}: give either 'expectedSubstrings' or 'group', and not both.")
        kind, gold = "answerable", ()
        category = text(row, "category", where, default=str(row.get("group", "")))
        if "group" in row:
            kind = GROUPS[choice(row, "group", GROUPS, where)]
        else:
            gold = tuple(substring(one, where) for one in texts(row, "expectedSubstrings", where))
            if not gold:
                raise InputError(f"{where}: 'expectedSubstrings' is empty.")
        identity = text(row, "id", where, default=_identity(prefix, number))
        note = text(row, "notes", where, default="")
        found.append(
            _made(identity, kind, [text(row, "question", where)], gold, category=category, note=note)
        )
    return found


def from_conversations(rows: Mapping[str, Any], name: str, prefix: str) -> list[EvalQuestion]:
    """Follow-ups and chains become follow_up, the off-topic ones follow_up_off_topic."""
    lowered = {str(key).casefold(): value for key, value in rows.items()}
    rows = known(lowered, CONVERSATION_KEYS, name)
    found: list[EvalQuestion] = []
    for group, keys in CONVERSATION_KEYS.items():
        for number, row in enumerate(listed(rows, group, name), 1):
            where = f"{name}, {group} {number}"
            row = known(row, keys, where)
            if group == "chains":
                turns = texts(row, "turns", where)
                if len(turns) < 2:
                    raise InputError(f"{where}: a chain needs at least two 'turns'.")
            else:
                turns = [text(row, "first", where), text(row, "followup", where)]
            kind = "follow_up_off_topic" if group == "offtopic" else "follow_up"
            gold = () if group == "offtopic" else (substring(text(row, "expected", where), where),)
            category = {"followups": "two_turn", "offtopic": "off_topic", "chains": "chain"}[group]
            identity = _identity(prefix, len(found) + 1)
            note = text(row, "notes", where, default="")
            found.append(_made(identity, kind, turns, gold, category=category, note=note))
    return found


def from_csv(content: str, name: str, prefix: str) -> list[EvalQuestion]:
    """Comma, semicolon or tab between the cells, as the header has it.

    Refusals become missing_info: the file does not say how far from the documents they are.
    Several citations are parted by semicolons, any of them is gold. The key phrase is a fact that the
    answer has to contain, and gold by itself where no citation is given.
    """
    first = content.split("\n", 1)[0]
    lines = csv.reader(content.splitlines(keepends=True), delimiter=max(",;\t", key=first.count), strict=True)
    found: list[EvalQuestion] = []
    header: list[str] | None = None
    start = 1
    try:
        for cells in lines:
            where, start = f"{name}, line {start}", lines.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, where)
                continue
            if len(cells) > len(header):
                raise InputError(
                    f"{where}: {len(cells)} cells for {len(header)} columns; put quotes around text with commas."
                )
            row = dict(zip(header, cells, strict=False))
            found.append(_csv_question(row, where, _identity(prefix, len(found) + 1)))
    except csv.Error as error:
        raise InputError(f"{name}, line {start}: the cells cannot be told apart ({error}).") from error
    return found


def substring(quote: str, where: str) -> Gold:
    """Gold anywhere in any document. Cutting at sentence ends has left ". " before some of them."""
    stripped = quote.removeprefix(". ").strip()
    if not regex.search(r"\w", stripped):
        raise InputError(f"{where}: an expected text is {shown(quote)}, which is nothing to look for.")
    return Gold(document="", quote=stripped, substring=True)


_CITATION = regex.compile(
    r"""(?P<file>.+?\.\w{1,8})
    (?: (?:\s*[:,\#]\s*|\s+) (?:p(?:ages?|g|p)?\s*[.=:]?\s*)? (?P<first>\d{1,6}) (?:\s*[-–]\s*(?P<last>\d{1,6}))?
      | \s*[:,]?\s*§\s*(?P<section>.+) )?""",
    regex.IGNORECASE | regex.VERBOSE,
)
_MOST_PAGES = 50


def citation_golds(citation: str, where: str, phrase: str = "") -> tuple[Gold, ...]:
    """``file.pdf:3``, ``file.pdf p. 3-4``, ``[file.pdf, page 3]``, ``notes.md:§ Fees`` or ``file.pdf``.

    One gold a page. A page of a PDF is gold whole; elsewhere any hit in the file would be, so there
    the phrase has to be found too. Raises InputError for what cannot be read and for page 0.
    """
    match = _CITATION.fullmatch(citation.strip().removeprefix("[").removesuffix("]").strip())
    if match is None:
        raise InputError(f"{where}: 'gold_citation' is {shown(citation)}; write it like file.pdf:3.")
    document, section = match["file"], match["section"]
    if match["first"] is None or not document.casefold().endswith(".pdf"):
        quote = phrase if section is None else ""
        return (Gold(document=document, quote=quote, section=section, substring=bool(quote)),)
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if not 1 <= first <= last < first + _MOST_PAGES:
        raise InputError(
            f"{where}: the pages of {shown(citation)} cannot be meant; they count from 1, at most {_MOST_PAGES} in a row."
        )
    return tuple(Gold(document=document, quote="", page=page) for page in range(first, last + 1))


def _csv_question(row: Mapping[str, str], where: str, default_id: str) -> EvalQuestion:
    behavior = text(row, "expected_behavior", where)
    word = regex.sub(r"[\s-]+", "_", behavior.casefold())
    if word not in (*ANSWER_WORDS, *REFUSE_WORDS):
        raise InputError(f"{where}: 'expected_behavior' is {shown(behavior)}; use answer or refuse.")
    phrase = text(row, "gold_key_phrase", where, default="")
    cited = text(row, "gold_citation", where, default="")
    gold: tuple[Gold, ...] = ()
    if word in ANSWER_WORDS:
        places = [one for one in cited.split(";") if one.strip()]
        gold = tuple(gold for place in places for gold in citation_golds(place, where, phrase))
        if not gold and not phrase:
            raise InputError(f"{where}: an answer is expected, so give 'gold_citation' or 'gold_key_phrase'.")
        gold = gold or (substring(phrase, where),)
    return _made(
        text(row, "id", where, default=default_id),
        "answerable" if gold else "missing_info",
        [text(row, "question", where)],
        gold,
        facts=((phrase,),) if gold and phrase else (),
        category=text(row, "category", where, default=""),
        difficulty=text(row, "difficulty", where, default=""),
        split=choice(row, "split", SPLITS, where, default=""),
        note=text(row, "notes", where, default=""),
    )


def _header(cells: Sequence[str], where: str) -> list[str]:
    header = [regex.sub(r"[\s-]+", "_", cell.strip().casefold()) for cell in cells]
    header = ["notes" if column == "note" else column for column in header]
    known(dict.fromkeys(header), (*CSV_COLUMNS, *CSV_MORE), where)
    for column in ("question", "expected_behavior"):
        if column not in header:
            raise InputError(
                f"{where}: the column {column!r} is missing; expected are {', '.join(CSV_COLUMNS)}."
            )
    if len(set(header)) < len(header):
        raise InputError(f"{where}: a column stands there twice.")
    return header


def _identity(prefix: str, number: int) -> str:
    return f"{prefix}-{number:03d}"


def _made(
    identity: str, kind: Any, turns: Sequence[str], gold: tuple[Gold, ...], *, split: Any = "", **more: Any
) -> EvalQuestion:
    return EvalQuestion(
        id=identity,
        kind=kind,
        question=turns[-1],
        turns=tuple(turns),
        expected_behavior=behavior_of(kind, gold),
        split=split,
        gold=gold,
        **more,
    )
