"""Reading a question set from a folder or a file, whatever of the known formats it has.

A folder holds ``questions.jsonl`` and its ``corpus/``, or a ``set.json`` that names the folder whose
corpus it uses; with neither, the set has no corpus and may be asked of any.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ragcore.errors import InputError
from ragcore.evaluation.importing import from_array, from_conversations, from_csv
from ragcore.evaluation.matching import folded
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.question_format import known, question_of, text

QUESTIONS = "questions.jsonl"
CALIBRATION_SHARE = 0.4

SetFormat = Literal["jsonl", "json-array", "json-conversations", "csv"]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one set. ``corpus`` holds files and folders; empty: ask it of any corpus."""

    name: str
    path: Path
    questions: tuple[EvalQuestion, ...]
    corpus: tuple[Path, ...]
    format: SetFormat
    splits_assigned: bool = False
    """The file had no splits: two fifths were put into calibration here, by kind and by hash."""

    def content_hash(self) -> str:
        """sha256 over all that is asked and expected, whatever the order and format; notes left out."""
        rows = [replace(one, note="") for one in sorted(self.questions, key=lambda one: one.id)]
        # A field that came later counts only where it is used: the hashes of older sets stand in stored runs.
        later = {"obeyed": ()}
        fields = [
            {name: value for name, value in asdict(one).items() if name not in later or value != later[name]}
            for one in rows
        ]
        canonical = json.dumps(fields, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def load_set(path: str | Path, corpus: Sequence[str | Path] = ()) -> QuestionSet:
    """The set at ``path``; ``corpus`` replaces its own.

    Raises InputError, naming file and line, for a set that is missing, empty, not UTF-8 or malformed,
    for an id that occurs twice, and for a corpus that is not there.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"There is no question set at {path}.")
    file = path / QUESTIONS if path.is_dir() else path
    if not file.is_file():
        raise InputError(f"The folder {path} has no {QUESTIONS}, so it is not a question set.")
    name = file.parent.resolve().name if file.name == QUESTIONS else file.stem
    questions, kind = _read(file, name)
    if not questions:
        raise InputError(f"{file.name} holds no questions.")
    _refuse_duplicates(questions, file.name)
    assigned = any(not one.split for one in questions)
    return QuestionSet(
        name=name,
        path=path,
        questions=tuple(assign_splits(questions)),
        corpus=_corpus(file, corpus),
        format=kind,
        splits_assigned=assigned,
    )


def assign_splits(questions: Sequence[EvalQuestion]) -> list[EvalQuestion]:
    """Two fifths of each kind to calibration, the others to test, where no split is given.

    By hash, so that neither the order of the file nor another question decides much. Questions with
    the same gold stay together: their scores are those of the same passage.
    """
    groups: dict[str, dict[str, list[EvalQuestion]]] = defaultdict(lambda: defaultdict(list))
    for one in questions:
        if not one.split:
            key = "\n".join(sorted(f"{gold.document} {gold.page} {gold.quote}" for gold in one.gold))
            digest = hashlib.sha256(folded(key or one.question, ignore_case=True).encode()).hexdigest()
            groups[one.kind][digest].append(one)
    split: dict[str, Literal["calibration", "test"]] = {}
    for by_digest in groups.values():
        wanted = CALIBRATION_SHARE * sum(map(len, by_digest.values()))
        taken = 0
        for digest in sorted(by_digest):
            calibrates = taken + len(by_digest[digest]) / 2 <= wanted
            taken += len(by_digest[digest]) if calibrates else 0
            split.update({one.id: "calibration" if calibrates else "test" for one in by_digest[digest]})
    return [replace(one, split=split.get(one.id, one.split)) for one in questions]


def _read(file: Path, name: str) -> tuple[list[EvalQuestion], SetFormat]:
    content = _decoded(file)
    ending = file.suffix.casefold()
    if ending == ".csv":
        return from_csv(content, file.name, name), "csv"
    if ending == ".json":
        parsed = _parsed(content, file.name)
        if isinstance(parsed, list):
            return from_array(parsed, file.name, name), "json-array"
        if isinstance(parsed, dict):
            return from_conversations(parsed, file.name, name), "json-conversations"
        raise InputError(f"{file.name} holds neither a list of questions nor an object of conversations.")
    if ending in (".jsonl", ".ndjson"):
        return _lines(content, file.name, name), "jsonl"
    raise InputError(
        f"{file.name} is no question set: .jsonl, .json and .csv are read, and folders with {QUESTIONS}."
    )


def _lines(content: str, file: str, name: str) -> list[EvalQuestion]:
    """Only line feeds end a line: JSON strings may hold the other separators as they are."""
    found = []
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            where = f"{file}, line {number}"
            found.append(question_of(_parsed(line, where), where, default_id=f"{name}-{len(found) + 1:03d}"))
    return found


def _parsed(content: str, where: str) -> Any:
    if not content.strip():
        return []
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if "line" in where else f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: this is not JSON ({error.msg}, {place}).") from error
    except RecursionError as error:
        raise InputError(f"{where}: the JSON is nested too deeply.") from error


def _decoded(file: Path) -> str:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{file.name}, line {line}: byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8."
        ) from error


def _corpus(file: Path, given: Sequence[str | Path]) -> tuple[Path, ...]:
    if given:
        missing = [str(path) for path in given if not Path(path).exists()]
        if missing:
            raise InputError(f"There is no corpus at {', '.join(missing)}.")
        return tuple(Path(path) for path in given)
    if file.name != QUESTIONS:
        return ()
    folder = file.parent
    settings = folder / "set.json"
    if settings.is_file():
        row = known(_parsed(_decoded(settings), settings.name), ("corpus",), settings.name)
        owner = folder.resolve().parent / text(row, "corpus", settings.name)
        if not (owner / "corpus").is_dir():
            raise InputError(
                f"set.json of {folder.name} names the corpus of {owner.name}, which is not there."
            )
        return (owner / "corpus",)
    return (folder / "corpus",) if (folder / "corpus").is_dir() else ()


def _refuse_duplicates(questions: Sequence[EvalQuestion], file: str) -> None:
    first: dict[str, int] = {}
    for number, one in enumerate(questions, 1):
        if one.id in first:
            raise InputError(f"{file}: questions {first[one.id]} and {number} both have the id {one.id!r}.")
        first[one.id] = number
