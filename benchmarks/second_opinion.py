"""Whether signals of an answer being there stop questions without one, better than the cosine alone.

    python -m benchmarks.second_opinion SET_FOLDER ... [--also SET CORPUS ...] [--home FOLDER] [--write]

Asks every set of its own corpus through the product's own retrieval (a set without a corpus: of every
corpus), fits a logistic on the calibration splits, and prints for cosine and signals what is stopped at
2 % and at no false refusals: cross-validated on calibration; on the test splits, with the thresholds that
calibration gave; and on the other sets, named by ``--also`` with the corpus of each (comma between
several), which take no part in anything. Wilson 95 % intervals; bootstrap for AUROC. ``--write`` stores
the coefficients in ragcore/retrieval, second_opinion.json and, of the answer judge, second_opinion_judge.json. ``--model`` asks the chat model too (the one of
RAGCORE_CHAT_MODEL, or the first), on the test splits.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.headroom import auroc_line
from ragcore.answering.yes_or_no import model_opinion
from ragcore.evaluation.question import EvalQuestion
from ragcore.evaluation.sets import load_set
from ragcore.models import profile_for
from ragcore.rag import Rag, open_rag
from ragcore.records import Candidate
from ragcore.retrieval import Retriever
from ragcore.retrieval.second_opinion import FILES, Fitted, SecondOpinion, Term
from ragcore.retrieval.signals import Signals, signals
from ragcore.settings import Settings
from ragcore.storage import Search

KINDS = ("answerable", "missing_info", "general_knowledge")
ABSENCES = ("absent_in_sentence", "absent_in_three", "absent_in_passage", "absent_everywhere")
SOFT = ("soft_least", "soft_loss")
LEXICAL = ("lead", "coverage", "sentence_coverage", "unknown", "agreement")
VARIANTS = {
    "cosine alone": ("best_cosine",),
    "cosine, soft coverage": ("best_cosine", *SOFT),
    "cosine, lexical": ("best_cosine", *LEXICAL),
    "cosine, absences": ("best_cosine", *ABSENCES),
    "cosine, absences, soft coverage": ("best_cosine", *ABSENCES, *SOFT),
    "all of these": ("best_cosine", *ABSENCES, *SOFT, *LEXICAL),
    "judge alone": ("judged",),
    "cosine, judge": ("best_cosine", "judged"),
    "cosine, absences, judge": ("best_cosine", *ABSENCES, "judged"),
}
CHOSEN: dict[Fitted, str] = {"signals": "cosine, absences", "judge": "judge alone"}
"""EXPERIMENTS.md, 2026-11-30, second opinion; 2026-12-01, the judge asked about what would be shown."""
BUDGET = 0.02
REGULARISATION = 0.3
CUTOFF = profile_for("all-MiniLM-L6-v2").cutoff_for("sentence")
CUTOFFS = (0.20, 0.25, 0.28, 0.30, 0.33, 0.35, 0.37, 0.40, 0.45, 0.50)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked of one corpus."""

    set: str
    corpus: str
    question: EvalQuestion
    signals: Signals
    best: Candidate

    @property
    def kind(self) -> str:
        return self.question.kind


def ask_all(rag: Rag, sets: Sequence[Path], also: Sequence[Sequence[str]]) -> Iterator[tuple[bool, Asked]]:
    """Every question with its signals; True with those of the other sets."""
    loaded = [load_set(path) for path in sets]
    corpora = {one.corpus[0].parent.name: one.corpus for one in loaded if one.corpus}
    plan = [
        (False, one, name, paths)
        for one in loaded
        for name, paths in corpora.items()
        if not one.corpus or one.corpus == paths
    ]
    for path, given in also:
        plan += [(True, load_set(path), Path(corpus).stem, (Path(corpus),)) for corpus in given.split(",")]
    retriever = Retriever(Search(rag.database), rag.embedder, rag.abbreviations)
    for other, one, name, paths in plan:
        collection = f"second-opinion-{'other-' if other else ''}{name}"
        for report in rag.ingest_paths(map(str, paths), collection=collection):
            if report.error:
                raise SystemExit(report.error)
        for question in one.questions:
            if question.kind in KINDS:
                found = retriever.retrieve(question.question, collection=collection, top_k=5)
                seen = signals(found, rag.embedder.token_vectors, rag.judge.log_odds)
                assert seen is not None
                best = max(found.candidates, key=lambda hit: hit.score)
                yield other, Asked(one.name, name, question, seen, best)


def table(asked: Sequence[Asked], names: Sequence[str]) -> np.ndarray:
    """float (n_asked, n_names)"""
    return np.array([[getattr(one.signals, name) for name in names] for one in asked])


def share(count: int, total: int) -> str:
    interval = binomtest(count, total).proportion_ci(method="wilson")
    return f"{count}/{total} [{interval.low:.2f}, {interval.high:.2f}]"


def threshold(answerable: Sequence[float], budget: float) -> float:
    """The highest that refuses at most this share of the answerable."""
    return float(np.sort(answerable)[int(budget * len(answerable) + 1e-9)])


def print_stopped(name: str, scores: np.ndarray, asked: Sequence[Asked], given: Sequence[float] = ()) -> None:
    """What is stopped at 2 % and at no false refusals of these very questions, and at given thresholds."""
    of = {kind: scores[[one.kind == kind for one in asked]] for kind in KINDS}
    hard = scores[[one.kind == "missing_info" and one.question.difficulty == "hard" for one in asked]]
    own = of["answerable"]
    places = [("at 2 %", threshold(own, BUDGET)), ("at 0 %", threshold(own, 0.0))]
    places += [
        (f"at calibration's {100 * budget:.0f} %", value)
        for budget, value in zip((BUDGET, 0.0), given, strict=False)
    ]
    print(f"  {name}")
    for words, at in places:
        cells = [f"answerable refused {share(int((own < at).sum()), len(own))}"]
        cells += [
            f"{kind} stopped {share(int((found < at).sum()), len(found))}"
            for kind, found in (
                ("missing_info", of["missing_info"]),
                ("hard", hard),
                ("general", of["general_knowledge"]),
            )
            if len(found)
        ]
        print(f"    {words:22} {', '.join(cells)}")
    for kind, found in (
        ("missing_info", of["missing_info"]),
        ("hard missing_info", hard),
        ("general", of["general_knowledge"]),
    ):
        if len(found) > 1:
            print(auroc_line(f"  {kind}", own.tolist(), found.tolist()))


def pipeline() -> object:
    return make_pipeline(
        StandardScaler(), LogisticRegression(C=REGULARISATION, class_weight="balanced", max_iter=1000)
    )


def fitted(asked: Sequence[Asked], source: Fitted, rag: Rag) -> SecondOpinion:
    """The logistic on these questions, with a threshold at which 2 % of the answerable are refused."""
    names = VARIANTS[CHOSEN[source]]
    truth = np.array([one.kind == "answerable" for one in asked])
    values = table(asked, names)
    model = pipeline().fit(values, truth)
    scaler, logistic = model[0], model[-1]
    # A signal that never varies has no scale of its own.
    terms = tuple(
        Term(name, round(float(c), 4), round(float(m), 4), round(float(s), 4) or 1.0)
        for name, c, m, s in zip(names, logistic.coef_[0], scaler.mean_, scaler.scale_, strict=True)
    )
    identity = rag.embedder.identity
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    opinion = SecondOpinion(
        terms, round(float(logistic.intercept_[0]), 4), 0.0, identity.model, identity.digest, "sentence",
        {
            "sets": list(dict.fromkeys(one.set for one in asked)),
            "split": "calibration",
            "n": dict(Counter(one.kind for one in asked)),
            "date": datetime.now(UTC).date().isoformat(),
            "commit": commit,
        },
        source,
        rag.judge.digest if "judged" in names else "",
    )  # fmt: skip
    at = threshold([probability(opinion, one) for one in asked if one.kind == "answerable"], BUDGET)
    return SecondOpinion(**{**{name: getattr(opinion, name) for name in opinion.__slots__}, "threshold": at})


def probability(opinion: SecondOpinion, asked: Asked) -> float:
    return opinion.of(asked.signals, enforced=True).probability or 0.0


def print_gate(asked: Sequence[Asked], opinion: SecondOpinion) -> None:
    """The gate as it stands, without and with the second opinion."""
    for words, closes in (
        (f"cutoff {CUTOFF}", lambda one: one.signals.best_cosine < CUTOFF),
        (
            "and second opinion",
            lambda one: one.signals.best_cosine < CUTOFF or probability(opinion, one) < opinion.threshold,
        ),
    ):
        cells = []
        for kind in KINDS:
            some = [one for one in asked if one.kind == kind]
            if some:
                word = "refused" if kind == "answerable" else "stopped"
                cells.append(f"{kind} {word} {share(sum(map(closes, some)), len(some))}")
        print(f"    {words:22} {', '.join(cells)}")


def print_paired(asked: Sequence[Asked], opinion: SecondOpinion) -> None:
    """Stopped by one and not by the other, each at 2 % false refusals of these questions; exact McNemar."""
    cosine = np.array([one.signals.best_cosine for one in asked])
    opinions = np.array([probability(opinion, one) for one in asked])
    answerable = np.array([one.kind == "answerable" for one in asked])
    by_cosine, by_opinion = (
        scores < threshold(scores[answerable], BUDGET) for scores in (cosine, opinions)
    )  # fmt: skip
    missing = np.array([one.kind == "missing_info" for one in asked])
    more, fewer = (
        int((by_opinion & ~by_cosine & missing).sum()),
        int((by_cosine & ~by_opinion & missing).sum()),
    )
    p = binomtest(more, more + fewer).pvalue if more + fewer else 1.0
    print(
        f"  missing_info stopped at 2 %: by the opinion alone {more}, by the cosine alone {fewer}, p = {p:.3f}"
    )


def print_model(asked: Sequence[Asked], rag: Rag) -> None:
    """What the chat model stops by its yes or no, and how often it says neither."""
    chat = rag.chats.choose("ollama", None)
    said = [(one, model_opinion(one.question.question, one.best, chat)) for one in asked]
    for kind in KINDS:
        found = [opinion for one, opinion in said if one.kind == kind]
        neither = sum(opinion.probability is None for opinion in found)
        print(
            f"  {kind} stopped by the model {share(sum(one.against for one in found), len(found))}, no opinion {neither}"
        )


def print_slang(asked: Sequence[Asked], closes: Callable[[Asked], bool]) -> None:
    """Over cutoffs: slang that passes against general knowledge that passes, without and with the opinion."""
    slang = [one for one in asked if one.kind == "answerable" and one.question.category == "slang"]
    general = [one for one in asked if one.kind == "general_knowledge"]
    if not slang or not general:
        return
    print(
        f"  cutoff  slang passed (n {len(slang)})  general passed (n {len(general)})  with the opinion: slang, general"
    )
    for cutoff in CUTOFFS:
        cells = []
        for opinion in (False, True):
            for group in (slang, general):
                passed = [
                    one
                    for one in group
                    if one.signals.best_cosine >= cutoff and not (opinion and closes(one))
                ]
                cells.append(share(len(passed), len(group)))
        print(f"  {cutoff:.2f}    {'   '.join(cells)}")


def report_calibration(asked: Sequence[Asked]) -> None:
    truth = np.array([one.kind == "answerable" for one in asked])
    for name, names in VARIANTS.items():
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        found = cross_val_predict(pipeline(), table(asked, names), truth, cv=folds, method="predict_proba")
        print_stopped(name, found[:, 1], asked)


def report(name: str, asked: Sequence[Asked], opinion: SecondOpinion, calibration: Sequence[Asked]) -> None:
    print(
        f"\n{name}, {opinion.source}: "
        + ", ".join(f"{kind} {n}" for kind, n in Counter(one.kind for one in asked).items())
    )
    if not any(one.kind == "answerable" for one in asked):
        return
    for words, score in (
        ("cosine alone", lambda one: one.signals.best_cosine),
        ("second opinion", lambda one: probability(opinion, one)),
    ):
        own = [score(one) for one in calibration if one.kind == "answerable"]
        given = [threshold(own, BUDGET), threshold(own, 0.0)]
        print_stopped(words, np.array([score(one) for one in asked]), asked, given)
    print_paired(asked, opinion)
    print("  the gate")
    print_gate(asked, opinion)
    print_slang(asked, lambda one: probability(opinion, one) < opinion.threshold)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--also", nargs=2, action="append", default=[], metavar=("SET", "CORPUS"))
    parser.add_argument("--home", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--model", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home, open_rag(Settings(home=given.home or Path(home))) as rag:
        started = time.perf_counter()
        pairs = list(ask_all(rag, given.sets, given.also))
        print(f"{len(pairs)} questions in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        asked = [one for other, one in pairs if not other]
        others = [one for other, one in pairs if other]
        calibration = [one for one in asked if one.question.split == "calibration"]
        # General knowledge is the cutoff's business: the opinion is asked only of what passes it.
        to_fit = [one for one in calibration if one.kind != "general_knowledge"]
        print(f"calibration, cross-validated: {dict(Counter(one.kind for one in to_fit))}")
        report_calibration(to_fit)
        test = [one for one in asked if one.question.split == "test"]
        opinions = [fitted(to_fit, source, rag) for source in FILES]
        for opinion in opinions:
            coefficients = [(term.signal, term.coefficient) for term in opinion.terms]
            print(f"\nfitted, {opinion.source}: {coefficients}, threshold {opinion.threshold:.3f}")
            report("calibration", calibration, opinion, to_fit)
            report("test", test, opinion, to_fit)
            for name in dict.fromkeys(one.corpus for one in test):
                report(f"test, {name}", [one for one in test if one.corpus == name], opinion, to_fit)
            if others:
                report("other sets", others, opinion, to_fit)
        if given.model:
            print_model(test, rag)
    for opinion in opinions if given.write else ():
        file = FILES[opinion.source]
        file.write_text(json.dumps(asdict(opinion), indent=2) + "\n", encoding="utf-8")
        print(f"written: {file}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
