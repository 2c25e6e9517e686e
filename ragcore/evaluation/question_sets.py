"""The question sets there are: those of the repository, and one's own, which can be added to.

An own set is a folder of ``question_sets`` under the data folder, with the same ``questions.jsonl``
as the repository's; one that was imported in another format is kept as the file it came as.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import regex
from filelock import FileLock, Timeout

from ragcore.errors import InputError, NotFound, RagError
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.question_format import question_of, row_of
from ragcore.evaluation.sets import QUESTIONS, load_set

BUNDLED = Path(__file__).parents[2] / "eval_data"
LARGEST_IMPORT = 20 * 2**20
FORMATS = (".jsonl", ".ndjson", ".json", ".csv")
LOCK_TIMEOUT_S = 10.0
_NAME = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N} _-]{0,59}")
_DEVICES = regex.compile(r"(con|prn|aux|nul|com\d|lpt\d)", regex.IGNORECASE)

Origin = Literal["bundled", "own"]


@dataclass(frozen=True, slots=True)
class SetInfo:
    """A set without its questions. ``path`` is what ``eval run`` and ``RunConfig.sets`` take."""

    name: str
    path: Path
    origin: Origin
    has_corpus: bool = False
    kinds: dict[str, int] = field(default_factory=dict)
    """Questions by kind."""
    splits: dict[str, int] = field(default_factory=dict)
    error: str | None = None
    """Why it cannot be read; the counts are empty then."""

    @property
    def questions(self) -> int:
        return sum(self.kinds.values())

    @property
    def editable(self) -> bool:
        """Whether questions can be added and deleted: own sets in our own format."""
        return self.origin == "own" and self.path.is_dir()


class QuestionSets:
    """Lists all sets, and writes one's own. Safe to use from several processes at once."""

    def __init__(self, home: Path, *, bundled: Path = BUNDLED) -> None:
        self._folder = home / "question_sets"
        self._bundled = bundled

    def all(self) -> list[SetInfo]:
        """Bundled sets first, then one's own, each in the order of their names."""
        bundled = [path.parent for path in self._bundled.glob(f"*/{QUESTIONS}")]
        return [_info(path, "bundled") for path in sorted(bundled)] + [
            _info(path, "own") for path in self._own()
        ]

    def get(self, name: str) -> SetInfo:
        """Raises NotFound with the names there are."""
        there = self.all()
        for info in there:
            if info.name == name:
                return info
        names = ", ".join(info.name for info in there) or "none yet"
        raise NotFound(f"There is no question set '{name}'. There are: {names}.")

    def questions(self, name: str) -> tuple[EvalQuestion, ...]:
        """The questions of a set, none of one that is still empty. Raises NotFound and InputError."""
        info = self.get(name)
        if info.error:
            raise InputError(info.error)
        return load_set(info.path).questions if info.questions else ()

    def create(self, name: str) -> SetInfo:
        """An empty set of one's own. Raises InputError for a name that cannot be used or is taken."""
        folder = self._new_folder(name)
        _write(folder / QUESTIONS, "")
        return self.get(folder.name)

    def add(self, name: str, question: EvalQuestion) -> EvalQuestion:
        """Append a question to an own set, which is made if it is not there; as it was stored.

        A question without an id is given one that is never used again. Raises InputError for a
        question that could not be read back, an id that is taken, and a set that is read only.
        """
        if not any(info.name == name for info in self.all()):
            name = _valid(name)
            with self._locked(name):
                # Another process may have made it a moment ago.
                if not (self._folder / name).exists():
                    self.create(name)
        info = self._editable(name)
        with self._locked(info.name):
            questions = self._stored(info)
            taken = {one.id for one in questions}
            if question.id in taken:
                raise InputError(f"The set '{name}' has a question with the id '{question.id}' already.")
            stored = replace(question, id=question.id or _new_id(name, taken))
            # What cannot be read back would make the whole set unreadable.
            stored = question_of(json.loads(_line(stored)), "The question")
            _write(info.path / QUESTIONS, "".join(_line(one) for one in [*questions, stored]))
        return stored

    def delete_question(self, name: str, question_id: str) -> None:
        """Raises NotFound, and InputError for a set that is read only."""
        info = self._editable(name)
        with self._locked(info.name):
            questions = self._stored(info)
            kept = [one for one in questions if one.id != question_id]
            if len(kept) == len(questions):
                raise NotFound(f"The set '{name}' has no question '{question_id}'.")
            _write(info.path / QUESTIONS, "".join(_line(one) for one in kept))

    def delete(self, name: str) -> None:
        """Delete an own set with its questions. Raises NotFound, and InputError for a bundled one."""
        info = self.get(name)
        if info.origin == "bundled":
            raise InputError(f"'{name}' is a bundled set, which cannot be deleted.")
        with self._locked(name):
            shutil.rmtree(self._folder / name)

    def import_file(self, name: str, data: bytes, filename: str) -> SetInfo:
        """A file in any format that sets are read in, as an own set.

        Our JSONL can be added to afterwards; another format is kept as it is. Raises InputError for
        what is not a question set, naming the line, and for a name that cannot be used or is taken.
        """
        ending = Path(filename).suffix.casefold()
        if ending not in FORMATS:
            raise InputError(f"'{filename}' is no question set: {', '.join(FORMATS)} are read.")
        if len(data) > LARGEST_IMPORT:
            raise InputError(f"'{filename}' is larger than {LARGEST_IMPORT // 2**20} MiB; split the set.")
        name = _valid(name)
        with tempfile.TemporaryDirectory() as aside:
            # Under the set's own name, since ids are made of it.
            tried = Path(aside) / f"{name}{ending}"
            tried.write_bytes(data)
            try:
                found = load_set(tried)
            except InputError as error:
                raise InputError(str(error).replace(tried.name, filename)) from error
        folder = self._new_folder(name)
        if found.format == "jsonl":
            _write(folder / QUESTIONS, "".join(_line(one) for one in found.questions))
        else:
            (folder / f"{name}{ending}").write_bytes(data)
        return self.get(name)

    # --- the folder ---

    def _own(self) -> Iterator[Path]:
        for folder in sorted(self._folder.glob("*/")):
            if (folder / QUESTIONS).is_file():
                yield folder
            else:
                yield from (file for file in sorted(folder.iterdir()) if file.suffix in FORMATS)

    def _new_folder(self, name: str) -> Path:
        name = _valid(name)
        if any(info.name.casefold() == name.casefold() for info in self.all()):
            raise InputError(f"There is a question set '{name}' already; choose another name.")
        folder = self._folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"The folder {folder} cannot be made ({error.strerror}).") from error
        return folder

    def _editable(self, name: str) -> SetInfo:
        info = self.get(name)
        if info.origin == "bundled":
            raise InputError(f"'{name}' is a bundled set, which is read only; add to a set of your own.")
        if not info.editable:
            raise InputError(
                f"'{name}' was imported as {info.path.suffix}, which is not written; add to another set."
            )
        return info

    def _stored(self, info: SetInfo) -> Sequence[EvalQuestion]:
        """Read anew, under the lock. Raises InputError."""
        return load_set(info.path).questions if (info.path / QUESTIONS).stat().st_size else ()

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self._folder / f".{name}.lock", timeout=LOCK_TIMEOUT_S):
                yield
        except Timeout as error:
            raise InputError(f"The set '{name}' is being written by another process; try again.") from error


def _info(path: Path, origin: Origin) -> SetInfo:
    name = path.name if path.is_dir() else path.parent.name
    try:
        if path.is_dir() and not (path / QUESTIONS).stat().st_size:
            return SetInfo(name, path, origin)
        found = load_set(path)
    except RagError as error:
        return SetInfo(name, path, origin, error=str(error))
    return SetInfo(
        name,
        path,
        origin,
        has_corpus=bool(found.corpus),
        kinds=dict(Counter(one.kind for one in found.questions)),
        splits=dict(Counter(one.split for one in found.questions)),
    )


def _valid(name: str) -> str:
    """The name as a folder's; raises InputError."""
    cleaned = unicodedata.normalize("NFC", name).strip()
    if not _NAME.fullmatch(cleaned) or _DEVICES.fullmatch(cleaned):
        raise InputError(
            f"'{name[:80]}' cannot be the name of a set: use up to 60 letters, digits, spaces, - and _, "
            "beginning with a letter or digit."
        )
    return cleaned


def _new_id(name: str, taken: set[str]) -> str:
    """By chance, not by counting: the number of a deleted question must not come back in later runs."""
    while (made := f"{name}-{secrets.token_hex(4)}") in taken:
        pass
    return made


def _line(question: EvalQuestion) -> str:
    return json.dumps(row_of(question), ensure_ascii=False) + "\n"


def _write(file: Path, text: str) -> None:
    """Whole or not at all, whatever happens midway."""
    handle, aside = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(aside, file)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
