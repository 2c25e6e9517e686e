"""What a run asks, of what, and how; and what that comes to before anything is indexed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ragcore.chunking import ChunkingConfig
from ragcore.errors import InputError
from ragcore.evaluation.outcome import Stage
from ragcore.evaluation.runs import Part, pair, selected
from ragcore.evaluation.sets import QuestionSet, load_set
from ragcore.indexing import files_under
from ragcore.records import AskOptions


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What is asked, of what, and how; stored with the run, so that it can be made again."""

    sets: tuple[str, ...]
    corpora: tuple[str, ...] = ()
    collection: str | None = None
    """Ask an existing collection instead of a corpus."""
    stage: Stage = "retrieval"
    split: str | None = None
    limit: int | None = None
    """At most so many questions of each set."""
    chunking: ChunkingConfig = field(default_factory=ChunkingConfig)
    options: AskOptions = field(default_factory=AskOptions)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "chunking": self.chunking.to_dict()}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> RunConfig:
        return cls(
            **{
                **stored,
                "sets": tuple(stored["sets"]),
                "corpora": tuple(stored["corpora"]),
                "chunking": ChunkingConfig.from_dict(stored["chunking"]),
                "options": AskOptions(**stored["options"]),
            }
        )


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """One set, and the files that it is to be asked of."""

    questions: QuestionSet
    paths: tuple[Path, ...]

    @property
    def corpus_name(self) -> str:
        first = self.paths[0]
        return first.parent.name if first.name == "corpus" else first.stem


def planned(config: RunConfig) -> list[PlannedPart]:
    """The sets of a configuration, read, and the corpora they are to be asked of, unread.

    Without meaning for a run that asks a collection. Raises InputError for a set that cannot be used
    or has no corpus.
    """
    parts = []
    for one, corpus in pair([load_set(path) for path in config.sets], config.corpora):
        paths = (Path(corpus),) if corpus is not None else one.corpus
        if not paths:
            raise InputError(
                f"The set '{one.name}' has no corpus of its own: give one with --corpus, or a collection."
            )
        parts.append(PlannedPart(one, paths))
    return parts


def default_name(sets: Sequence[str], config: RunConfig) -> str:
    """What a run is called that was given no name."""
    return f"{' + '.join(sets)}, {config.stage}"


def questions_expected(config: RunConfig) -> tuple[list[str], int]:
    """The names of the sets, and how many questions are to be asked as far as that is known.

    Checks what can be checked without indexing anything. Raises InputError and NotFound.
    """
    if config.collection is not None:
        parts = [Part(load_set(path), config.collection, config.collection) for path in config.sets]
    else:
        plan = planned(config)
        _check_corpora(plan)
        parts = [Part(part.questions, "", part.corpus_name) for part in plan]
    names = list(dict.fromkeys(part.questions.name for part in parts))
    return names, len(selected(parts, config.stage, config.split, config.limit))


def _check_corpora(plan: Sequence[PlannedPart]) -> None:
    for paths in dict.fromkeys(part.paths for part in plan):
        if not any(True for _ in files_under([str(path) for path in paths])):
            raise InputError(f"The corpus {', '.join(map(str, paths))} holds no files.")
