"""The second opinion in words: in the sidebar what it is, in the receipt what it said."""

from __future__ import annotations

from typing import Any

CHOICES = {"off": "None", "signals": "Signals", "judge": "Answer judge", "model": "Answering model"}
HELP = (
    "Who is asked, past the cutoff, whether the passages hold an answer. Signals look whether there is an amount, "
    "a name, a date or the like where one is asked for: on our test questions 15 of 96 without an answer "
    "were stopped instead of 3, and 10 of 164 that have one were refused instead of 5. The answer judge, a small model "
    "that comes with this program, reads the best sentences instead: "
    "38 were stopped and 11 refused. The answering model is asked for one word, yes or no, about "
    "the best passage: a small one stopped 55 of 55 near-misses, and 9 of 55 good questions."
)


def in_words(opinion: dict[str, Any] | None) -> str:
    """What a trace's opinion said and what it was made of, the largest part first; empty without one."""
    if opinion is None:
        return ""
    asked = "" if opinion["enforced"] else "switched off, so without effect: "
    if opinion["probability"] is None:
        return asked + opinion["reason"]
    if opinion["source"] == "model":
        said = "yes" if opinion["probability"] else "no"
        return f"the model was asked whether the best passage answers the question: {said}."
    chance, least = f"{opinion['probability']:.2f}", f"{opinion['threshold']:.2f}"
    if chance == least:
        chance, least = f"{opinion['probability']:.4f}", f"{opinion['threshold']:.4f}"
    parts = sorted(opinion["contributions"], key=lambda part: -abs(part[1]))
    what = "the answer judge gives" if opinion["source"] == "judge" else "signals of an answer"
    lines = [
        f"{asked}{what} {chance}, from 0 to 1; refused below {least}. What adds up to that, in log-odds:"
    ]
    # A minus sign is as wide as a plus.
    lines += [
        f"{part:+.2f}".replace("-", "−") + f"  {words}"
        for words, part in [*parts, ("to begin with", opinion["base"])]
    ]
    return "\n".join(lines)
