"""How fast the Threshold page follows its slider with 10,000 scored questions.

    python -m benchmarks.threshold_slider [--questions 10000] [--presses 30] [--no-browser]

Prints three things: (1) milliseconds to count one cutoff, against a plain Python loop over the same
scores in the same process; (2) milliseconds of the fragment's script, as a step of the slider runs it;
(3) milliseconds in a real Chromium from the press of an arrow key on the slider until the counts on the
page have changed. The questions are made up (seeded normal scores); nothing is embedded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
from sqlalchemy import insert
from streamlit.testing.v1 import AppTest

from ragcore.evaluation.run_config import RunConfig
from ragcore.evaluation.thresholds import ScoredRun
from ragcore.rag import Rag, open_rag
from ragcore.settings import Settings
from ragcore.storage.evaluation_tables import EvalResultRow

ROOT = Path(__file__).parents[1]
MIXTURE = (
    ("answerable", 0.6, 0.55, 0.14),
    ("general_knowledge", 0.2, 0.16, 0.07),
    ("missing_info", 0.2, 0.5, 0.12),
)
"""Kind, share, mean and deviation of the scores."""
PASSAGE = "A passage of the length that a chunk usually has, as every result carries five of them. " * 8


def store_run(rag: Rag, questions: int) -> int:
    """A complete run of stage refusal with so many results."""
    random = np.random.default_rng(0)
    run_id = rag.evaluations.begin(
        name="benchmark",
        question_set="made up",
        stage="refusal",
        config=RunConfig(("made up",), stage="refusal").as_dict(),
        provenance={
            "embedder": {"model": "all-MiniLM-L6-v2", "digest": "0" * 64, "dimension": 384},
            "corpora": {"made up": "0" * 64},
        },
        questions=questions,
    )
    rows = []
    for kind, share, mean, deviation in MIXTURE:
        for score in random.normal(mean, deviation, round(share * questions)).clip(-0.1, 0.99):
            number = len(rows)
            split = "calibration" if number % 5 < 2 else "test"
            rows.append(_row(run_id, f"q-{number}", kind, split, float(score)))
    with rag.database.session() as session:
        for start in range(0, len(rows), 500):
            session.execute(insert(EvalResultRow), rows[start : start + 500])
    rag.evaluations.finish(run_id, "complete", metrics={}, seconds=1.0)
    return run_id


def _row(run_id: int, key: str, kind: str, split: str, score: float) -> dict:
    hits = [
        {"file": "made-up.md", "page_start": 1, "page_end": 1, "section": "", "score": score - 0.01 * rank,
         "text": PASSAGE, "chunk_id": rank, "gold": False}
        for rank in range(5)
    ]  # fmt: skip
    shared = {"run_id": run_id, "question_id": key, "kind": kind, "category": "made up", "split": split}
    question = {"set": "made up", "collection": "made-up", "turns": [f"Question {key}?"]}
    outcome = {"id": key, "kind": kind, "split": split, "question": f"Question {key}?", "hits": hits}
    return {**shared, "question": question, "outcome": {**outcome, "top_score": score}, "score": score}


def looped(scored: ScoredRun, cutoff: float) -> dict[tuple[str, str], int]:
    """What the counts are checked and timed against: every question looked at."""
    wrong: dict[tuple[str, str], int] = {}
    for row in scored.rows:
        refused = row.score is None or row.score < cutoff
        if refused == (row.kind == scored.answered):
            wrong[row.split, row.kind] = wrong.get((row.split, row.kind), 0) + 1
    return wrong


def time_counts(scored: ScoredRun) -> None:
    ours, loop = [], []
    for cutoff in np.linspace(0, 1, 201):
        started = time.perf_counter()
        counts = scored.counts(float(cutoff), 0.25)
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        wrong = looped(scored, float(cutoff))
        loop.append(time.perf_counter() - started)
        assert all(
            one.rate.k == wrong.get((split, one.kind), 0) for split, own in counts.items() for one in own
        )
    print(
        f"counts of one cutoff   {told(ours)}; plain loop {told(loop)}: {np.median(loop) / np.median(ours):.0f} times"
    )


def time_fragment() -> None:
    """The fragment's body, timed inside a script that Streamlit runs."""
    app = AppTest.from_function(_timed_page, default_timeout=120).run()
    taken = []
    for step in range(40):
        app.slider[0].set_value(round(0.2 + 0.005 * step, 3)).run()
        assert not app.exception, app.exception
        taken.append(app.session_state["taken"])
    print(f"script of the fragment {told(taken)}")


def _timed_page() -> None:
    import time

    import streamlit as st

    from pages.parts.app import get_rag
    from pages.parts.threshold_live import live
    from pages.parts.threshold_runs import loaded
    from pages.parts.threshold_use import users_sentence

    rag = get_rag()
    run = rag.thresholds.runs()[0]
    scored, follow_ups = loaded(rag, run)
    in_force = rag.thresholds.in_force(run)
    users = users_sentence(rag, run)
    started = time.perf_counter()
    live(rag, scored, follow_ups, in_force, users)
    st.session_state["taken"] = time.perf_counter() - started


def time_browser(presses: int, environment: dict[str, str]) -> None:
    """Key presses in a real Chromium, each waited for before the next."""
    from playwright.sync_api import sync_playwright

    browser_path = next(
        (path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None
    )
    if browser_path is None:
        print("key press to counts    not measured: no Chromium on the PATH")
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.headless", "true"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browser_path,
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            )
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.set_default_timeout(60_000)
            page.goto(f"{url}/threshold")
            page.locator(".pl-counts").wait_for()
            page.wait_for_timeout(3000)
            page.get_by_role("slider", name="Cutoff").first.focus()
            page.evaluate(_WATCH)
            for _ in range(presses + 3):
                page.keyboard.press("ArrowRight")
                page.wait_for_function("window.pressed === null", polling=20)
                page.wait_for_timeout(400)
            taken = [milliseconds / 1000 for milliseconds in page.evaluate("window.taken")][3:]
            print(f"key press to counts    {told(taken)} over {len(taken)} presses")
            browser.close()
    finally:
        server.terminate()
        server.wait(20)


_WATCH = """() => {
  window.taken = []; window.pressed = null;
  addEventListener('keydown', () => { window.pressed = performance.now(); }, true);
  const shown = () => document.querySelector('.pl-counts')?.innerText;
  let last = shown();
  new MutationObserver(() => {
    const now = shown();
    if (now === undefined || now === last) return;
    last = now;
    if (window.pressed !== null) { window.taken.push(performance.now() - window.pressed); window.pressed = null; }
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
}"""
"""Times from a key going down to the table's text being another. Among 10,000 questions every step changes it."""


def _wait_for(url: str) -> None:
    for _ in range(300):
        try:
            with urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise SystemExit("The server did not start.")


def told(seconds: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    return (
        f"{1000 * statistics.median(seconds):.2f} ms, p95 {1000 * float(np.percentile(seconds, 95)):.2f} ms"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--questions", type=int, default=10_000)
    options.add_argument("--presses", type=int, default=30)
    options.add_argument("--no-browser", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"RAGCORE_HOME": home, "OLLAMA_HOST": "127.0.0.1:9"}
        os.environ.pop("RAGCORE_DATABASE_URL", None)
        with open_rag(Settings.from_environment()) as rag:
            run_id = store_run(rag, chosen.questions)
            started = time.perf_counter()
            scored = rag.thresholds.load(run_id)
            print(
                f"{len(scored.rows):,} scored questions, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f};"
                f" read once in {1000 * (time.perf_counter() - started):.0f} ms"
            )
            time_counts(scored)
            time_fragment()
            if not chosen.no_browser:
                time_browser(chosen.presses, dict(os.environ))


if __name__ == "__main__":
    main()
