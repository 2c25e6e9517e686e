"""EXPERIMENTS.md as entries, and the stored runs that an entry cites.

An entry cites a run by its name in backticks, or by an ``eval run`` command that says what the run
asked and how. Only what really matches is linked: the same sets, stage and settings.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from typing import Any, Literal

from ragcore.evaluation.run_config import RunConfig
from ragcore.storage import EvalRun

FILE = Path(__file__).parents[2] / "EXPERIMENTS.md"
_HEAD = re.compile(r"^## +(\d{4}-\d\d-\d\d) *[·:-]? *(.+)$", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_PROGRAM = re.compile(r"^python\s+(?:-m\s+)?(?P<program>[\w./]+)(?P<rest>.*)$", re.DOTALL)
_PLACEHOLDER = re.compile(r"^[A-Z]{2,}(?:\.{3})?$|^\.{3}$")
_EVAL_DATA = "E/"
"""What the file's preamble abbreviates."""
_OPTIONS = {
    "--stage": "stage",
    "--split": "split",
    "--questions": "limit",
    "--collection": "collection",
    "--top-k": "options.top_k",
    "--threshold": "options.threshold",
    "--generator": "options.generator",
    "--model": "options.chat_model",
    "--max-tokens": "chunking.max_tokens",
    "--overlap-tokens": "chunking.overlap_tokens",
    "--header": "chunking.header",
    "--strategy": "chunking.strategy",
    "--granularity": "chunking.granularity",
    "--mode": "options.mode",
    "--fusion": "options.fusion",
}
"""Option of ``eval run`` -> the place of its value in a run's stored configuration."""


@dataclass(frozen=True, slots=True)
class EvalCommand:
    """An ``eval run`` as it stands in an entry. ``settings`` holds the options given, by place."""

    text: str
    sets: tuple[str, ...]
    """Names of the sets, without their folders."""
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One experiment. ``verdict`` is what its title says after the last colon, if it says any."""

    date: date
    title: str
    body: str
    programs: tuple[str, ...]
    """What its figures were made with, such as ``python -m benchmarks.gate``."""
    commands: tuple[EvalCommand, ...]

    @property
    def verdict(self) -> str:
        return self.title.rpartition(": ")[2] if ": " in self.title else ""

    @property
    def slug(self) -> str:
        """The title as letters and digits, the same in every process."""
        return re.sub(r"\W+", "_", self.title.casefold())[:80]


@dataclass(frozen=True, slots=True)
class CitedRun:
    """A stored run and why it is taken for the one that an entry means."""

    run: EvalRun
    by: Literal["name", "command"]


def read_entries(file: Path = FILE) -> list[Entry]:
    """The entries, newest first; of one day, the last written first. None where there is no file."""
    if not file.is_file():
        return []
    numbered = list(enumerate(entries_of(file.read_text(encoding="utf-8"))))
    numbered.sort(key=lambda one: (one[1].date, one[0]), reverse=True)
    return [entry for _, entry in numbered]


def entries_of(text: str) -> list[Entry]:
    """The entries of a file's text in their order; a heading that names no day is no entry."""
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = []
    for head, end in zip(heads, ends, strict=True):
        try:
            day = date.fromisoformat(head[1])
        except ValueError:
            continue
        body = text[head.end() : end].strip()
        codes = [" ".join(code.split()) for code in _CODE.findall(body)]
        programs = dict.fromkeys(name for code in codes if (name := _program(code)))
        commands = [command for code in codes if (command := _eval_run(code))]
        found.append(Entry(day, head[2].strip(), body, tuple(programs), tuple(commands)))
    return found


def matching(entries: Sequence[Entry], words: str) -> list[Entry]:
    """The entries that hold every one of the words, in title or body."""
    wanted = words.casefold().split()
    return [
        entry
        for entry in entries
        if all(word in f"{entry.date} {entry.title}\n{entry.body}".casefold() for word in wanted)
    ]


def cited_runs(entry: Entry, runs: Sequence[EvalRun]) -> list[CitedRun]:
    """The finished runs that the entry cites, those it names first."""
    codes = {" ".join(code.split()) for code in _CODE.findall(entry.body)}
    done = [run for run in runs if run.status == "complete"]
    named = [run for run in done if run.name in codes]
    commanded = [
        run for run in done if run not in named and any(_made_by(one, run) for one in entry.commands)
    ]
    return [CitedRun(run, "name") for run in named] + [CitedRun(run, "command") for run in commanded]


def _program(code: str) -> str:
    found = _PROGRAM.match(code)
    if found is None:
        return ""
    module = "-m " if code.startswith("python -m") else ""
    words = found["rest"].split()
    # "python -m ragcore eval run ..." is told by its sub-command, a benchmark by its name.
    command = [word for word in words[:2] if re.fullmatch(r"[a-z-]+", word)]
    sub = " ".join(command) if found["program"] == "ragcore" else ""
    return " ".join(f"python {module}{found['program']} {sub}".split())


def _eval_run(code: str) -> EvalCommand | None:
    """The command of a code span; None for another one, and where it has placeholders."""
    try:
        words = shlex.split(code)
    except ValueError:
        return None
    if words[:5] != ["python", "-m", "ragcore", "eval", "run"]:
        return None
    sets: list[str] = []
    settings: dict[str, str] = {}
    rest = iter(words[5:])
    for word in rest:
        if _PLACEHOLDER.match(word):
            return None
        if not word.startswith("--"):
            sets.append(PurePath(word.removeprefix(_EVAL_DATA)).name)
        elif word in _OPTIONS:
            settings[_OPTIONS[word]] = next(rest, "")
        elif word != "--json":
            next(rest, None)
    if not sets or any(_PLACEHOLDER.match(value) for value in settings.values()):
        return None
    return EvalCommand(code, tuple(sets), {"stage": "retrieval", **settings})


def _made_by(command: EvalCommand, run: EvalRun) -> bool:
    """Whether the run has the command's sets and settings, and the default of all it does not name."""
    if sorted(PurePath(path).name for path in run.config["sets"]) != sorted(command.sets):
        return False
    usual = RunConfig(sets=()).as_dict()
    return all(
        str(_at(run.config, place)) == command.settings.get(place, str(_at(usual, place)))
        for place in _OPTIONS.values()
    )


def _at(config: Mapping[str, Any], place: str) -> Any:
    value: Any = config
    for part in place.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
