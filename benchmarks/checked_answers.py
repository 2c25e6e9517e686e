"""What the check of answers shows that no passage supports, and what it strikes out that one does.

    python -m benchmarks.checked_answers [FILE] [--split calibration|test] [--list]

FILE has answers labelled by hand sentence by sentence; without one it is that of eval_data/answers. Every
reply goes through the product's own check, with its own embedder; no model is asked. By model and split:
unsupported claims shown, of all unsupported; supported claims struck out, of all supported; unsupported
claims among those shown; each with a Wilson 95 % interval, beside showing everything and beside asking
only that values stand in the cited passage. ``--list`` prints every wrong verdict with the check's reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ragcore.evaluation.checked_claims import WAYS, JudgedClaim, judge, tally
from ragcore.evaluation.labelled_answers import FILE, LabelledAnswer, read_labelled_answers
from ragcore.evaluation.question import SPLITS
from ragcore.models import open_embedder


def table(model: str, split: str, answers: Sequence[LabelledAnswer], claims: Sequence[JudgedClaim]) -> None:
    """A row a way; the model's answers and claims above."""
    print(f"\n{model}, {split}: {len(answers)} answers, {len(claims)} claims\n")
    print("| way | unsupported shown | supported struck | unsupported among the shown |")
    print("| --- | --- | --- | --- |")
    for way, words in WAYS.items():
        found = tally(claims, way)
        rates = (found.unsupported_shown, found.supported_struck, found.unsupported_of_shown)
        print(f"| {words} | {' | '.join(map(str, rates))} |")


def wrong(claims: Sequence[JudgedClaim]) -> None:
    """The wrong verdicts of the check, a line each."""
    for claim in claims:
        fate = claim.fate("checked")
        if fate in ("unsupported, shown", "supported, struck"):
            answer = claim.answer
            why = claim.sentence.note if fate == "unsupported, shown" else f"it {claim.reason}"
            said = " ".join(claim.sentence.text.split())
            print(
                f"- {fate}: {answer.model}, {answer.id} ({answer.split}), {answer.question} {said!r}: {why}"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", default=FILE)
    parser.add_argument("--split", choices=SPLITS)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args(arguments)
    answers = [one for one in read_labelled_answers(given.file) if given.split in (None, one.split)]
    embedder = open_embedder("all-MiniLM-L6-v2", ollama_host="")
    claims = judge(answers, embedder)
    for model in sorted({one.model for one in answers}):
        for split in SPLITS:
            asked = [one for one in answers if (one.model, one.split) == (model, split)]
            if asked:
                own = [one for one in claims if (one.answer.model, one.answer.split) == (model, split)]
                table(model, split, asked, own)
    if given.list:
        print()
        wrong(claims)
    return 0


if __name__ == "__main__":
    sys.exit(main())
