"""How far the sentence that holds a value is from what is claimed of it.

A small model picks a number from a neighbouring line. The line that is meant fits the question best,
or nearly; a line of another row, column, section or passage does not. The distances were chosen on
the calibration splits (EXPERIMENTS.md, checked answers).
"""

from __future__ import annotations

from ragcore.answering.grounds import Ground, Grounds
from ragcore.answering.taking_apart import Said, stands
from ragcore.lexical.facts import tokens
from ragcore.lexical.lexemes import is_identifying, lexemes
from ragcore.lexical.tables import cells

SAYS_ITS_SUBJECT = 0.6
"""Share of what a claim is about that a sentence has, from which on it is about that, whatever else is closer."""
FURTHEST = 0.25
"""How far the sentence of a value may be from the one that fits the question best; see ``distance``."""
A_BETTER_PASSAGE = 0.05
"""Distance for every word of the question that another passage has more than the value's own, up to four."""
ANOTHER_SECTION = 0.2
"""Distance where the title of another section of the same document has a word of the question, and this one has not."""
CODE_HERE = 0.15
"""So much nearer is a passage that alone has the code that is asked for: "M-2024-07" is named once, then it is "it"."""
NO_COMMON_WORD = 0.05
ANOTHER_ROW = 0.18
"""Distance of a table's row that shares no word with what is claimed: of another thing, most likely."""
CLOSE_WITHOUT_WORDS = 0.5
"""Cosine from which a sentence may be about the question without sharing a word with it."""


def distance(said: Said, ground: Ground, asked: float, grounds: Grounds) -> float:
    """How far a sentence is from what is asked: 0 for the sentence that fits the question best."""
    subject = said.subject
    shared = subject & ground.lexemes
    far = grounds.best_asked - asked
    code_here = _code_here(said, ground, grounds)
    if grounds.titles_elsewhere(ground.passage) & (
        frozenset(lexemes(said.question)) if said.bare else subject
    ):
        far += ANOTHER_SECTION
    elif (
        code_here is not False
        and not said.bare
        and subject
        and len(shared) / len(subject) >= SAYS_ITS_SUBJECT
    ):
        # It says itself what it is about, and so does the sentence.
        return 0.0
    best = max(len(subject & words) for words in grounds.words.values())
    far += A_BETTER_PASSAGE * min(4, best - len(subject & grounds.words[ground.passage]))
    if code_here is False:
        far += FURTHEST
    elif code_here and not ground.row:
        # A row says itself what it is about.
        far -= CODE_HERE
    if not shared:
        far += NO_COMMON_WORD if asked >= CLOSE_WITHOUT_WORDS else FURTHEST
    if ground.row and not subject & frozenset(lexemes(ground.text)):
        far += ANOTHER_ROW
    if ground.row and _another_column(said, ground):
        far += FURTHEST
    return far


def _code_here(said: Said, ground: Ground, grounds: Grounds) -> bool | None:
    """Whether a code that is asked for, and stands in one passage alone, stands in this one; None without such a code."""
    text = f"{said.question}\n{said.text}" if said.bare else said.text
    codes = {word for word in lexemes(text) if is_identifying(word) and not word.isdigit()}
    if any(sum(code in words for words in grounds.words.values()) == 1 for code in codes):
        return bool(codes & grounds.words[ground.passage])
    return None


def _another_column(said: Said, ground: Ground) -> bool:
    """Whether the value stands in a column whose head is not asked for, while another one's is."""
    head = ground.above.rsplit("\n", 1)[-1]
    heads, row = cells(head), cells(ground.text)
    if len(heads) != len(row) or len(heads) < 3:
        return False
    asked = frozenset(lexemes(said.question)) | said.subject
    wanted = [bool(asked & frozenset(lexemes(one))) for one in heads[1:]]
    own = [
        wanted[column]
        for column, cell in enumerate(row[1:])
        if any(stands(token, tokens(cell)) for _, token in said.values)
    ]
    return bool(own) and any(wanted) and not any(own)
