"""Seconds and peak memory of reading a long PDF: in a process of its own, and in this one.

    python -m benchmarks.reading_memory [--pages 1500] [--rounds 3] [--short-pages 150]

Each reading runs in a fresh interpreter, so that one does not profit from the other; the rounds
alternate. Printed are medians and their ratios to the baseline of the same run: ``read_document``
for time, a PDF of a tenth of the pages for memory (flat: a ratio near 1). Peaks are VmHWM of
/proc, so Linux only; ``parent`` is the process that asked, ``child`` the one that read.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from fpdf import FPDF

WORDS = (
    "the of a member staff claim travel cost customer journey approved before receipt thirty days return "
    "rule section applies whoever hands in form office holder notice period contract ends month quarter "
    "safety valve pressure gauge checked yearly engineer reports fault within hours written record"
).split()
MODES = ("read_document", "read_isolated")


def write_pdf(path: Path, page_count: int) -> None:
    """A report: a running header, a heading on each third page, paragraphs, page numbers."""
    choose = random.Random(page_count)
    pdf = FPDF()
    for number in range(1, page_count + 1):
        pdf.add_page()
        pdf.set_font("helvetica", "I", 9)
        pdf.text(20, 10, "Handbook of the Works, edition 12")
        pdf.text(100, 290, str(number))
        pdf.set_y(20)
        if number % 3 == 1:
            pdf.set_font("helvetica", "B", 15)
            pdf.cell(0, 10, f"{number // 3 + 1} {' '.join(choose.choices(WORDS, k=4)).capitalize()}")
            pdf.ln(12)
        pdf.set_font("times", "", 11)
        for _ in range(6):
            sentences = (" ".join(choose.choices(WORDS, k=14)).capitalize() for _ in range(6))
            pdf.multi_cell(0, 5.5, ". ".join(sentences) + ".")
            pdf.ln(3)
    path.write_bytes(bytes(pdf.output()))


def peak_kilobytes(pid: int) -> int:
    """The most resident memory that a process has had, in kB; 0 when it is no more."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)


def read_once(mode: str, path: Path) -> dict[str, float]:
    """Read the file in this process, which has done nothing else, and tell what it took."""
    from ragcore.reading import read_document, read_isolated

    data = path.read_bytes()
    own = psutil.Process()
    before = peak_kilobytes(own.pid)
    child_peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal child_peak
        while not done.wait(0.02):
            for child in own.children():
                child_peak = max(child_peak, peak_kilobytes(child.pid))

    watcher = threading.Thread(target=watch)
    if mode == "read_isolated":  # it would only slow down a reading in this process
        watcher.start()
    started = time.perf_counter()
    document = (read_isolated if mode == "read_isolated" else read_document)(data, path.name)
    seconds = time.perf_counter() - started
    done.set()
    if watcher.is_alive():
        watcher.join()
    return {
        "seconds": seconds,
        "pages": len(document.pages),
        "characters": document.character_count,
        "parent_mb": (peak_kilobytes(own.pid) - before) / 1024,
        "child_mb": child_peak / 1024,
    }


def measure(mode: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.reading_memory", "--one", mode, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--short-pages", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("MODE", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(read_once(options.one[0], Path(options.one[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        files = {count: Path(folder, f"{count}.pdf") for count in (options.short_pages, options.pages)}
        for count, path in files.items():
            write_pdf(path, count)
        keys = [(mode, count) for count in files for mode in MODES]
        runs: dict[tuple[str, int], list[dict[str, float]]] = {key: [] for key in keys}
        for _ in range(options.rounds):
            for mode, count in keys:
                runs[mode, count].append(measure(mode, files[count]))
        median = {
            key: {name: statistics.median(run[name] for run in taken) for name in taken[0]}
            for key, taken in runs.items()
        }
    for (mode, count), values in median.items():
        print(f"{mode:14} {count:5} pages", *(f"{name} {value:.2f}" for name, value in values.items()))
    long_runs = [median[mode, options.pages] for mode in MODES]
    short = median["read_isolated", options.short_pages]
    print(f"seconds, isolated : in this process   {long_runs[1]['seconds'] / long_runs[0]['seconds']:.2f}")
    print(
        f"child memory, {options.pages} : {options.short_pages} pages   {long_runs[1]['child_mb'] / short['child_mb']:.2f}"
    )
    print(
        f"memory of the process that asks, isolated : not   {long_runs[1]['parent_mb'] / long_runs[0]['parent_mb']:.2f}"
    )


if __name__ == "__main__":
    main()
