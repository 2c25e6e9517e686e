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


FOLLOW_UPS = [
    ("f-1", "follow_up", "test", ["What does it cost to grind a sack of rye?", "And a sack of oats?"]),
    ("f-2", "follow_up", "calibration", ["When does the tide mill grind?", "What does it ask for rye?"]),
    ("f-3", "follow_up_off_topic", "test", ["When does the tide mill grind?", "Who composed Fidelio?"]),
    ("f-4", "follow_up_off_topic", "calibration", ["When does the tide mill grind?", "And in Mongolia?"]),
]
REPLIES = {"good": "What does it cost to grind a sack of oats?", "bad": "What is the capital of France?"}
"""What two models of no name make of the first of them."""


def write_mill_set(parent: Path) -> str:
    """Write the set below a folder; returns its path, as ``eval run`` takes it."""
    folder = parent / "mill"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "mill.md").write_text(CORPUS, encoding="utf-8")
    lines = "\n".join(json.dumps(question) for question in QUESTIONS)
    (folder / "questions.jsonl").write_text(lines + "\n", encoding="utf-8")
    return str(folder)


def write_mill_follow_ups(parent: Path) -> tuple[str, str]:
    """Write follow-ups over the same corpus, and replies of models; returns the paths of both."""
    write_mill_set(parent)
    folder = parent / "mill_follow_ups"
    folder.mkdir()
    (folder / "set.json").write_text('{"corpus": "mill"}', encoding="utf-8")
    rows = [
        {
            "id": key,
            "kind": kind,
            "category": "two_turn" if kind == "follow_up" else "off_topic",
            "difficulty": "easy",
            "split": split,
            "question": turns[-1],
            "turns": turns,
            "facts": [["crowns"]] if kind == "follow_up" else [],
            "gold": [
                {
                    "document": "mill.md",
                    "section": "Prices",
                    "quote": "Grinding a sack of rye costs 4 crowns.",
                }
            ]
            if kind == "follow_up"
            else [],
        }
        for key, kind, split, turns in FOLLOW_UPS
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    before, question = FOLLOW_UPS[0][3]
    common = {"prompt": "", "question": question, "before": before, "base": before, "answer": ""}
    replies = parent / "replies.jsonl"
    lines = [json.dumps({"model": model, **common, "reply": reply}) for model, reply in REPLIES.items()]
    replies.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder), str(replies)


LABELLED = [
    # Question, model, then each sentence with: do the passages support it, does it answer?
    ("m-1", "good", [("The tide mill grinds from six to nine in the morning [1].", True, True)]),
    ("m-3", "good", [("NOT IN THE DOCUMENTS", None, None)]),
    ("m-1", "bad", [("It grinds from five to ten [1].", False, False), ("I hope this helps!", None, None)]),
    ("m-2", "bad", [("It costs 4 crowns to grind a sack of rye [2].", True, False)]),
]


def write_mill_answers(parent: Path) -> tuple[str, str]:
    """Write the set, and answers of two models of no name with their labels; returns the paths of both."""
    path = write_mill_set(parent)
    texts = [f"## {part}".strip() for part in CORPUS.split("## ")[1:]]
    passages = [
        {
            "number": number,
            "file": "mill.md",
            "location": f"§ {title}",
            "section": ["The tide mill", title],
            "text": text,
        }
        for number, (title, text) in enumerate(zip(("Hours", "Prices"), texts, strict=True), start=1)
    ]
    asked = {question["id"]: question for question in QUESTIONS}
    rows = [
        {
            "model": model,
            "set": "mill",
            **{name: asked[key][name] for name in ("id", "split", "kind", "question", "facts")},
            "passages": passages,
            "reply": " ".join(text for text, *_ in said),
            "sentences": [
                {"text": text, "supported": supported, "answers": answers}
                for text, supported, answers in said
            ],
        }
        for key, model, said in LABELLED
    ]
    file = parent / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path, str(file)
