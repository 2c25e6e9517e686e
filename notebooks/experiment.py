"""What the notebooks share: their settings, runs found in the database or made, figures and tables shown.

What a notebook asks is written in its first cell. ``PLUMBLINE_NOTEBOOK`` changes it from outside,
as ``name=value`` pairs with semicolons between them, all of them optional:

    PLUMBLINE_NOTEBOOK="limit=6; sets=handbook,general_knowledge; split=calibration; images=no"

| name   | meaning                                                                      | default     |
| ------ | ---------------------------------------------------------------------------- | ----------- |
| sets   | folders of eval_data, or paths of sets, commas between                       | the cell's  |
| split  | calibration or test                                                          | both        |
| limit  | at most so many questions of each set, asked of each corpus                  | all         |
| models | folders (or names) of embedding models trained with prefixes, for notebook 02 | none        |
| replies | a file of recorded replies, for notebooks 05 and 06                          | the stored ones |
| fresh  | ``yes`` makes every run anew, where a stored one would do                    | no          |
| images | ``no`` leaves the pictures out: figures are then only for a live notebook    | yes         |

Everything measured comes out of ragcore. Nothing here knows what an experiment is about.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    # A notebook is run in its own folder; the library is imported from the checkout it stands in.
    sys.path.insert(0, str(ROOT))

# The loader of models has progress bars for notebooks, and asks for widgets that nobody needs here.
warnings.filterwarnings("ignore", message="IProgress not found")

from IPython.display import Markdown, display
from PIL import Image
from plotly.graph_objects import Figure

from ragcore import Rag, RagError
from ragcore.charts.chart import Chart
from ragcore.chunking import ChunkingConfig
from ragcore.errors import InputError
from ragcore.evaluation import markdown
from ragcore.evaluation.comparison import Comparison, compare
from ragcore.evaluation.experiments import read_entries
from ragcore.evaluation.outcome import Outcome, Stage, is_judged
from ragcore.evaluation.rate import Rate
from ragcore.evaluation.run_config import RunConfig
from ragcore.evaluation.summary import summarise
from ragcore.models import Embedder, profile_for
from ragcore.models.sentence_transformer import SentenceTransformerEmbedder
from ragcore.records import AskOptions
from ragcore.storage import EvalRun

VARIABLE = "PLUMBLINE_NOTEBOOK"
SPLITS = ("calibration", "test")
_NAMES = ("sets", "split", "limit", "models", "replies", "fresh", "images")
_YES_NO = {"yes": True, "no": False}
_COLOURS = 64
_WIDTH, _SCALE = 860, 1.5
"""Of a picture: CSS pixels, as wide as a notebook's page, and device pixels to each."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a notebook asks. See the module's docstring."""

    sets: tuple[str, ...]
    split: str | None = None
    limit: int | None = None
    models: tuple[str, ...] = ()
    replies: str = ""
    fresh: bool = False
    images: bool = True

    @property
    def paths(self) -> tuple[str, ...]:
        """The sets as paths: a bare name is a folder of eval_data."""
        return tuple(name if "/" in name else str(ROOT / "eval_data" / name) for name in self.sets)

    def __str__(self) -> str:
        names = ", ".join(Path(name).name for name in self.sets)
        asked = f"at most {self.limit} questions of each" if self.limit else "all questions"
        return f"Sets: {names}; {asked}, {f'{self.split} split' if self.split else 'both splits'}."


def setup(sets: Sequence[str], *, split: str | None = None, limit: int | None = None) -> Setup:
    """The cell's settings, changed by the environment. Raises InputError for what cannot be meant."""
    given = _pairs(os.environ.get(VARIABLE, ""))
    chosen = Setup(tuple(sets), split, limit)
    if "sets" in given:
        chosen = replace(chosen, sets=_listed(given["sets"]))
    if "split" in given:
        if given["split"] not in SPLITS:
            raise InputError(
                f"{VARIABLE} has split={given['split']}; use {' or '.join(SPLITS)}, or leave it out."
            )
        chosen = replace(chosen, split=given["split"])
    if "limit" in given:
        if not given["limit"].isdecimal() or int(given["limit"]) < 1:
            raise InputError(f"{VARIABLE} has limit={given['limit']}; use a whole number from 1.")
        chosen = replace(chosen, limit=int(given["limit"]))
    for name in ("fresh", "images"):
        if name in given:
            if given[name] not in _YES_NO:
                raise InputError(f"{VARIABLE} has {name}={given[name]}; use yes or no.")
            chosen = replace(chosen, **{name: _YES_NO[given[name]]})
    return replace(chosen, models=_listed(given.get("models", "")), replies=given.get("replies", ""))


def _pairs(text: str) -> dict[str, str]:
    pairs = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name not in _NAMES:
            raise InputError(
                f"{VARIABLE} has '{part}'; write name=value, where name is one of {', '.join(_NAMES)}."
            )
        pairs[name] = value
    return pairs


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, text.split(","))))


# --- runs ---


@dataclass(frozen=True, slots=True)
class Run:
    """A complete run of the bench under the name it has in the story."""

    name: str
    stored: EvalRun
    outcomes: tuple[Outcome, ...]
    collections: dict[str, str] = field(default_factory=dict)
    """Id of a question -> the collection that it was asked of."""

    def of(self, *kinds: str, split: str | None = None) -> list[Outcome]:
        """The outcomes of some kinds (none named: of all), of one split or of both."""
        return [
            one for one in self.outcomes if (not kinds or one.kind in kinds) and split in (None, one.split)
        ]

    def metrics(self, split: str | None = None) -> dict[str, Rate]:
        """The bench's figures, of one split or of both; a figure that was not measured is not there."""
        return summarise(self.of(split=split), self.stored.stage)

    def rate(self, metric: str, split: str | None = None) -> Rate:
        """One figure; "- (n = 0)" where it was not measured."""
        return self.metrics(split).get(metric, Rate(None, None, 0, None, None))


def run(
    rag: Rag,
    asked: Setup,
    name: str,
    *,
    stage: Stage = "retrieval",
    chunking: ChunkingConfig | None = None,
    options: AskOptions | None = None,
    split: str | None = None,
) -> Run:
    """The run of these settings: the newest stored one that is complete, else one made now.

    Stored ones count if the same questions were asked of the same documents with the same models and
    settings. The code may have changed since: ``fresh=yes`` asks again.
    """
    config = RunConfig(
        sets=asked.paths,
        stage=stage,
        split=split or asked.split,
        limit=asked.limit,
        chunking=chunking or ChunkingConfig(),
        options=options or AskOptions(),
    )
    # Beginning a run reads the sets and indexes what is new: only then is known what would be asked.
    begun = rag.evaluations.run(rag.bench.begin(config, name=f"Notebook: {name}"))
    known = [one for one in rag.evaluations.runs() if one.id != begun.id and one.status == "complete"]
    alike = None if asked.fresh else next((one for one in known if _same(one, begun)), None)
    if alike is not None:
        rag.evaluations.delete_run(begun.id)
        begun = alike
    else:
        with closing(rag.bench.carry_out(begun.id)) as asking:
            for _ in asking:
                pass
    outcomes = tuple(rag.bench.outcomes(begun.id))
    failed = [outcome.error for outcome in outcomes if outcome.error]
    if failed:
        raise RagError(f"The run '{name}' has {len(failed)} questions that ended in an error: {failed[0]}")
    results = rag.evaluations.results(begun.id)
    return Run(
        name,
        rag.evaluations.run(begun.id),
        outcomes,
        {result.question_id: result.question["collection"] for result in results},
    )


def _same(one: EvalRun, other: EvalRun) -> bool:
    asked = ("embedder", "corpora", "sets", "chat_model")
    return (one.config, [one.provenance.get(part) for part in asked]) == (
        other.config,
        [other.provenance.get(part) for part in asked],
    )


def against(baseline: Run, other: Run, split: str | None = None) -> Comparison:
    """``other`` compared with ``baseline`` question by question, McNemar's exact test."""
    first, second = (
        {
            one.id: one.failure_stage is None
            for one in side.of(split=split)
            if is_judged(one, side.stored.stage)
        }
        for side in (baseline, other)
    )
    verb = "finds" if baseline.stored.stage == "retrieval" else "gets right"
    return compare(first, second, names=(baseline.name, other.name), verb=verb)


def paired(baseline: Run, other: Run, split: str | None = None) -> str:
    """``+7 -3, p 0.34``; empty for the baseline itself."""
    if other is baseline:
        return ""
    found = against(baseline, other, split)
    return f"+{found.wins} -{found.losses}, p {found.p_value:.2g}"


class WithEmbedder(Rag):
    """A Rag on another's database with an embedder of its own. Not to be closed: the database is shared."""

    def __init__(self, rag: Rag, embedder: Embedder) -> None:
        super().__init__(replace(rag.settings, embedder=embedder.name), rag.database)
        self._given = embedder

    @property
    def embedder(self) -> Embedder:
        return self._given


def with_prefixes(rag: Rag, model: str, query: str | None, document: str | None) -> Rag:
    """``rag`` with a model of sentence-transformers and these prefixes; None: those of its profile."""
    embedder = SentenceTransformerEmbedder(model)
    profile = profile_for(model)
    embedder.profile = replace(
        profile,
        query_prefix=profile.query_prefix if query is None else query,
        document_prefix=profile.document_prefix if document is None else document,
        # A model that no profile knows would be asked for prompts of its own.
        warning="",
    )
    return WithEmbedder(rag, embedder)


# --- showing ---


def show(chart: Chart, asked: Setup) -> None:
    """A chart: a figure to be hovered over in a live notebook, and a picture of it for everybody else."""
    figure = Figure(chart.figure)
    figure.update_layout(template="plotly_white", paper_bgcolor="white", plot_bgcolor="white", width=_WIDTH)
    bundle: dict[str, Any] = {
        # Through JSON: arrays of numpy have none of their own.
        "application/vnd.plotly.v1+json": json.loads(figure.to_json()),
        "text/plain": f"Figure: {figure.layout.title.text}",
    }
    if asked.images and (picture := _picture(figure)):
        bundle["image/png"] = picture
    display(bundle, raw=True)


def _picture(figure: Figure) -> str:
    """A PNG in base64, drawn by a headless Chromium; empty, and said once, where there is none."""
    if not _browser():
        return ""
    height = figure.layout.height or 400
    with warnings.catch_warnings():
        # Plotly warns of options that it passes itself.
        warnings.simplefilter("ignore")
        drawn = figure.to_image(format="png", width=_WIDTH, height=height, scale=_SCALE)
    small = io.BytesIO()
    # A figure has few colours: a palette makes it a third of the size.
    Image.open(io.BytesIO(drawn)).convert("RGB").quantize(_COLOURS).save(small, "png", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")


@cache
def _browser() -> bool:
    """Whether pictures can be drawn: a browser is started once for all of a notebook's figures."""
    import kaleido
    from choreographer.browsers.chromium import Chromium

    if not Chromium.find_browser(skip_local=False):
        print("No Chromium or Chrome was found, so no pictures are drawn of the figures.")
        return False
    # Formulas would be fetched from the network; there are none in the figures.
    kaleido.start_sync_server(mathjax=False, silence_warnings=True)
    return True


def table(rows: Iterable[Mapping[str, object]]) -> None:
    """A table; the first row's keys are its heads."""
    rows = list(rows)
    if not rows:
        display(Markdown("Nothing to show with these settings."))
        return
    heads = list(rows[0])
    display(Markdown(markdown.table(heads, [[row.get(head, "") for head in heads] for row in rows])))


def say(text: str) -> None:
    """A paragraph of Markdown; what questions or documents say has to be escaped (``quoted``)."""
    display(Markdown(text))


def quoted(text: str, length: int = 300) -> str:
    """Text of a question or a document for ``say``: one line that marks nothing up."""
    return markdown.escaped(markdown.shortened(text, length))


def entries(*words: str) -> None:
    """The entries of EXPERIMENTS.md with one of these words in their title, oldest first."""
    found = [
        entry
        for entry in read_entries(ROOT / "EXPERIMENTS.md")
        if any(word.casefold() in entry.title.casefold() for word in words)
    ]
    if not found:
        say(f"There is none yet about {' or '.join(words)}.")
        return
    say("\n".join(f"* {entry.date}: **{quoted(entry.title)}**" for entry in reversed(found)))
