"""In what the configurations of runs differ, in words: only that is worth reading beside a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ragcore.storage import EvalRun

WORDS = {
    "sets": "Question sets",
    "corpora": "Corpus",
    "collection": "Collection",
    "stage": "Stage",
    "split": "Split",
    "limit": "Questions of each set",
    "chunking.strategy": "Chunking",
    "chunking.max_tokens": "Chunk size (tokens)",
    "chunking.overlap_tokens": "Overlap (tokens)",
    "chunking.header": "Headers above chunks",
    "options.threshold": "Cutoff",
    "options.top_k": "Passages (top k)",
    "options.mode": "Search",
    "options.follow_ups": "Follow-ups",
    "options.generator": "Answers by",
    "options.chat_model": "Chat model asked for",
    "options.temperature": "Temperature",
    "options.strict": "Strict",
    "options.unsupported": "Unsupported sentences",
    "options.on_refusal": "Where the model refuses",
    "options.prompt": "Rules for the model",
    "embedder": "Embedder",
    "chat_model": "Chat model",
    "prompt": "Prompt",
    "corpus_content": "Corpus as indexed",
    "set_content": "Question sets as read",
    "code": "Code",
}
"""Everything that a run is compared by. What has no words here is shown by its own name."""

NOTHING = {
    "options.threshold": "in force",
    "split": "all",
    "limit": "all",
    "corpora": "the sets' own",
    "collection": "none",
    "options.chat_model": "any",
    "chat_model": "none",
    "code": "unknown",
}
"""What None or an empty list means."""

_LEFT_OUT = {"options.collection"}
"""Set anew for every corpus while a run is carried out."""
_PATHS = {"sets", "corpora"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One setting and its values, in the order of the runs."""

    key: str
    label: str
    values: tuple[str, ...]


def differences(runs: Sequence[EvalRun]) -> list[Difference]:
    """The settings in which not all of the runs agree; none for fewer than two runs."""
    described = [settings(run) for run in runs]
    keys = dict.fromkeys(key for one in described for key in one)
    found = []
    for key in keys:
        values = tuple(one.get(key, "not stored") for one in described)
        if len(set(values)) > 1:
            found.append(Difference(key, label(key), values))
    return found


def settings(run: EvalRun) -> dict[str, str]:
    """Every setting and the provenance of a run, flat, each value in words."""
    flat = {key: value for key, value in _flat(run.config).items() if key not in _LEFT_OUT}
    came_from = run.provenance
    embedder, chat = came_from.get("embedder") or {}, came_from.get("chat_model")
    git = came_from.get("git")
    flat |= {
        "embedder": f"{embedder.get('model') or embedder.get('name') or '?'} {_short(embedder.get('digest'))}".strip(),
        "chat_model": f"{chat['name']} {_short(chat.get('digest'))}".strip() if chat else None,
        "prompt": _short(came_from.get("prompt_hash")),
        "corpus_content": _hashes(came_from.get("corpora")),
        "set_content": _hashes(came_from.get("sets")),
        "code": f"{_short(git['commit'])}{' with changes' if git['dirty'] else ''}" if git else None,
    }
    return {key: in_words(key, value) for key, value in flat.items()}


def label(key: str) -> str:
    return WORDS.get(key) or key.replace("_", " ").replace(".", ", ")


def in_words(key: str, value: Any) -> str:
    if value is None or value in ("", [], ()):
        return NOTHING.get(key, "none")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " + ".join(PurePath(str(one)).name if key in _PATHS else str(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        flat |= _flat(value, f"{name}.") if isinstance(value, Mapping) else {name: value}
    return flat


def _hashes(named: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {_short(content)}" for name, content in sorted((named or {}).items()))


def _short(digest: Any) -> str:
    """Enough of a hash to tell two apart."""
    return str(digest or "").removeprefix("sha256:")[:10]
