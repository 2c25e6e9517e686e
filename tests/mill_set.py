"""A small question set with its corpus: two questions with an answer, one without, one off topic."""

import json
from pathlib import Path

CORPUS = """# The tide mill

## Hours

The tide mill grinds from six to nine in the morning.

## Prices

Grinding a sack of rye costs 4 crowns. A sack of oats costs 3 crowns.
"""
QUESTIONS = [
    {
        "id": "m-1",
        "kind": "answerable",
        "category": "hours",
        "difficulty": "easy",
        "split": "test",
        "question": "When does the tide mill grind?",
        "facts": [["six to nine"]],
        "gold": [
            {
                "document": "mill.md",
                "section": "Hours",
                "quote": "The tide mill grinds from six to  nine in the morning.",
            }
        ],
    },
    {
        "id": "m-2",
        "kind": "answerable",
        "category": "prices",
        "difficulty": "hard",
        "split": "calibration",
        "question": "What does it cost to grind a sack of rye?",
        "facts": [["5 crowns"]],
        "gold": [{"document": "mill.md", "section": "Prices", "quote": "a sack of rye costs 4 crowns"}],
        "note": "The fact is wrong on purpose.",
    },
    {
        "id": "m-3",
        "kind": "missing_info",
        "category": "missing",
        "difficulty": "hard",
        "split": "test",
        "question": "What does it cost to grind a sack of wheat at the tide mill?",
        "facts": [],
        "gold": [],
        "near": {"document": "mill.md", "section": "Prices", "quote": "Grinding a sack"},
        "absent": ["wheat"],
    },
    {
        "id": "m-4",
        "kind": "general_knowledge",
        "category": "general",
        "difficulty": "easy",
        "split": "test",
        "question": "Who composed the opera Fidelio?",
        "facts": [],
        "gold": [],
    },
]


def write_mill_set(parent: Path) -> str:
    """Write the set below a folder; returns its path, as ``eval run`` takes it."""
    folder = parent / "mill"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "mill.md").write_text(CORPUS, encoding="utf-8")
    lines = "\n".join(json.dumps(question) for question in QUESTIONS)
    (folder / "questions.jsonl").write_text(lines + "\n", encoding="utf-8")
    return str(folder)
